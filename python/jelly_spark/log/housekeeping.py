"""What a managed log no longer needs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from jelly_spark.log import snapshots
from jelly_spark.log.entries import number_of
from jelly_spark.log.files import OWN, Files
from jelly_spark.log.managed import SEGMENTS, ManagedIndex
from jelly_spark.log.settings import all_settings

_EPOCH = datetime.fromtimestamp(0, timezone.utc)

_RUNS = timedelta(days=1)
"""How long a program may run that writes files which are not needed yet."""


def removable(files: Files, index: ManagedIndex, retention: timedelta) -> list[str]:
    """Return the files and folders that can be removed, in the order in which to remove them.

    These are the files of patches that have expired, and of snapshots before the beginning of the
    log; segments that were merged; and what killed programs left.

    Args:
        files: the files of the log.
        index: the index of the log, which has just looked.
        retention: how long they stay, for programs that still use them.
    """
    now = datetime.now(timezone.utc)
    until = now - min(retention, now - _EPOCH)
    # Programs that are still running may have written these.
    left = min(until, now - _RUNS)
    settings = all_settings(files)
    begin = max((each.begin for each in settings if each.time <= until), default=0)
    adopted = range(index.begin, max(index.begin, settings[0].begin + settings[0].adopted))
    return [
        *_expired(files, index, begin, adopted),
        *snapshots.removable(files, begin, until, left),
        *_merged_segments(files, index, left),
        *_remains(files, left),
    ]


def _expired(files: Files, index: ManagedIndex, begin: int, adopted: range) -> Iterator[str]:
    """Yield the files all of whose patches are before a position.

    Args:
        files: the files of the log.
        index: the index of the log.
        begin: the position.
        adopted: the positions of adopted patches of the log. One file may have several of them.
    """
    if begin == 0:
        return
    last = {entry.file: place for place, entry in index.expired().items()}
    kept = {entry.file for entry in index.entries(adopted)}
    found = {}
    for name in files.list():
        place = last.get(name, number_of(name))
        if place is not None and place < begin and name not in kept:
            found[name] = place
    # In order, so that those that are left form a chain, wherever this ends.
    yield from sorted(found, key=lambda name: found[name])


def _merged_segments(files: Files, index: ManagedIndex, until: datetime) -> Iterator[str]:
    needed = index.segment_files()
    for name, info in files.list(SEGMENTS).items():
        if name not in needed and info.time <= until:
            yield name


def _remains(files: Files, until: datetime) -> Iterator[str]:
    """Yield the temporary files and folders of programs that were killed."""
    for name, info in files.list(OWN).items():
        if name.endswith(".part") and info.time <= until and not files.is_written(name):
            yield name
    for name in files.names(OWN):
        if name.startswith(f"{OWN}/staging-") and files.is_older(name, until):
            yield name
