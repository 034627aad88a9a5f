"""The columns of a patch: their types, the schemas that users give, and what is read of them."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import LongType, StringType, StructField, StructType

import jelly_spark
from jelly_spark.codec import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.formats import FORMATS
from tests.spark.patches import (
    FORMAT,
    SAMPLE,
    data_files,
    encoded,
    fails,
    frame_of,
    only_file,
    read,
    rows_of,
    save,
    write_file,
)

COLUMNS = PatchRow._fields


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_file(tmp_path_factory.mktemp("sample") / "sample.jellyp", SAMPLE)


def plan(spark: SparkSession, view: str, query: str) -> str:
    (text,) = spark.sql(f"EXPLAIN {query.format(view)}").first() or ("",)
    return str(text)


def test_columns_and_types(spark: SparkSession, sample: Path) -> None:
    # All nullable: Spark makes them so, whatever the source says.
    numbers = {"patch", "tx", "seq"}
    assert read(spark, sample).schema == StructType(
        [StructField(name, LongType() if name in numbers else StringType()) for name in COLUMNS]
    )
    assert rows_of(read(spark, sample)) == SAMPLE


@pytest.mark.parametrize("column", COLUMNS)
def test_each_column_alone(spark: SparkSession, sample: Path, column: str) -> None:
    found = [value for (value,) in read(spark, sample).select(column).collect()]
    assert found == [getattr(row, column) for row in SAMPLE]


@pytest.mark.parametrize(
    ("query", "read_schema"),
    [
        ("SELECT op, seq FROM {}", "struct<op:string,seq:bigint>"),
        ("SELECT graph FROM {} WHERE op = 'A'", "struct<op:string,graph:string>"),
        ("SELECT count(*) FROM {}", "struct<>"),
    ],
)
def test_only_asked_columns_are_read(
    spark: SparkSession, sample: Path, query: str, read_schema: str
) -> None:
    read(spark, sample).createOrReplaceTempView("pruned")
    assert f"ReadSchema: {read_schema}\n" in plan(spark, "pruned", query) + "\n"


def test_counts_and_filters(spark: SparkSession, sample: Path) -> None:
    frame = read(spark, sample)
    assert frame.count() == len(SAMPLE)
    assert frame.where("op = 'A' AND graph IS NULL").count() == 1
    assert frame.where("tx = 1").count() == sum(row.tx == 1 for row in SAMPLE)
    assert frame.where("tx IS NULL").count() == sum(row.tx is None for row in SAMPLE)


def test_cached_rows_keep_their_values(spark: SparkSession, sample: Path) -> None:
    """A reader that hands out one row object again and again would show here."""
    cached = read(spark, sample).cache()
    assert rows_of(cached.orderBy("seq")) == SAMPLE
    assert rows_of(cached.orderBy("seq", ascending=False)) == SAMPLE[::-1]
    cached.unpersist()


@pytest.mark.parametrize("schema", ["seq long, op string", "OP string", "value string, tx bigint"])
def test_schema_of_the_user(spark: SparkSession, sample: Path, schema: str) -> None:
    frame = spark.read.format(FORMAT).schema(schema).load(str(sample))
    names = [field.split()[0] for field in schema.split(",")]
    assert frame.columns == names
    assert [tuple(row) for row in frame.collect()] == [
        tuple(getattr(row, name.lower()) for name in names) for row in SAMPLE
    ]


@pytest.mark.parametrize(
    ("schema", "parts"),
    [
        ("op string, sujet string", ["no column 'sujet'", ", ".join(COLUMNS)]),
        ("patch string", ["'patch'", "expected type bigint", "found string"]),
        ("subject bigint", ["'subject'", "expected type string", "found bigint"]),
        ("patch int", ["column `patch`", 'type "INT"']),
        ("subject binary", ["column `subject`", 'type "BINARY"']),
    ],
)
def test_wrong_schema_of_the_user(
    spark: SparkSession, sample: Path, schema: str, parts: list[str]
) -> None:
    with fails(*parts):
        spark.read.format(FORMAT).schema(schema).load(str(sample)).collect()


def test_columns_in_any_order(spark: SparkSession, tmp_path: Path) -> None:
    frame = frame_of(spark, SAMPLE)
    save(frame.select(*reversed(COLUMNS)), tmp_path / "reversed")
    assert only_file(tmp_path / "reversed").read_bytes() == encoded(SAMPLE)
    save(frame.toDF(*[name.upper() for name in COLUMNS]), tmp_path / "upper")
    assert only_file(tmp_path / "upper").read_bytes() == encoded(SAMPLE)


def test_columns_may_be_left_out(spark: SparkSession, tmp_path: Path) -> None:
    frame = frame_of(spark, SAMPLE)
    # END rows close the patches, and nothing else closes them where there is no `patch`.
    save(frame.drop("patch", "tx", "seq"), tmp_path / "numbers")
    assert only_file(tmp_path / "numbers").read_bytes() == encoded(SAMPLE)
    save(frame.where("op = 'TX' OR op = 'TC' OR op = 'TA'").select("op"), tmp_path / "op")
    assert [row.op for row in rows_of(read(spark, tmp_path / "op"))] == ["TX", "TC", "TX", "TA"]


def test_columns_that_an_op_does_not_use_are_ignored(spark: SparkSession, tmp_path: Path) -> None:
    """What stands in them is not looked at."""
    ends = [row for row in SAMPLE if row.op in ("TX", "TC", "TA", "END")]
    more = [row._replace(name="n", subject="no term") for row in ends]
    save(frame_of(spark, more), tmp_path / "out")
    assert only_file(tmp_path / "out").read_bytes() == encoded(ends)


def test_writing_no_rows(spark: SparkSession, tmp_path: Path) -> None:
    save(frame_of(spark, []), tmp_path / "out")
    assert all(path.read_bytes() == b"" for path in data_files(tmp_path / "out"))
    assert rows_of(read(spark, tmp_path / "out")) == []


@pytest.mark.parametrize("namespaces", [False, True])
@pytest.mark.parametrize("terms", ["string", "struct"])
@pytest.mark.parametrize("format", FORMATS)
def test_the_schema_without_a_file(
    spark: SparkSession, tmp_path: Path, format: str, terms: Any, namespaces: bool
) -> None:
    (tmp_path / "file").write_bytes(b"")
    reader = spark.read.format(format).option("terms", terms)
    if format == "jelly_rdf":
        reader = reader.option("namespaces", namespaces)
    found = jelly_spark.schema(format, terms=terms, namespaces=namespaces)
    # Names, types and nullability, those within structs as well.
    assert found.json() == reader.load(str(tmp_path)).schema.json()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"format": "parquet"}, "format must be one of: jelly_patch, "),
        ({"format": "jelly_rdf", "terms": "text"}, "terms must be one of: string, struct; not "),
        ({"format": "jelly_rdf", "namespaces": "no"}, "namespaces must be one of: true, false; "),
    ],
)
def test_wrong_arguments_of_schema(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        jelly_spark.schema(**arguments)
