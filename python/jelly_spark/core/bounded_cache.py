"""A cache for memoization: results by text or bytes, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from sys import getsizeof
from typing import TypeVar

K = TypeVar("K", str, bytes)
V = TypeVar("V")

_MAX_ENTRIES = 8192
MAX_KEY_LENGTH = 256
"""Results for longer keys are not cached."""
# A short key can have a long result: the datatype of a literal, or a declared prefix, stands for
# any number of bytes. The bytes of results above the first size are counted; the second is the most
# that they may have together.
_UNCOUNTED = 1 << 11
_MAX_BYTES = 1 << 24


class BoundedCache(dict[K, V]):
    """Memoizes a function of one string: `cache[key]` is `compute(key)`, computed at most once.

    Terms repeat in nearly all data, so parsing or formatting one again is a dictionary lookup. It
    is a `dict` because `__missing__` keeps a hit free of any Python call.

    Invariant: a cached result equals `compute(key)` at any time. Where `compute` depends on
    something else, such as declared prefixes, whoever changes that calls `clear`. A full cache is
    cleared as a whole, which is cheaper than tracking the use of each entry: it is full by the
    number of its entries, or by the bytes of its long results. Keys above 256 characters are
    computed every time.

    Args:
        compute: computes the result for a key; what it raises is passed on, and not cached.
    """

    def __init__(self, compute: Callable[[K], V]) -> None:
        super().__init__()
        self._compute: Callable[[K], V] = compute
        self._bytes = 0

    def __missing__(self, key: K) -> V:
        value: V = self._compute(key)
        if len(key) <= MAX_KEY_LENGTH:
            if len(self) >= _MAX_ENTRIES:
                self.clear()
            size = getsizeof(value)
            if size <= _UNCOUNTED or self._has_space(size):
                self[key] = value
        return value

    def _has_space(self, size: int) -> bool:
        """Whether a result of so many bytes is cached; it is counted then."""
        if self._bytes + size > _MAX_BYTES:
            self.clear()
        fits = size <= _MAX_BYTES
        if fits:
            self._bytes += size
        return fits

    def clear(self) -> None:
        """Remove all entries."""
        super().clear()
        self._bytes = 0
