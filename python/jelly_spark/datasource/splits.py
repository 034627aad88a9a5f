"""What the tasks of a read get: files, or parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pyspark.sql.datasource import InputPartition

from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.format import Format
from jelly_spark.datasource.listing import DataFile

SPLIT_SIZE = 1 << 25
"""The length of a split in bytes: the default distance of restart points, 32 MiB.

Spark's setting `spark.sql.files.maxPartitionBytes` cannot be seen from here. Splits are smaller
than its default, because Python decodes more slowly.
"""

# What opening a file costs, in bytes that could be read meanwhile, as in Spark's own file sources.
_OPEN_COST = 1 << 22


@dataclass(frozen=True)
class FilePart:
    """A part of a file.

    Attributes:
        file: the file.
        part: a pair of byte offsets, as readers take it; None for the whole file.
    """

    file: DataFile
    part: tuple[int, int] | None

    @property
    def size(self) -> int:
        """The length of the part in bytes."""
        return self.file.size if self.part is None else self.part[1] - self.part[0]


class FilesPartition(InputPartition):
    """What one task reads.

    Args:
        parts: the parts of files.
    """

    def __init__(self, parts: tuple[FilePart, ...]) -> None:
        super().__init__(None)
        self.parts = parts


def plan(format: Format, files: Iterable[DataFile]) -> list[InputPartition]:
    """Divide files among tasks: big files into splits, and small files together."""
    planned: list[InputPartition] = []
    group: list[FilePart] = []
    size = 0
    for file in files:
        for part in _parts(format, file):
            if group and size + part.size > SPLIT_SIZE:
                planned.append(FilesPartition(tuple(group)))
                group, size = [], 0
            group.append(part)
            size += part.size + _OPEN_COST
    if group:
        planned.append(FilesPartition(tuple(group)))
    return planned


def can_split(format: Format, path: str) -> bool:
    """Return whether a file can be read in parts."""
    return "part" in format.arguments and compression_of(path) is None


def _parts(format: Format, file: DataFile) -> Iterator[FilePart]:
    if file.size <= SPLIT_SIZE or not can_split(format, file.path):
        yield FilePart(file, None)
        return
    for start in range(0, file.size, SPLIT_SIZE):
        yield FilePart(file, (start, min(start + SPLIT_SIZE, file.size)))
