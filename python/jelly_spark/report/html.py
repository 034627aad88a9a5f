"""Building HTML: all text is escaped, unless it is `Html` already."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

from jelly_spark.core.text.visible import visible

_VOID = frozenset(("meta", "input"))

_CHARACTERS = 400


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


def cut(text: str) -> str:
    """Return a text, without what is longer than 400 characters."""
    return text if len(text) <= _CHARACTERS else text[:_CHARACTERS] + "…"


def note(text: str, *, when: object = True) -> Html | None:
    """Return a note below a table or chart; None unless the condition is true."""
    return element("p", text, class_="note") if when else None


def _child(child: Child) -> str:
    if child is None:
        return ""
    return child if isinstance(child, Html) else escape(visible(str(child)))


def _attribute(key: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(visible(str(value)))}"'
