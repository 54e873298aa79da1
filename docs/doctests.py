"""Shows the examples of docstrings as code; Markdown would take `>>>` for a quotation of a quotation."""

import re

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences every example: from its first `>>>` to the next empty line."""

    def on_object(self, *, obj, **_):
        """Rewrite the docstring of whatever has one."""
        if obj.docstring and not obj.is_alias:
            obj.docstring.value = EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example):
    return f"```pycon\n{example[0].rstrip()}\n```\n"
