"""Small patches with headers, for logs, and damage to their files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path

from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.index.block import file_of


def id_of(name: object) -> str:
    """The id of a patch, a term."""
    return f"<urn:patch:{name}>"


def statement(name: object, graph: str | None = None) -> tuple[str, str, str, str | None]:
    """A statement that has a name."""
    return "<urn:s>", "<urn:p>", f'"{name}"', graph


def headers(id: object, prev: object = None) -> list[PatchRow]:
    """The headers of a patch; `prev` may be None."""
    rows = [PatchRow("H", name="id", value=id_of(id))]
    return rows if prev is None else [*rows, PatchRow("H", name="prev", value=id_of(prev))]


def patch(
    id: object, prev: object = None, *, add: Iterable[object] = (), delete: Iterable[object] = ()
) -> list[PatchRow]:
    """A patch of one transaction that deletes and adds statements, which have names."""
    changes = [PatchRow("D", *statement(name)) for name in delete]
    changes += [PatchRow("A", *statement(name)) for name in add]
    return [*headers(id, prev), PatchRow("TX"), *changes, PatchRow("TC")]


def made_up(count: int) -> list[Entry]:
    """The entries of patches that do not exist."""
    time = datetime(2026, 1, 1, tzinfo=timezone.utc)
    return [
        Entry(
            *(id_of(n), id_of(n - 1) if n else None, True, True, False),
            size=99,
            sha256=sha256(id_of(n).encode()).hexdigest(),
            time=time,
            file=file_of(n),
            position=Position(n),
        )
        for n in range(count)
    ]


def garble(path: Path) -> None:
    """Make a file unreadable, in a way that does not show from outside."""
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    path.write_bytes(b"?" * path.stat().st_size)
    os.utime(path, ns=times)


def write_into(path: Path, rows: Iterable[PatchRow]) -> None:
    """Write a file into the folder of a log, where `codec.write` refuses a path."""
    with path.open("wb") as file:
        codec.write(file, rows)


def write_foreign(folder: Path) -> None:
    """Write patches 1 to 6 as others would, under names without their order."""
    frames = JellyPatchOptions(stream_type=StreamType.FRAME)
    two = [row._replace(patch=n) for n in (0, 1) for row in patch(3 + n, 2 + n, add=[3 + n])]
    codec.write(folder / "z.jellyp", two, options=frames)
    codec.write(folder / "two.rdfp", patch(2, 1, add=[2]))
    codec.write(folder / "one.trp", patch(1, add=[1]))
    codec.write(folder / "b.rdfp.gz", patch(6, 5, add=[6]))
    codec.write(folder / "a.jellyp", patch(5, 4, add=[5]))
