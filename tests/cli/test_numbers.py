"""The number of a patch: its position in a log, and its ordinal in any other file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from jelly_spark import codec
from jelly_spark.cli.app import app
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.log.patches import headers, patch, statement


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


def lines(*arguments: object) -> list[dict[str, Any]]:
    return [*map(json.loads, run(*arguments, "--json").stdout.splitlines())]


def bad(name: int, prev: int | None = None) -> list[PatchRow]:
    """A patch with a finding, and an aborted transaction."""
    aborted = [PatchRow("TX"), PatchRow("A", *statement("x")), PatchRow("TA")]
    wrong = PatchRow("A", '"literal"', "<urn:p>", f'"{name}"')
    return [*headers(name, prev), PatchRow("TX"), wrong, PatchRow("TC"), *aborted]


def check(folder: Path, numbers: list[int]) -> None:
    """Check that all commands show these numbers for the patches of a log, and take them."""
    assert [each["log_seq"] for each in lines("log", "list", folder)] == numbers
    assert [each["patch"] for each in lines("log", "list", folder)] == numbers
    assert {row["patch"] for row in lines("cat", folder)} == {*numbers}
    assert {row["patch"] for row in lines("cat", folder, "--patch", numbers[-1])} == {numbers[-1]}
    found = [each["patch"] for each in lines("validate", folder)]
    assert [number for number in found if number is not None] == numbers
    (stats,) = lines("stats", folder)
    assert sorted(each["patch"] for each in stats["largest_patches"]) == numbers
    page = folder.parent / "page.html"
    (report,) = lines("report", folder, "-o", page)
    assert report["patches"] == len(numbers)
    text = page.read_text("utf-8")
    named = {int(found) for found in re.findall(r"patch (\d+):", text)}
    assert named >= {*numbers} and len(named) == len(numbers)
    assert not set(range(numbers[0])) & named
    times = [version.time for version in Log(folder).versions()]
    for time in times:
        assert time is not None and f"{time:%Y-%m-%d %H:%M:%SZ}" in text
    notebook = Log(folder)._repr_html_().split("The largest patches")[1]
    assert re.findall(r"<td[^>]*>(\d+)</td>", notebook)[0] == str(numbers[0])


def test_a_log(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    log = Log(folder)
    log.append_all(bad(n, n - 1 if n else None) for n in range(6))
    log.optimize()
    log.expire(2)
    # The pack has the patches that have expired, too.
    log.append(bad(6, 5))
    check(folder, [2, 3, 4, 5, 6])
    log.optimize()
    log.expire(4)
    check(folder, [4, 5, 6])


def test_a_folder_of_others(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    codec.write(folder / "z.rdfp", bad(0))
    both = [row._replace(patch=n) for n in (1, 2) for row in bad(n, n - 1)]
    codec.write(folder / "a.rdfp", both)
    found = [each["patch"] for each in lines("validate", folder)]
    assert found == [0, 1, 2]
    # In a file, patches are counted from its beginning.
    assert [each["patch"] for each in lines("validate", folder / "a.rdfp")] == [0, 1]
    log = Log(folder)
    log.adopt()
    log.expire(2)
    check(folder, [2])


def test_a_patch_that_cannot_be_read_keeps_its_number(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    log = Log(folder)
    log.append_all(bad(n, n - 1 if n else None) for n in range(5))
    log.expire(1)
    (folder / log.versions()[1].file).write_bytes(b"\x00\x00")
    found = lines("validate", folder)
    assert [each["patch"] for each in found if each["rule"] == "invalid-subject"] == [1, 3, 4]
    page = tmp_path / "page.html"
    run("report", folder, "-o", page)
    named = {*re.findall(r"patch (\d+): (\d) added", page.read_text("utf-8"))}
    assert named == {("1", "1"), ("2", "0"), ("3", "1"), ("4", "1")}


def test_two_logs(tmp_path: Path) -> None:
    """Patches that are skipped do not join those before and after them."""
    for name in ("one", "two"):
        log = Log(tmp_path / name)
        log.append_all(patch(n, n - 1 if n else None, add=[n] * 3) for n in range(4))
        log.optimize()
    Log(tmp_path / "one").expire(3)
    Log(tmp_path / "two").expire(3)
    found = lines("validate", tmp_path / "one", tmp_path / "two")
    assert [each["rule"] for each in found if each["rule"] == "duplicate-id"] == ["duplicate-id"]
    assert {each["patch"] for each in found} == {3}
