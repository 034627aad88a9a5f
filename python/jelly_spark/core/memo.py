"""Remembering what was made of texts that come again, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

V = TypeVar("V")

# Few enough, and short enough, that a memo stays under some megabytes.
_MOST = 8192
_LONGEST = 256


class Memo(dict[str, V]):
    """Gives `make(text)` for `memo[text]`, and remembers some thousands of them, of short texts.

    Args:
        make: what is given depends on the text alone; else the memo must be cleared.
    """

    def __init__(self, make: Callable[[str], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> V:
        value = self._make(text)
        if len(text) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[text] = value
        return value
