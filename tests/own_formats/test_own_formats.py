"""Every release reads the restart points, log indexes and snapshots of the earlier ones."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jelly_spark.log import Log
from jelly_spark.log.index import settings
from jelly_spark.log.index.block import file_of, load
from jelly_spark.log.upkeep import snapshots
from tests.codec.files.restart_files import points_of
from tests.codecs import PythonCodec
from tests.log.patches import garble
from tests.own_formats.writing import CURRENT, FILES, LOG, OPTIONS, write

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FOLDERS = sorted(FILES.iterdir())
EPOCH = datetime.fromtimestamp(0, timezone.utc)

versions = pytest.mark.parametrize("version", FOLDERS, ids=lambda folder: folder.name)
names = pytest.mark.parametrize("name", OPTIONS)


def expected(path: Path) -> list[tuple[Any, ...]]:
    """Return what a file or a log holds, as the release that wrote it had it."""
    return [tuple(item) for item in json.loads(path.with_name(f"{path.name}.json").read_text())]


@versions
@names
def test_restart_points(version: Path, name: str) -> None:
    path = version / name
    points = [0, *(point.offset for point in points_of(path.read_bytes())), path.stat().st_size]
    assert len(points) > 4
    found = []
    for part in pairwise(points):
        found += PythonCodec().decode(path, OPTIONS[name].format, part=part)
    assert found == expected(path)


@versions
@names
def test_restart_points_in_spark(version: Path, name: str, spark: SparkSession) -> None:
    path = version / name
    key = "spark.sql.files.maxPartitionBytes"
    before = str(spark.conf.get(key))
    spark.conf.set(key, "200")
    try:
        data = spark.read.format(OPTIONS[name].format).load(str(path))
        assert data.rdd.getNumPartitions() > 2
        found = sorted(map(tuple, data.collect()), key=lambda row: row[-1])
    finally:
        spark.conf.set(key, before)
    row = PythonCodec().decode(path, OPTIONS[name].format)[0]
    places = [row._fields.index(column) for column in data.columns]
    assert found == [tuple(each[place] for place in places) for each in expected(path)]


@versions
def test_log(version: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(version / LOG, tmp_path / LOG))
    states = expected(version / LOG)
    log = Log(folder)
    assert [each.id for each in log.versions()] == [id for id, _ in states]
    for id, state in states:
        assert sorted(map(list, log.state_at(id)), key=str) == state
    assert log.verify() == []
    # The index is used, and so is the snapshot: nothing else need be read for these.
    files = {*folder.glob("*.jellyp"), *folder.glob("_log/packs/*.jellyp")}
    for path in files - {folder / file_of(3)}:
        garble(path)
    assert [each.id for each in Log(folder).versions()] == [id for id, _ in states]
    for id, state in states[2:]:
        assert sorted(map(list, Log(folder).state_at(id)), key=str) == state


def test_the_last_folder_is_what_is_written_now(tmp_path: Path) -> None:
    assert FOLDERS[-1].name == CURRENT
    write(tmp_path / CURRENT)
    assert content(tmp_path / CURRENT) == content(FILES / CURRENT), (
        "the formats have changed: see tests/own_formats/writing.py"
    )


def without_random(text: str) -> str:
    """Return names of packs without the digits that make them unique."""
    return re.sub("([0-9]{20})-[0-9a-f]{8}[.]", r"\1.", text)


def content(folder: Path) -> dict[str, Any]:
    """Return the content of all files, without times and random names."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*.*")):
        name = without_random(path.relative_to(folder).as_posix())
        if name.endswith(".jsonl.gz"):
            block = load(path.read_bytes(), name)
            assert block is not None
            entries = [entry._replace(time=EPOCH) for entry in block.entries]
            found[name] = block._replace(entries=entries)
        elif name.startswith(f"{LOG}/{settings.FOLDER}/"):
            found[name] = {**json.loads(without_random(path.read_text())), "time": None}
        elif path.suffix == ".gz":
            found[path.name] = gzip.decompress(path.read_bytes())
        elif name.startswith(f"{LOG}/{snapshots.FOLDER}/"):
            description = json.loads(path.read_bytes())
            # gzip's header has a time, so the digests of the files differ.
            found["description"] = {
                **description,
                "folder": None,
                "files": [*description["files"]],
            }
        else:
            found[name] = path.read_bytes()
    return found
