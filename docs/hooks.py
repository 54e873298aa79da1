"""A check on the built site: reading it must not ask any other machine for anything."""

import re
from pathlib import Path

from mkdocs.exceptions import PluginError

LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|link(?![^>]*rel="?(?:canonical|next|prev)))[^>]*?"""
    r"""(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)"""
)
STYLED = re.compile(r"""(?:@import|url\()\s*["']?((?:https?:)?//[^"')\s]+)""")


def on_post_build(config, **_):
    """Refuse a site in which a page or a style sheet loads something from elsewhere."""
    for path in sorted(Path(config["site_dir"]).rglob("*")):
        if path.suffix in (".html", ".css"):
            text = path.read_text(encoding="utf-8")
            found = (LOADED if path.suffix == ".html" else STYLED).search(text)
            if found:
                raise PluginError(f"{path} loads {found[1]}, which is not part of the site")
