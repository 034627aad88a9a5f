"""N-Triples and N-Quads in Spark: splits, malformed lines, compression, filters, writing."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tests.spark.patches import EX, XSD, data_files, fails, only_file, refuses
from tests.spark.plans import plan_of, tasks_with_rows
from tests.spark.settings import setting
from tests.spark.stages import stages

COLUMNS = ["subject", "predicate", "object", "graph"]
ALL_COLUMNS = [*COLUMNS, "frame"]

SCHEMA = "subject string, predicate string, object string, graph string"

Row = tuple[str | None, ...]


def statements(count: int) -> list[Row]:
    """Statements with every kind of term; the lines of some are not canonical."""
    return [
        (
            f"<{EX}s{i // 3}>" if i % 7 else f"_:b{i}",
            f"<{EX}p{i % 5}>",
            [f'"{i} é"', f'"{i}"@en', f'"{i}"^^<{XSD}integer>', f"<{EX}o{i}>", f'"\\"{i}\\n"'][
                i % 5
            ],
            None if i % 4 == 0 else f"<{EX}g{i // 50}>",
        )
        for i in range(count)
    ]


def lines_of(rows: list[Row]) -> list[str]:
    return [" ".join(term for term in row if term) + " .\n" for row in rows]


def quads_file(path: Path, rows: list[Row]) -> Path:
    """Write the rows with comments, blank lines and all ends of lines between them."""
    ends = ["\n", "\r\n", " # é\n", "\n\n# <a:s> <a:p> <a:o> .\n", "\r"]
    text = "".join(
        line.rstrip("\n") + ends[i % 11 if i % 11 < len(ends) else 0]
        for i, line in enumerate(lines_of(rows))
    )
    path.write_bytes(text.replace("é", "\\u00e9", 1).encode())
    return path


def read(spark: SparkSession, path: Path, format: str = "nquads", **options: Any) -> DataFrame:
    return spark.read.format(format).options(**options).load(str(path))


def rows_of(frame: DataFrame) -> list[Row]:
    return [tuple(row) for row in frame.select(*COLUMNS).collect()]


def frame_of(spark: SparkSession, rows: list[Row]) -> DataFrame:
    return spark.createDataFrame(rows, SCHEMA).coalesce(1)


def test_columns_and_rows(spark: SparkSession, tmp_path: Path) -> None:
    rows = statements(500)
    frame = read(spark, quads_file(tmp_path / "a.nq", rows))
    assert frame.columns == ALL_COLUMNS
    assert frame.where("frame IS NULL").count() == 500
    assert rows_of(frame) == rows
    assert frame.count() == 500
    assert "ColumnarToRow" in plan_of(frame)


@pytest.mark.parametrize("splits", [2, 3, 7, 20, 100])
def test_splits_of_any_size_have_the_same_rows(
    spark: SparkSession, tmp_path: Path, splits: int
) -> None:
    rows = statements(500)
    path = quads_file(tmp_path / "a.nq", rows)
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", -(-path.stat().st_size // splits)),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
        setting(spark, "spark.sql.files.minPartitionNum", 1),
    ):
        frame = read(spark, path)
        assert frame.rdd.getNumPartitions() == splits
        assert rows_of(frame) == rows
        assert tasks_with_rows(frame) == splits


def test_a_split_reads_its_own_bytes(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.nq"
    path.write_text("".join(lines_of(statements(60_000))), encoding="utf-8")
    size = path.stat().st_size
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", size // 8 + 1),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
        stages(spark) as found,
    ):
        assert read(spark, path).where("object IS NOT NULL").count() == 60_000
    assert size <= found.bytes_read < 1.1 * size


@pytest.mark.parametrize(("extension", "compression"), [(".gz", "gzip"), (".zst", "zstd")])
def test_compressed_files(
    spark: SparkSession, tmp_path: Path, extension: str, compression: str
) -> None:
    rows = statements(5000)
    frame_of(spark, rows).write.format("nquads").option("compression", compression).save(
        str(tmp_path / "out")
    )
    file = only_file(tmp_path / "out")
    assert file.name.endswith(".nq" + extension)
    with setting(spark, "spark.sql.files.maxPartitionBytes", 1000):
        frame = read(spark, file)
        assert frame.rdd.getNumPartitions() == 1
        assert rows_of(frame) == rows
    # The rows before the damage are kept.
    cut = tmp_path / f"cut.nq{extension}"
    cut.write_bytes(file.read_bytes()[:-200])
    with fails("expected undamaged compressed input"):
        read(spark, cut).collect()
    kept = rows_of(read(spark, cut, mode="DROPMALFORMED"))
    assert kept == rows[: len(kept)]
    assert len(kept) > 1000


MALFORMED = (
    "<a:s> <a:p> <a:o> .\n"
    "<a:s> <a:p> .\r\n"
    "# <a:s>\n"
    "  nonsense é\n"
    '<a:s> <a:p> "o\\u0041" <a:g> . # fine\n'
    "<a:s> <a:p> <a:o> <a:g> more .\n"
    "_:b <a:p> _:b ."
)
GOOD = ["<a:o>", '"oA"', "_:b"]


@pytest.fixture
def malformed(tmp_path: Path) -> Path:
    path = tmp_path / "a.nq"
    path.write_text(MALFORMED, encoding="utf-8", newline="")
    return path


def test_failfast(spark: SparkSession, malformed: Path) -> None:
    with fails("a.nq: line 2 (row 1, byte 20): expected an RDF term, found '.'"):
        read(spark, malformed).collect()
    with fails("a.nq: line 2 (row 1, byte 20): expected an RDF term, found '.'"):
        read(spark, malformed).select("graph").where("graph = '<a:g>'").collect()


def test_dropmalformed(spark: SparkSession, malformed: Path) -> None:
    with stages(spark) as found:
        rows = rows_of(read(spark, malformed, mode="dropmalformed"))
    assert [row[2] for row in rows] == GOOD
    assert found.counters["nquads: malformed rows"] == 3


def test_permissive(spark: SparkSession, malformed: Path) -> None:
    frame = read(spark, malformed, mode="PERMISSIVE")
    assert frame.columns == [*ALL_COLUMNS, "_corrupt_record"]
    rows = frame.collect()
    assert [row["_corrupt_record"] for row in rows] == [
        *(None, "<a:s> <a:p> .", "nonsense é", None),
        *("<a:s> <a:p> <a:o> <a:g> more .", None),
    ]
    assert [row["object"] for row in rows] == [GOOD[0], None, None, GOOD[1], None, GOOD[2]]
    assert frame.count() == 6
    assert frame.where("_corrupt_record IS NOT NULL").select("_corrupt_record").count() == 3
    assert frame.where("subject = '_:b'").count() == 1
    named = read(spark, malformed, mode="permissive", columnNameOfCorruptRecord="bad")
    assert named.where("bad LIKE 'nonsense%'").count() == 1
    structs = read(spark, malformed, mode="permissive", terms="struct")
    assert [row["v"] for row in structs.selectExpr("object.value AS v").collect()] == [
        *("a:o", None, None, "oA", None, "b")
    ]


@pytest.mark.parametrize("mode", ["DROPMALFORMED", "PERMISSIVE"])
def test_malformed_lines_in_splits(spark: SparkSession, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "a.nq"
    path.write_text((MALFORMED + "\n") * 300, encoding="utf-8", newline="")
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", 4096),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
    ):
        frame = read(spark, path, mode=mode)
        assert frame.rdd.getNumPartitions() > 5
        found = [row["object"] for row in frame.select("object").collect()]
    assert [obj for obj in found if obj] == GOOD * 300
    assert len(found) == (900 if mode == "DROPMALFORMED" else 1800)


def test_malformed_lines_after_a_version(spark: SparkSession, tmp_path: Path) -> None:
    """They do not make it a file of another kind."""
    path = tmp_path / "a.nt"
    for head, frame in (('VERSION "1.2"', None), ('VERSION "1.2-messages"\nMESSAGE', 1)):
        path.write_text(f"{head}\nbad\n<a:s> <a:p> <a:o> .\n", encoding="utf-8")
        rows = read(spark, path, "ntriples", mode="DROPMALFORMED").collect()
        assert [(row["object"], row["frame"]) for row in rows] == [("<a:o>", frame)]
        with fails("found 'bad'"):
            read(spark, path, "ntriples").collect()


def test_an_error_in_a_split_says_the_byte(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text("<a:s> <a:p> <a:o> .\n" * 1000 + "oops\n", encoding="utf-8")
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", 15_000),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
        fails("a.nt: line at byte 20000: expected an IRI or a blank node, found 'oops'"),
    ):
        read(spark, path, "ntriples").collect()


def test_other_files_are_told_apart(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    for prefix in ("PREFIX ex: <http://example.org/>", "@prefix ex: <http://example.org/> ."):
        path.write_text(f"{prefix}\nex:s ex:p ex:o .\n", encoding="utf-8")
        for mode in ("FAILFAST", "DROPMALFORMED"):
            with fails("this looks like Turtle or TriG"):
                read(spark, path, "ntriples", mode=mode).collect()
    path.write_text("@prefix ex: <http://example.org/> .\nA ex:s ex:p ex:o .\n", encoding="utf-8")
    with fails("this looks like RDF Patch text"):
        read(spark, path, "ntriples").collect()
    path.write_bytes(gzip.compress(b"<a:s> <a:p> <a:o> .\n"))
    with fails("give the file the extension .gz"):
        read(spark, path, "ntriples").collect()
    path.write_text("<a:s> <a:p> <a:o> .\n", encoding="utf-8")
    with fails("this looks like N-Triples or N-Quads: read it with the format ntriples or nquads"):
        read(spark, path, "rdf_patch").collect()


def test_filters_are_decided_by_the_reader(spark: SparkSession, tmp_path: Path) -> None:
    rows = statements(1000)
    frame = read(spark, quads_file(tmp_path / "a.nq", rows))
    with stages(spark) as found:
        kept = rows_of(frame.where(F.col("predicate") == f"<{EX}p1>"))
    assert kept == [row for row in rows if row[1] == f"<{EX}p1>"]
    assert found.counters["nquads: rows skipped by filters"] == 800
    some = [f"<{EX}g{i}>" for i in range(3, 12)]
    assert rows_of(frame.where(F.col("graph").isin(some))) == [r for r in rows if r[3] in some]
    assert frame.where("graph IS NULL").count() == sum(row[3] is None for row in rows)
    assert frame.where("object = 'no term'").count() == 0
    with stages(spark) as found:
        assert frame.where(F.col("object") == '"0 é"').count() == 1
    assert found.counters["nquads: rows skipped by filters"] == 999


def test_terms_as_structs(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text('<a:s> <a:p> "o"@en .\n<a:s> <a:p> "o\\t" .\n', encoding="utf-8")
    frame = read(spark, path, "ntriples", terms="struct")
    objects = [tuple(row[0]) for row in frame.select("object").collect()]
    string, lang = f"{XSD}string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
    assert objects == [("literal", "o", lang, "en", None), ("literal", "o\t", string, None, None)]
    frame.coalesce(1).write.format("ntriples").save(str(tmp_path / "out"))
    text = only_file(tmp_path / "out").read_text(encoding="utf-8")
    assert text == '<a:s> <a:p> "o"@en .\n<a:s> <a:p> "o\t" .\n'


def test_what_is_written(spark: SparkSession, tmp_path: Path) -> None:
    rows = statements(200)
    frame_of(spark, rows).write.format("nquads").save(str(tmp_path / "out"))
    file = only_file(tmp_path / "out")
    assert file.suffix == ".nq"
    assert file.read_text(encoding="utf-8") == "".join(lines_of(rows))
    assert rows_of(read(spark, file)) == rows


def test_what_is_not_canonical_is_written_canonical(spark: SparkSession, tmp_path: Path) -> None:
    rows: list[Row] = [("<a:\\u0073>", "<a:p>", f'"\\u006f"^^<{XSD}string>', "<_:g>")]
    frame_of(spark, rows).write.format("nquads").save(str(tmp_path / "out"))
    text = only_file(tmp_path / "out").read_text(encoding="utf-8")
    assert text == '<a:s> <a:p> "o" _:g .\n'


def test_the_rows_of_jelly_rdf_are_written_as_they_are(spark: SparkSession, tmp_path: Path) -> None:
    rows = statements(100)
    frame_of(spark, rows).write.format("jelly_rdf").save(str(tmp_path / "jelly"))
    jelly = spark.read.format("jelly_rdf").load(str(tmp_path / "jelly"))
    assert "seq" in jelly.columns
    jelly.write.format("nquads").save(str(tmp_path / "out"))
    assert rows_of(read(spark, tmp_path / "out")) == rows
    with fails("N-Quads has no column 'op'"):
        jelly.selectExpr("'A' AS op", "*").write.format("nquads").save(str(tmp_path / "no"))


def test_what_cannot_be_written(spark: SparkSession, tmp_path: Path) -> None:
    def save(row: Row, format: str = "nquads") -> None:
        frame_of(spark, [row]).write.format(format).mode("overwrite").save(str(tmp_path / "out"))

    with refuses("N-Triples cannot hold a graph: write nquads") as refusal:
        save(("<a:s>", "<a:p>", "<a:o>", "<a:g>"), "ntriples")
    assert refusal.row["graph"] == "<a:g>"
    with refuses("a subject must be an IRI, a blank node or a triple term"):
        save(('"s"', "<a:p>", "<a:o>", None))
    with refuses("a predicate must be an IRI"):
        save(("<a:s>", "_:p", "<a:o>", None))
    with refuses("an IRI must be absolute"):
        save(("<a:s>", "<a:p>", "<o>", None))


def test_partitions(spark: SparkSession, tmp_path: Path) -> None:
    rows = statements(100)
    frame = frame_of(spark, rows).withColumn("day", F.expr("if(graph IS NULL, 'mon', 'tue')"))
    frame.write.format("nquads").partitionBy("day").save(str(tmp_path / "out"))
    assert {path.parent.name for path in data_files(tmp_path / "out")} == {"day=mon", "day=tue"}
    found = read(spark, tmp_path / "out")
    assert found.columns == [*ALL_COLUMNS, "day"]
    assert rows_of(found.where("day = 'mon'")) == [row for row in rows if row[3] is None]
    assert found.where("day = 'tue' AND graph IS NULL").count() == 0


def test_sql(spark: SparkSession, tmp_path: Path) -> None:
    path = quads_file(tmp_path / "a.nq", statements(10))
    assert spark.sql(f"SELECT count(*) FROM nquads.`{path}`").first() == (10,)
    (tmp_path / "table").mkdir()
    spark.sql(f"CREATE TABLE lines USING ntriples LOCATION '{tmp_path / 'table'}'")
    try:
        spark.sql("INSERT INTO lines VALUES ('<a:s>', '<a:p>', '<a:o>', NULL, NULL)")
        assert spark.table("lines").count() == 1
        assert only_file(tmp_path / "table").read_text("utf-8") == "<a:s> <a:p> <a:o> .\n"
    finally:
        spark.sql("DROP TABLE lines")


MESSAGES = 'VERSION "1.2-messages"\n'


def messages_file(path: Path, rows: list[Row]) -> Path:
    """Write each 7 rows as a message, followed by an empty one, with a malformed row in each."""
    lines = []
    for i, line in enumerate(lines_of(rows)):
        if i and i % 7 == 0:
            lines += ["oops\n", "MESSAGE\r\n", " MESSAGE # empty\n"]
        lines.append(line)
    path.write_text(MESSAGES + "".join(lines) + "MESSAGE\n", encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("splits", [1, 3, 50])
@pytest.mark.parametrize("mode", ["DROPMALFORMED", "PERMISSIVE"])
def test_messages_in_splits(spark: SparkSession, tmp_path: Path, splits: int, mode: str) -> None:
    rows = statements(20_000)
    path = messages_file(tmp_path / "a.nq", rows)
    frames = [i // 7 * 2 for i in range(20_000)]
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", -(-path.stat().st_size // splits)),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
        setting(spark, "spark.sql.files.minPartitionNum", 1),
    ):
        frame = read(spark, path, mode=mode)
        assert frame.rdd.getNumPartitions() == splits
        found = [tuple(row) for row in frame.collect()]
        assert [row[:5] for row in found if row[0]] == [
            (*row, frame) for row, frame in zip(rows, frames, strict=True)
        ]
        if mode == "PERMISSIVE":
            bad = [row[4:] for row in found if row[0] is None]
            assert bad == [(number, "oops") for number in sorted(set(frames))[:-1]]
        last = frame.where(f"subject IS NOT NULL AND frame = {frames[-1]}").count()
        assert last == frames.count(frames[-1])
        with fails("expected an IRI or a blank node, found 'oops'"):
            read(spark, path).select("frame").collect()


def test_messages_are_written(spark: SparkSession, tmp_path: Path) -> None:
    """Frames of Jelly-RDF survive a way through messages."""
    rows = statements(100)
    numbered = spark.createDataFrame(
        [(*row[:3], None, i // 9) for i, row in enumerate(rows)], f"{SCHEMA}, frame long"
    ).coalesce(1)
    grouped = {"physicalType": "TRIPLES", "logicalType": "GRAPHS"}
    numbered.write.format("jelly_rdf").options(**grouped).save(str(tmp_path / "jelly"))
    jelly = spark.read.format("jelly_rdf").load(str(tmp_path / "jelly"))
    lines = jelly.coalesce(1).write.format("nquads").option("version", "1.2-messages")
    lines.save(str(tmp_path / "lines"))
    text = only_file(tmp_path / "lines").read_text(encoding="utf-8")
    assert text.startswith(MESSAGES)
    assert text.count("\nMESSAGE\n") == 11
    back = read(spark, tmp_path / "lines")
    assert back.collect() == numbered.collect()
    back.coalesce(1).write.format("jelly_rdf").options(**grouped).save(str(tmp_path / "again"))
    again = only_file(tmp_path / "again").read_bytes()
    assert again == only_file(tmp_path / "jelly").read_bytes()
    with refuses("in a stream of messages, each row needs a frame from 0 on"):
        frame_of(spark, rows).write.format("nquads").option("version", "1.2-messages").save(
            str(tmp_path / "no")
        )
    backwards = numbered.orderBy(F.col("frame").desc()).coalesce(1)
    with refuses("in a stream of messages, frame must not decrease"):
        backwards.write.format("nquads").option("version", "1.2-messages").save(
            str(tmp_path / "back")
        )


def test_messages_in_streams_of_files(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    rows = statements(50)
    messages_file(tmp_path / "in" / "a.nq", rows)
    stream = (
        spark.readStream.format("nquads")
        .schema(f"{SCHEMA}, frame long")
        .option("mode", "DROPMALFORMED")
        .load(str(tmp_path / "in"))
    )
    query = (
        stream.writeStream.format("nquads")
        .option("version", "1.2-messages")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "out"))
    )
    query.awaitTermination()
    found = read(spark, tmp_path / "out")
    assert rows_of(found) == rows
    assert [row["frame"] for row in found.collect()] == [i // 7 * 2 for i in range(50)]


@pytest.mark.parametrize("format", ["ntriples", "nquads"])
def test_canonical_form(spark: SparkSession, tmp_path: Path, format: str) -> None:
    rows: list[Row] = [("<a:s>", "<a:p>", '"\t\u0007"@EN', None)]
    frame_of(spark, rows).write.format(format).option("canonical", True).save(str(tmp_path / "out"))
    text = only_file(tmp_path / "out").read_text(encoding="utf-8")
    assert text == '<a:s> <a:p> "\\t\\u0007"@en .\n'
    with fails("canonical files have no VERSION: set only one of canonical and version"):
        frame_of(spark, rows).write.format(format).options(canonical=True, version="1.2").save(
            str(tmp_path / "no")
        )


def test_long_rows(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    literal = '"' + "x" * 1_000_000 + '"'
    path.write_text(f"<a:s> <a:p> {literal} .\n<a:s> <a:p> <a:o> .\n", encoding="utf-8")
    assert [row[2] for row in rows_of(read(spark, path, "ntriples"))] == [literal, "<a:o>"]
    with fails("expected a row of at most 1000 bytes (option maxRowSize), found a longer one"):
        read(spark, path, "ntriples", maxRowSize=1000).collect()
    short = read(spark, path, "ntriples", maxRowSize=1000, mode="dropmalformed")
    assert [row[2] for row in rows_of(short)] == ["<a:o>"]
