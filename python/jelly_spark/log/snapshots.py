"""Snapshots: saved states, which make it faster to compute later states.

A snapshot is a folder of Jelly-RDF files, and a description in JSON, which is written last. A
folder without a description is not a snapshot.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from jelly_spark.log.chain import LogFinding, Version
from jelly_spark.log.files import OWN, Files, digest_of
from jelly_spark.log.index import Entry

FOLDER = f"{OWN}/snapshots"
"""The folder of the snapshots, relative to the log's folder."""

_DESCRIPTION = ".json"
# Of the descriptions.
_VERSION = 2

Prefix: TypeAlias = tuple[str | None, str, str]
"""A prefix's graph, name and IRI, as in the columns `graph`, `name` and `value`."""


# How much of a SHA-256 is kept, in hex digits.
_DIGITS = 16


class PatchDigest(NamedTuple):
    """What identifies the content of a patch.

    Attributes:
        digest: the start of the SHA-256 of its file, in hex.
        size: the size of the file in bytes.
        patch: the position of the patch in the file.
    """

    digest: str
    size: int
    patch: int


class Origin(NamedTuple):
    """The patches of a log as snapshots identify them: a state is that of certain patches.

    Attributes:
        before: the id of the patch before the first one; None if the log has all its patches.
        places: the position of each patch by its id; -1 for `before`.
        patches: what identifies each patch, in order.
        names: the name of the file of each patch.
        files: the files of the log.
    """

    before: str | None
    places: dict[str, int]
    patches: list[PatchDigest]
    names: list[str]
    files: Files

    def fits(self, snapshot: Snapshot) -> bool:
        """Return whether a snapshot of one of the patches was made from the patches of the log.

        If old patches were removed, those that are left are compared. A file may have grown since.
        """
        count = self.places[snapshot.id] + 1
        was = snapshot.patches
        if self.before is not None:
            was = was[max(0, len(was) - count) :]
        if len(was) != count:
            return False
        # The files that differ, as they were: each is read once, whatever its number of patches.
        changed = set()
        for name, old, now in zip(self.names, was, self.patches, strict=False):
            if old.patch != now.patch:
                return False
            if old != now:
                changed.add((name, old.size, old.digest))
        return all(
            digest_of(self.files, name, size)[:_DIGITS] == digest for name, size, digest in changed
        )


def origin_of(files: Files, versions: Sequence[Version], entries: Mapping[str, Entry]) -> Origin:
    """Return what identifies patches: the first ones of a log, whose files have the entries."""
    before = versions[0].prev if versions else None
    places = {version.id: version.log_seq for version in versions}
    if before is not None:
        places[before] = -1
    names = [version.file for version in versions]
    patches = [
        PatchDigest(entries[file].sha256[:_DIGITS], entries[file].info.size, patch)
        for *_, file, patch in versions
    ]
    return Origin(before, places, patches, names, files)


class Snapshot(NamedTuple):
    """The state after a patch.

    Attributes:
        id: the id of the patch.
        folder: the folder of the Jelly-RDF files, relative to the log's folder.
        patches: identifies the patches that the snapshot was made from.
        prefixes: the prefixes of the state.
        files: the size in bytes and the SHA-256 of each file, by its name in the folder.
    """

    id: str
    folder: str
    patches: list[PatchDigest]
    prefixes: list[Prefix]
    files: dict[str, tuple[int, str]]


def new_folder(id: str) -> str:
    """Return a new, unique name of a folder for a snapshot of the state after a patch."""
    return f"{FOLDER}/{_digest(id)}-{secrets.token_hex(4)}"


def publish(origin: Origin, id: str, folder: str, prefixes: Sequence[Prefix]) -> None:
    """Make a folder of Jelly-RDF files a snapshot, by writing its description.

    Args:
        origin: identifies the patches that the snapshot is made from.
        id: the id of the last of them.
        folder: the folder, as `new_folder` returned it.
        prefixes: the prefixes of the state.
    """
    files = origin.files
    found = {}
    for name, size in _data(files, folder).items():
        found[name] = (size, digest_of(files, f"{folder}/{name}"))
    content = {
        "version": _VERSION,
        "id": id,
        "patches": origin.patches,
        "prefixes": prefixes,
        "files": found,
    }
    with files.temporary() as path:
        path.write_text(json.dumps(content), encoding="ascii")
        files.create(folder + _DESCRIPTION, path)


def usable(origin: Origin, place: int) -> Iterator[tuple[int, Snapshot]]:
    """Yield the snapshots at or before a position with their positions, the last one first.

    A snapshot is skipped if its description is damaged, if files are missing or have another size,
    or if the patches that it was made from have changed.
    """
    files = origin.files
    by_digest = {_digest(id): each for id, each in origin.places.items() if each <= place}
    found = []
    for name in files.list(FOLDER):
        digest, _, _ = name.removeprefix(f"{FOLDER}/").partition("-")
        if name.endswith(_DESCRIPTION) and digest in by_digest:
            found.append((by_digest[digest], name))
    for _, name in sorted(found, reverse=True):
        snapshot = _read(files, name)
        if snapshot is None or snapshot.id not in origin.places or not origin.fits(snapshot):
            continue
        sizes = {name: size for name, (size, _) in snapshot.files.items()}
        if sizes == _data(files, snapshot.folder):
            yield origin.places[snapshot.id], snapshot


def findings(files: Files, origin: Origin | None) -> Iterator[LogFinding]:
    """Yield what is wrong with the snapshots. The origin is None if there is no chain."""
    for name in sorted(files.list(FOLDER)):
        snapshot = _read(files, name)
        if snapshot is None:
            message = f"{name} is not a valid description of a snapshot, and is not used"
            yield LogFinding("damaged-snapshot", name, message)
            continue
        if origin and snapshot.id in origin.places and not origin.fits(snapshot):
            message = (
                f"the patches up to {snapshot.id} have changed since the snapshot {name} was made "
                "from them, so it is not used"
            )
            # Otherwise it may be all that is left of the patches that were removed.
            if origin.before is None:
                message += ": remove it"
            yield LogFinding("stale-snapshot", name, message)
        listed = _data(files, snapshot.folder)
        for part, (_, digest) in snapshot.files.items():
            path = f"{snapshot.folder}/{part}"
            if part not in listed:
                problem = f"{path} is missing"
            elif (found := digest_of(files, path)) != digest:
                problem = f"the SHA-256 of {path} is {found}, and was {digest}"
            else:
                continue
            message = f"{problem}: remove {name}, and compact the log again"
            yield LogFinding("damaged-snapshot", path, message)


def _digest(id: str) -> str:
    """Return a hash of a patch's id, with which the names of its snapshots begin."""
    return hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _data(files: Files, folder: str) -> dict[str, int]:
    """Return the sizes in bytes of a snapshot's files, by name, except those that Spark ignores."""
    names = (
        (path.removeprefix(f"{folder}/"), info.size) for path, info in files.list(folder).items()
    )
    return {name: size for name, size in names if not name.startswith((".", "_"))}


def _read(files: Files, name: str) -> Snapshot | None:
    if not name.endswith(_DESCRIPTION):
        return None
    try:
        content = json.loads(files.read(name))
        id = content["id"]
        prefixes = [(graph, name, value) for graph, name, value in content["prefixes"]]
        texts = [id, *(text for prefix in prefixes for text in prefix if text is not None)]
        patches = [PatchDigest(*patch) for patch in content["patches"]]
        if content["version"] != _VERSION or not all(isinstance(text, str) for text in texts):
            return None
        return Snapshot(
            id,
            name.removesuffix(_DESCRIPTION),
            patches,
            prefixes,
            {name: (size, digest) for name, (size, digest) in content["files"].items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None
