"""The same jobs in a session with the jar and in one without it, over Spark Connect."""

import gzip
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pyspark
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, PatchRow, RdfRow
from jelly_spark.core.rows import AnyRow
from jelly_spark.formats import FORMATS, READ, WRITTEN
from jelly_spark.log import Log
from jelly_spark.log.index.block import file_of
from tests.log.patches import patch
from tests.spark.formats.test_terms_struct import ROWS as TERM_ROWS
from tests.spark.formats.test_terms_struct import TERMS, as_tuple
from tests.spark.patches import EX, SAMPLE, adds, data_files, only_file, write_file

TIMEOUT = 120
"""Seconds that a stream may take for all that is there."""

STATEMENTS = [
    RdfRow(f"<{EX}s>", f"<{EX}p>", '"chat"@fr'),
    RdfRow("_:b", f"<{EX}p>", f"<{EX}o>"),
    RdfRow(f"<{EX}s>", f"<{EX}q>", '"line\\nbreak é"'),
]


def sample(format: str) -> list[AnyRow]:
    """Rows that a format can hold."""
    if WRITTEN[format].row is RdfRow:
        return list(STATEMENTS)
    rows = [row for row in SAMPLE if "_:" not in (row.subject or "")]
    if format == "sparql_update":
        # It has no headers, and the second patch is not committed.
        rows = [row for row in rows if row.op in ("TX", "A", "TC") and row.patch == 0]
    return list(rows)


def put(format: str, path: Path) -> Path:
    """Write the sample of a format with the codec, in a new folder, and return the file."""
    path.mkdir(parents=True)
    file = path / f"in{WRITTEN[format].extension}"
    codec.write(file, sample(format))
    return file


def read(
    session: SparkSession, path: Path | str, format: str = "jelly_patch", **options: Any
) -> DataFrame:
    return session.read.format(format).options(**options).load(str(path))


def save(frame: DataFrame, path: Path, format: str = "jelly_patch", **options: Any) -> None:
    frame.write.format(format).mode("append").options(**options).save(str(path))


def tuples(frame: DataFrame) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in frame.collect()]


@contextmanager
def fails(*parts: str) -> Iterator[None]:
    """Expect an error whose text has all the parts, in whatever quotes its names are."""
    with pytest.raises((PySparkException, Py4JJavaError)) as caught:
        yield
    text = str(caught.value)
    for part in parts:
        assert part in text


@pytest.mark.parametrize("format", FORMATS)
def test_round_trip(session: SparkSession, tmp_path: Path, format: str) -> None:
    """The rows are the codec's, and so are the bytes."""
    source = put(format, tmp_path / "in")
    frame = read(session, source, format)
    assert frame.schema == jelly_spark.schema(format)
    expected = list(codec.read(source))
    columns = [expected[0]._fields.index(name) for name in frame.columns]
    assert tuples(frame) == [tuple(row[column] for column in columns) for row in expected]
    save(frame.coalesce(1), tmp_path / "out", format)
    written = only_file(tmp_path / "out")
    assert written.read_bytes() == source.read_bytes()
    extension = re.escape(FORMATS[format].extension)
    assert re.fullmatch(rf"part-00000-[0-9a-f-]{{36}}-c000{extension}", written.name)
    # Hadoop's local files have checksums.
    names = {path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".crc"}
    assert names == {written.name, "_SUCCESS"}


def test_write_only_format(session: SparkSession, tmp_path: Path) -> None:
    source = put("sparql_update", tmp_path / "in")
    frame = session.createDataFrame(sample("sparql_update"), jelly_spark.schema("jelly_patch"))
    save(frame.coalesce(1), tmp_path / "out", "sparql_update")
    assert only_file(tmp_path / "out").read_bytes() == source.read_bytes()


def test_read_only_format(session: SparkSession, tmp_path: Path) -> None:
    """Both sessions have it in Python; each file has blank node labels of its own."""
    for name in ("a.ttl", "b.ttl.gz"):
        text = f"@prefix ex: <{EX}> . <s> ex:p 8.50, [] .".encode()
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    frame = read(session, tmp_path, "rdf", base=EX)
    assert frame.schema == jelly_spark.schema("rdf")
    rows = tuples(frame)
    expected = [row for path in sorted(tmp_path.iterdir()) for row in codec.read(path, base=EX)]
    assert sorted(row[:2] for row in rows) == sorted(row[:2] for row in expected)
    labels = {row[2] for row in rows if row[2].startswith("_:")}
    assert len(labels) == 2
    assert tuples(frame) == rows
    named = read(session, tmp_path / "a.ttl", "rdf", base=EX, namespaces=True)
    assert named.columns == [*RdfRow._fields]
    assert [row.name for row in named.collect()] == ["ex", None, None]
    with fails("line 1, column ", "found a relative IRI without a base"):
        tuples(read(session, tmp_path / "a.ttl", "rdf"))
    with fails("rdf can be read, not written, by Spark: write ntriples or nquads"):
        save(frame, tmp_path / "out", "rdf")


def test_options_of_a_write(session: SparkSession, tmp_path: Path) -> None:
    source = put("jelly_patch", tmp_path / "in")
    options = JellyPatchOptions(frame_size=2, max_name_table_size=8, restart_interval=64)
    codec.write(tmp_path / "expected.jellyp", codec.read(source), options=options)
    strings = {name.upper(): text for name, text in options.to_strings().items()}
    frame = read(session, source).coalesce(1)
    save(frame, tmp_path / "out", compression="GZIP", **strings)
    (written,) = data_files(tmp_path / "out")
    assert written.name.endswith(".jellyp.gz")
    assert gzip.decompress(written.read_bytes()) == (tmp_path / "expected.jellyp").read_bytes()
    assert tuples(read(session, tmp_path / "out")) == tuples(read(session, source))


def test_append_and_overwrite(session: SparkSession, tmp_path: Path) -> None:
    frame = read(session, put("jelly_patch", tmp_path / "in"))
    for count in (1, 2):
        save(frame, tmp_path / "out")
        assert read(session, tmp_path / "out").count() == count * len(SAMPLE) - count
    frame.limit(3).write.format("jelly_patch").mode("overwrite").save(str(tmp_path / "out"))
    assert read(session, tmp_path / "out").count() == 3


def test_columns_of_a_schema(session: SparkSession, tmp_path: Path) -> None:
    source = put("jelly_patch", tmp_path / "in")
    reader = session.read.format("jelly_patch").schema("seq BIGINT, Object STRING")
    assert tuples(reader.load(str(source)).where("seq = 4")) == [(4, '"chat"@fr')]
    with fails("has no column", "note", "its columns are op, subject"):
        session.read.format("jelly_patch").schema("note STRING").load(str(source)).collect()
    with fails("expected type bigint, found string"):
        session.read.format("jelly_patch").schema("seq STRING").load(str(source)).collect()


def test_terms_as_structs(session: SparkSession, tmp_path: Path) -> None:
    source = write_file(tmp_path / "in.jellyp", TERM_ROWS)
    frame = read(session, source, terms="STRUCT")
    assert [as_tuple(row.object) for row in frame.collect()] == list(TERMS.values())
    assert frame.schema == jelly_spark.schema("jelly_patch", terms="struct")
    save(frame.coalesce(1), tmp_path / "out")
    assert only_file(tmp_path / "out").read_bytes() == source.read_bytes()


def test_namespaces(session: SparkSession, tmp_path: Path) -> None:
    rows = [RdfRow(name="ex", value=f"<{EX}>"), *STATEMENTS]
    codec.write(tmp_path / "in.jelly", rows, options=codec.JellyRdfOptions(namespaces=True))
    found = read(session, tmp_path / "in.jelly", "jelly_rdf", namespaces=True)
    assert found.collect()[0].value == f"<{EX}>"
    assert read(session, tmp_path / "in.jelly", "jelly_rdf").count() == len(STATEMENTS)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_row_sizes": 10}, "did you mean maxRowSize?"),
        ({"mode": "permissive"}, "mode must be one of: FAILFAST, DROPMALFORMED"),
        ({"terms": "text"}, "terms must be one of: string, struct"),
        ({"strict": "maybe"}, "strict must be one of: true, false"),
        ({"checkAllColumns": "maybe"}, "checkAllColumns must be one of: true, false"),
        ({"maxNameTableSize": "7"}, "maxNameTableSize must be a whole number from 8 to"),
        ({"engine": "other"}, "must be one of: native"),
    ],
)
def test_invalid_options(
    session: SparkSession, tmp_path: Path, options: dict[str, Any], says: str
) -> None:
    source = put("jelly_patch", tmp_path / "in")
    with fails(says):
        read(session, source, **options).collect()


@pytest.mark.parametrize(
    ("columns", "options", "says"),
    [
        ("*, op AS note", {}, "has no column"),
        ("subject, predicate, object", {}, "needs the column 'op'"),
        ("op, 1 AS patch", {}, "patch"),
        ("'X' AS op", {}, "op must be one of: H, TX, TC, TA, PA, PD, A, D, END"),
        ("op, 'oops' AS subject, predicate, object", {}, "in row {"),
        ("*", {"compression": "zip"}, "compression must be one of: none, gzip, zstd"),
        ("*", {"frameSizes": 1}, "did you mean frameSize?"),
    ],
)
def test_writes_that_fail_leave_nothing(
    session: SparkSession, tmp_path: Path, columns: str, options: dict[str, Any], says: str
) -> None:
    frame = read(session, put("jelly_patch", tmp_path / "in"))
    if not options:
        (tmp_path / "out").mkdir()
    with fails(says):
        save(frame.selectExpr(*columns.split(", ")), tmp_path / "out", **options)
    assert (tmp_path / "out").exists() or options
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def test_malformed_input(session: SparkSession, tmp_path: Path) -> None:
    bad = put("jelly_patch", tmp_path / "in")
    bad.write_bytes(bad.read_bytes()[:-1])
    with fails(bad.name, "frame at byte 0", "expected", "found"):
        read(session, bad).collect()
    assert read(session, bad, mode="dropmalformed").count() < len(SAMPLE)
    (tmp_path / "text.jellyp").write_text("hello")
    with fails("text.jellyp"):
        read(session, tmp_path / "text.jellyp", mode="dropmalformed").collect()


def test_reading_goes_on_at_a_restart_point(session: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "in.jellyp"
    options = JellyPatchOptions(frame_size=10, restart_interval=300)
    codec.write(path, adds(200), options=options)
    data = bytearray(path.read_bytes())
    at = data.index(b"s150")
    data[at : at + 4] = b"\xff" * 4
    path.write_bytes(data)
    found = [row.object for row in read(session, path, mode="dropmalformed").collect()]
    assert found[:100] == [f'"{i}"' for i in range(100)]
    assert found[-1] == '"199"'
    assert 150 < len(found) < 200


def test_malformed_lines(session: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "in.nt"
    path.write_text("<a:s> <a:p> <a:o> .\nnonsense é\r\n<a:s> <a:p> .\n<a:s> <a:p> <a:q> .\noops")
    good = [("<a:s>", "<a:p>", obj, None, None) for obj in ("<a:o>", "<a:q>")]
    with fails("in.nt", "expected an IRI or a blank node"):
        read(session, path, "ntriples").collect()
    assert tuples(read(session, path, "ntriples", mode="DROPMALFORMED")) == good
    kept = read(session, path, "ntriples", mode="permissive", columnNameOfCorruptRecord="text")
    assert kept.columns == ["subject", "predicate", "object", "graph", "frame", "text"]
    assert [row[2] or row[5] for row in kept.collect()] == [
        *("<a:o>", "nonsense é", "<a:s> <a:p> .", "<a:q>", "oops"),
    ]
    assert kept.where("text IS NOT NULL AND subject IS NULL").count() == 3
    path.write_text("oops\n<a:s> <a:p> <a:o> .\n")
    reader = session.read.format("ntriples").schema("text STRING").options(mode="permissive")
    only = reader.option("columnNameOfCorruptRecord", "text").load(str(path))
    assert tuples(only) == [("oops",), (None,)]


def test_malformed_lines_of_messages(session: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "in.nt"
    line = "<a:s> <a:p> <a:%d> .\n"
    path.write_text(
        'VERSION "1.2-messages"\n'
        + line % 0
        + "oops\nMESSAGE\nMESSAGE\nMESSAGE .\n"
        + line % 2
        + "MESSAGE\n"
        + line % 3
    )
    with fails("in.nt", "expected an IRI or a blank node"):
        read(session, path, "ntriples").collect()
    dropped = read(session, path, "ntriples", mode="DROPMALFORMED").select("object", "frame")
    assert tuples(dropped) == [("<a:0>", 0), ("<a:2>", 2), ("<a:3>", 3)]
    kept = read(session, path, "ntriples", mode="permissive", columnNameOfCorruptRecord="text")
    assert tuples(kept.select("object", "frame", "text")) == [
        *(("<a:0>", 0, None), (None, 0, "oops"), (None, 2, "MESSAGE ."), ("<a:2>", 2, None)),
        ("<a:3>", 3, None),
    ]
    assert kept.where("text IS NOT NULL AND frame = 2").count() == 1


@pytest.mark.parametrize("option", ["checkAllColumns", "strict"])
@pytest.mark.parametrize("format", FORMATS)
def test_all_queries_find_the_same_malformed_rows(
    session: SparkSession, tmp_path: Path, format: str, option: str
) -> None:
    """If all columns are checked, whatever the query reads."""
    new_row: Callable[..., AnyRow] = RdfRow
    if FORMATS[format].row is PatchRow:
        new_row = partial(PatchRow, "A")
    path = tmp_path / f"in{FORMATS[format].extension}"
    terms = [(f"<a:{i % 2}>", "<a:p>", f'"object {i}"') for i in range(100)]
    codec.write(path, [new_row(s, p, o) for s, p, o in terms])
    path.write_bytes(path.read_bytes().replace(b"object 50", b"object \xff0"))
    queries: list[Callable[[DataFrame], list[Row]]] = [
        lambda frame: frame.collect(),
        lambda frame: frame.select("predicate").collect(),
        lambda frame: frame.where("subject = '<a:1>'").select("subject").collect(),
        lambda frame: frame.groupBy().count().collect(),
    ]
    for query in queries:
        with fails(path.name, "expected"):
            query(read(session, path, format, **{option: True}))
    if format != "rdf_patch":  # which has no other mode without the jar
        kept = read(session, path, format, mode="DROPMALFORMED", **{option: True})
        rows, predicates, filtered, ((count,),) = (query(kept) for query in queries)
        assert len(rows) == (99 if format in ("ntriples", "nquads") else 50)
        assert len(rows) == len(predicates) == count
        assert len(filtered) == sum(row.subject == "<a:1>" for row in rows)


@pytest.fixture
def partitions(tmp_path: Path) -> Path:
    """A folder with partitions of two columns, and files that are not read."""
    folder = tmp_path / "log"
    write_file(folder / "day=2026-11-01/n=1/a.jellyp", adds(1))
    write_file(folder / "day=2026-11-01/n=2/a.jellyp", adds(2))
    write_file(folder / "day=2026-11-02/n=__HIVE_DEFAULT_PARTITION__/a.jellyp", adds(4))
    write_file(folder / "day=2026-11-02/n=3000000000/b.jellyp", adds(8))
    write_file(folder / "_hidden/a.jellyp", adds(16))
    write_file(folder / "day=2026-11-01/n=1/.hidden.jellyp", adds(16))
    write_file(folder / "day=2026-11-01/n=1/_hidden.jellyp", adds(16))
    return folder


def test_columns_of_partitions(session: SparkSession, partitions: Path) -> None:
    frame = read(session, partitions)
    assert frame.dtypes[-2:] == [("day", "date"), ("n", "bigint")]
    counted = frame.groupBy("day", "n").count().orderBy("count")
    assert [(str(row[0]), *row[1:]) for row in counted.collect()] == [
        *(("2026-11-01", 1, 1), ("2026-11-01", 2, 2)),
        *(("2026-11-02", None, 4), ("2026-11-02", 3000000000, 8)),
    ]
    typed = session.read.format("jelly_patch").schema("op STRING, n STRING, day STRING")
    found = typed.load(str(partitions)).where("n = '2'").selectExpr("op", "n", "day")
    assert tuples(found) == [("A", "2", "2026-11-01")] * 2


@pytest.mark.parametrize(
    ("glob", "options", "rows", "extra"),
    [
        ("day=2026-11-0[1]", {}, 3, ["n"]),
        ("day=*/n={1,2}", {}, 3, []),
        ("day=*/n=?/a.jellyp", {}, 3, []),
        ("day=2026-11-01", {"basePath": True}, 3, ["day", "n"]),
        ("day=*/n=[^13_]", {}, 2, []),
        ("day=\\2026-11-0{1/n=*,2/n=[!_]*}/*", {}, 11, []),
        (".", {"pathGlobFilter": "b*"}, 8, ["day", "n"]),
        (".", {"pathGlobFilter": "{b,c}.[^a]*"}, 8, ["day", "n"]),
        (".", {"recursiveFileLookup": "true"}, 15, []),
    ],
)
def test_globs(
    session: SparkSession,
    partitions: Path,
    glob: str,
    options: dict[str, Any],
    rows: int,
    extra: list[str],
) -> None:
    if "basePath" in options:
        options = {"basePath": str(partitions)}
    frame = read(session, partitions / glob, **options)
    assert frame.columns == [*PatchRow._fields, *extra]
    assert frame.count() == rows


@pytest.mark.parametrize("format", ["jelly_patch", "jelly_rdf", "ntriples"])
def test_only_columns_of_partitions(session: SparkSession, tmp_path: Path, format: str) -> None:
    source = put(format, tmp_path / "k=1")
    frame = session.read.format(format).schema("k INT").load(str(tmp_path))
    assert tuples(frame) == [(1,)] * len(list(codec.read(source)))


def test_a_folder_replaces_a_column(session: SparkSession, tmp_path: Path) -> None:
    for graph in ("x", "y"):
        put("nquads", tmp_path / f"graph={graph}")
    put("nquads", tmp_path / "seq/subject=1/GRAPH=2")
    frame = read(session, tmp_path / "graph=*", "nquads", basePath=tmp_path)
    assert frame.schema == jelly_spark.schema("nquads")
    found = frame.where("graph = 'x'").select("object", "graph")
    assert tuples(found) == [(row.object, "x") for row in STATEMENTS]
    frame = read(session, tmp_path / "seq", "nquads")
    assert frame.dtypes[0] == ("subject", "int")
    assert frame.dtypes[3] == ("GRAPH", "int")
    assert [(row.subject, row.GRAPH) for row in frame.collect()] == [(1, 2)] * len(STATEMENTS)


def test_partitions_below_another_folder(session: SparkSession, tmp_path: Path) -> None:
    write_file(tmp_path / "elsewhere/x/a.jellyp", adds(1))
    write_file(tmp_path / "in/sub/k=1/a.jellyp", adds(2))
    (tmp_path / "in/sub/K=2").symlink_to(tmp_path / "elsewhere")
    frame = read(session, tmp_path / "in").groupBy("k").count().orderBy("k")
    assert tuples(frame) == [(1, 2), (2, 1)]
    write_file(tmp_path / "in/k=3/a.jellyp", adds(1))
    with fails("onflicting directory structures"):
        read(session, tmp_path / "in").collect()


def test_not_null(python_session: SparkSession, tmp_path: Path) -> None:
    source = put("jelly_patch", tmp_path / "in")
    with fails("column 'object': NOT NULL needs jelly-spark.jar"):
        python_session.read.format("jelly_patch").schema("object STRING NOT NULL").load(
            str(source)
        ).collect()


def test_several_paths(session: SparkSession, tmp_path: Path) -> None:
    paths = [str(write_file(tmp_path / f"{i}/a.jellyp", adds(i))) for i in (1, 2)]
    assert session.read.format("jelly_patch").load(paths).count() == 3
    assert read(session, f"file:{paths[1]}").count() == 2
    with fails(
        "path does not exist" if "connect" in type(session).__module__ else "PATH_NOT_FOUND"
    ):
        read(session, tmp_path / "missing").collect()


@pytest.mark.parametrize(
    "condition",
    [
        "op = 'A' AND graph IS NULL",
        f"op IN ('D', 'TX', NULL) AND (graph IS NULL OR graph = '<{EX}g>')",
        f"predicate <=> '<{EX}q>' OR op = 'TX'",
        "op IS NOT NULL AND predicate IS NULL AND seq > 3",
        f"subject LIKE '<{EX}%' AND graph = '<{EX}g>' AND n >= 2",
        "n < 2 AND op <> 'A'",
        "n = NULL",
    ],
)
def test_filters(session: SparkSession, tmp_path: Path, condition: str) -> None:
    for number in (1, 2, 3):
        write_file(tmp_path / f"in/n={number}/a.jellyp", SAMPLE)
    frame = read(session, tmp_path / "in")
    found = frame.where(condition).orderBy("n", "seq")
    # What Spark finds in rows that come from elsewhere.
    rows = session.createDataFrame(frame.collect(), frame.schema)
    assert tuples(found) == tuples(rows.where(condition).orderBy("n", "seq"))


@pytest.mark.parametrize("pushed", [True, False])
@pytest.mark.parametrize("format", ["jelly_patch", "nquads"])
def test_several_uses_of_a_relation(
    session: SparkSession, tmp_path: Path, format: str, pushed: bool
) -> None:
    """A filter of one use changes no other use, in the same query or in a later one."""
    for number in (1, 2):
        put(format, tmp_path / f"in/n={number}")
    every = sample(format)
    few = [row for row in every if row.predicate == f"<{EX}p>"]
    assert 0 < len(few) < len(every)
    session.conf.set("spark.sql.python.filterPushdown.enabled", pushed)
    try:
        data = read(session, tmp_path / "in", format)
        some = data.where(f"predicate = '<{EX}p>' AND n = 2")
        assert some.count() == len(few)
        assert data.count() == 2 * len(every)
        assert data.where("n = 1").count() == len(every)
        assert data.exceptAll(some).count() == 2 * len(every) - len(few)
        assert some.union(data).count() == 2 * len(every) + len(few)
        terms = ["subject", "predicate", "object"]
        assert data.join(some.select(terms), terms, "left_semi").count() == 2 * len(few)
        data.createOrReplaceTempView("uses")
        both = "SELECT * FROM uses WHERE n = 1 UNION ALL SELECT * FROM uses WHERE n > 1"
        assert session.sql(both).count() == 2 * len(every)
        kept = some.cache()
        assert (kept.count(), data.count(), kept.count()) == (len(few), 2 * len(every), len(few))
        kept.unpersist()
    finally:
        session.conf.unset("spark.sql.python.filterPushdown.enabled")


def run(stream: DataFrame, folder: Path, format: str = "rdf_patch") -> None:
    """Write all that is there and was not written yet to a folder."""
    query = (
        stream.writeStream.format(format)
        .option("checkpointLocation", str(folder.with_name("checkpoint")))
        .trigger(availableNow=True)
        .start(str(folder))
    )
    assert query.awaitTermination(TIMEOUT)


def test_writes_into_a_log(session: SparkSession, tmp_path: Path) -> None:
    """They are refused; without the jar, in our formats only."""
    folder = tmp_path / "logs/log"
    Log(folder).append(patch(0, add=[0]))
    source = write_file(tmp_path / "in/a.jellyp", adds(2))
    frame = read(session, source)
    for path in (folder, folder / "new"):
        for mode in ("append", "overwrite"):
            with fails("is in the folder of the log ", "Log.append", "writeIntoLog"):
                frame.write.format("rdf_patch").mode(mode).save(str(path))
    with fails("would remove the log ", "Log.append"):
        frame.write.format("jelly_patch").mode("overwrite").save(str(folder.parent))
    with fails("is in the folder of the log ", "Log.append"):
        run(jelly_spark.read_stream(session, "jelly_patch", source.parent), folder)
    assert {path.name for path in folder.iterdir()} == {file_of(0), "_log"}
    assert Log(folder).verify() == []
    save(frame, folder / "new", writeIntoLog=True)
    assert read(session, folder / "new").count() == frame.count()


def test_stream(session: SparkSession, tmp_path: Path) -> None:
    """Each file is read once, before and after a restart, whatever its name."""
    source, target = tmp_path / "in", tmp_path / "out"
    write_file(source / "b.jellyp", adds(2))
    run(jelly_spark.read_stream(session, "jelly_patch", source), target)
    write_file(source / "a.jellyp", adds(2, 2))
    # As if the query had stopped between the commit of its sink and its own: it repeats the batch.
    for commit in (tmp_path / "checkpoint/commits").iterdir():
        commit.unlink()
    stream = jelly_spark.read_stream(session, "jelly_patch", source)
    run(stream, target)
    if pyspark.__version__ < "4.2":
        # The trigger runs one batch of a data source in Python: here, the repeated one.
        run(stream, target)
    found = read(session, target, "rdf_patch").orderBy("object").collect()
    assert [row.object for row in found] == [f'"{i}"' for i in range(4)]


def test_stream_of_a_glob(session: SparkSession, tmp_path: Path) -> None:
    """The glob may match nothing, and a file that is removed and put back is read once."""
    target = tmp_path / "out"
    glob = tmp_path / "in/*.jellyp"
    file = write_file(tmp_path / "in/a.jellyp", adds(1))
    run(jelly_spark.read_stream(session, "jelly_patch", glob), target)
    file.rename(tmp_path / "a")
    run(jelly_spark.read_stream(session, "jelly_patch", glob), target)
    (tmp_path / "a").rename(file)
    write_file(tmp_path / "in/b.jellyp", adds(1, 1))
    run(jelly_spark.read_stream(session, "jelly_patch", glob), target)
    found = read(session, target, "rdf_patch").orderBy("object").collect()
    assert [row.object for row in found] == ['"0"', '"1"']


def test_stream_with_an_option_that_needs_the_jar(
    python_session: SparkSession, tmp_path: Path
) -> None:
    put("jelly_patch", tmp_path / "in")
    options = {"cleanSource": "delete"}
    stream = jelly_spark.read_stream(python_session, "jelly_patch", tmp_path / "in", **options)
    with fails("option cleanSource needs jelly-spark.jar"):
        run(stream, tmp_path / "out")


def test_engines(spark: SparkSession, python_session: SparkSession) -> None:
    engines = jelly_spark.engine(spark)
    assert engines.pop("rdf").name == "python"
    assert {one.name for one in engines.values()} == {"jvm"}
    found = jelly_spark.engine(python_session)
    assert [*found] == [*{**READ, **WRITTEN}]
    assert {one.name for one in found.values()} == {"python"}
    assert "no jelly-spark.jar" in found["jelly_patch"].reason


def test_engines_of_a_session_with_neither() -> None:
    program = """
from pyspark.sql import SparkSession
import jelly_spark
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
print({one.name for one in jelly_spark.engine(spark).values()})
"""
    # A Python without this package.
    python = f"{sys.base_prefix}/bin/python3"
    environment = os.environ | {"PYSPARK_PYTHON": python, "PYTHONPATH": ""}
    found = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout == "{'none'}\n"


def test_registration(python_session: SparkSession, tmp_path: Path) -> None:
    jelly_spark.datasource.register(python_session)
    assert read(python_session, put("jelly_patch", tmp_path / "in")).count() == len(SAMPLE) - 1
