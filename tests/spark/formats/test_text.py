"""RDF Patch text in Spark: parts of files, malformed rows, the two styles."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from jelly_spark.codec import PatchRow, RdfPatchOptions, Style, read_rdf_patch
from tests.codecs import PythonCodec
from tests.spark.patches import EX, SAMPLE, adds, fails, frame_of, only_file
from tests.spark.plans import tasks_with_rows
from tests.spark.settings import setting
from tests.spark.stages import stages

PART = 4096
"""Bytes of a split of a file, in these tests."""

PARTS = 4
"""How many tasks read a file, at most."""


@pytest.fixture
def small_parts(spark: SparkSession) -> Iterator[None]:
    """Makes Spark cut files into small parts."""
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", PART),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
    ):
        yield


def read(spark: SparkSession, path: Path, **options: Any) -> DataFrame:
    return spark.read.format("rdf_patch").options(**options).load(str(path))


def rows_of(frame: DataFrame) -> list[PatchRow]:
    return [PatchRow(*row) for row in frame.orderBy("seq").collect()]


def many_rows(count: int, style: Style) -> list[PatchRow]:
    """Rows of many patches and transactions, or of those codes that the first version has."""
    if style is Style.V1:
        return [PatchRow("PA", name="ex", value=f"<{EX}>", patch=0), *adds(count)]
    rows = []
    for patch in range(count // 10):
        rows += [PatchRow("H", name="id", value=f"<urn:x:{patch}>"), PatchRow("TX")]
        rows += [row._replace(patch=None, tx=None, seq=None) for row in adds(6, first=patch)]
        rows += [PatchRow("TC"), PatchRow("END")]
    return rows


@pytest.mark.usefixtures("small_parts")
def test_a_plain_file_is_read_by_many_tasks(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "log.rdfp"
    PythonCodec().write(many_rows(2000, Style.JENA), RdfPatchOptions(), path)
    frame = read(spark, path)
    # More would cost more than they bring.
    assert frame.rdd.getNumPartitions() > PARTS
    assert tasks_with_rows(frame) == PARTS
    assert rows_of(frame) == list(read_rdf_patch(path))
    assert frame.count() == 2000


def test_a_file_is_passed_over_a_few_times_only(spark: SparkSession, tmp_path: Path) -> None:
    """However many splits it has."""
    path = tmp_path / "log.rdfp"
    PythonCodec().write(many_rows(10_000, Style.JENA), RdfPatchOptions(), path)
    size = path.stat().st_size
    for splits, most in ((2, 2), (64, 4)):
        with (
            setting(spark, "spark.sql.files.maxPartitionBytes", -(-size // splits)),
            setting(spark, "spark.sql.files.openCostInBytes", 0),
        ):
            frame = read(spark, path)
            assert frame.rdd.getNumPartitions() == splits
            with stages(spark) as found:
                assert frame.where("op = 'A'").count() == 6000
            # Buffers read somewhat more than is needed.
            assert size <= found.bytes_read <= (most + 0.2) * size


@pytest.mark.usefixtures("small_parts")
def test_a_file_with_state_is_read_by_one(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "log.rdfp"
    PythonCodec().write(many_rows(2000, Style.V1), RdfPatchOptions(style=Style.V1), path)
    frame = read(spark, path)
    assert path.stat().st_size > 4 * PART
    assert tasks_with_rows(frame) == 1
    assert rows_of(frame) == list(read_rdf_patch(path))


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", range(6))
def test_files_whose_state_begins_anywhere(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    """Comments, long strings with rows in them, prefixes and repeats between plain rows."""
    random = Random(seed)
    pieces = [
        *['A <http://example.org/s> <http://example.org/p> "o" .\n'] * 400,
        *["TX .\n", "TC .\n", "Z .\n", "# A <s> <p> <o> .\n", "\n", "\r\n"] * 20,
        *['A <s:> <p:> """\nA <s:> <p:> <o:> .\n""" .\n', "A <s:>\n<p:> <o:> .\n"][: seed % 3] * 3,
        *["@prefix ex: <http://example.org/> .\nA ex:a R 'x' .\n"] * (seed % 2),
    ]
    random.shuffle(pieces)
    path = tmp_path / "log.rdfp"
    path.write_bytes(("A <a:> <b:> <c:> .\n" + "".join(pieces)).encode())
    assert rows_of(read(spark, path)) == list(read_rdf_patch(path))


MALFORMED = (
    "TX .\n"
    "A <s:> <p:> <o:> .\n"
    "A <s:> <p:> .\n"
    "nonsense é\n"
    'A <s:> <p:> "o" .\n'
    "A <s:> <p:> <o:> <g:> more .\n"
    "TC .\n"
)
GOOD = ["TX", "A", "A", "TC"]


@pytest.fixture
def malformed(tmp_path: Path) -> Path:
    path = tmp_path / "log.rdfp"
    path.write_text(MALFORMED, encoding="utf-8")
    return path


def test_failfast(spark: SparkSession, malformed: Path) -> None:
    with fails("log.rdfp: line 3 (row 2, byte 24): expected an RDF term, found '.'"):
        read(spark, malformed).collect()


def test_dropmalformed(spark: SparkSession, malformed: Path) -> None:
    rows = rows_of(read(spark, malformed, mode="dropmalformed"))
    assert [row.op for row in rows] == GOOD
    # A row that was dropped leaves a gap.
    assert [row.seq for row in rows] == [0, 1, 4, 6]
    assert {row.tx for row in rows} == {0}


def test_permissive(spark: SparkSession, malformed: Path) -> None:
    frame = read(spark, malformed, mode="PERMISSIVE")
    assert frame.columns[-1] == "_corrupt_record"
    rows = frame.orderBy("seq").collect()
    assert [row["_corrupt_record"] for row in rows] == [
        *(None, None, "A <s:> <p:> .", "nonsense é", None),
        *("A <s:> <p:> <o:> <g:> more .", None),
    ]
    corrupt = rows[2].asDict()
    assert (corrupt.pop("seq"), corrupt.pop("patch"), corrupt.pop("tx")) == (2, 0, 0)
    assert corrupt.pop("_corrupt_record") is not None
    assert set(corrupt.values()) == {None}
    assert [row["op"] for row in rows if row["op"]] == GOOD


def test_the_column_of_corrupt_records_has_the_name_it_is_given(
    spark: SparkSession, malformed: Path
) -> None:
    options = {"mode": "permissive", "columnNameOfCorruptRecord": "bad"}
    frame = read(spark, malformed, **options)
    assert frame.where("bad IS NOT NULL").count() == 3
    with setting(spark, "spark.sql.columnNameOfCorruptRecord", "broken"):
        assert read(spark, malformed, mode="permissive").columns[-1] == "broken"
    # One schema for all modes.
    schema = "_corrupt_record string, seq long"
    for mode, count in (("permissive", 7), ("dropmalformed", 4)):
        reader = spark.read.schema(schema).format("rdf_patch").option("mode", mode)
        rows = reader.load(str(malformed)).collect()
        assert len(rows) == count
        assert sum(row[0] is not None for row in rows) == count - 4
    with fails("'value' is a column of RDF Patch and cannot hold the text of malformed rows"):
        read(spark, malformed, **{**options, "columnNameOfCorruptRecord": "value"}).collect()
    without = spark.read.schema("op string").format("rdf_patch").options(**options)
    assert without.load(str(malformed)).count() == 7


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("mode", ["DROPMALFORMED", "PERMISSIVE"])
def test_malformed_rows_in_parts(spark: SparkSession, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "log.rdfp"
    path.write_text(MALFORMED * 200, encoding="utf-8")
    rows = read(spark, path, mode=mode).orderBy("seq").collect()
    assert [row["op"] for row in rows if row["op"]] == GOOD * 200
    kept = {0, 1, 4, 6} if mode == "DROPMALFORMED" else set(range(7))
    assert [row["seq"] for row in rows] == [i for i in range(1400) if i % 7 in kept]
    assert [row["tx"] for row in rows if row["op"] == "TC"] == list(range(200))


def test_binary_formats_have_no_permissive_mode(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    reader = spark.read.format("jelly_patch").option("mode", "permissive")
    with fails("mode must be one of: FAILFAST, DROPMALFORMED; not 'permissive'"):
        reader.load(str(tmp_path / "file"))


def test_the_style_of_the_first_version(spark: SparkSession, tmp_path: Path) -> None:
    rows = many_rows(20, Style.V1)
    frame = frame_of(spark, rows)
    frame.write.format("rdf_patch").option("style", "V1").save(str(tmp_path / "out"))
    file = only_file(tmp_path / "out")
    text = file.read_text(encoding="utf-8")
    assert text.startswith(f'@prefix ex: <{EX}> .\nA ex:s0 ex:p "0" .\nA ex:s1 R "1" .\n')
    found = rows_of(read(spark, file))
    # PA was written as a prefix, which is no row.
    assert [row[:5] for row in found] == [row[:5] for row in rows[1:]]
    with fails("style v1 cannot write H"):
        frame_of(spark, SAMPLE).write.format("rdf_patch").option("style", "v1").save(
            str(tmp_path / "no")
        )
    with fails("style must be one of: jena, v1; not 'v2'"):
        frame.write.format("rdf_patch").option("style", "v2").save(str(tmp_path / "v2"))
