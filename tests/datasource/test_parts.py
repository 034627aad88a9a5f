"""The parts of the data sources that need no session."""

import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.datasource import DataSourceReader
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles
from pyspark.sql.types import DateType, IntegerType, LongType, StringType, StructField, StructType

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, NTriplesOptions, read_jelly_patch
from jelly_spark.core.files.local import LocalStorage
from jelly_spark.core.options import WriteOptions
from jelly_spark.datasource import SOURCES, FileSource, splits
from jelly_spark.datasource.column_batches import batches_of
from jelly_spark.datasource.hadoop_globs import compile_glob
from jelly_spark.datasource.listing import DataFile, data_files
from jelly_spark.datasource.partition_columns import columns_of
from jelly_spark.datasource.paths import expand, files_at
from jelly_spark.datasource.reading import BatchReader
from jelly_spark.datasource.sink_log import last_batch, log_batch, logged_files
from jelly_spark.datasource.streaming import StreamReader
from jelly_spark.datasource.writing import BatchWriter
from jelly_spark.errors import MalformedInputError, OptionError
from jelly_spark.formats import FORMATS
from tests.parity.cases import read_input
from tests.spark.case_files import case_files
from tests.spark.formats.test_round_trip import frame_ends_are_lost
from tests.spark.patches import SCHEMA, adds, only_file, write_file

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
@pytest.mark.parametrize("name", ["in.jellyp", "in.nt", "messages.nt", "in.rdfp", "in.jellyp.gz"])
def test_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int) -> None:
    """Splits of any size together have all rows."""
    monkeypatch.setattr(splits, "SPLIT_SIZE", size)
    path = tmp_path / name
    rows: list[Any] = adds(200)
    format = {".nt": "ntriples", ".rdfp": "rdf_patch"}.get(path.suffix, "jelly_patch")
    options: WriteOptions | None = None
    if format == "ntriples":
        rows = [
            codec.RdfRow(row.subject, row.predicate, row.object, frame=number // 3)
            for number, row in enumerate(rows)
        ]
        options = NTriplesOptions(version="1.2-messages" if name == "messages.nt" else "")
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
        (["١٢"], "int"),
        (["1", "2.5", "1e3"], "double"),
        (["99999999999999999999"], "double"),
        (["NaN", "1e400", "-Infinity"], "double"),
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


@pytest.mark.parametrize("source", SOURCES)
def test_no_filters_are_pushed(source: type[FileSource]) -> None:
    """Spark would use a reader that took the filters of one query for other queries, too."""
    assert BatchReader.pushFilters is DataSourceReader.pushFilters
    if source.format in FORMATS:
        reader = source({"path": __file__}).reader(jelly_spark.schema(source.format))
        assert type(reader) is BatchReader


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("*.{nt,ttl}", ["a.nt", "b.ttl", ".nt"]),
        ("{a{.n,.t}t,b*}", ["a.nt", "b.ttl"]),
        ("[^a]*", ["b.ttl", ".nt", "[1]", "{x,y}", "\\b", "^"]),
        ("[!ab]*", [".nt", "[1]", "{x,y}", "\\b", "^"]),
        ("[a-b].*t*", ["a.nt", "b.ttl"]),
        ("\\[1\\]", ["[1]"]),
        ("[^b[{.a\\\\]", ["^"]),
        ("[\\^]", ["^"]),
        ("\\{x,y\\}", ["{x,y}"]),
        ("\\\\?", ["\\b"]),
        ("?.nt", ["a.nt"]),
        ("a.nt", ["a.nt"]),
        ("a.n", []),
    ],
)
def test_globs_of_hadoop(tmp_path: Path, glob: str, names: list[str]) -> None:
    every = ["a.nt", "b.ttl", ".nt", "[1]", "{x,y}", "\\b", "^"]
    assert [name for name in every if compile_glob(glob).fullmatch(name)] == names
    for name in every:
        (tmp_path / name).touch()
    assert {Path(path).name for path in expand(f"{tmp_path}/{glob}")} == {*names}


def test_groups_with_slashes(tmp_path: Path) -> None:
    for name in ("a/b/x", "a/c/x", "d/x", "e/x"):
        write_file(tmp_path / name, adds(1))
    found = expand(f"{tmp_path}/{{a/{{b,c}},d,f}}/x")
    assert found == [str(tmp_path / name) for name in ("a/b/x", "a/c/x", "d/x")]


@pytest.mark.parametrize("glob", ["[a", "{a", "a{b,{c}", "[b-a]", "*\\"])
def test_malformed_globs(tmp_path: Path, glob: str) -> None:
    with pytest.raises(OptionError, match="the glob"):
        data_files({"path": str(tmp_path), "pathGlobFilter": glob})


@pytest.mark.parametrize("name", ["modifiedBefore", "MODIFIEDAFTER"])
def test_options_that_need_the_jar(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "a.jellyp", adds(1))
    with pytest.raises(OptionError, match="needs jelly-spark"):
        read(tmp_path, **{name: "2026-11-01T00:00:00"})
    with pytest.raises(OptionError, match="needs jelly-spark"):
        stream(tmp_path, **{name: "2026-11-01T00:00:00"}).latestOffset()


def test_links(tmp_path: Path) -> None:
    """Links to folders are followed, but not in circles; overwrite removes only the links."""
    outside = write_file(tmp_path / "elsewhere/a.jellyp", adds(1))
    folder = tmp_path / "in"
    write_file(folder / "day=2/b.jellyp", adds(2))
    (folder / "day=1").symlink_to(outside.parent)
    (folder / "day=2/up").symlink_to(folder)
    (folder / "day=3").symlink_to(tmp_path / "missing")
    (folder / "day=4").mkdir()
    (outside.parent / "down").symlink_to(folder)
    found = [Path(file.path).relative_to(folder) for file in data_files({"path": str(folder)})]
    assert list(map(str, found)) == ["day=1/a.jellyp", "day=2/b.jellyp"]
    running = write_file(folder / "_temporary/job/part.jellyp", adds(1))
    writer = BatchWriter(FORMAT, {"path": str(folder)}, SCHEMA, True)
    writer.commit([writer.write(batches_of([], SCHEMA))])
    names = {path.name for path in folder.iterdir()}
    assert names == {"_SUCCESS", "_temporary", only_file(folder).name}
    assert outside.exists()
    assert running.exists()


@pytest.mark.parametrize("exists", [True, False])
def test_a_failed_write_removes_what_it_made(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "out"
    if exists:
        folder.mkdir()
    writer = BatchWriter(FORMAT, {"path": str(folder)}, SCHEMA, False)
    writer.abort([writer.write(batches_of([], SCHEMA)), None])
    assert [path.name for path in tmp_path.rglob("*")] == ["out"] * exists


@pytest.mark.parametrize(
    ("paths", "options", "columns"),
    [
        (["sub/day=1/a", "sub/day=2/x/b", "sub/c"], {}, [[("day", "1")], [("day", "2")]]),
        (["m=1/day=1/a", "m=2/day=2/a"], {"basePath": "m=1"}, "is not a folder that holds"),
        (["m=1/day=1/a"], {"basePath": "."}, [[("m", "1"), ("day", "1")]]),
        (["m=1/sub/day=1/a"], {"basePath": "."}, [[("day", "1")]]),
        (["sub/day=1/a", "day=2/a"], {}, "conflicting directory structures"),
        (["plain/a", "day=2/a"], {}, "conflicting directory structures"),
        (["plain/a", "b"], {}, [[]]),
        (["K=1/a", "k=2/a"], {}, [[("K", "1")], [("k", "2")]]),
        (["day=/a"], {}, "expected a folder named like column=value"),
        (["day=1/sub/Day=2/a"], {}, [[("Day", "2")]]),
        (["day=1/Day=2/a"], {}, "two folders have the column 'day'"),
        (["sub/day=1/a", "plain/a"], {"recursiveFileLookup": "true"}, [[], []]),
    ],
)
def test_places_of_partitions(
    tmp_path: Path, paths: list[str], options: dict[str, str], columns: Any
) -> None:
    """Spark takes the folders of partitions that are nearest to the files."""
    for path in paths:
        write_file(tmp_path / path, adds(1))
    if "basePath" in options:
        options = {"basePath": str(tmp_path / options["basePath"])}
    given = {"path": str(tmp_path), **options}
    if isinstance(columns, str):
        with pytest.raises(OptionError, match=columns):
            data_files(given)
    else:
        assert [list(file.values) for file in data_files(given)] == columns


def test_only_the_given_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("a", "sub/b", "sub/c"):
        write_file(tmp_path / name, adds(1))
    found = data_files({"paths": f'["{tmp_path}", "{tmp_path}/sub/b"]'})
    assert [Path(file.path).name for file in found] == ["a", "b"]


def test_the_cost_of_listing_is_linear(tmp_path: Path) -> None:
    def calls(options: dict[str, str], files: int) -> int:
        """The function calls that it takes."""
        count = 0

        def profile(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(profile)
        try:
            found = data_files(options)
        finally:
            sys.setprofile(None)
        assert len(found) == files
        return count

    for day in range(20):
        folder = tmp_path / f"{'few' if day < 2 else 'many'}/day={day}"
        folder.mkdir(parents=True)
        for number in range(500):
            (folder / f"{number}.nt").touch()
    for glob in ("", "/day=*/[0-9]*.{nt,nq}"):
        few, many = (
            calls({"path": f"{tmp_path}/{name}{glob}", "pathGlobFilter": "*.nt"}, files)
            for name, files in (("few", 1_000), ("many", 9_000))
        )
        assert many < 10 * few


@pytest.mark.parametrize("name", ["op", "k", "object"])
def test_columns_that_are_not_null(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "k=1/a.jellyp", adds(1))
    kind: Any = IntegerType() if name == "k" else StringType()
    if name == "object":
        kind = StructType([StructField("kind", StringType(), nullable=False)])
    schema = StructType([StructField("seq", LongType()), StructField(name, kind, name == "object")])
    with pytest.raises(OptionError, match=f"column '{name}': NOT NULL needs jelly-spark.jar"):
        BatchReader(FORMAT, {"path": str(tmp_path)}, schema)


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
        stream(tmp_path).partitions({}, offset)


def test_a_stream_remembers_files_that_are_gone(tmp_path: Path) -> None:
    path = write_file(tmp_path / "in/a.jellyp", adds(1))
    reader = stream(tmp_path / "in/*.jellyp")
    first = reader.latestOffset({})
    assert len(reader.partitions({}, first)) == 1
    data = path.read_bytes()
    path.unlink()
    # The glob matches nothing, as when a query is started again.
    again = stream(tmp_path / "in/*.jellyp")
    for one in (reader, again):
        assert one.latestOffset(first) == first
        assert one.partitions(first, first) == []
    path.write_bytes(data)
    assert again.latestOffset(first) == first
    write_file(tmp_path / "in/b.jellyp", adds(1))
    # Before Spark 4.2, readers get no start.
    following = reader.latestOffset()
    assert following.keys() - first.keys() == {str(tmp_path / "in/b.jellyp")}
    assert len(reader.partitions(first, following)) == 1


def test_a_stream_says_when_partitions_appear(tmp_path: Path) -> None:
    write_file(tmp_path / "a.jellyp", adds(1))
    reader = stream(tmp_path)
    offset = reader.latestOffset()
    write_file(tmp_path / "day=1/b.jellyp", adds(1))
    for one in (reader, stream(tmp_path)):
        with pytest.raises(OptionError, match=rf"and {tmp_path}/a\.jellyp$"):
            one.latestOffset(offset)
    assert len(stream(tmp_path, pathGlobFilter="[^a]*").latestOffset()) == 1
    assert len(read(tmp_path)) == 1


@pytest.mark.parametrize("name", ["latestFirst", "cleanSource", "MAXBYTESPERTRIGGER"])
def test_options_of_streams_that_need_the_jar(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match="needs jelly-spark"):
        stream(tmp_path, **{name: "1"}).latestOffset()


def test_log_of_a_sink(tmp_path: Path) -> None:
    """A reader reads the files of the log only, also behind a compact log."""
    storage = LocalStorage()
    assert logged_files(storage, str(tmp_path)) is None
    for batch in range(12):
        assert last_batch(storage, str(tmp_path)) == batch - 1
        path = write_file(tmp_path / f"b c%20{batch}.jellyp", adds(1, batch))
        log_batch(storage, str(tmp_path), batch, files_at(storage, str(path)))
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
