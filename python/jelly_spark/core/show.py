"""Showing values and text in error messages."""

from __future__ import annotations

import re

SHOWN_CHARACTERS = 40
"""The most characters of a text that `quoted` shows."""

CONTROL_CHARACTERS = r"\x00-\x1f\x7f"
"""The characters that `quoted` escapes, for use within a character class."""

_CONTROL = re.compile(f"[{CONTROL_CHARACTERS}]")


def show(value: object) -> str:
    """Return the `repr` of a value, or its type in angle brackets if `repr` fails.

    It fails for an int of more than 4300 digits, for example.
    """
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def quoted(text: str) -> str:
    """Return a text in quotes, cut, and with control characters escaped."""
    shown = text[:SHOWN_CHARACTERS] + "…" if len(text) > SHOWN_CHARACTERS else text
    return f"'{_CONTROL.sub(escape_character, shown)}'"


def escape_character(match: re.Match[str]) -> str:
    r"""Return the escape, `\uXXXX` or `\UXXXXXXXX`, of a character that a pattern matched."""
    code = ord(match[0])
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
