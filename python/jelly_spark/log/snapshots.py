"""Snapshots: saved states, which make it faster to compute later states.

A snapshot is a folder of Jelly-RDF files, and a description in JSON, which is written last. A
folder without a description is not a snapshot.
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
"""The folder of the snapshots, relative to the log's folder."""

_DESCRIPTION = ".json"

Prefix: TypeAlias = tuple[str | None, str, str]
"""A prefix's graph, name and IRI, as in the columns `graph`, `name` and `value`."""


class Origin(NamedTuple):
    """Identifies the patches that a snapshot was made from.

    Attributes:
        first: the id of the log's first patch; empty if there is none.
        sha256: a digest over the patches from the first one to that of the snapshot, in hex.
    """

    first: str
    sha256: str


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
    patches: Origin
    prefixes: list[Prefix]
    files: dict[str, tuple[int, str]]


def new_folder(id: str) -> str:
    """Return a new, unique name of a folder for a snapshot of the state after a patch."""
    return f"{FOLDER}/{_digest(id)}-{secrets.token_hex(4)}"


def publish(files: Files, id: str, folder: str, patches: Origin, prefixes: list[Prefix]) -> None:
    """Make a folder of Jelly-RDF files a snapshot, by writing its description.

    Args:
        files: the files of the log.
        id: the id of the patch.
        folder: the folder, as `new_folder` returned it.
        patches: identifies the patches that the snapshot was made from.
        prefixes: the prefixes of the state.
    """
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
    """Return the last snapshot at one of the given positions, with its position.

    A snapshot is skipped if it is damaged, if files are missing, or if the patches that it was made
    from have changed. If the log's first patch is not the one that the snapshot was made from,
    because old patches were removed, they are not compared.

    Args:
        files: the files of the log.
        places: the position of each patch, by id; -1 for the patch before the first.
        origin: returns the `Origin` of the patches up to a position.

    Returns:
        None if there is no such snapshot.
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
            message = f"{name} is not a valid description of a snapshot: remove it"
            yield LogFinding("damaged-snapshot", name, message)
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
    """Return a hash of a patch's id, with which the names of its snapshots begin."""
    return hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
