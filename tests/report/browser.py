"""A headless Chromium for the tests of the page, or the reason why there is none."""

import shutil
from contextlib import contextmanager
from pathlib import Path

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
PHONE, DESK = (360, 740), (1280, 900)


def missing():
    """Why the page cannot be tested in a browser here; nothing if it can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "Playwright is not installed; `make test` installs it"
    if executable() is None:
        return "Chromium is not installed; on Debian: apt-get install chromium"
    return None


def executable():
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium():
    """A browser with a user directory of its own that is gone afterwards."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser, path, size=DESK, scheme="light", scripts=True):
    """The page at a size; what it says to the console and whom it asks for anything is checked at the end."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, java_script_enabled=scripts
    )
    page = context.new_page()
    page.set_default_timeout(10_000)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    address = path.resolve().as_uri()
    page.goto(address)
    try:
        yield page
        assert not said, said
        outside = [url for url in asked if url.partition("#")[0] != address and not url.startswith("data:")]
        assert not outside, outside
    finally:
        context.close()


def audit(shown):
    """What axe-core finds on a page."""
    # Through the protocol, because the page itself lets no other script in.
    shown.context.new_cdp_session(shown).send("Page.setBypassCSP", {"enabled": True})
    shown.evaluate(AXE.read_text())
    return shown.evaluate("axe.run(document, { resultTypes: ['violations', 'passes'] })")
