"""`from_jelly_patch`, `to_jelly_patch` and their like: messages in a column."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import functions as J
from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    PatchRow,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    RdfRow,
    Style,
)
from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import AnyRow
from tests.codecs import PythonCodec
from tests.differential import strategies
from tests.parity.cases import read_input
from tests.spark.case_files import case_files
from tests.spark.patches import EX, SAMPLE
from tests.spark.test_round_trip import frame_ends_are_lost

QUADS = [
    RdfRow(*(row.subject, row.predicate, row.object, row.graph), frame=0, seq=seq)
    for seq, row in enumerate(row for row in SAMPLE if row.op == "A")
]

CODEC = PythonCodec()

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


def arrays(spark: SparkSession, *values: list[AnyRow], format: str = "jelly_patch") -> DataFrame:
    """A column `rows` of arrays."""
    schema = f"rows array<{jelly_spark.schema(format).simpleString()}>"
    return spark.createDataFrame([([tuple(row) for row in v],) for v in values], schema)


def decoded(frame: DataFrame) -> list[Any]:
    """The only column of a frame, with tuples for rows."""
    return [value and [tuple(row) for row in value] for (value,) in frame.collect()]


def plan_of(frame: DataFrame) -> str:
    """The optimized logical plan, as text."""
    return str(frame._jdf.queryExecution().optimizedPlan().toString())


def columns_of(frame: DataFrame) -> list[list[str]]:
    """The columns that each call in the optimized plan decodes."""
    found = re.findall(r"from_\w+\([^()]*\) AS \[([^\]]*)\]", plan_of(frame))
    return [columns.split(", ") if columns else [] for columns in found]


@contextmanager
def conf(spark: SparkSession, settings: dict[str, str]) -> Iterator[None]:
    for name, value in settings.items():
        spark.conf.set(name, value)
    yield
    for name in settings:
        spark.conf.unset(name)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", FORMATS)
def test_both_ways(spark: SparkSession, format: str, mode: str) -> None:
    rows, options = FORMATS[format]
    message = encoded(rows, options)
    with conf(spark, MODES[mode]):
        frame = messages(spark, message, None, message, format=format)
        arrays = frame.select(call("from", format, "v").alias("rows"))
        assert arrays.schema["rows"].dataType.elementType == jelly_spark.schema(format)
        tuples = [tuple(row) for row in rows]
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


def test_parity_cases(spark: SparkSession) -> None:
    """Messages that the reference wrote: the same rows, and the same bytes again."""
    for case in (case.values[0] for case in case_files("*.json") if case.values[0]):
        source = case.with_suffix(".jellyp").read_bytes()
        input_rows, options = read_input(case)
        frame = messages(spark, source).select(J.from_jelly_patch("v").alias("rows"))
        rows = CODEC.decode(source)
        assert decoded(frame) == [[tuple(row) for row in rows]]
        if frame_ends_are_lost([row.op for row in input_rows], options):
            continue
        strings = options.to_strings()
        del strings["restartInterval"]
        (again,) = frame.select(J.to_jelly_patch("rows", strings)).first() or ()
        assert bytes(again) == source, case


_RANDOM = {
    "jelly_patch": strategies.options(),
    "rdf_patch": st.builds(RdfPatchOptions, st.sampled_from(Style)),
}


@pytest.mark.parametrize("format", ["jelly_patch", "jelly_rdf", "rdf_patch", "rdf_patch_thrift"])
def test_bytes_are_those_of_python(spark: SparkSession, format: str) -> None:
    """Several messages one after the other: no message sees what one before it left behind."""
    _, options = FORMATS[format]
    lists = [[row._replace(seq=None) for row in part] for part in _messages_of(format)]
    written = [encoded(part, options) for part in lists]
    frame = arrays(spark, *lists, format=format).coalesce(1)
    found = [row[0] for row in frame.select(call("to", format, "rows")).collect()]
    assert [v.encode() if isinstance(v, str) else bytes(v) for v in found] == written
    back = messages(spark, *written, format=format).select(call("from", format, "v"))
    name = options.format
    assert decoded(back) == [[tuple(row) for row in CODEC.decode(v, name)] for v in written]


def _messages_of(format: str) -> list[list[Any]]:
    rows, _ = FORMATS[format]
    parts = [rows[:1], rows, [], rows[4:6], rows, rows[5:], rows[4:5] * 3]
    if format == "jelly_rdf":
        return parts
    begun = [PatchRow("TX")]
    return [*parts[:3], rows[4:6], begun + rows[4:6] + [PatchRow("TC")], rows[:2]]
