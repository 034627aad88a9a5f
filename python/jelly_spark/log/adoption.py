"""Making a folder a managed log, with the patches that it has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from jelly_spark.errors import LogError
from jelly_spark.log import snapshots
from jelly_spark.log.entries import Block, Entry, block_of, number_of
from jelly_spark.log.files import OWN, Files
from jelly_spark.log.managed import ManagedIndex
from jelly_spark.log.patch_files import format_of
from jelly_spark.log.scanned import FolderScan

_OLD_INDEX = f"{OWN}/index.json"
"""The index that logs had before they were managed: version 2."""


def begin(files: Files) -> ManagedIndex:
    """Make a folder a managed log, which must be empty (see `check_empty`); return its index."""
    created = ManagedIndex.create(files, block_of([])) or ManagedIndex.open(files)
    assert created is not None
    return created


def check_empty(files: Files) -> None:
    """Check that a folder can become a managed log, because it has no patches.

    Raises:
        LogError: it has some.
    """
    if any(format_of(name) for name in files.list()) or files.list(snapshots.FOLDER):
        raise LogError(
            f"{files.url} has patches, but is not a managed log, so nothing can be appended: "
            "call Log.adopt once"
        )


def adopt(files: Files) -> ManagedIndex:
    """Make a folder of patches a managed log, and return its index; see `Log.adopt`.

    The files stay as they are. Snapshots and times that an earlier version stored are kept.

    Raises:
        LogError: the folder is a managed log; the patches do not form one chain; or the old index
            says that a file has changed.
    """
    if ManagedIndex.open(files) is not None:
        raise LogError(f"{files.url} is a managed log already: append patches to it")
    entries = _with_old_times(files, FolderScan(files).entries())
    patches = block_of(entries, _begin(files, entries))
    _check_names(patches)
    # Before the folder is a managed log: adopting goes on where a killed program left it.
    snapshots.adopt(files, patches)
    index = ManagedIndex.create(files, patches)
    if index is None:
        raise LogError(f"{files.url} has just been adopted by another program")
    files.remove(_OLD_INDEX)
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


def _with_old_times(files: Files, entries: Sequence[Entry]) -> list[Entry]:
    """Return entries with the times at which an old index says that they were appended."""
    old = _read_old_index(files)
    found = []
    for entry in entries:
        digest, time = old.get(entry.file, (entry.sha256, entry.time))
        if digest == entry.sha256:
            entry = entry._replace(time=time)
        elif number_of(entry.file) is not None:
            raise LogError(
                f"{entry.file} has changed since {time.isoformat()}: restore it, or remove "
                f"{_OLD_INDEX} to accept it as it is"
            )
        found.append(entry)
    return found


def _read_old_index(files: Files) -> dict[str, tuple[str, datetime]]:
    """Return the digest and time of each file in an old index; empty if it cannot be read."""
    try:
        content: Any = json.loads(files.read(_OLD_INDEX))
        return {
            name: (str(entry["sha256"]), datetime.fromisoformat(entry["time"]))
            for name, entry in content["files"].items()
        }
    except (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError):
        return {}
