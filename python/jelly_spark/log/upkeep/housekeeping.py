"""What a managed log no longer needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import pairwise

from jelly_spark.log.entries import packs
from jelly_spark.log.entries.files import OWN, Files, digest_of
from jelly_spark.log.entries.order import Removed
from jelly_spark.log.entries.packs import Pack
from jelly_spark.log.index.block import number_of
from jelly_spark.log.index.index_files import SEGMENTS
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import Settings, all_settings
from jelly_spark.log.upkeep import snapshots

_EPOCH = datetime.fromtimestamp(0, timezone.utc)

_RUNS = timedelta(days=1)
"""How long a program may run that writes files which are not needed yet."""


def removable(files: Files, index: LogIndex, retention: timedelta) -> Removed:
    """Return the files and folders that can be removed, in the order in which to remove them.

    These are the files of patches that have expired or are in packs, and of snapshots before the
    beginning of the log; packs and segments that were merged; and what killed programs left.

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

    @cache
    def is_intact(pack: Pack) -> bool:
        try:
            return digest_of(files, pack.file) == pack.sha256
        except FileNotFoundError:
            return False

    def unneeded(until: datetime, left: datetime) -> list[str]:
        begin = max((each.begin for each in settings if each.time <= until), default=0)
        adopted = range(index.begin, max(index.begin, settings[0].begin + settings[0].adopted))
        is_packed = _packed(settings, until, is_intact)
        found = (
            *_patch_files(
                files, index, adopted, lambda position: position < begin or is_packed(position)
            ),
            *_packs(files, settings, until, left, is_intact),
            *snapshots.removable(files, begin, until, left),
            *_merged_segments(files, index, left),
        )
        return [name for name in found if not is_temporary_file(name)]

    names = [*unneeded(until, left), *remains(files)]
    retained = [name for name in unneeded(now, now - _RUNS) if name not in names]
    known = {*names, *retained}
    maybe_written = [
        name for name in (*unneeded(now, now), *_temporary(files)) if name not in known
    ]
    return Removed(names, retained, maybe_written)


def _packed(
    settings: Sequence[Settings], until: datetime, is_intact: Callable[[Pack], bool]
) -> Callable[[int], bool]:
    """Return a function that says whether the original file of a position is no longer needed.

    It is needed until the patch has been in a pack for long enough. The pack is read, to be sure
    that it is intact.
    """
    now = settings[-1].packs
    before = next((each.packs for each in reversed(settings) if each.time <= until), ())

    def is_packed(position: int) -> bool:
        pack = packs.find(now, position)
        return pack is not None and packs.find(before, position) is not None and is_intact(pack)

    return is_packed


def _patch_files(
    files: Files, index: LogIndex, adopted: range, is_unneeded: Callable[[int], bool]
) -> Iterator[str]:
    """Yield the files that are not needed for any of their patches.

    Args:
        files: the files of the log.
        index: the index of the log.
        adopted: the positions of adopted patches of the log. One file may have several of them.
        is_unneeded: whether the file of the patch at a position is not needed for it.
    """
    positions: dict[str, list[int]] = {}
    for entry in (*index.expired(), *index.entries(adopted)):
        positions.setdefault(entry.file, []).append(entry.position)
    found = {}
    for name in files.list():
        number = number_of(name)
        of_file = positions.get(name) or ([] if number is None else [number])
        if of_file and all(map(is_unneeded, of_file)):
            found[name] = max(of_file)
    # In order, so that those that are left form a chain, wherever this ends.
    yield from sorted(found, key=lambda name: found[name])


def _packs(
    files: Files,
    settings: Sequence[Settings],
    until: datetime,
    left: datetime,
    is_intact: Callable[[Pack], bool],
) -> Iterator[str]:
    """Yield the packs that were replaced or have expired, and those that were never published.

    A pack that was replaced is needed until all packs with its patches are intact.
    """
    now = settings[-1].packs
    needed = {pack.file for pack in now}
    there = files.list(packs.FOLDER)
    for old in {pack for each in settings for pack in each.packs if pack.file in there}:
        if old not in now and not all(is_intact(pack) for pack in now if pack.overlaps(old)):
            needed.add(old.file)
    for each, following in pairwise(settings):
        if following.time > until:
            needed.update(pack.file for pack in each.packs)
    published = {packs.stem_of(pack.file) for each in settings for pack in each.packs}
    stems = {*map(packs.stem_of, needed)}
    for name, info in there.items():
        stem = packs.stem_of(name)
        if stem not in stems and (stem in published or info.time <= left):
            yield name


def _merged_segments(files: Files, index: LogIndex, until: datetime) -> Iterator[str]:
    needed = index.segment_files()
    for name, info in files.list(SEGMENTS).items():
        if name not in needed and info.time <= until:
            yield name


def remains(files: Files) -> Iterator[str]:
    """Yield what killed programs left: temporary files and folders that no one writes.

    A program locks a temporary file while it writes it. Without locks, and for a folder, it is one
    that was not written to for a day.
    """
    left = datetime.now(timezone.utc) - _RUNS
    for name in _temporary(files):
        if not is_temporary_file(name):
            is_written = not files.is_older(name, left)
        elif (is_locked := files.is_written(name)) is not None:
            is_written = is_locked
        else:
            is_written = not files.is_older(name, left)
        if not is_written:
            yield name


def is_temporary_file(name: str) -> bool:
    """Return whether a name is that of a temporary file of a log."""
    return name.endswith(".part") and name.rpartition("/")[2].startswith(".")


def _temporary(files: Files) -> list[str]:
    """Return the temporary files and folders of programs, running or killed."""
    names = [name for folder in (OWN, SEGMENTS, packs.FOLDER) for name in files.names(folder)]
    return [name for name in names if is_temporary_file(name) or name.startswith(f"{OWN}/staging-")]
