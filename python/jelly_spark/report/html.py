"""Building HTML: all text is escaped, unless it is `Html` already."""

from __future__ import annotations

import re
from html import escape
from typing import TypeAlias

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")

_VOID = frozenset(("meta", "input"))


class Html(str):
    """A string of HTML, in which all text is escaped."""

    __slots__ = ()


Child: TypeAlias = "Html | str | int | None"


def element(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """Return an element.

        element("td", "1 < 2", class_="number")  # <td class="number">1 &lt; 2</td>

    Args:
        name: the name of the element.
        children: what it holds: elements, and text, which is escaped; a None is left out.
        attributes: its attributes; in their names, a `_` at the end is dropped, and others stand
            for `-`. True is an attribute without a value; with None or False, it is left out.
    """
    found = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{found}>")
    return Html(f"<{name}{found}>{join(*children)}</{name}>")


def join(*children: Child) -> Html:
    """Return elements and text as HTML, one after the other; text is escaped."""
    return Html("".join(_child(child) for child in children))


def _child(child: Child) -> str:
    if child is None:
        return ""
    return child if isinstance(child, Html) else escape(visible(str(child)))


def _attribute(key: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(visible(str(value)))}"'


def visible(text: str) -> str:
    r"""Return a text with characters that would not be seen as escapes, such as `\u202e`.

    These are control characters, those that change the direction of the text around them, and lone
    surrogates, which UTF-8 cannot encode.
    """
    shown = _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")
