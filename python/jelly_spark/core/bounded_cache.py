"""A cache for memoization: results by text or bytes, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K", str, bytes)
V = TypeVar("V")

# 8192 keys of at most 256 characters: a cache stays below some megabytes.
_MAX_ENTRIES = 8192
_MAX_KEY_LENGTH = 256


class BoundedCache(dict[K, V]):
    """Memoizes a function of one string: `cache[key]` is `compute(key)`, computed at most once.

    Terms repeat in nearly all data, so parsing or formatting one again is a dictionary lookup. It
    is a `dict` because `__missing__` keeps a hit free of any Python call.

    Invariant: a cached result equals `compute(key)` at any time. Where `compute` depends on
    something else, such as declared prefixes, whoever changes that calls `clear`. A full cache is
    cleared as a whole, which is cheaper than tracking the use of each entry. Keys above 256
    characters are computed every time.

    Args:
        compute: computes the result for a key; what it raises is passed on, and not cached.
    """

    def __init__(self, compute: Callable[[K], V]) -> None:
        super().__init__()
        self._compute: Callable[[K], V] = compute

    def __missing__(self, key: K) -> V:
        value: V = self._compute(key)
        if len(key) <= _MAX_KEY_LENGTH:
            if len(self) >= _MAX_ENTRIES:
                self.clear()
            self[key] = value
        return value
