"""`jelly_spark.parity`: all codecs of a session on the same files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import JellyRdfOptions, PatchRow, RdfRow
from jelly_spark.errors import OptionError
from tests import bridge
from tests.codecs import JellyJvmCodec

ROWS = [
    RdfRow(name="ex", value="<https://example.org/>"),
    *(
        RdfRow(f"_:b{i}", "<https://example.org/p>", f'"{i}"@EN', f"<https://example.org/{i % 3}>")
        for i in range(50)
    ),
]
OPTIONS = JellyRdfOptions(namespaces=True, frame_size=10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    codec.write(folder / "plain.jelly", ROWS, options=OPTIONS)
    codec.write(folder / "compressed ü[1].jelly.gz", ROWS, options=OPTIONS)
    return folder


def test_no_difference(spark: SparkSession, jelly_jvm: JellyJvmCodec, folder: Path) -> None:
    assert bridge.engines("jelly_rdf", spark=spark) == ["native", "jelly-jvm"]
    assert jelly_spark.parity(spark, str(folder)).collect() == []


def test_other_formats_have_two_codecs(spark: SparkSession, tmp_path: Path) -> None:
    rows = [PatchRow("TX"), PatchRow("A", "<urn:s>", "<urn:p>", '"o"'), PatchRow("TC")]
    codec.write(tmp_path / "log.rdfp", rows)
    assert bridge.engines("rdf_patch", spark=spark) == ["native"]
    assert jelly_spark.parity(spark, str(tmp_path), "rdf_patch").collect() == []


def test_a_file_that_only_jelly_jvm_reads(
    spark: SparkSession, jelly_jvm: JellyJvmCodec, folder: Path
) -> None:
    data = (folder / "plain.jelly").read_bytes()
    # Behind the length of a frame that is not there.
    (folder / "cut.jelly").write_bytes(data + b"\x20")
    (found,) = jelly_spark.parity(spark, str(folder)).collect()
    assert found.file.endswith("/cut.jelly")
    assert found.engines == ["native", "python"]
    native, python = found.error.splitlines()
    assert native.startswith("native: ")
    assert python.startswith("python: ")
    assert f"frame at byte {len(data)}: expected" in native
    assert f"frame at byte {len(data)}: expected" in python


def test_rows_that_differ(
    spark: SparkSession, jelly_jvm: JellyJvmCodec, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = codec.read

    def other(*arguments: Any, **options: Any) -> Iterator[RdfRow]:
        for row in read(*arguments, **options):
            yield row if row.subject != "_:b7" else row._replace(subject="_:other")

    monkeypatch.setattr(codec, "read", other)
    found = jelly_spark.parity(spark, str(folder / "plain.jelly")).collect()
    assert [(row.subject, row.seq, row.engines, row.error) for row in found] == [
        ("_:b7", 8, ["jelly-jvm", "native"], None),
        ("_:other", 8, ["python"], None),
    ]


def test_a_format_that_is_not_known(spark: SparkSession) -> None:
    with pytest.raises(OptionError, match="jelly_rdf"):
        jelly_spark.parity(spark, ".", "turtle")
