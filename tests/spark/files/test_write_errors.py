"""Writes that fail: what the error says, and that nothing is left."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType
from jelly_spark.core.terms import JENA_DEFAULT_GRAPHS
from tests.spark.patches import (
    SAMPLE,
    adds,
    encoded,
    fails,
    frame_of,
    only_file,
    read,
    refuses,
    rows_of,
    save,
)

ADD = PatchRow("A", "<a:s>", "<a:p>", "<a:o>")

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
STRUCT = "struct<kind:string,value:string,datatype:string,lang:string,direction:string>"


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    """A folder to write to, which must hold no file in the end, not even a hidden one."""
    yield tmp_path / "out"
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def columns_of(row: PatchRow) -> dict[str, Any]:
    """The columns of a row that are not null, as the error shows them."""
    return {name: value for name, value in row._asdict().items() if value is not None}


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("op AS note", ["no column 'note'", ", ".join(PatchRow._fields)]),
        ("0 AS patch", ["column `patch`", 'type "INT"']),
        ("current_date() AS subject", ["column `subject`", 'type "DATE"']),
        ("array(object) AS object", ["column `object`", 'type "ARRAY<STRING>"']),
        ("named_struct('kind', 'iri') AS object", ["column `object`", "STRUCT<kind: STRING"]),
        ("true AS op", ["column `op`", 'type "BOOLEAN"']),
        ("'0' AS patch", ["'patch'", "expected type bigint", "found string"]),
        ("1L AS op", ["'op'", "expected type string", "found bigint"]),
        ("0L AS object", ["'object'", f"expected type string or {STRUCT}", "found bigint"]),
    ],
)
def test_columns_and_types(
    spark: SparkSession, out: Path, expression: str, parts: list[str]
) -> None:
    name = expression.split(" AS ")[1]
    frame = frame_of(spark, [ADD]).withColumn(name, F.expr(expression))
    with fails(*parts):
        save(frame, out)


def test_no_op(spark: SparkSession, out: Path) -> None:
    with fails("needs the column 'op'"):
        save(frame_of(spark, [ADD]).drop("op"), out)


def test_column_twice(spark: SparkSession, out: Path) -> None:
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with fails("'OP'"):
            save(frame_of(spark, [ADD]).withColumn("OP", F.lit("D")), out)
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


@pytest.mark.parametrize(
    ("row", "options", "parts"),
    [
        pytest.param(ADD._replace(op="X"), {}, ["op", "H, TX, TC, TA, PA, PD, A, D, END"], id="op"),  # type: ignore[arg-type]
        pytest.param(ADD._replace(op="a"), {}, ["op must be"], id="op-in-lower-case"),  # type: ignore[arg-type]
        pytest.param(ADD._replace(subject=None), {}, ["subject"], id="subject-null"),
        pytest.param(ADD._replace(predicate=None), {}, ["predicate"], id="predicate-null"),
        pytest.param(ADD._replace(object=None), {}, ["object"], id="object-null"),
        pytest.param(
            PatchRow("H", value="<a:b>"), {}, ["H needs a name"], id="header-without-name"
        ),
        pytest.param(
            PatchRow("H", name="id"), {}, ["H needs", "a value"], id="header-without-value"
        ),
        pytest.param(PatchRow("PA", name="ex"), {}, ["PA needs a value"], id="prefix-without-iri"),
        pytest.param(
            PatchRow("PD", value="<a:b>"), {}, ["PD need a name"], id="prefix-without-name"
        ),
        pytest.param(
            PatchRow("PA", name="ex", value='"x"'), {}, ["value", "IRI"], id="prefix-no-iri"
        ),
        pytest.param(ADD._replace(subject="a:s"), {}, ["subject", "'a'"], id="iri-unquoted"),
        pytest.param(
            ADD._replace(object='"x'), {}, ["object", "character 2"], id="literal-not-closed"
        ),
        pytest.param(
            ADD._replace(object='"x" '), {}, ["object", "end of the term"], id="space-after-a-term"
        ),
        pytest.param(
            ADD._replace(object=""), {}, ["object", "found the end of the string"], id="empty-term"
        ),
        pytest.param(ADD._replace(graph="g"), {}, ["graph: expected"], id="graph-no-term"),
        pytest.param(
            ADD._replace(graph="<<( <a:s> <a:p> <a:o> )>>"),
            {},
            ["graph cannot"],
            id="graph-quoted-triple",
        ),
        pytest.param(
            ADD._replace(graph="<a:g>"),
            {"statementType": "TRIPLES"},
            ["cannot hold a graph"],
            id="graph-in-triples",
        ),
        pytest.param(
            ADD._replace(object="<<( <a:s> <a:p> <a:o> )>>"),
            {"rdfStar": False},
            ["triple term"],
            id="rdf-star",
        ),
        pytest.param(
            ADD._replace(predicate="_:p"), {"generalized": False}, ["generalized"], id="generalized"
        ),
        pytest.param(
            ADD._replace(object='"1"^^<a:t>'),
            {"maxDatatypeTableSize": 0},
            ["needs a datatype table"],
            id="no-datatypes",
        ),
        pytest.param(
            PatchRow("A", "<a/s>", "<b/p>", "<c/o>", "<d/g>"),
            {"maxPrefixTableSize": 2},
            ["prefix table of 2"],
            id="lookup-overflow",
        ),
    ],
)
def test_refused(
    spark: SparkSession, out: Path, row: PatchRow, options: dict[str, Any], parts: list[str]
) -> None:
    # It stands in the middle: the rows before it must not be left in a file either.
    row = row._replace(patch=0)
    with refuses(*parts) as refusal:
        save(frame_of(spark, [*adds(3), row, *adds(3)]), out, **options)
    assert refusal.row == columns_of(row)


def test_op_null(spark: SparkSession, out: Path) -> None:
    frame = frame_of(spark, [ADD]).withColumn("op", F.expr("CAST(null AS string)"))
    with refuses("op must be one of") as refusal:
        save(frame, out)
    assert refusal.row == {"subject": "<a:s>", "predicate": "<a:p>", "object": "<a:o>"}


@pytest.mark.parametrize("format", ["rdf_patch", "rdf_patch_thrift"])
@pytest.mark.parametrize("graph", sorted(JENA_DEFAULT_GRAPHS))
def test_graph_that_is_read_as_the_default_graph(
    spark: SparkSession, out: Path, format: str, graph: str
) -> None:
    frame = frame_of(spark, [ADD._replace(graph=graph)])
    with refuses("this format reads as the default graph"):
        frame.write.format(format).save(str(out))


def test_name_that_is_not_utf8(spark: SparkSession, out: Path) -> None:
    frame = spark.sql("SELECT 'H' AS op, CAST(X'22FF' AS string) AS name, '<a:b>' AS value")
    with refuses("name: expected UTF-8"):
        save(frame, out)


def test_term_that_is_not_utf8(spark: SparkSession, out: Path) -> None:
    frame = frame_of(spark, [ADD]).withColumn("object", F.expr("CAST(X'22FF22' AS string)"))
    with refuses("object: expected UTF-8"):
        save(frame, out)


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        (
            (None, "x", None, None, None),
            "one of the kinds iri, bnode, literal and triple, found null",
        ),
        (
            ("IRI", "x", None, None, None),
            "one of the kinds iri, bnode, literal and triple, found IRI",
        ),
        (("iri", None, None, None, None), "a value, found null"),
        (("triple", "<a:s> <a:p>", None, None, None), "the end of the term at character 5"),
        (("triple", "<a:s>", None, None, None), "a triple term"),
        (("literal", "x", "a:date", "en", None), "rdf:langString"),
        (
            ("literal", "x", f"{RDF}langString", "ar", "rtl"),
            "the datatype rdf:dirLangString beside",
        ),
        (("literal", "x", f"{RDF}dirLangString", "ar", None), "the datatype rdf:langString beside"),
        (("literal", "x", None, None, "rtl"), "a lang beside the direction rtl, found null"),
        (("literal", "x", None, "ar", "RTL"), "a base direction, --ltr or --rtl, found 'ar--RTL'"),
        (("literal", "x", None, "", "rtl"), "a language tag, found '--rtl'"),
        (("iri", "a:x", None, None, "rtl"), "literals only, found them in a term of kind"),
        (("iri", "a:x", None, "en", None), "literals only, found them in a term of kind"),
        (("bnode", "x", "a:date", None, None), "literals only, found them in a term of kind"),
    ],
)
def test_struct_of_no_term(
    spark: SparkSession, out: Path, parts: tuple[str | None, ...], rule: str
) -> None:
    schema = f"op string, subject string, predicate string, object {STRUCT}"
    frame = spark.createDataFrame([("A", "<a:s>", "<a:p>", parts)], schema)
    with refuses("object: expected", rule) as refusal:
        save(frame, out)
    shown = ", ".join("null" if part is None else part for part in parts)
    assert refusal.row == {
        "op": "A",
        "subject": "<a:s>",
        "predicate": "<a:p>",
        "object": f"{{{shown}}}",
    }


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([PatchRow("TX", patch=0)], id="at-the-end"),
        pytest.param([PatchRow("TX"), PatchRow("TX"), PatchRow("TC")], id="in-another"),
        pytest.param([PatchRow("TX"), PatchRow("END"), PatchRow("TC")], id="over-END"),
        pytest.param([PatchRow("TX", patch=0), PatchRow("TC", patch=1)], id="over-patches"),
        # As a reader numbered them, but the end was filtered away.
        pytest.param([PatchRow("TX", seq=0), PatchRow("END", seq=3)], id="end-lost"),
    ],
)
def test_transactions(spark: SparkSession, out: Path, rows: list[PatchRow]) -> None:
    with fails("UnwritableRowException", "TC or TA"):
        save(frame_of(spark, rows), out)


@pytest.mark.parametrize("seq", [None, 2])
def test_the_end_of_a_transaction_without_its_start(
    spark: SparkSession, out: Path, seq: int | None
) -> None:
    rows = [ADD._replace(seq=0), PatchRow("TC", seq=seq)]
    with fails("UnwritableRowException", "TC needs a TX before it"):
        save(frame_of(spark, rows), out)


@pytest.mark.parametrize(
    ("option", "value", "valid"),
    [
        ("streamType", "DELIMITED", "one of: PUNCTUATED, FRAME, FLAT"),
        ("statementType", "TRIPLE", "one of: QUADS, TRIPLES"),
        ("maxNameTableSize", "7", "a whole number from 8 to"),
        ("maxPrefixTableSize", "-1", "a whole number from 0 to"),
        ("maxDatatypeTableSize", "1e3", "a whole number from 0 to"),
        ("frameSize", "0", "a whole number from 1 to"),
        ("rdfStar", "1", "one of: true, false"),
        ("generalized", "", "one of: true, false"),
        ("delimited", "no", "one of: true, false"),
    ],
)
def test_wrong_options(spark: SparkSession, out: Path, option: str, value: str, valid: str) -> None:
    with fails(f"{option} must be {valid}", f"not '{value}'"):
        save(frame_of(spark, [ADD]), out, **{option: value})


def test_what_was_there_stays(spark: SparkSession, tmp_path: Path) -> None:
    target = tmp_path / "log"
    save(frame_of(spark, SAMPLE), target)
    with fails("UnwritableRowException"):
        save(frame_of(spark, [*adds(3), PatchRow("A")]), target, mode="append")
    assert only_file(target).read_bytes() == encoded(SAMPLE)


@pytest.mark.parametrize("stream_type", StreamType)
def test_patches_are_closed(spark: SparkSession, tmp_path: Path, stream_type: StreamType) -> None:
    """By END rows, and where `patch` changes: the bytes are the Python codec's."""
    options = JellyPatchOptions(stream_type=stream_type)
    ends = [row for i in range(3) for row in (ADD._replace(patch=i), PatchRow("END", patch=i))]
    changes = [ADD._replace(patch=i) for i in range(3)]
    both = [ends[0], *ends[2:]]
    null = [ADD, ADD._replace(patch=0), ADD]
    files = {}
    for name, rows in (("ends", ends), ("changes", changes), ("both", both), ("null", null)):
        save(frame_of(spark, rows), tmp_path / name, **options.to_strings())
        files[name] = only_file(tmp_path / name).read_bytes()
        assert files[name] == encoded(rows, options)
    if stream_type is StreamType.FRAME:
        # The end of the input ends the last frame.
        assert files["ends"] == files["changes"] == files["both"] == files["null"]
    if stream_type is StreamType.PUNCTUATED:
        ops = [row.op for row in rows_of(read(spark, tmp_path / "changes"))]
        assert ops == ["A", "END", "A", "END", "A"]
