"""The files of a log's index: segments, which never change, and the tail."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from jelly_spark.log.entries.files import OWN, Files
from jelly_spark.log.index.block import Block, load

TAIL = f"{OWN}/tail.jsonl.gz"
"""The file with the entries after the last segment."""

SEGMENTS = f"{OWN}/index"
"""The folder of the segments."""

BLOCK = 100
"""The number of patches in the smallest segment."""

_MOST_BLOCKS = 4096
"""The number of blocks in the largest segment, so that merging takes at most some 30 MB."""


def segments(begin: int, end: int) -> Iterator[range]:
    """Yield the positions that each segment of a log covers, in order.

    Args:
        begin: the position of the first patch of the log. Segments before it are left out.
        end: the position after the last patch.
    """
    blocks = end // BLOCK
    at = min(begin // BLOCK, blocks) // _MOST_BLOCKS * _MOST_BLOCKS
    while at < blocks:
        size = min(_MOST_BLOCKS, 1 << ((blocks - at).bit_length() - 1))
        if (at + size) * BLOCK > begin:
            yield range(at * BLOCK, (at + size) * BLOCK)
        at += size


def segment_file(positions: range) -> str:
    """Return the name of the file of a segment."""
    return f"{SEGMENTS}/{positions.start:020d}-{positions.stop - 1:020d}.jsonl.gz"


def read_block(files: Files, name: str) -> Block | None:
    """Return the block in a file; None if it is missing or damaged."""
    try:
        return load(files.read(name), files.path(name))
    except (FileNotFoundError, NotADirectoryError):
        return None


def warn_unwritable(files: Files, error: OSError) -> None:
    """Warn that the index cannot be written."""
    warnings.warn(
        f"{files.path(OWN)} cannot be written to ({error}). The log works without an index there, "
        "but each program reads all new patches again",
        RuntimeWarning,
        stacklevel=3,
    )
