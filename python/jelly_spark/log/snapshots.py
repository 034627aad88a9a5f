"""Snapshots: states that are kept, from which a later state takes less to make.

A snapshot is a folder of Jelly-RDF and a description, which is written last: what has no
description is not there.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from jelly_spark.log.chain import LogFinding
from jelly_spark.log.files import OWN, Files, digest_of

FOLDER = f"{OWN}/snapshots"
"""The folder of the snapshots, from that of the log."""

_DESCRIPTION = ".json"

Prefix: TypeAlias = tuple[str | None, str, str]
"""A prefix's graph, name and IRI, as in the columns `graph`, `name` and `value`."""


class Origin(NamedTuple):
    """What patches a snapshot was made of.

    Attributes:
        first: the id of the log's first patch.
        sha256: the digest of the patches from there.
    """

    first: str
    sha256: str


class Snapshot(NamedTuple):
    """The state after a patch.

    Attributes:
        id: of the patch.
        folder: of the files of Jelly-RDF, from that of the log.
        patches: which patches it was made of.
        prefixes: which there are.
        files: size and SHA-256 of each file, by its name in the folder.
    """

    id: str
    folder: str
    patches: Origin
    prefixes: list[Prefix]
    files: dict[str, tuple[int, str]]


def new_folder(id: str) -> str:
    """Return the name of a folder for a snapshot of the state after a patch; no two are alike."""
    return f"{FOLDER}/{_digest(id)}-{secrets.token_hex(4)}"


def publish(files: Files, id: str, folder: str, patches: Origin, prefixes: list[Prefix]) -> None:
    """Make a folder of Jelly-RDF a snapshot."""
    found = {}
    for name, size in _data(files, folder).items():
        found[name] = (size, digest_of(files, f"{folder}/{name}"))
    content = {"id": id, "patches": patches, "prefixes": prefixes, "files": found}
    with files.temporary() as path:
        path.write_text(json.dumps(content), encoding="ascii")
        files.create(folder + _DESCRIPTION, path)


def latest(
    files: Files, places: Mapping[str, int], origin: Callable[[int], Origin]
) -> tuple[int, Snapshot] | None:
    """Return the last snapshot at one of some places, and its place; None if there is none.

    One that is damaged, or whose files are not all there, is passed over, and so is one that was
    made of patches that were changed since. What was removed before the log's first patch cannot
    be compared.

    Args:
        files: of the log.
        places: the places, by the ids of their patches; that of a patch before the first is -1.
        origin: returns what the patches up to a place are.
    """
    by_digest = {_digest(id): place for id, place in places.items()}
    found = []
    for name in files.list(FOLDER):
        digest, _, _ = name.removeprefix(f"{FOLDER}/").partition("-")
        if name.endswith(_DESCRIPTION) and digest in by_digest:
            found.append((by_digest[digest], name))
    for _, name in sorted(found, reverse=True):
        snapshot = _read(files, name)
        if snapshot is None or snapshot.id not in places:
            continue
        place = places[snapshot.id]
        now = origin(place)
        if snapshot.patches.first == now.first and snapshot.patches != now:
            continue
        sizes = {name: size for name, (size, _) in snapshot.files.items()}
        if sizes == _data(files, snapshot.folder):
            return place, snapshot
    return None


def findings(files: Files) -> Iterator[LogFinding]:
    """Yield what is wrong with the snapshots; every file is read."""
    for name in sorted(files.list(FOLDER)):
        snapshot = _read(files, name)
        if snapshot is None:
            yield LogFinding("damaged-snapshot", name, f"{name} describes no snapshot: remove it")
            continue
        listed = _data(files, snapshot.folder)
        for part, (_, digest) in snapshot.files.items():
            path = f"{snapshot.folder}/{part}"
            if part not in listed:
                message = f"{path} is missing: remove {name}, and compact the log again"
                yield LogFinding("damaged-snapshot", path, message)
                continue
            found = digest_of(files, path)
            if found != digest:
                message = (
                    f"the SHA-256 of {path} is {found}, and was {digest}: remove {name}, and "
                    "compact the log again"
                )
                yield LogFinding("damaged-snapshot", path, message)


def _digest(id: str) -> str:
    """Return what the names of a patch's snapshots begin with."""
    return hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _data(files: Files, folder: str) -> dict[str, int]:
    """Return the sizes of the files of a snapshot, without those that Spark does not read."""
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
        patches = Origin(*content["patches"])
        if not all(isinstance(text, str) for text in (*texts, *patches)):
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
