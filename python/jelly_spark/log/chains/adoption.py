"""Making a folder a managed log, with the patches that it has."""

from __future__ import annotations

from collections.abc import Sequence

from jelly_spark.errors import LogError
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import Files
from jelly_spark.log.index.block import Block, block_of, number_of
from jelly_spark.log.index.index_writer import create
from jelly_spark.log.index.log_index import LogIndex


def adopt(files: Files, entries: Sequence[Entry]) -> LogIndex:
    """Make a folder a managed log of the patches that it has, and return its index.

    The files stay as they are.

    Raises:
        LogError: a file has the name of another patch, or another program has adopted them.
    """
    patches = block_of(entries, _begin(files, entries))
    _check_names(patches)
    index = create(files, patches)
    if index is None:
        raise LogError(f"{files.url} has just been adopted by another program")
    return index


def _begin(files: Files, entries: Sequence[Entry]) -> int:
    """Return the position of the first patch.

    The next patch must have a new name, and a log keeps the positions in its names.
    """
    numbers = (number_of(name) for name in files.list())
    count = max((number + 1 for number in numbers if number is not None), default=0)
    return max(count - len(entries), 0)


def _check_names(patches: Block) -> None:
    """Check that names with a position are those of files with the patch at this position.

    Raises:
        LogError: a file has such a name, and other patches.
    """
    for place, entry in enumerate(patches.entries, patches.first):
        number = number_of(entry.file)
        if number is not None and (number != place or entry.patch != 0):
            raise LogError(
                f"{entry.file} has the name of patch {number}, but has patch {place}: give it "
                "another name, such as one that begins with a letter"
            )
