"""Showing values of any type in error messages."""

from __future__ import annotations


def show(value: object) -> str:
    """Return the `repr` of a value, or its type in angle brackets if `repr` fails.

    It fails for an int of more than 4300 digits, for example.
    """
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
