"""The files that a release writes, which each later one must read.

`python -m tests.own_formats.writing` writes them for this release, in a folder named after the
version of the formats. A test says when this is necessary: when the files of the last folder are no
longer what is written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from jelly_spark.codec import JellyPatchOptions, JellyRdfOptions, PatchRow, RdfRow
from jelly_spark.core.rows import AnyRow
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.log import Log
from tests.codecs import PythonCodec
from tests.log.patches import patch, statement
from tests.numbering import numbered

FILES = Path(__file__).parent / "files"
"""The folders of all versions, which are sorted by name."""

CURRENT = "1"
"""The version of the formats that this release writes."""

PATCHES = "patches.jellyp"
STATEMENTS = "statements.jelly"
LOG = "log"

OPTIONS: dict[str, JellyOptions] = {
    PATCHES: JellyPatchOptions(frame_size=4, restart_interval=200),
    STATEMENTS: JellyRdfOptions(frame_size=4, restart_interval=200),
}
"""The options of the files with restart points."""


def rows_of(name: str) -> Sequence[AnyRow]:
    """Return the rows of a file with restart points."""
    if name == STATEMENTS:
        return [RdfRow(*statement(f"£{number}")) for number in range(60)]
    parts = (
        patch(number, number - 1 if number else None, add=range(number), delete=["£"])
        for number in range(8)
    )
    return numbered([row._replace(patch=n) for n, rows in enumerate(parts) for row in rows])


def log_patches() -> list[list[PatchRow]]:
    """Return the patches of the log.

    The first two are in a pack alone, and the state after the third one has a snapshot.
    """
    prefix = PatchRow("PA", name="x", value="<urn:x:>")
    first = patch(0, add=["a", "b"])
    return [
        [*first[:-1], prefix, first[-1]],
        patch(1, 0, add=["c"], delete=["a"]),
        patch(2, 1, add=["é"]),
        patch(3, 2, delete=["b", "c"]),
    ]


def write(folder: Path) -> None:
    """Write the files, and beside them, as JSON, what they hold."""
    folder.mkdir(parents=True)
    for name, options in OPTIONS.items():
        data = PythonCodec().encode(rows_of(name), options)
        (folder / name).write_bytes(data)
        found = PythonCodec().decode(data, options.format)
        _dump(folder / f"{name}.json", [json.dumps(row, ensure_ascii=False) for row in found])
    log = Log(folder / LOG)
    for number, rows in enumerate(log_patches()):
        log.append(rows)
        if number == 1:
            log.optimize()
            log.vacuum(timedelta(0))
        if number == 2:
            log.compact()
    states = [
        json.dumps([version.id, sorted(log.state_at(version.id), key=str)], ensure_ascii=False)
        for version in log.versions()
    ]
    _dump(folder / f"{LOG}.json", states)


def _dump(path: Path, lines: Iterable[str]) -> None:
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if (FILES / CURRENT).exists():
        sys.exit(f"{CURRENT} is there: a new version of the formats needs another name in CURRENT")
    write(FILES / CURRENT)
