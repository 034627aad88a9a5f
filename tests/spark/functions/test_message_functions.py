"""`from_jelly_patch`, `to_jelly_patch` and their like: messages in a column."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.errors import IllegalArgumentException, PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StructType

import jelly_spark
from jelly_spark import functions as J
from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    PatchRow,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    RdfRow,
)
from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import AnyRow
from jelly_spark.errors import MalformedInputError, UnwritableRowError
from tests.codecs import PythonCodec
from tests.differential.mutations import OF_BYTES
from tests.differential.test_formats import STRATEGIES
from tests.examples import examples
from tests.numbering import numbered
from tests.parity.cases import read_input
from tests.spark.case_files import case_files
from tests.spark.formats.test_round_trip import frame_ends_are_lost
from tests.spark.patches import SAMPLE, fails

QUADS = [
    RdfRow(row.subject, row.predicate, row.object, row.graph, frame=0, seq=seq)
    for seq, row in enumerate(row for row in SAMPLE if row.op == "A")
]

ALL = list(PatchRow._fields)
"""The columns of patches."""

CODEC = PythonCodec()

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

FORMATS: dict[str, tuple[list[Any], WriteOptions]] = {
    "jelly_patch": (SAMPLE, JellyPatchOptions(delimited=False)),
    "jelly_rdf": (QUADS, JellyRdfOptions(delimited=False)),
    "rdf_patch": (SAMPLE, RdfPatchOptions()),
    "rdf_patch_thrift": (SAMPLE, RdfPatchThriftOptions()),
}
"""Rows of each format, and the options that are the defaults for messages."""

MODES = {
    "whole stage": {},
    "expressions": {"spark.sql.codegen.wholeStage": "false"},
    "interpreted": {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    },
}
"""How Spark runs expressions."""


def encoded(rows: list[Any], options: WriteOptions) -> bytes:
    """A message that Python's codec writes."""
    return CODEC.encode(rows, options)


def call(direction: str, format: str, column: str, **options: Any) -> Column:
    function = getattr(J, f"{direction}_{format}")
    result: Column = function(column, options)
    return result


def messages(spark: SparkSession, *values: bytes | None, format: str = "jelly_patch") -> DataFrame:
    """A column `v` of messages, and their ordinals."""
    text = format == "rdf_patch"
    rows = [
        (i, v.decode() if text and v is not None else v and bytearray(v))
        for i, v in enumerate(values)
    ]
    return spark.createDataFrame(rows, f"id int, v {'string' if text else 'binary'}").coalesce(1)


def arrays(
    spark: SparkSession,
    *values: Sequence[AnyRow],
    format: str = "jelly_patch",
    schema: StructType | None = None,
) -> DataFrame:
    """A column `rows` of arrays, in one partition."""
    columns = jelly_spark.schema(format) if schema is None else schema
    rows = [([values_of(row, columns) for row in v],) for v in values]
    return spark.createDataFrame(rows, f"rows array<{columns.simpleString()}>").coalesce(1)


def values_of(row: AnyRow, columns: StructType) -> tuple[Any, ...]:
    """The values of a row as Spark has them: without those of columns that Spark does not have."""
    return tuple(getattr(row, name) for name in columns.names)


def decoded(frame: DataFrame) -> list[Any]:
    """The only column of a frame, with tuples for rows."""
    return [value and [tuple(row) for row in value] for (value,) in frame.collect()]


def plan_of(frame: DataFrame) -> str:
    """The optimized logical plan, as text."""
    return str(frame._jdf.queryExecution().optimizedPlan().toString())


def columns_of(frame: DataFrame) -> list[list[str]]:
    """The columns that each call in the optimized plan decodes."""
    found = re.findall(r"from_\w+\([^()]*#[^()]*\)(?: AS (\[[^\]]*\]))?", plan_of(frame))
    return [columns.strip("[]").replace(",", "").split() if columns else ALL for columns in found]


@contextmanager
def conf(spark: SparkSession, settings: dict[str, str]) -> Iterator[None]:
    for name, value in settings.items():
        spark.conf.set(name, value)
    yield
    for name in settings:
        spark.conf.unset(name)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", FORMATS)
def test_both_ways(spark: SparkSession, format: str, mode: str) -> None:
    rows, options = FORMATS[format]
    message = encoded(rows, options)
    with conf(spark, MODES[mode]):
        frame = messages(spark, message, None, message, format=format)
        arrays = frame.select(call("from", format, "v").alias("rows"))
        found = arrays.schema["rows"].dataType
        assert isinstance(found, ArrayType) and found.elementType == jelly_spark.schema(format)
        tuples = [values_of(row, jelly_spark.schema(format)) for row in rows]
        assert decoded(arrays) == [tuples, None, tuples]
        again = arrays.select(call("to", format, "rows").alias("v"))
        text = message.decode() if format == "rdf_patch" else bytearray(message)
        assert [row.v for row in again.collect()] == [text, None, text]


@pytest.mark.parametrize("mode", MODES)
def test_exploded(spark: SparkSession, mode: str) -> None:
    rows, options = FORMATS["jelly_patch"]
    with conf(spark, MODES[mode]):
        frame = messages(spark, encoded(rows, options), None, b"")
        exploded = frame.select("id", F.explode(J.from_jelly_patch("v")).alias("row"))
        found = exploded.where("row.op != 'H'").select("id", "row.seq", "row.object").collect()
        assert [tuple(row) for row in found] == [
            (0, row.seq, row.object) for row in rows if row.op != "H"
        ]


@pytest.mark.usefixtures("engine")
def test_parity_cases(spark: SparkSession) -> None:
    """Messages that the reference wrote: the same rows, and the same bytes again."""
    cases = [case.values[0] for case in case_files("*.json") if case.values[0]]
    sources = [case.with_suffix(".jellyp").read_bytes() for case in cases]
    frame = messages(spark, *sources).select("id", J.from_jelly_patch("v").alias("rows")).cache()
    expected = [[tuple(row) for row in CODEC.decode(source)] for source in sources]
    assert decoded(frame.select("rows")) == expected
    by_options = defaultdict(list)
    for id, case in enumerate(cases):
        input_rows, options = read_input(case)
        if not frame_ends_are_lost([row.op for row in input_rows], options):
            strings = options.to_strings()
            for name in OF_FILES:
                strings.pop(name, None)
            by_options[tuple(strings.items())].append(id)
    for pairs, ids in by_options.items():
        again = frame.where(F.col("id").isin(ids)).select(
            "id", J.to_jelly_patch("rows", dict(pairs))
        )
        for id, message in again.collect():
            assert bytes(message) == sources[id], cases[id]
    frame.unpersist()


def written(rows: list[Any], options: WriteOptions) -> bytes | None:
    """What Python writes; None if it refuses the rows."""
    try:
        return encoded(rows, options)
    except UnwritableRowError:
        return None


def taken(rows: list[Any], options: WriteOptions) -> bytes | None:
    """What Python writes of the rows that it takes, each by itself; None if not all together."""
    return written([row for row in rows if written([row], options) is not None], options)


def read(message: bytes, format: str) -> list[Any] | None:
    """The rows that Python reads; None if the message is malformed."""
    try:
        columns = jelly_spark.schema(format)
        return [values_of(row, columns) for row in CODEC.decode(message, format)]
    except MalformedInputError:
        return None


def without_restarts(options: Any) -> Any:
    """The options, if they are Jelly's, without restart points, which messages cannot have."""
    has_restarts = hasattr(options, "restart_interval")
    return replace(options, restart_interval=0, index_columns="") if has_restarts else options


OF_FILES = ("restartInterval", "indexColumns", "indexFilterBits")
"""The options that messages do not have."""

FEW = settings(derandomize=True, max_examples=10, suppress_health_check=list(HealthCheck))


@cache
def random_messages(format: str) -> list[bytes]:
    """Messages of many writers; after each a damaged one, and the same again."""
    mixed = []
    for (rows, options), seed in examples(st.tuples(STRATEGIES[format], st.integers(0, 2**32)), 40):
        random = Random(seed)
        value = taken(rows, without_restarts(options))
        if value:
            mixed += [value, random.choice(OF_BYTES)(value, [value], random) or value, value]
    return mixed


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("format", FORMATS)
def test_generated_messages_are_read(spark: SparkSession, format: str) -> None:
    """No message affects the next."""
    values = random_messages(format)
    frame = messages(spark, *values).select(call("from", format, "v", mode="PERMISSIVE"))
    found = decoded(frame)
    assert found == [read(value, format) for value in values]
    assert any(found)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("format", FORMATS)
def test_generated_messages_are_written(spark: SparkSession, format: str) -> None:
    """The bytes are those of Python's writer; no message depends on one before it."""
    found: list[int] = []

    @FEW
    @given(STRATEGIES[format])
    def check(example: tuple[list[Any], Any]) -> None:
        rows, options = example[0], without_restarts(example[1])
        parts = [rows[: len(rows) // 2], rows, rows[len(rows) // 2 :], [], rows]
        expected = [(part, written(part, options)) for part in parts]
        strings = options.to_strings()
        for name in OF_FILES:
            strings.pop(name, None)
        good = [(part, data) for part, data in expected if data is not None]
        namespaces = getattr(options, "namespaces", False)
        schema = jelly_spark.schema(format, namespaces=namespaces)
        frame = arrays(spark, *[part for part, _ in good], format=format, schema=schema)
        column = call("to", format, "rows", **strings)
        assert [_bytes(row[0]) for row in frame.select(column).collect()] == [d for _, d in good]
        found.extend(len(data) for _, data in good)

    check()
    assert found


def _bytes(value: str | bytearray) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("select size(from_jelly_patch(v)) from m", [[]]),
        ("select from_jelly_patch(v).subject from m", [["subject"]]),
        ("select get(from_jelly_patch(v), 0).op from m", [["op"]]),
        ("select transform(from_jelly_patch(v), r -> r.op || r.seq) from m", [["op", "seq"]]),
        ("select exists(from_jelly_patch(v), r -> r.op = 'D') from m", [["op"]]),
        (
            "select transform(from_jelly_patch(v), "
            "r -> size(from_rdf_patch(r.op))) from (select v from m where v is null)",
            [["op"], []],
        ),
        (
            "select transform(from_jelly_patch(v), "
            "r -> size(from_rdf_patch(r.op, map('mode', 'PERMISSIVE')))) from m",
            [["op"], ALL],
        ),
        ("select inline(from_jelly_patch(v)) from m", [ALL]),
        ("select op from (select inline(from_jelly_patch(v)) from m)", [["op"]]),
        ("select count(*) from (select inline(from_jelly_patch(v)) from m)", [["seq"]]),
        ("select r.op from (select explode(from_jelly_patch(v)) r from m)", [["op"]]),
        (
            "select r.op, r.seq from (select explode(from_jelly_patch(v)) r from m)",
            [["op", "seq"]],
        ),
        (
            "select r.subject from (select posexplode(from_jelly_patch(v)) (p, r) from m) "
            "where r.op = 'A' and p > 1",
            [["op", "subject"]],
        ),
        (
            "select id, r.op, r.tx from (select id, from_jelly_patch(v) a from m) "
            "lateral view outer explode(a) as r",
            [["op", "tx"]],
        ),
        (
            "select id, size(a), r.tx from (select id, from_jelly_patch(v) a from m) "
            "lateral view outer explode(a) as r",
            [["tx"]],
        ),
        (
            "select a.op, a.tx from (select from_jelly_patch(v) a from m)",
            [["op", "tx"]],
        ),
        ("select a.op, a from (select from_jelly_patch(v) a from m)", [ALL]),
        (
            "select r.op, r from (select explode(from_jelly_patch(v)) r from m)",
            [ALL],
        ),
        ("select id from m where from_jelly_patch(v) is null", [[]]),
        (
            "select size(a), a.op from (select from_jelly_patch(v) a from m) where size(a) > 1",
            [["op"], ["op"]],
        ),
        (
            "select r.op from (select explode(from_jelly_patch(v, map('mode', 'PERMISSIVE'))) r "
            "from m)",
            [ALL],
        ),
        (
            "select id from m where from_jelly_patch(v, map('mode', 'PERMISSIVE')) is null",
            [ALL],
        ),
        (
            "select r.object.lang from (select explode("
            "from_jelly_patch(v, map('terms', 'struct'))) r from m)",
            [["object"]],
        ),
        (
            "select r.op from (select explode(from_jelly_patch(v)) r from m) union all "
            "select r.name from (select explode(from_jelly_patch(v)) r from m)",
            [["op"], ["name"]],
        ),
    ],
)
def test_columns_that_are_not_read_are_not_decoded(
    spark: SparkSession, query: str, columns: list[list[str]]
) -> None:
    rows, options = FORMATS["jelly_patch"]
    messages(spark, encoded(rows, options), None).createOrReplaceTempView("m")
    frame = spark.sql(query)
    assert columns_of(frame) == columns, plan_of(frame)
    pruned = frame.collect()
    rule = "org.jellyspark.sql.messages.PruneMessageColumns"
    with conf(spark, {"spark.sql.optimizer.excludedRules": rule}):
        whole = spark.sql(query)
        assert all(found == ALL for found in columns_of(whole)), plan_of(whole)
        assert whole.collect() == pruned


@pytest.mark.usefixtures("engine")
def test_struct_terms_and_namespaces(spark: SparkSession) -> None:
    rows = [RdfRow("<a:s>", "<a:p>", '"x"@en', None), RdfRow(name="ex", value="<a:>")]
    options = JellyRdfOptions(delimited=False, namespaces=True)
    frame = messages(spark, encoded(rows, options))
    read_options: dict[str, str | bool] = {"terms": "struct", "namespaces": True}
    (found,) = frame.select(J.from_jelly_rdf("v", read_options).alias("rows")).collect()
    assert found.rows[0].object == ("literal", "x", f"{RDF}langString", "en", None)
    assert (found.rows[1].name, found.rows[1].value.value) == ("ex", "a:")
    again = frame.select(J.from_jelly_rdf("v", read_options).alias("rows")).select(
        J.to_jelly_rdf("rows", {"namespaces": True})
    )
    assert bytes(again.collect()[0][0]) == encoded(rows, options)


@pytest.mark.usefixtures("engine")
def test_delimited(spark: SparkSession) -> None:
    delimited = encoded(SAMPLE, JellyPatchOptions(frame_size=4))
    frame = messages(spark, delimited).select(J.from_jelly_patch("v").alias("rows"))
    options = {"delimited": True, "frameSize": 4}
    assert bytes(frame.select(J.to_jelly_patch("rows", options)).collect()[0][0]) == delimited


@pytest.mark.usefixtures("engine")
def test_some_columns_in_any_order(spark: SparkSession) -> None:
    row = F.struct(
        F.lit("<a:p>").alias("predicate"),
        F.lit("<a:s>").alias("subject"),
        F.lit("A").alias("op"),
        F.lit('"o"').alias("object"),
    )
    (found,) = spark.range(1).select(J.to_rdf_patch(F.array(row, row))).collect()
    assert found[0] == 'A <a:s> <a:p> "o" .\n' * 2


@pytest.mark.parametrize("mode", MODES)
def test_malformed(spark: SparkSession, mode: str) -> None:
    rows, options = FORMATS["jelly_patch"]
    message = encoded(rows, options)
    frame = messages(spark, message, message[:-3], b"<html>", None, message)
    with conf(spark, MODES[mode]):
        with pytest.raises(PySparkException) as caught:
            frame.select(J.from_jelly_patch("v")).collect()
        error = caught.value
        first_line, *_ = str(error).splitlines()
        assert first_line.startswith("from_jelly_patch: frame at byte 0")
        assert "expected" in first_line and "found" in first_line
        assert (error.getCondition(), error.getSqlState()) == ("FAILED_READ_FILE.NO_HINT", "KD001")
        parameters = error.getMessageParameters()
        assert parameters and parameters["path"] == "from_jelly_patch"
        permissive = frame.select(J.from_jelly_patch("v", {"mode": "permissive"}))
        assert [value and len(value) for value in decoded(permissive)] == [
            len(rows),
            None,
            None,
            None,
            len(rows),
        ]


def test_malformed_in_columns_that_are_not_read(spark: SparkSession) -> None:
    """Whether a message is malformed is a question about all of it."""
    options = JellyPatchOptions(delimited=False)
    message = encoded([PatchRow("A", "<a:s>", "<a:p>", '"QQ"')], options)
    frame = messages(spark, message, message.replace(b"QQ", b"\xff\xff"), b"", None)
    rows = frame.select("id", J.from_jelly_patch("v", {"mode": "PERMISSIVE"}).alias("rows"))
    for question in (
        "select id from {rows} where rows is not null and size(rows) > 0",
        "select id from {rows} lateral view outer explode(rows) as row where row is not null",
        "select id from (select id, size(rows), row is null as nothing from {rows} "
        "lateral view outer explode(rows) as row) where not nothing",
        "select id from (select id, rows.op, count(row) as number from {rows} "
        "lateral view outer explode(rows) as row group by id, rows) where number > 0",
    ):
        assert [row.id for row in spark.sql(question, rows=rows).collect()] == [0], question


@pytest.mark.usefixtures("engine")
def test_a_permissive_call_has_one_outcome(spark: SparkSession) -> None:
    """A malformed message has no rows for any reader, whatever columns they read."""
    message = encoded([PatchRow("A", "<a:s>", "<a:p>", '"QQ"')], JellyPatchOptions(delimited=False))
    frame = messages(spark, message.replace(b"QQ", b"\xff\xff"), message)
    rows = frame.select("id", J.from_jelly_patch("v", {"mode": "PERMISSIVE"}).alias("r"))
    found = rows.where("r is null").select("id", "r.op", F.size("r"), F.col("r")[0].seq)
    assert [tuple(row) for row in found.collect()] == [(0, None, None, None)]
    counted = rows.select("id", F.expr("exists(r, row -> row.op = 'A')"), F.size("r"))
    assert [tuple(row) for row in counted.collect()] == [(0, None, None), (1, True, 1)]
    exploded = rows.select("id", F.explode_outer("r").alias("r")).select("id", "r.op")
    assert [tuple(row) for row in exploded.collect()] == [(0, None), (1, "A")]


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("strict", [False, True])
def test_is_null_finds_malformed_messages(spark: SparkSession, strict: bool) -> None:
    good = encoded(SAMPLE, JellyPatchOptions(delimited=False))
    frame = messages(spark, good, b"hello world", None)
    never_null = frame.where("id = 1").select(F.coalesce("v", F.lit(b"")).alias("v"))
    for question in ("isNull", "isNotNull"):
        rows = J.from_jelly_patch("v", {"strict": strict})
        for malformed in (frame, never_null):
            with fails("from_jelly_patch: ", "expected"):
                malformed.where(getattr(rows, question)()).collect()
    permissive = J.from_jelly_patch("v", {"strict": strict, "mode": "PERMISSIVE"})
    assert [row.id for row in frame.where(permissive.isNotNull()).collect()] == [0]
    assert [row.id for row in frame.where(permissive.isNull()).collect()] == [1, 2]


def test_all_calls_of_a_query_read_the_same_columns(spark: SparkSession) -> None:
    """So a malformed message is an error for all of them, or for none."""
    message = encoded([PatchRow("A", "<a:s>", "<a:p>", '"QQ"')], JellyPatchOptions(delimited=False))
    frame = messages(spark, message.replace(b"QQ", b"\xff\xff"))
    rows = J.from_jelly_patch("v")
    assert frame.where(F.size(rows) > 0).select(rows["op"]).collect() == [(["A"],)]
    for read in (rows, rows["object"]):
        with fails("from_jelly_patch: ", "expected"):
            frame.where(F.size(rows) == 0).select(read).collect()
    for option in ("strict", "check_all_columns"):
        with fails("from_jelly_patch: ", "expected"):
            frame.select(J.from_jelly_patch("v", {option: True})["op"]).collect()


@pytest.mark.usefixtures("engine")
def test_nulls_without_a_type(spark: SparkSession) -> None:
    """As in Spark's own functions, they need no cast."""
    one = spark.range(1)
    assert one.select(J.to_rdf_patch(F.array())).collect() == [("",)]
    with fails("to_rdf_patch: element 0 must not be null"):
        one.select(J.to_rdf_patch(F.array(F.lit(None)))).collect()
    columns: dict[str, Any] = {"op": "A", "subject": "<a:s>", "predicate": "<a:p>"}
    nulls = [F.lit(None).alias(name) for name in ("graph", "name", "value", "patch", "tx", "seq")]
    strings = [F.lit(value).alias(name) for name, value in columns.items()]
    parts = [F.lit(None).alias(name) for name in ("datatype", "lang", "direction")]
    kind, value = F.lit("literal").alias("kind"), F.lit("o").alias("value")
    for term in (F.lit('"o"'), F.struct(kind, value, *parts)):
        row = F.struct(*strings, term.alias("object"), *nulls)
        assert one.select(J.to_rdf_patch(F.array(row))).collect() == [('A <a:s> <a:p> "o" .\n',)]
    header = F.struct(F.lit(None).alias("op"))
    with fails("op must be one of"):
        one.select(J.to_rdf_patch(F.array(header))).collect()


def test_nulls_without_a_type_in_sql(spark: SparkSession) -> None:
    empty, header = (
        "to_jelly_patch(array()), to_jelly_rdf(array()), to_rdf_patch_thrift(array())",
        "to_rdf_patch(array(struct('H' op, 'id' name, '<a:>' value, null graph, null patch)))",
    )
    (found,) = spark.sql(f"select {empty}, {header} as text").collect()
    assert found.text == "H id <a:> .\n"
    assert all(value is not None for value in found)
    with fails("no column 'more'"):
        spark.sql("select to_rdf_patch(array(struct('H' op, null more)))")


def test_format_of_another_message(spark: SparkSession) -> None:
    text = messages(spark, encoded(SAMPLE, RdfPatchOptions()))
    with pytest.raises(PySparkException, match="read it with the format rdf_patch"):
        text.select(J.from_jelly_patch("v")).collect()
    assert decoded(text.select(J.from_rdf_patch("v"))) == [[tuple(row) for row in SAMPLE]]


def test_no_options(spark: SparkSession) -> None:
    frame = messages(spark, encoded([PatchRow("TX", seq=0)], JellyPatchOptions(delimited=False)))
    plain, without = (f"from_jelly_patch(v{options})" for options in ("", ", map()"))
    assert decoded(frame.selectExpr(plain)) == decoded(frame.selectExpr(without))


@pytest.mark.usefixtures("engine")
def test_limits(spark: SparkSession) -> None:
    rows = [PatchRow("A", "<a:s>", "<a:p>", '"' + "x" * 5000 + '"')]
    frame = messages(spark, encoded(rows, JellyPatchOptions(delimited=False)))
    with pytest.raises(PySparkException, match="a row of at most 1000 bytes"):
        frame.select(J.from_jelly_patch("v", {"maxRowSize": 1000})).collect()
    strict = messages(spark, encoded([PatchRow("TX", seq=0)], JellyPatchOptions(delimited=False)))
    assert len(decoded(strict.select(J.from_jelly_patch("v")))[0]) == 1
    with pytest.raises(PySparkException, match="the transaction's TC or TA"):
        strict.select(J.from_jelly_patch("v", {"strict": True})).collect()


@pytest.mark.usefixtures("engine")
def test_transactions_end_with_their_patch(spark: SparkSession) -> None:
    add = PatchRow("A", "<urn:s>", "<urn:p>", "<urn:o>")
    rows = numbered([PatchRow("TX"), add, PatchRow("END"), add, PatchRow("TC")])
    message = encoded(rows, JellyPatchOptions(delimited=False))
    frame = messages(spark, message)
    found = frame.select(F.inline(J.from_jelly_patch("v"))).select("op", "patch", "tx")
    assert [tuple(row) for row in found.collect()] == [
        ("TX", 0, 0),
        ("A", 0, 0),
        ("END", 0, 0),
        ("A", 1, None),
        ("TC", 1, None),
    ]
    with pytest.raises(PySparkException, match="the transaction's TC or TA, found the end of the"):
        frame.select(J.from_jelly_patch("v", {"strict": True})).collect()
    # As they were read, the rows can be written again.
    ((written,),) = frame.select(J.to_jelly_patch(J.from_jelly_patch("v"))).collect()
    assert bytes(written) == message
    others = arrays(spark, [row._replace(seq=None) for row in rows])
    with pytest.raises(PySparkException, match="a transaction must be closed by TC or TA before"):
        others.select(J.to_jelly_patch("rows")).collect()


def test_unwritable(spark: SparkSession) -> None:
    bad = arrays(spark, [PatchRow("A", "<a:s>")])
    with pytest.raises(IllegalArgumentException, match=r"^to_jelly_patch: A and D need") as caught:
        bad.select(J.to_jelly_patch("rows")).collect()
    error, row = caught.value, '{"op":"A","subject":"<a:s>"}'
    assert str(error).splitlines()[0].endswith(f"; in row {row}")
    assert (error.getCondition(), error.getSqlState()) == ("INVALID_PARAMETER_VALUE", "22023")
    parameters = error.getMessageParameters()
    assert parameters and parameters["functionName"] == "`to_jelly_patch`"
    assert parameters["row"] == row
    empty = spark.sql("select array(cast(null as struct<op: string>)) rows")
    with fails("to_rdf_patch: element 0 must not be null"):
        empty.select(J.to_rdf_patch("rows")).collect()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("from_jelly_patch(v, map('mode', 'x'))", "from_jelly_patch: mode must be one of: FAIL"),
        ("from_jelly_patch(v, map('mode', 'DROPMALFORMED'))", "mode must be one of: FAILFAST, PER"),
        ("from_jelly_patch(v, map('maxRowSise', '1'))", r"did you mean maxRowSize\?"),
        ("from_jelly_patch(v, map('wrong', '1'))", "unknown option 'wrong'. The options are: str"),
        ("to_jelly_patch(array(), map('Compression', 'x'))", "compression is an option of files"),
        ("to_jelly_rdf(array(), map('restartInterval', '9'))", "a message has no restart points"),
        ("from_rdf_patch(v, map('columnNameOfCorruptRecord', 'c'))", "is an option of files"),
        ("to_jelly_patch(array(), map('frameSize', '0'))", "to_jelly_patch: frameSize must be"),
        ("from_jelly_patch(v, map('mode', string(id)))", "must be a constant map of strings"),
        ("from_jelly_patch(v, 'mode')", "must be a constant map of strings"),
        ("from_jelly_patch(v, cast(null as map<string, string>))", "not null"),
        ("from_jelly_patch(id)", 'requires the "BINARY" type'),
        ("from_rdf_patch(id)", 'requires the "STRING" type'),
        ("to_jelly_patch(v)", r'requires the "ARRAY<STRUCT<op: STRING'),
        ("to_jelly_patch(array(struct('A' as op, 1 as more)))", "no column 'more'"),
        ("to_jelly_patch(array(struct(1 as op)))", "column 'op': expected type string, found int"),
        ("to_jelly_patch(array(struct('<a:s>' as subject)))", "needs the column 'op'"),
        ("from_jelly_patch()", "WRONG_NUM_ARGS"),
        ("to_jelly_rdf(array(), map(), 1)", "WRONG_NUM_ARGS"),
    ],
)
def test_wrong_calls(spark: SparkSession, call: str, message: str) -> None:
    messages(spark, b"").createOrReplaceTempView("m")
    with pytest.raises(PySparkException, match=message):
        spark.sql(f"select {call} from m")


def test_constants(spark: SparkSession) -> None:
    """Spark evaluates calls of constants when it plans the query, and sends what it finds."""
    data = encoded(SAMPLE, JellyPatchOptions(delimited=False)).hex()
    frame = spark.range(2).selectExpr("id", f"from_jelly_patch(X'{data}') rows")
    assert "from_jelly_patch(" not in plan_of(frame)
    assert [[tuple(row) for row in found.rows] for found in frame.repartition(2).collect()] == [
        [tuple(row) for row in SAMPLE]
    ] * 2
    nothing = spark.sql("select from_jelly_patch(null), to_jelly_patch(null), from_rdf_patch(null)")
    assert nothing.collect() == [(None, None, None)]


@pytest.mark.usefixtures("engine")
def test_cached_and_shuffled(spark: SparkSession) -> None:
    rows, options = FORMATS["jelly_patch"]
    message = encoded(rows, options)
    frame = messages(spark, message, message).select("id", J.from_jelly_patch("v").alias("rows"))
    cached = frame.cache()
    try:
        assert [_bytes(row[0]) for row in cached.select(J.to_jelly_patch("rows")).collect()] == [
            message
        ] * 2
    finally:
        cached.unpersist()
    gathered = frame.groupBy("rows").agg(F.collect_list("rows").alias("all"))
    assert [len(row.all) for row in gathered.collect()] == [2]
    lists = frame.groupBy().agg(F.collect_list("rows").alias("all")).collect()
    assert [tuple(row) for row in lists[0].all[1]] == [tuple(row) for row in rows]


@pytest.mark.usefixtures("engine")
def test_grouped_rows(spark: SparkSession) -> None:
    rows = arrays(spark, SAMPLE).selectExpr("inline(rows)").repartition(4, "seq")
    in_order = F.array_sort(F.collect_list(F.struct("seq", *PatchRow._fields[:-1])))
    (found,) = rows.groupBy().agg(J.to_jelly_patch(in_order)).collect()
    assert bytes(found[0]) == encoded(SAMPLE, JellyPatchOptions(delimited=False))


def test_stream(spark: SparkSession, tmp_path: Path) -> None:
    rows, options = FORMATS["jelly_patch"]
    messages(spark, encoded(rows, options)).write.parquet(str(tmp_path / "in"))
    source = spark.readStream.schema("id int, v binary").parquet(str(tmp_path / "in"))
    decoded = source.selectExpr("id", "inline(from_jelly_patch(v))")
    query = (
        decoded.writeStream.format("parquet")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "out"))
    )
    assert query.awaitTermination(60)
    out = spark.read.parquet(str(tmp_path / "out")).orderBy("seq").drop("id")
    assert [tuple(row) for row in out.collect()] == [tuple(row) for row in rows]


EXAMPLE = re.compile(r"^ +> (.+);\n +(.+)$", re.MULTILINE)


@pytest.mark.parametrize(
    "name", [f"{way}_{format}" for way in ("from", "to") for format in FORMATS]
)
def test_described(spark: SparkSession, name: str) -> None:
    """Each function has a text, and its examples are right."""
    rows = spark.sql(f"describe function extended {name}").collect()
    text = "\n".join(row[0] for row in rows)
    assert f"{name}(" in text and "Arguments:" in text and "options - a constant map" in text
    examples = EXAMPLE.findall(text)
    assert examples
    for query, expected in examples:
        found = spark.sql(query).collect()
        assert [str(row[0]).replace("None", "NULL") for row in found] == [expected], query
