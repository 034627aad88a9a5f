"""Streams that return less than a reader asks for, and the memory that reading takes."""

import io
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import cycle


class Trickle(io.RawIOBase):
    """A stream whose reads return at most so many bytes, by turns.

    Args:
        data: what is in the stream.
        sizes: the sizes of the reads, from 1, repeated as often as needed.
    """

    def __init__(self, data: bytes, sizes: Sequence[int] = (1,)) -> None:
        self._data = io.BytesIO(data)
        self._sizes = cycle(sizes)

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, or none at the end."""
        most = next(self._sizes)
        return self._data.read(most if size < 0 else min(size, most))


def peak_memory(work: Callable[[], object]) -> int:
    """Do some work, and return the most bytes of Python objects that were alive at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
