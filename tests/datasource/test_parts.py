"""The parts of the data sources that need no session."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles
from pyspark.sql.types import DateType, IntegerType, StringType, StructField, StructType

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, read_jelly_patch
from jelly_spark.datasource import splits
from jelly_spark.datasource.column_batches import batches_of
from jelly_spark.datasource.listing import DataFile, data_files
from jelly_spark.datasource.partition_columns import columns_of
from jelly_spark.datasource.reading import BatchReader
from jelly_spark.datasource.sink_log import last_batch, log_batch, logged_files
from jelly_spark.datasource.storage import expand, storage_of
from jelly_spark.datasource.streaming import StreamReader
from jelly_spark.datasource.writing import BatchWriter
from jelly_spark.errors import MalformedInputError, OptionError
from jelly_spark.formats import FORMATS
from tests.parity.cases import read_input
from tests.spark.case_files import case_files
from tests.spark.patches import SCHEMA, adds, only_file, write_file
from tests.spark.test_round_trip import frame_ends_are_lost

FORMAT = FORMATS["jelly_patch"]


def read(path: Path | str, format: str = "jelly_patch", **options: str) -> list[Any]:
    """Return the rows that the tasks of a read get."""
    schema = jelly_spark.schema(format)
    reader = BatchReader(FORMATS[format], {"path": str(path), **options}, schema)
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


@pytest.mark.parametrize("case", case_files("*.json"))
def test_bytes_of_the_reference(tmp_path: Path, case: Path) -> None:
    source = case.with_suffix(".jellyp")
    rows = read(source)
    assert rows == [tuple(row) for row in read_jelly_patch(source)]
    input_rows, options = read_input(case)
    writer = BatchWriter(
        FORMAT, {"path": str(tmp_path / "out"), **options.to_strings()}, SCHEMA, False
    )
    given = (Row(**dict(zip(SCHEMA.names, row, strict=True))) for row in rows)
    writer.commit([writer.write(batches_of(given, SCHEMA))])
    again = only_file(tmp_path / "out")
    if frame_ends_are_lost([row.op for row in input_rows], options):
        assert [tuple(row) for row in read_jelly_patch(again)] == rows
    else:
        assert again.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("case", case_files("bad/*.txt"))
def test_malformed(case: Path) -> None:
    verdict = case.read_text(encoding="utf-8").split("\n", 1)[0].strip()
    if verdict == "reject":
        with pytest.raises(MalformedInputError, match="frame at byte"):
            read(case.with_suffix(".jellyp"))


@pytest.mark.parametrize("size", [200, 1000, 10**6])
@pytest.mark.parametrize("name", ["in.jellyp", "in.nt", "in.rdfp", "in.jellyp.gz"])
def test_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int) -> None:
    """Splits of any size together have all rows."""
    monkeypatch.setattr(splits, "SPLIT_SIZE", size)
    path = tmp_path / name
    rows: list[Any] = adds(200)
    format = {".nt": "ntriples", ".rdfp": "rdf_patch"}.get(path.suffix, "jelly_patch")
    options = None
    if format == "ntriples":
        rows = [codec.RdfRow(row.subject, row.predicate, row.object) for row in rows]
    if format == "jelly_patch":
        options = JellyPatchOptions(frame_size=5, restart_interval=300)
    codec.write(path, rows, options=options)
    columns = jelly_spark.schema(format).names
    expected = [tuple(getattr(row, name) for name in columns) for row in codec.read(path)]
    for mode in ("FAILFAST", "DROPMALFORMED")[: 1 if path.suffix in (".rdfp", ".gz") else 2]:
        assert read(path, format, mode=mode) == expected


def test_small_files_share_a_task(tmp_path: Path) -> None:
    for number in range(10):
        write_file(tmp_path / f"{number}.jellyp", adds(1))
    files = data_files({"path": str(tmp_path)})
    assert len(splits.plan(FORMAT, files)) == 2


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-2", None], "int"),
        (["1", "3000000000"], "bigint"),
        (["1", "2.5", "1e3"], "double"),
        (["99999999999999999999"], "double"),
        (["2026-11-01", None], "date"),
        (["2026-02-30"], "string"),
        (["1", "2026-11-01"], "string"),
        (["1d"], "string"),
        ([None], "string"),
    ],
)
def test_types_of_partitions(values: list[str | None], kind: str) -> None:
    files = [DataFile("", 0, 0, (("p", value),)) for value in values]
    assert columns_of(files).simpleString() == f"struct<p:{kind}>"


def test_different_partitions(tmp_path: Path) -> None:
    write_file(tmp_path / "a=1/x.jellyp", adds(1))
    write_file(tmp_path / "b=1/x.jellyp", adds(1))
    with pytest.raises(OptionError, match="different columns"):
        data_files({"path": str(tmp_path)})


def test_a_file_of_fsspec(tmp_path: Path) -> None:
    """Remote folders have the same partitions, globs and hidden files."""
    import fsspec

    files = fsspec.filesystem("memory")
    data = write_file(tmp_path / "x.jellyp", adds(2)).read_bytes()
    for name in ("day=2026-11-01/a.jellyp", "day=2026-11-02/b.jellyp", "_hidden/c.jellyp"):
        files.makedirs(f"/log/{name.rpartition('/')[0]}", exist_ok=True)
        files.pipe(f"/log/{name}", data)
    options = {"path": "memory://log"}
    assert [file.values for file in data_files(options)] == [
        (("day", "2026-11-01"),),
        (("day", "2026-11-02"),),
    ]
    assert columns_of(data_files(options)).simpleString() == "struct<day:date>"
    assert len(read("memory://log/day=*/[ab].jellyp")) == 4
    writer = BatchWriter(FORMAT, {"path": "memory://out", "compression": "gzip"}, SCHEMA, True)
    for _ in range(2):
        batches = batches_of([], SCHEMA)
        writer.commit([writer.write(batches)])
    assert len(data_files({"path": "memory://out"})) == 1
    assert read("memory://out") == []
    assert not files.exists("/out/_temporary")


def test_alternatives_of_globs(tmp_path: Path) -> None:
    for name in ("ab", "ac", "bd", "bcd"):
        (tmp_path / name).touch()
    found = expand(f"{tmp_path}/{{a{{b,c}},b*d}}")
    assert [Path(path).name for path in found] == ["ab", "ac", "bcd", "bd"]


def stream(folder: Path, **options: str) -> StreamReader:
    return StreamReader(FORMAT, {"path": str(folder), **options}, SCHEMA)


def test_offsets_of_a_stream(tmp_path: Path) -> None:
    paths = [str(write_file(tmp_path / f"{name}.jellyp", adds(1))) for name in "cab"]
    reader = stream(tmp_path, maxFilesPerTrigger="2")
    offset = reader.initialOffset()
    seen = []
    for limit in (reader.getDefaultReadLimit(), ReadAllAvailable(), ReadMaxFiles(2)):
        following = reader.latestOffset(offset, limit)
        for part in reader.partitions(offset, following):
            seen += [one.file.path for one in getattr(part, "parts", ())]
        offset = following
    assert sorted(seen) == sorted(paths)
    assert reader.partitions(offset, reader.latestOffset()) == []
    reader.prepareForTriggerAvailableNow()
    write_file(tmp_path / "d.jellyp", adds(1))
    assert reader.latestOffset(offset, ReadMaxFiles(2)) == offset
    assert len(stream(tmp_path).latestOffset()) == 4
    Path(paths[0]).unlink()
    with pytest.raises(OptionError, match="was removed before it was read"):
        reader.partitions({}, offset)


@pytest.mark.parametrize("name", ["latestFirst", "cleanSource", "MAXBYTESPERTRIGGER"])
def test_options_of_streams_that_need_the_jar(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match="needs jelly-spark"):
        stream(tmp_path, **{name: "1"})


def test_log_of_a_sink(tmp_path: Path) -> None:
    """A reader reads the files of the log only, also behind a compact log."""
    storage = storage_of(str(tmp_path))
    assert logged_files(storage, str(tmp_path)) is None
    for batch in range(12):
        assert last_batch(storage, str(tmp_path)) == batch - 1
        path = write_file(tmp_path / f"b c%20{batch}.jellyp", adds(1, batch))
        log_batch(storage, str(tmp_path), batch, storage.files(str(path)))
    write_file(tmp_path / "not-in-the-log.jellyp", adds(1))
    assert (tmp_path / "_spark_metadata/9.compact").exists()
    found = read(tmp_path)
    assert sorted(int(row[3].strip('"')) for row in found) == [*range(12)]


def test_values_of_partitions(tmp_path: Path) -> None:
    write_file(tmp_path / "day=2026-11-01/x.jellyp", adds(1))
    schema = StructType([StructField("day", DateType()), StructField("op", StringType())])
    reader = BatchReader(FORMAT, {"path": str(tmp_path)}, schema)
    (batch,) = (batch for part in reader.partitions() for batch in reader.read(part))
    assert batch.to_pylist() == [{"day": date(2026, 11, 1), "op": "A"}]
    schema = StructType([StructField("day", IntegerType()), StructField("op", StringType())])
    reader = BatchReader(FORMAT, {"path": str(tmp_path)}, schema)
    with pytest.raises(OptionError, match="expected a value of type int in the name of a folder"):
        list(reader.read(reader.partitions()[0]))
