"""Packs: files with many consecutive patches of a managed log, which `Log.optimize` writes.

A pack is a Jelly-Patch file. Beside it is a file with the entries of its patches, from which the
index can be built again when their original files are gone. The settings of the log list the packs.
"""

from __future__ import annotations

import re
import secrets
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from jelly_spark.log.entries.files import OWN

FOLDER = f"{OWN}/packs"
"""The folder of the packs."""

PACK_AGAIN = "the original files of its patches are still there, and Log.optimize packs them again"
"""What to do about a pack that is lost, if the files are there that it was made from."""

_DIGITS = 20
_NAME = re.compile(rf"{FOLDER}/\d{{20}}-\d{{20}}-[0-9a-f]{{8}}\.jellyp(\.gz|\.zst)?", re.ASCII)


class Pack(NamedTuple):
    """A file with consecutive patches.

    Attributes:
        first: the position of the first patch; its ordinal in the file is 0.
        end: the position after the last one.
        file: the name of the file, relative to the log's folder.
        size: the size of the file, in bytes.
        sha256: the SHA-256 of the file, in hex.
    """

    first: int
    end: int
    file: str
    size: int
    sha256: str

    @property
    def positions(self) -> range:
        """The positions of the patches."""
        return range(self.first, self.end)

    def overlaps(self, other: Pack) -> bool:
        """Return whether another pack has some of the same patches."""
        return self.first < other.end and other.first < self.end


def new_file(positions: range, extension: str) -> str:
    """Return a new, unique name of a pack."""
    numbers = f"{positions.start:0{_DIGITS}d}-{positions.stop - 1:0{_DIGITS}d}"
    return f"{FOLDER}/{numbers}-{secrets.token_hex(4)}{extension}"


def is_pack(name: str) -> bool:
    """Return whether a file is a pack, by its name."""
    return name.startswith(f"{FOLDER}/")


def positions_of(name: str) -> range:
    """Return the positions of the patches of a pack, by its name."""
    first, last, *_ = name.removeprefix(f"{FOLDER}/").split("-")
    return range(int(first), int(last) + 1)


def stem_of(name: str) -> str:
    """Return the name of a pack or of the file with its entries, without the extension."""
    folder, _, file = name.rpartition("/")
    return f"{folder}/{file.partition('.')[0]}"


def entries_file(name: str) -> str:
    """Return the name of the file with the entries of a pack's patches."""
    return f"{stem_of(name)}.jsonl.gz"


def find(packs: Sequence[Pack], position: int) -> Pack | None:
    """Return the pack of the patch at a position; None if it is in no pack."""
    at = bisect_right(packs, position, key=_first) - 1
    return packs[at] if at >= 0 and position < packs[at].end else None


def after(packs: Iterable[Pack], begin: int) -> tuple[Pack, ...]:
    """Return the packs with at least one patch that is not before a position."""
    return tuple(pack for pack in packs if pack.end > begin)


def checked(content: Iterable[Any]) -> tuple[Pack, ...]:
    """Return packs from JSON.

    Raises:
        TypeError or ValueError: they are malformed, or not in order.
    """
    packs = tuple(Pack(*each) for each in content)
    end = 0
    for pack in packs:
        if type(pack.size) is not int or not isinstance(pack.sha256, str):
            raise TypeError(pack)
        if not _NAME.fullmatch(pack.file) or positions_of(pack.file) != pack.positions:
            raise ValueError(pack)
        if not end <= pack.first < pack.end or pack.size < 0:
            raise ValueError(pack)
        end = pack.end
    return packs


def _first(pack: Pack) -> int:
    return pack.first
