"""Counts of what a `Log` has done, for monitoring."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import NamedTuple


class LogMetrics(NamedTuple):
    """What a `Log` object has done since it was made; `_asdict()` makes it a dict.

    What Spark's tasks read and write is not counted: Spark has its own metrics.

    Attributes:
        appends: patches that were appended. A patch that the log had already is not counted.
        conflicts: calls that ended with a `LogConflictError`.
        retries: attempts to append that were repeated, because another program took the position.
        bytes_read: bytes of patches, snapshots and the index that were read.
        bytes_written: bytes of patches, snapshots and the index that were written.
        segments_written: segments of the index that were written.
        segments_merged: older segments that these replaced.
        rebuilds: how often the index was built again, because it was lost or damaged.
    """

    appends: int = 0
    conflicts: int = 0
    retries: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    segments_written: int = 0
    segments_merged: int = 0
    rebuilds: int = 0


class Counters:
    """The counts behind `LogMetrics`, which several threads may increase. A pickled copy is new."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[Counters], tuple[()]]:
        return Counters, ()

    def add(self, **counts: int) -> None:
        """Increase counts, which have the names of `LogMetrics`."""
        with self._lock:
            self._counts.update(counts)

    def metrics(self) -> LogMetrics:
        """Return the counts."""
        with self._lock:
            return LogMetrics(**self._counts)
