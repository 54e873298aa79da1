"""Where errors stop: whatever goes wrong becomes one line and an exit code, never a traceback."""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from earnshaw.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, INTERNAL, INTERRUPTED
from earnshaw.errors import EarnshawError, unknown_name

_TRACEBACK = "EARNSHAW_TRACEBACK"


class Interrupted(Exception):
    """The user stopped a command; says how to go on."""


class Group(TyperGroup):
    """The program's commands behind the boundary."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` names; an unknown one is answered with the nearest."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise unknown_name("command", args[0], self.commands)
        return super().resolve_command(ctx, args)

    def main(self, args: Any = None, prog_name: str | None = "earnshaw", *rest: Any, **extra: Any) -> Any:
        """Run a command, or show the help where none is given.

        Ends the process with the command's exit code unless `standalone_mode` is false.
        """
        args = list(sys.argv[1:] if args is None else args) or ["--help"]
        standalone = extra.pop("standalone_mode", True)
        inner = super().main
        code = guarded(lambda: inner(args, prog_name, *rest, standalone_mode=False, **extra))
        if standalone:
            sys.exit(code)
        return code


def guarded(call: Callable[[], Any]) -> int:
    """The exit code of a command; what it raises is said on stderr in one line."""
    try:
        code = call()
        sys.stdout.flush()
    except (SystemExit, BrokenPipeError):
        # Typer leaves by SystemExit, with standalone mode off, only when the reader of a pipe has gone.
        _abandon_stdout()
        return BROKEN_PIPE
    except EarnshawError as error:
        return _say(str(error), BAD_INPUT)
    except typer.TyperException as error:
        return _say(_usage(error), BAD_INPUT)
    except Interrupted as stop:
        return _say(str(stop), INTERRUPTED)
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except typer.Abort:
        return _say("interrupted", INTERRUPTED)
    except OSError as error:
        _abandon_stdout()
        place = f" {error.filename}" if error.filename else ""
        return _say(f"the system refused{place}: {(error.strerror or str(error)).lower()}", BAD_INPUT)
    except Exception as error:
        return _unexpected(error)
    if code == INTERRUPTED:
        return _say("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def stop(code: int) -> NoReturn:
    """Leave a command with an exit code."""
    raise typer.Exit(code)


def one_line(text: str) -> str:
    r"""Text that cannot break out of its line, whatever a user typed.

    >>> one_line("a\nb\tc\x1b[31m")
    'a b c\\x1b[31m'
    """
    joined = " ".join(text.split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in joined)


def _usage(error: typer.TyperException) -> str:
    """Typer's sentence about a wrong argument, with its suggestions in our words."""
    close = getattr(error, "possibilities", None)
    if close:
        return f"{error.message}; did you mean {' or '.join(close)}?"
    return error.format_message()


def _unexpected(error: Exception) -> int:
    if isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error):
        return _say("this machine has not enough memory for that; choose smaller parameters", BAD_INPUT)
    if os.environ.get(_TRACEBACK):
        traceback.print_exc()
    kind = type(error).__name__
    return _say(
        f"this should not have happened and is a mistake of Earnshaw's: {kind}: {error} "
        f"({_TRACEBACK}=1 shows where; please report it)",
        INTERNAL,
    )


def _say(sentence: str, code: int) -> int:
    print(f"earnshaw: {one_line(sentence)}", file=sys.stderr)
    return code


def _abandon_stdout() -> None:
    """Nobody can read our output any more; what is still buffered must not raise when Python shuts down."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
