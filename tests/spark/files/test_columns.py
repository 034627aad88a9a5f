"""Reading in batches of columns gives the same values as reading rows, for any query."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tests.spark.many_rows import Written, every_kind, patch, rdf, rows_of
from tests.spark.patches import fails
from tests.spark.plans import plan_of

FILES = every_kind(700)

STRUCT = "struct<kind:string,value:string,datatype:string,lang:string,direction:string>"


@pytest.fixture(params=["patch", "rdf"])
def written(request: pytest.FixtureRequest) -> Written:
    """Rows for more than one batch."""
    return {"patch": patch, "rdf": rdf}[request.param](9_000)


@pytest.fixture
def no_codegen(spark: SparkSession) -> Iterator[None]:
    """As Spark reads files where it wants rows."""
    spark.conf.set("spark.sql.codegen.wholeStage", "false")
    yield
    spark.conf.unset("spark.sql.codegen.wholeStage")


def save(written: Written, path: Path) -> list[tuple[object, ...]]:
    """Write the file, and return its rows as Python reads them."""
    data = written.encoded()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return [tuple(row) for row in written.decoded(data)]


def pick(frame: DataFrame, rows: list[tuple[object, ...]], *columns: str) -> list[list[object]]:
    """These columns of rows of the frame."""
    places = [frame.columns.index(column) for column in columns]
    return [[row[place] for place in places] for row in rows]


@pytest.mark.parametrize("kind", FILES)
def test_every_kind_of_stream(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    expected = save(FILES[kind], tmp_path / "file")
    assert rows_of(FILES[kind].read(spark, tmp_path / "file")) == expected


def test_many_batches(spark: SparkSession, tmp_path: Path, written: Written) -> None:
    expected = save(written, tmp_path / "file")
    frame = written.read(spark, tmp_path / "file")
    assert "Batched: true" in plan_of(frame)
    assert rows_of(frame) == expected


def test_reading_by_rows(
    spark: SparkSession, tmp_path: Path, written: Written, no_codegen: None
) -> None:
    expected = save(written, tmp_path / "day=2026-01-01/file")
    frame = written.read(spark, tmp_path)
    assert "Batched: false" in plan_of(frame)
    assert rows_of(frame.drop("day")) == expected
    assert {str(day) for (day,) in frame.select("day").distinct().collect()} == {"2026-01-01"}
    assert frame.where("object = '\"x\"'").count() == sum(
        row[frame.columns.index("object")] == '"x"' for row in expected
    )


def test_any_columns(spark: SparkSession, tmp_path: Path, written: Written) -> None:
    rows = save(written, tmp_path / "file")
    frame = written.read(spark, tmp_path / "file")
    random = Random(0)
    chosen = [[name] for name in frame.columns]
    chosen += [random.sample(frame.columns, random.randint(2, 5)) for _ in range(8)]
    for columns in chosen:
        found = [list(row) for row in frame.select(*columns).collect()]
        assert found == pick(frame, rows, *columns), columns
    assert frame.count() == len(rows)


def test_strings_stay_valid(spark: SparkSession, tmp_path: Path, written: Written) -> None:
    """Also those that Spark keeps, as it sorts, groups and caches."""
    rows = save(written, tmp_path / "file")
    frame = written.read(spark, tmp_path / "file")
    objects = [obj for (obj,) in pick(frame, rows, "object") if obj is not None]
    ordered = frame.where("object IS NOT NULL").orderBy("object", "seq").select("object")
    assert [obj for (obj,) in ordered.collect()] == sorted(objects, key=lambda text: str(text))
    counts = dict(map(tuple, frame.groupBy("object").count().collect()))
    counts.pop(None, None)
    assert counts == {obj: objects.count(obj) for obj in set(objects)}
    collected = frame.agg(F.collect_list("object")).collect()[0][0]
    assert collected == objects
    cached = frame.cache()
    try:
        assert rows_of(cached) == rows
    finally:
        cached.unpersist()


def test_columns_of_the_folder(spark: SparkSession, tmp_path: Path, written: Written) -> None:
    """Of any type, null too, with the file's metadata behind them."""
    types = {
        "a": ("int", "7", "7"),
        "b": ("bigint", "12345678901", "12345678901"),
        "c": ("double", "1.5", "1.5"),
        "d": ("decimal(30,2)", "12345678901234567890.25", "12345678901234567890.25"),
        "e": ("date", "2026-01-31", "2026-01-31"),
        "f": ("timestamp", "2026-01-31 01%3A02%3A03", "2026-01-31 01:02:03"),
        "g": ("boolean", "true", "true"),
        "h": ("string", "é x", "é x"),
        "i": ("string", "__HIVE_DEFAULT_PARTITION__", None),
        "j": ("int", "__HIVE_DEFAULT_PARTITION__", None),
        "k": ("smallint", "3", "3"),
        "l": ("tinyint", "4", "4"),
        "m": ("float", "2.5", "2.5"),
        "n": ("decimal(7,3)", "1.125", "1.125"),
        "o": ("binary", "xyz", "xyz"),
    }
    folder = tmp_path.joinpath(*(f"{name}={text}" for name, (_, text, _) in types.items()))
    rows = save(written, folder / "file")
    schema = "object string, seq long, " + ", ".join(
        f"{name} {kind}" for name, (kind, _, _) in types.items()
    )
    reader = spark.read.format(written.format).options(**written.read_options())
    frame = reader.schema(schema).load(str(tmp_path))
    assert "Batched: true" in plan_of(frame)
    texts = [F.col(name).cast("string") for name in types]
    found = frame.select("seq", "object", *texts, "_metadata.file_name").collect()
    assert len(found) == len(rows)
    assert {tuple(row)[2:] for row in found} == {(*(text for _, _, text in types.values()), "file")}
    all_columns = written.read(spark, folder / "file")
    objects = [obj for (obj,) in pick(all_columns, rows, "object")]
    assert [row[1] for row in sorted(found, key=lambda row: int(row[0]))] == objects


def test_terms_as_structs_and_as_text_at_once(
    spark: SparkSession, tmp_path: Path, written: Written
) -> None:
    rows = save(written, tmp_path / "file")
    plain = written.read(spark, tmp_path / "file")
    structs = written.read(spark, tmp_path / "file", terms="struct")
    schema = f"SEQ long, Name string, subject string, object {STRUCT}, value {STRUCT}"
    reader = spark.read.format(written.format).options(**written.read_options())
    both = reader.schema(schema).load(str(tmp_path / "file"))
    assert "Batched: true" in plan_of(both)
    found = both.select("name", "subject").collect()
    assert [list(row) for row in found] == pick(plain, rows, "name", "subject")
    assert both.select("object", "value").collect() == structs.select("object", "value").collect()
    assert both.select("object.value").collect() == structs.select("object.value").collect()


def test_wrong_columns_are_named(spark: SparkSession, tmp_path: Path, written: Written) -> None:
    save(written, tmp_path / "file")
    for schema, message in {
        "subject string, note string": "has no column 'note'",
        "subject long": "column 'subject': expected type string or struct",
    }.items():
        reader = spark.read.format(written.format).options(**written.read_options())
        with fails(message):
            reader.schema(schema).load(str(tmp_path / "file")).collect()
