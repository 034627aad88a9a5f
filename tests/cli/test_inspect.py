"""`inspect` counts what is in a file."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.cli.commands.anatomy import Anatomy, JellyPatchAnatomyReader
from jelly_spark.codec import JellyPatchOptions, PatchRow
from tests.cli.processes import run
from tests.shared import ROOT

CASES = sorted(ROOT.glob("tests/cases/*.jellyp"))


def inspect(*arguments: str | Path) -> dict[str, Any]:
    found = run("inspect", *arguments, "--json")
    assert (found.returncode, found.stderr) == (0, b"")
    report: dict[str, Any] = json.loads(found.stdout)
    return report


def read(path: Path) -> tuple[Anatomy, list[PatchRow]]:
    with JellyPatchAnatomyReader(path) as reader:
        rows = [*reader]
        return reader.anatomy, rows


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_bytes_add_up_and_the_rows_are_those_of_the_codec(path: Path) -> None:
    anatomy, rows = read(path)
    assert rows == [*codec.read(path)]
    assert anatomy.size == path.stat().st_size
    assert 0 <= anatomy.size - anatomy.bytes.total() <= 5 * anatomy.frames


@pytest.mark.parametrize("name", ["all-eviction", "datatype-eviction", "bnodes", "datatypes"])
def test_lookups_of_the_shared_cases(name: str, shared: Path) -> None:
    path = shared / "parity" / f"{name}.jellyp"
    anatomy, rows = read(path)
    assert rows == [*codec.read(path)]
    for kind, lookup in anatomy.lookups().items():
        assert lookup["entries"] == anatomy.rows[kind]
        assert lookup["entries"] - lookup["replaced"] <= lookup["size"]
        assert lookup["used_once"] + lookup["unused"] <= lookup["entries"]
        # The writer writes an entry only when it is needed.
        assert lookup["unused"] == 0


def test_lookup_uses(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    rows = [PatchRow("A", "<urn:x/a>", "<urn:x/p>", f"<urn:x/{n}>") for n in range(20)]
    codec.write(path, rows, options=JellyPatchOptions(max_name_table_size=8))
    lookups = inspect(path)["lookups"]
    # The subject and the predicate repeat, so only the first row writes them.
    assert lookups["name"] == {
        **{"size": 8, "entries": 22, "replaced": 14},
        **{"uses": 22, "used_once": 22, "unused": 0},
    }
    assert lookups["prefix"]["entries"] == 1
    assert lookups["prefix"]["uses"] == 22


def test_restart_points(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    rows = (PatchRow("A", f"<urn:x:{n}>", "<urn:x:p>", '"o"') for n in range(5000))
    options = JellyPatchOptions(restart_interval=20_000, index_columns="subject")
    codec.write(path, rows, options=options)
    points = inspect(path)["restart_points"]
    assert len(points) > 2
    (found,) = inspect(path)["index_filters"]
    assert (found["column"], found["ranges"]) == ("subject", len(points) + 1)
    assert 5000 * 10 / 8 <= found["bytes"] < 1.1 * 5000 * 10 / 8
    assert b"filters of subject" in run("inspect", path).stdout
    assert all(before["rows"] < after["rows"] for before, after in pairwise(points))
    assert inspect(path)["decompressed_size"] == path.stat().st_size


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    path.touch()
    report = inspect(path)
    assert (report["rows"], report["patches"], report["options"]) == (0, 0, None)
    assert run("inspect", path).returncode == 0
