"""Remembering what was made of texts, or bytes, that come again, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K", str, bytes)
V = TypeVar("V")

# Few enough, and short enough, that a memo stays under some megabytes.
_MOST = 8192
_LONGEST = 256


class Memo(dict[K, V]):
    """Gives `make(text)` for `memo[text]`, and remembers some thousands of them, of short texts.

    Args:
        make: what is given depends on the text alone; else the memo must be cleared.
    """

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make: Callable[[K], V] = make

    def __missing__(self, text: K) -> V:
        value: V = self._make(text)
        if len(text) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[text] = value
        return value
