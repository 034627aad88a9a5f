"""The data source in SQL: tables with it, and files without a table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType
from jelly_spark.formats import FORMATS
from tests.spark.patches import (
    EX,
    SAMPLE,
    SCHEMA,
    data_files,
    encoded,
    fails,
    frame_of,
    only_file,
    rows_of,
    write_file,
)

COLUMNS = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in SCHEMA)
QUAD = f"'<{EX}s>' AS subject, '<{EX}p>' AS predicate, '\"o\"' AS object"


@pytest.fixture
def spark(spark: SparkSession) -> Iterator[SparkSession]:
    """The session, with no table in it before or after a test."""
    yield spark
    for table in spark.catalog.listTables():
        spark.sql(f"DROP {'VIEW' if table.isTemporary else 'TABLE'} {table.name}")


def location(spark: SparkSession, table: str) -> Path:
    details = spark.sql(f"DESCRIBE EXTENDED {table}").where("col_name = 'Location'").collect()
    return Path(details[0].data_type.removeprefix("file:"))


def test_files_without_a_table(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    assert rows_of(spark.sql(f"SELECT * FROM jelly_patch.`{path}` ORDER BY seq")) == SAMPLE


def test_table_of_files_that_are_there(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "in/a.jellyp", SAMPLE)
    spark.sql(f"CREATE TABLE log USING jelly_patch LOCATION '{tmp_path / 'in'}'")
    assert rows_of(spark.sql("SELECT * FROM log ORDER BY seq")) == SAMPLE
    # The files are not the table's own.
    spark.sql("DROP TABLE log")
    assert path.exists()


def test_table_without_columns(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE log USING jelly_patch")
    assert spark.sql("SELECT * FROM log").columns == list(PatchRow._fields)
    frame_of(spark, SAMPLE).write.insertInto("log")
    assert only_file(location(spark, "log")).read_bytes() == encoded(SAMPLE)
    assert rows_of(spark.table("log").orderBy("seq")) == SAMPLE


def test_table_with_columns(spark: SparkSession) -> None:
    spark.sql(f"CREATE TABLE log ({COLUMNS}) USING jelly_patch")
    spark.sql("INSERT INTO log (name, value, op) VALUES ('id', '<a:b>', 'H')")
    row = PatchRow("H", name="id", value="<a:b>")
    assert only_file(location(spark, "log")).read_bytes() == encoded([row])
    assert rows_of(spark.table("log")) == [row._replace(patch=0, seq=0)]


def test_table_from_a_query(spark: SparkSession) -> None:
    spark.sql(f"CREATE TABLE log USING jelly_patch AS SELECT 'A' AS op, {QUAD}")
    row = PatchRow("A", f"<{EX}s>", f"<{EX}p>", '"o"')
    assert only_file(location(spark, "log")).read_bytes() == encoded([row])
    spark.sql(f"INSERT OVERWRITE log SELECT 'D', {QUAD}")
    assert only_file(location(spark, "log")).read_bytes() == encoded([row._replace(op="D")])


def test_options_of_a_table(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql(
        f"CREATE TABLE log ({COLUMNS}) USING jelly_patch "
        "OPTIONS (streamType 'flat', maxNameTableSize 10, compression 'none') "
        f"LOCATION '{tmp_path / 'log'}'"
    )
    frame_of(spark, SAMPLE).write.insertInto("log")
    options = JellyPatchOptions(stream_type=StreamType.FLAT, max_name_table_size=10)
    assert only_file(tmp_path / "log").read_bytes() == encoded(SAMPLE, options)


def test_partitioned_table(spark: SparkSession) -> None:
    spark.sql(
        "CREATE TABLE log (op string, subject string, predicate string, object string, day date) "
        "USING jelly_patch PARTITIONED BY (day)"
    )
    spark.sql(f"INSERT INTO log PARTITION (day = '2026-01-01') SELECT 'A', {QUAD}")
    spark.sql(f"INSERT INTO log SELECT 'D', {QUAD}, DATE '2026-01-02'")
    folders = [path.parent.name for path in data_files(location(spark, "log"))]
    assert folders == ["day=2026-01-01", "day=2026-01-02"]
    found = spark.sql("SELECT op FROM log WHERE day = '2026-01-02'").collect()
    assert [tuple(row) for row in found] == [("D",)]


def test_a_column_that_the_format_does_not_have(spark: SparkSession) -> None:
    """Spark passes the names of columns to a source when the table is used, not when it is made."""
    spark.sql("CREATE TABLE log (op string, note string) USING jelly_patch")
    with fails("no column 'note'"):
        spark.sql("INSERT INTO log VALUES ('TX', 'x')")
    with fails("no column 'note'"):
        spark.table("log").collect()
    with fails("no column 'note'"):
        spark.sql(f"CREATE TABLE copy USING jelly_patch AS SELECT 'A' AS op, {QUAD}, 'x' AS note")
    assert not spark.catalog.tableExists("copy")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("type", ["int", "binary", "array<string>", "struct<kind: string>"])
def test_a_column_of_a_type_that_the_format_does_not_have(
    spark: SparkSession, format: str, type: str
) -> None:
    with fails("UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE", "`object`"):
        spark.sql(f"CREATE TABLE log (subject string, object {type}) USING {format}")
    assert not spark.catalog.tableExists("log")


def test_a_column_of_the_type_of_another(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE log (op string, patch string) USING jelly_patch")
    with fails("column 'patch': expected type bigint, found string"):
        spark.table("log").collect()
    with fails("column 'patch': expected type bigint, found string"):
        spark.sql("INSERT INTO log VALUES ('TX', '0')")


def test_columns_cannot_be_added(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE log USING jelly_patch")
    with fails("ALTER ADD COLUMNS does not support", "Jelly-Patch"):
        spark.sql("ALTER TABLE log ADD COLUMNS (note string)")


def test_a_misspelt_option_of_a_table(spark: SparkSession) -> None:
    with fails("did you mean frameSize?"):
        spark.sql("CREATE TABLE log USING jelly_patch OPTIONS (frame_size 10)")


def test_temporary_view(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    spark.sql(
        "CREATE TEMPORARY VIEW log USING jelly_patch "
        f"OPTIONS (path '{path}', terms 'struct', strict 'true')"
    )
    kinds = spark.sql("SELECT DISTINCT subject.kind FROM log WHERE op = 'A' ORDER BY 1").collect()
    assert [tuple(row) for row in kinds] == [("iri",), ("triple",)]
