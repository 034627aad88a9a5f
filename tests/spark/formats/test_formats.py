"""What every format can do as a data source; what is special to one has its tests elsewhere."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, StructType

import jelly_spark
from jelly_spark.core.format import Format
from jelly_spark.core.rows import AnyRow, PatchRow, RdfRow
from jelly_spark.formats import FORMATS
from tests import bridge
from tests.codecs import PythonCodec
from tests.spark.patches import EX, SAMPLE, SCHEMA, XSD, data_files, fails, only_file

RDF_SCHEMA = jelly_spark.schema("jelly_rdf", namespaces=True)

RDF_SAMPLE = [
    RdfRow(name="ex", value=f"<{EX}>", frame=0, seq=0),
    RdfRow(f"<{EX}s>", f"<{EX}p>", '"chat"@fr', f"<{EX}g>", frame=0, seq=1),
    RdfRow(f"<{EX}s>", f"<{EX}p>", f'"1"^^<{XSD}integer>', f"<{EX}g>", frame=0, seq=2),
    RdfRow(f"<<( <{EX}s> <{EX}p> _:b )>>", f"<{EX}q>", '"line\\nbreak é"', frame=0, seq=3),
]
"""A namespace and quads, with every kind of term."""

LINES = [row._replace(frame=None, seq=seq) for seq, row in enumerate(RDF_SAMPLE[1:])]
"""The quads, as readers of N-Quads give them."""


@dataclass(frozen=True)
class Sample:
    """A format, and rows that it can hold."""

    format: Format
    rows: list[Any]
    schema: StructType
    # Options that both its reader and its writer need for these rows.
    options: dict[str, str]

    def encoded(self, rows: list[Any] | None = None) -> bytes:
        """What the Python writer writes."""
        options = self.format.options.from_strings(self.options)
        return PythonCodec().encode(self.rows if rows is None else rows, options)

    def frame(self, spark: SparkSession) -> DataFrame:
        """The rows as a DataFrame of one partition."""
        names = self.schema_names()
        rows = [tuple(getattr(row, name) for name in names) for row in self.rows]
        return spark.createDataFrame(rows, self.schema).coalesce(1)

    def read(self, spark: SparkSession, path: Path, **options: Any) -> DataFrame:
        """A file, or a folder of files, as a DataFrame."""
        reader = spark.read.format(self.format.name).options(**self.options).options(**options)
        return reader.load(str(path))

    def schema_names(self) -> list[str]:
        """The names of the columns."""
        return list(self.types())

    def types(self) -> dict[str, DataType]:
        """The types of the columns."""
        return {field.name: field.dataType for field in self.schema}

    def rows_of(self, frame: DataFrame) -> list[AnyRow]:
        """The rows of a DataFrame, in their order."""
        return [
            self.format.row(**{"seq": seq, **row.asDict()})
            for seq, row in enumerate(self.ordered(frame).collect())
        ]

    def ordered(self, frame: DataFrame) -> DataFrame:
        """The rows in their order: without `seq`, of a file that one task reads."""
        return frame.orderBy("seq") if "seq" in self.types() else frame

    def save(self, frame: DataFrame, folder: Path, **options: Any) -> None:
        """Write a DataFrame."""
        writer = frame.write.format(self.format.name).options(**self.options).options(**options)
        writer.save(str(folder))


@pytest.fixture(params=list(FORMATS))
def sample(request: pytest.FixtureRequest) -> Sample:
    format = FORMATS[request.param]
    if format.row is PatchRow:
        return Sample(format, SAMPLE, SCHEMA, {})
    assert format.row is RdfRow, "rows of a new kind need a sample here"
    if format.name == "nquads":
        return Sample(format, LINES, jelly_spark.schema(format.name), {})
    if format.name == "ntriples":
        rows = [row._replace(graph=None) for row in LINES]
        return Sample(format, rows, jelly_spark.schema(format.name), {})
    return Sample(format, RDF_SAMPLE, RDF_SCHEMA, {"namespaces": "true"})


def test_written_as_by_python_and_read(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    sample.save(sample.frame(spark), tmp_path / "out")
    file = only_file(tmp_path / "out")
    assert file.suffix == sample.format.extension
    assert file.read_bytes() == sample.encoded()
    assert sample.rows_of(sample.read(spark, file)) == sample.rows


def test_the_schema_is_that_of_the_rows(
    sample: Sample, spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(sample.encoded())
    found = sample.read(spark, tmp_path / "file").schema
    assert {field.name: field.dataType for field in found} == sample.types()


def test_the_bridge_does_what_the_python_codec_does(
    sample: Sample, spark: SparkSession, tmp_path: Path
) -> None:
    options = sample.format.options.from_strings(sample.options)
    data = bridge.encode(sample.rows, options=options, spark=spark)
    assert data == sample.encoded()
    read_options: dict[str, Any] = {name: value == "true" for name, value in sample.options.items()}
    found = bridge.decode(data, format=sample.format.name, spark=spark, **read_options)
    assert list(found) == sample.rows
    (tmp_path / "source").write_bytes(data)
    bridge.rewrite(
        tmp_path / "source",
        tmp_path / "target",
        options=options,
        source_format=sample.format.name,
        spark=spark,
        **read_options,
    )
    assert (tmp_path / "target").read_bytes() == data


def test_terms_as_structs(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(sample.encoded())
    structs = sample.read(spark, tmp_path / "file", terms="struct")
    assert structs.where("object.lang = 'fr'").count() == sum(
        row.object == '"chat"@fr' for row in sample.rows
    )
    sample.save(structs.coalesce(1), tmp_path / "out")
    assert only_file(tmp_path / "out").read_bytes() == sample.encoded()


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_compressed(sample: Sample, spark: SparkSession, tmp_path: Path, compression: str) -> None:
    sample.save(sample.frame(spark), tmp_path / "out", compression=compression)
    assert sample.rows_of(sample.read(spark, tmp_path / "out")) == sample.rows


def test_partitions_and_metadata(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    frame = sample.frame(spark).selectExpr("*", "'a' AS day")
    frame.write.format(sample.format.name).options(**sample.options).partitionBy("day").save(
        str(tmp_path / "out")
    )
    (file,) = data_files(tmp_path / "out")
    assert file.parent.name == "day=a"
    found = sample.read(spark, tmp_path / "out").select("object", "day", "_metadata.file_name")
    assert {tuple(row) for row in found.collect()} == {
        (row.object, "a", file.name) for row in sample.rows
    }


def test_a_table_is_written_and_read(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    name = sample.format.name
    options = ", ".join(f"'{key}' '{value}'" for key, value in sample.options.items())
    clause = f"OPTIONS ({options})" if options else ""
    spark.sql(f"CREATE TABLE t_{name} USING {name} {clause} LOCATION '{tmp_path / 'table'}'")
    try:
        sample.frame(spark).write.insertInto(f"t_{name}")
        assert sample.rows_of(spark.table(f"t_{name}")) == sample.rows
    finally:
        spark.sql(f"DROP TABLE t_{name}")


def test_a_stream_is_read_and_written(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / f"in/1{sample.format.extension}").write_bytes(sample.encoded())
    source = (
        spark.readStream.format(sample.format.name)
        .schema(sample.schema)
        .options(**sample.options)
        .load(str(tmp_path / "in"))
    )
    query = (
        source.coalesce(1)
        .writeStream.format(sample.format.name)
        .options(**sample.options)
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "out"))
    )
    assert query.awaitTermination(60)
    assert only_file(tmp_path / "out").read_bytes() == sample.encoded()


def test_any_columns_in_any_order(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(sample.encoded())
    frame = sample.read(spark, tmp_path / "file")
    assert frame.count() == len(sample.rows)
    found = sample.ordered(frame).select("object").collect()
    assert [row.object for row in found] == [row.object for row in sample.rows]
    shuffled = sample.frame(spark).select(*reversed(sample.schema_names()))
    sample.save(shuffled, tmp_path / "out")
    assert only_file(tmp_path / "out").read_bytes() == sample.encoded()


def test_an_unknown_column_fails_the_job(
    sample: Sample, spark: SparkSession, tmp_path: Path
) -> None:
    with fails("has no column 'more'; its columns are"):
        sample.save(sample.frame(spark).selectExpr("*", "'1' AS more"), tmp_path / "out")
    required = "op" if sample.format.row is PatchRow else "predicate"
    with fails(f"needs the column '{required}'"):
        sample.save(sample.frame(spark).drop(required), tmp_path / "out")
    assert not data_files(tmp_path)


def test_a_bad_term_fails_the_job_and_leaves_no_file(
    sample: Sample, spark: SparkSession, tmp_path: Path
) -> None:
    bad = sample.frame(spark).selectExpr(
        *(
            "if(object IS NULL, object, 'no term') AS object" if name == "object" else name
            for name in sample.schema_names()
        )
    )
    with fails("object: expected an RDF term in N-Triples syntax at character 0"):
        sample.save(bad, tmp_path / "out")
    assert not data_files(tmp_path)


def test_a_file_that_is_cut_off(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    """Named, and dropped where that is asked for."""
    file = tmp_path / f"cut{sample.format.extension}"
    file.write_bytes(sample.encoded()[:-2])
    with fails(file.name, "expected", "found"):
        sample.read(spark, file).collect()
    dropped = sample.read(spark, file, mode="DROPMALFORMED").collect()
    assert len(dropped) < len(sample.rows)


def test_a_wrong_option_names_the_right_ones(
    sample: Sample, spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(sample.encoded())
    with fails("mode must be one of: FAILFAST, DROPMALFORMED"):
        sample.read(spark, tmp_path / "file", mode="none").collect()
    with fails("strict must be one of: true, false; not 'maybe'"):
        sample.read(spark, tmp_path / "file", strict="maybe").collect()


def test_an_empty_file_has_no_rows(sample: Sample, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert sample.read(spark, tmp_path / "file").count() == 0
