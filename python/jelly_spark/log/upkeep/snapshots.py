"""Snapshots: saved states, which make it faster to compute later states.

A snapshot is a folder of Jelly-RDF files, and a description in JSON, which is written last. A
folder without a description is not a snapshot. The name of the description begins with the position
of the patch in the log.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from jelly_spark.errors import LogError
from jelly_spark.log.entries.entry import Position
from jelly_spark.log.entries.files import OWN, Files, digest_of
from jelly_spark.log.entries.order import LogFinding
from jelly_spark.log.index.log_index import LogIndex

FOLDER = f"{OWN}/snapshots"
"""The folder of the snapshots, relative to the log's folder."""

_DESCRIPTION = ".json"
# Of the descriptions.
_VERSION = 3

DUE = 2
"""How many times as large as a snapshot the patches after it are when the next one is due."""

_LEAST_DUE = 64 << 10
"""Patches of fewer bytes need no snapshot: files take longer to open than to read."""

Prefix: TypeAlias = tuple[str | None, str, str]
"""A prefix's graph, name and IRI, as in the columns `graph`, `name` and `value`."""


class Snapshot(NamedTuple):
    """The state after a patch.

    Attributes:
        id: the id of the patch.
        log_seq: the position of the patch in the log.
        chain: identifies the patches that the snapshot was made from, see `block.chain_digest`.
        folder: the folder of the Jelly-RDF files, relative to the log's folder.
        prefixes: the prefixes of the state.
        files: the size in bytes and the SHA-256 of each file, by its name in the folder.
    """

    id: str
    log_seq: int
    chain: str
    folder: str
    prefixes: list[Prefix]
    files: dict[str, tuple[int, str]]

    @property
    def size(self) -> int:
        """The size of the files in bytes."""
        return sum(size for size, _ in self.files.values())

    def is_intact(self, files: Files) -> bool:
        """Return whether the files of the snapshot are as they were written; they are read."""
        return bool(self.files) and all(
            _digest(files, f"{self.folder}/{name}") == digest
            for name, (_, digest) in self.files.items()
        )

    def fits(self, index: LogIndex) -> bool:
        """Return whether the snapshot was made from the patches of the log."""
        position = Position(self.log_seq)
        is_known = index.begin - 1 <= position < index.next
        return is_known and index.end_at(position) == (self.id, self.chain)


def new_folder(position: Position) -> str:
    """Return a new, unique name of a folder for a snapshot of the state after a patch."""
    return f"{FOLDER}/{position:020d}-{secrets.token_hex(4)}"


def publish(
    files: Files,
    index: LogIndex,
    position: Position,
    folder: str,
    prefixes: Sequence[Prefix],
    digests: Mapping[str, str],
) -> None:
    """Make a folder of Jelly-RDF files a snapshot, by writing its description.

    Args:
        files: the files of the log.
        index: the index of the log.
        position: the position of the patch whose state it is.
        folder: the folder, as `new_folder` returned it.
        prefixes: the prefixes of the state.
        digests: the SHA-256 of the files whose digests are known, in hex. Other files are read.
    """
    found = {}
    for name, size in _data(files, folder).items():
        data = f"{folder}/{name}"
        found[name] = (size, digests.get(data) or digest_of(files, data))
    if not found:
        raise LogError(f"{folder} is empty: its files were removed meanwhile")
    id, chain = index.end_at(position)
    assert id is not None
    snapshot = Snapshot(id, position, chain, folder, [*prefixes], found)
    content = {"version": _VERSION, **snapshot._asdict()}
    name = folder + _DESCRIPTION
    with files.temporary(name) as path:
        path.write_text(json.dumps(content), encoding="ascii")
        files.create(name, path)


def usable(files: Files, index: LogIndex, position: Position) -> Iterator[Snapshot]:
    """Yield the snapshots at or before a position, the last one first.

    A snapshot is skipped if its description is damaged, if files are missing or have another size,
    or if the patches that it was made from have changed.
    """
    for name in sorted(files.list(FOLDER), reverse=True):
        if not name.endswith(_DESCRIPTION) or _number(name) > max(position, 0):
            continue
        snapshot = _read(files, name)
        if snapshot is None or snapshot.log_seq > position or not snapshot.fits(index):
            continue
        sizes = {name: size for name, (size, _) in snapshot.files.items()}
        if sizes == _data(files, snapshot.folder):
            yield snapshot


def is_saved(files: Files, index: LogIndex, position: Position) -> bool:
    """Return whether there is an intact snapshot of a state; its files are read."""
    return any(
        found.log_seq == position and found.is_intact(files)
        for found in usable(files, index, position)
    )


def is_due(last: int, after: int) -> bool:
    """Return whether a new snapshot is worth its cost; see `Log.compact`.

    Args:
        last: the size of the last snapshot in bytes; 0 if there is none.
        after: the size of the patches after it.
    """
    return after > max(_LEAST_DUE, DUE * last)


def removable(files: Files, begin: int, until: datetime, left: datetime) -> Iterator[str]:
    """Yield the files and folders of snapshots before a log's beginning, and of incomplete ones.

    Args:
        files: the files of the log.
        begin: the position of the first patch. The snapshot of the state before it is kept.
        until: snapshots that were made later are left out.
        left: incomplete snapshots that were written to later are left out.
    """
    kept, removed = set(), set()
    # Before the descriptions: a snapshot that is finished meanwhile has one.
    folders = [name for name in files.names(FOLDER) if not name.endswith(_DESCRIPTION)]
    for name, info in sorted(files.list(FOLDER).items()):
        snapshot = _read(files, name)
        if snapshot is None or snapshot.log_seq >= begin - 1 or info.time > until:
            kept.add(snapshot.folder if snapshot else name.removesuffix(_DESCRIPTION))
        else:
            removed.add(snapshot.folder)
            yield name
    for name in folders:
        is_left = name not in kept and files.is_older(name, left)
        if name in removed - kept or is_left:
            yield name


def findings(files: Files, index: LogIndex) -> Iterator[LogFinding]:
    """Yield what is wrong with the snapshots."""
    for name in sorted(files.list(FOLDER)):
        snapshot = _read(files, name)
        if snapshot is None and not files.has(name):
            # It has been removed meanwhile.
            continue
        if snapshot is None:
            message = f"{name} is not a valid description of a snapshot, and is not used"
            yield LogFinding("damaged-snapshot", name, message)
            continue
        is_expired = snapshot.log_seq < index.begin - 1
        if not is_expired and not snapshot.fits(index):
            message = (
                f"the patches up to {snapshot.id} have changed since the snapshot {name} was made "
                "from them, so it is not used: remove it"
            )
            yield LogFinding("stale-snapshot", name, message)
        listed = _data(files, snapshot.folder)
        for part, (_, digest) in snapshot.files.items():
            path = f"{snapshot.folder}/{part}"
            found = _digest(files, path) if part in listed else None
            if found is None:
                problem = f"{path} is missing"
            elif found != digest:
                problem = f"the SHA-256 of {path} is {found}, and was {digest}"
            else:
                continue
            # Without the patches before, it cannot be made again.
            is_base = snapshot.log_seq == index.begin - 1
            remedy = "restore it from a backup" if is_base else f"remove {name}, and compact again"
            message = f"{problem}: {remedy}"
            yield LogFinding("damaged-snapshot", path, message)


def _number(name: str) -> int:
    """Return the position in the name of a description; -1 if it has none."""
    number = name.removeprefix(f"{FOLDER}/").partition("-")[0]
    return int(number) if number.isdecimal() else -1


def _data(files: Files, folder: str) -> dict[str, int]:
    """Return the sizes in bytes of a snapshot's files, by name, except those that Spark ignores."""
    names = (
        (path.removeprefix(f"{folder}/"), info.size) for path, info in files.list(folder).items()
    )
    return {name: size for name, size in names if not name.startswith((".", "_"))}


def _digest(files: Files, name: str) -> str | None:
    """Return the SHA-256 of a file in hex; None if it is missing."""
    try:
        return digest_of(files, name)
    except FileNotFoundError:
        return None


def _read(files: Files, name: str) -> Snapshot | None:
    if not name.endswith(_DESCRIPTION):
        return None
    try:
        content = json.loads(files.read(name))
        if content.pop("version") != _VERSION:
            return None
        return _checked(Snapshot(**content))
    except FileNotFoundError:
        # It has been removed meanwhile.
        return None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None


def _checked(found: Snapshot) -> Snapshot:
    """Return a snapshot from JSON with the types that it must have.

    Raises:
        AttributeError, TypeError or ValueError: it does not have them.
    """
    prefixes = [(graph, name, value) for graph, name, value in found.prefixes]
    texts = [found.id, found.chain, found.folder]
    texts += [text for prefix in prefixes for text in prefix if text is not None]
    if not all(isinstance(text, str) for text in texts) or not isinstance(found.log_seq, int):
        raise TypeError
    if not found.folder.startswith(f"{FOLDER}/") or ".." in found.folder:
        raise ValueError
    files = {name: (size, digest) for name, (size, digest) in found.files.items()}
    return found._replace(prefixes=prefixes, files=files)
