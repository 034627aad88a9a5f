"""Text that people see, on a page or a terminal, whatever characters it has."""

from __future__ import annotations

import unicodedata

# Unicode categories: control, format, unassigned, surrogate, and line and paragraph separators.
_UNSEEN = frozenset(("Cc", "Cf", "Cn", "Cs", "Zl", "Zp"))


def visible(text: str) -> str:
    r"""Return a text with characters that would not be seen as escapes, such as `\u202e`.

    These are control characters but tabs and line feeds, format characters, such as those that have
    no width or change the direction of the text around them, code points without a character, and
    lone surrogates, which UTF-8 cannot encode.
    """
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character in "\t\n" or unicodedata.category(character) not in _UNSEEN:
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
