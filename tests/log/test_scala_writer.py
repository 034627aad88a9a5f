"""The writer of managed logs on the JVM: it writes logs as plain Python does."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from jelly_spark.log.entries.files import Files
from jelly_spark.log.index.block import dump, file_of
from jelly_spark.log.index.index_files import SEGMENTS, TAIL, read_block
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.lost_index import one_patch
from jelly_spark.log.index.settings import settings_file
from tests.log.jobs.append import append
from tests.log.patches import headers, id_of, patch, statement, write_into

MESSAGE = '"a \\"cup\\"\\n\U0001f375\x7f"@en'
LONG = "x" * 200_000
"""A literal with which a patch is large: the writer does not decode it."""


class Writer:
    """The JVM's writer of a log."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        assert spark._jvm is not None
        self._jvm: Any = spark._jvm
        self._folder = str(folder)
        self._conf = self._jvm.org.apache.hadoop.conf.Configuration(False)
        self._writer = self._jvm.org.jellyspark.log.LogWriter(self._folder, self._conf)

    def create(self) -> bool:
        """Make the folder a log, unless it is one."""
        return bool(self._writer.create())

    def append(self, rows: list[PatchRow], position: int) -> str | None:
        """Append a patch, and return its entry as text; None if another patch is there."""
        found = {row.name: row.value for row in rows if row.op == "H"}
        option, has = self._jvm.scala.Option.apply, {row.op for row in rows}
        new = self._jvm.org.jellyspark.log.entries.NewPatch(
            *(found["id"], option(found.get("prev")), bool(has & {"A", "D"})),
            *(bool(has & {"PA", "PD"}), option(found.get("message"))),
        )
        staging = self._writer.newStaging()
        try:
            folder = Path(staging.toUri().getPath())
            folder.mkdir(parents=True)
            write_into(folder / "part.jellyp", rows)
            source = self._jvm.org.apache.hadoop.fs.Path(staging, "part.jellyp")
            entry = self._writer.append(source, position, new)
            return entry.get().toString() if entry.isDefined() else None
        finally:
            self._writer.remove(staging)

    def append_last(self, name: str) -> str:
        """Append a patch with a name after whatever patch is the last one by then."""
        while True:
            view = self._jvm.org.jellyspark.log.LogFolder(self._folder, self._conf).open()
            head = view.head().get() if view.head().isDefined() else None
            prev = None if head is None else head.removeprefix("<urn:patch:").removesuffix(">")
            if self.append(patch(name, prev, add=[name]), view.next()) is not None:
                return id_of(name)


def same_lines(folder: Path) -> None:
    """Check that the index has the text that plain Python writes for the same entries."""
    files = Files(folder)
    for name in (TAIL, *(f"{SEGMENTS}/{path.name}" for path in (folder / SEGMENTS).glob("*"))):
        text = gzip.decompress(files.read(name))
        block, blocks = read_block(files, name), text.count(b'{"version"')
        assert block is not None
        lines = gzip.decompress(dump(block)).splitlines(True)
        assert [line for line in text.splitlines(True)[1:] if line[:1] != b"{"] == lines[1:]
        assert text.startswith(lines[0]) and blocks == max(1, len(block.entries) // 100)


def test_both_write_a_log(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "a log: [with] {odd} *names?%20#"
    writer, log = Writer(spark, folder), Log(folder)
    assert writer.create() and not writer.create()
    settings = json.loads((folder / settings_file(0)).read_text())
    Log(tmp_path / "other").append(patch(0))
    expected = json.loads((tmp_path / "other" / settings_file(0)).read_text())
    assert {**settings, "time": expected["time"]} == expected and [*settings] == [*expected]
    assert log.head() is None and log.verify() == []
    same_lines(folder)

    message = PatchRow("H", name="message", value=MESSAGE)
    prefix = PatchRow("PA", name="ex", value="<http://example.org/>")
    new = [
        [message, *patch(0, add=["a", "b"])],
        [*headers(1, 0), message, PatchRow("TX"), prefix, PatchRow("TC")],
        [message, *patch(2, 1, add=[LONG], delete=["a"])],
        patch("é😀", 2),
    ]
    for position, rows in enumerate(new):
        assert writer.append(rows, position) is not None
        assert writer.append(rows, position) is None
    same_lines(folder)
    files = Files(folder)
    index = LogIndex.open(files)
    assert index is not None and index.next == 4
    for entry in index.entries(range(4)):
        found = one_patch(files, entry.file, files.info(entry.file))
        assert found is not None and found.time is not None and entry.time is not None
        assert abs(found.time - entry.time) < timedelta(milliseconds=1)
        subjects = None if entry.position == 2 else found.subjects
        assert entry == found._replace(
            time=entry.time, canonical=True, subjects=subjects, position=entry.position
        )
    assert log.verify() == [] and log.state_at() == {statement("b"), statement(LONG)}
    assert not [path for path in folder.rglob("*") if "crc" in path.name or "staging" in path.name]

    log.append(patch("python", "é😀", add=["c"]))
    prev = "python"
    for number in range(5, 99):
        log.append(patch(number, prev, add=[number]))
        prev = str(number)
    for number in range(99, 105):
        assert writer.append(patch(number, prev, add=[number]), number) is not None
        prev = str(number)
    same_lines(folder)
    assert [path.name for path in (folder / SEGMENTS).iterdir()] == [f"{0:020d}-{99:020d}.jsonl.gz"]

    with ThreadPoolExecutor() as pool:
        others = [Writer(spark, folder), Writer(spark, folder)]
        tasks = [pool.submit(each.append_last, f"s{at}") for at, each in enumerate(others * 5)]
        appended = [pool.submit(append, Log(folder), f"p{at}") for at in range(10)]
        ids = [*(task.result() for task in tasks), *(task.result().id for task in appended)]
    versions = Log(folder).versions()
    assert len(versions) == 125 and {version.id for version in versions[105:]} == {*ids}
    assert writer.append_last("last") == Log(folder).head()
    assert Log(folder).verify() == [] and not (folder / file_of(126)).exists()
    same_lines(folder)
