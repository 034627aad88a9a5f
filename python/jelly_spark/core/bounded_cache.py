"""A memoization cache with string or bytes keys, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from sys import getsizeof
from typing import Final, TypeVar

K = TypeVar("K", str, bytes)
V = TypeVar("V")

_MAX_ENTRIES: Final = 8192
MAX_KEY_LENGTH: Final = 256
"""Results for longer keys are not cached."""
# A short key can have a long result, because a datatype id or a declared prefix can stand for any
# number of bytes. Results of up to _UNCOUNTED bytes are not counted; all longer ones together take
# at most _MAX_BYTES.
_UNCOUNTED: Final = 1 << 11
_MAX_BYTES: Final = 1 << 24


class BoundedCache(dict[K, V]):
    """Memoizes a function of one argument: `cache[key]` returns `compute(key)`.

    Terms repeat in nearly all data, so a term that was parsed or formatted before costs one
    dictionary lookup. The class is a `dict` with `__missing__`, so a hit calls no Python function.

    Invariant: a cached result equals `compute(key)`. If `compute` depends on other state, such as
    declared prefixes, the code that changes that state must call `clear`.

    A cache with 8192 entries, or 16 MiB of long results, is cleared as a whole, which is cheaper
    than tracking the use of each entry. Results for keys longer than 256 are not cached.

    Args:
        compute: computes the result for a key. Its exceptions are passed on, and not cached.
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
            # A character of a str takes at most four bytes.
            size = 4 * len(value) if isinstance(value, str) else getsizeof(value)
            if size <= _UNCOUNTED or self._has_space(size):
                self[key] = value
        return value

    def _has_space(self, size: int) -> bool:
        """Reserve space for a long result; return False if it is too long to be cached."""
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
