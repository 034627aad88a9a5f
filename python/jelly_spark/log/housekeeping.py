"""What a managed log no longer needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import pairwise

from jelly_spark.log import packs, snapshots
from jelly_spark.log.entries import number_of
from jelly_spark.log.files import OWN, Files, digest_of
from jelly_spark.log.managed import SEGMENTS, ManagedIndex
from jelly_spark.log.packs import Pack
from jelly_spark.log.settings import Settings, all_settings

_EPOCH = datetime.fromtimestamp(0, timezone.utc)

_RUNS = timedelta(days=1)
"""How long a program may run that writes files which are not needed yet."""


def removable(files: Files, index: ManagedIndex, retention: timedelta) -> list[str]:
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
    begin = max((each.begin for each in settings if each.time <= until), default=0)
    adopted = range(index.begin, max(index.begin, settings[0].begin + settings[0].adopted))

    @cache
    def is_intact(pack: Pack) -> bool:
        try:
            return digest_of(files, pack.file) == pack.sha256
        except FileNotFoundError:
            return False

    is_packed = _packed(settings, until, is_intact)
    return [
        *_patch_files(files, index, adopted, lambda place: place < begin or is_packed(place)),
        *_packs(files, settings, until, left, is_intact),
        *snapshots.removable(files, begin, until, left),
        *_merged_segments(files, index, left),
        *_remains(files, left),
    ]


def _packed(
    settings: Sequence[Settings], until: datetime, is_intact: Callable[[Pack], bool]
) -> Callable[[int], bool]:
    """Return a function that says whether the original file of a position is no longer needed.

    It is needed until the patch has been in a pack for long enough. The pack is read, to be sure
    that it is intact.
    """
    now = settings[-1].packs
    before = next((each.packs for each in reversed(settings) if each.time <= until), ())

    def is_packed(place: int) -> bool:
        pack = packs.find(now, place)
        return pack is not None and packs.find(before, place) is not None and is_intact(pack)

    return is_packed


def _patch_files(
    files: Files, index: ManagedIndex, adopted: range, is_unneeded: Callable[[int], bool]
) -> Iterator[str]:
    """Yield the files that are not needed for any of their patches.

    Args:
        files: the files of the log.
        index: the index of the log.
        adopted: the positions of adopted patches of the log. One file may have several of them.
        is_unneeded: whether the file of the patch at a position is not needed for it.
    """
    places: dict[str, list[int]] = {}
    for place, entry in index.expired().items():
        places.setdefault(entry.file, []).append(place)
    for place, entry in enumerate(index.entries(adopted), adopted.start):
        places.setdefault(entry.file, []).append(place)
    found = {}
    for name in files.list():
        number = number_of(name)
        of_file = places.get(name) or ([] if number is None else [number])
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
