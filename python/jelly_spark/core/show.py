"""Values of any type, as messages show them."""

from __future__ import annotations


def show(value: object) -> str:
    """Return the `repr` of a value; its type in angle brackets where it has no `repr`.

    An int of more than 4300 digits has none, for example.
    """
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
