"""From each format to each other, rows come back or are rejected: docs/reference/formats.md."""

from itertools import pairwise, permutations
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    PatchRow,
    PhysicalType,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    StatementType,
    StreamType,
    Style,
)
from jelly_spark.core.options import WriteOptions
from jelly_spark.errors import UnwritableRowError
from tests import bridge
from tests.codecs import JvmCodec, PythonCodec
from tests.parity.oplines import op_from_row, rows_from_ops
from tests.spark.patches import EX, SAMPLE, XSD

PATCH_OPTIONS: list[WriteOptions] = [
    JellyPatchOptions(),
    JellyPatchOptions(stream_type=StreamType.FRAME),
    RdfPatchOptions(),
    RdfPatchThriftOptions(),
]

STATEMENTS = list(
    rows_from_ops(
        [
            ["A", f"<{EX}s>", f"<{EX}p>", '"chat"@fr', f"<{EX}g>"],
            ["A", f"<{EX}s>", f"<{EX}p>", f'"007"^^<{XSD}integer>', f"<{EX}g>"],
            ["A", f"<{EX}s>", f"<{EX}p>", f'"seven"^^<{XSD}integer>', "_:g"],
            ["A", "_:b", f"<{EX}p>", '"tab\tquote\\"line\\n\\\\ é😀"'],
            ["A", "<_:odd\\u0020label>", "<relative>", "<\\u0020>", '"graph"'],
            [
                "A",
                f"<<( <{EX}s> <{EX}p> _:b )>>",
                '"predicate"',
                "<<( _:b _:b <<( _:b _:b _:b )>> )>>",
            ],
        ]
    )
)
"""Statements with every kind of term, in every position that can hold it."""

ALL_OPTIONS: list[WriteOptions] = [
    JellyPatchOptions(),
    RdfPatchOptions(),
    RdfPatchThriftOptions(),
    JellyRdfOptions(),
    JellyRdfOptions(physical_type=PhysicalType.GRAPHS),
]


def convert(
    spark: SparkSession, folder: Path, rows: list[PatchRow], *steps: WriteOptions
) -> list[PatchRow]:
    """Write rows in the first way, have the JVM rewrite the file in each other, and read it."""
    PythonCodec().write(rows, steps[0], folder / "0")
    for number, (source, target) in enumerate(pairwise(steps)):
        bridge.rewrite(
            folder / str(number),
            folder / str(number + 1),
            options=target,
            source_format=source.format,
            spark=spark,
        )
    return PythonCodec().decode(folder / str(len(steps) - 1), steps[-1].format)


def ids(options: WriteOptions) -> str:
    kinds = (getattr(options, name, None) for name in ("stream_type", "style", "physical_type"))
    return "-".join([options.format, *(kind.name.lower() for kind in kinds if kind is not None)])


@pytest.mark.parametrize(("first", "second"), list(permutations(PATCH_OPTIONS, 2)), ids=ids)
def test_patches_come_back(
    spark: SparkSession, tmp_path: Path, first: WriteOptions, second: WriteOptions
) -> None:
    rows = [*SAMPLE, *(row._replace(patch=None, tx=None, seq=None) for row in STATEMENTS)]
    rows = list(rows_from_ops([*map(op_from_row, rows), ["PA", "g", f"<{EX}>", "_:g"], ["END"]]))
    assert convert(spark, tmp_path, rows, first, second, first) == rows


@pytest.mark.parametrize(("first", "second"), list(permutations(ALL_OPTIONS, 2)), ids=ids)
def test_statements_come_back(
    spark: SparkSession, tmp_path: Path, first: WriteOptions, second: WriteOptions
) -> None:
    """Through Jelly-RDF too, where an addition is a statement."""
    source = JellyPatchOptions(stream_type=StreamType.FLAT)
    found = convert(spark, tmp_path, STATEMENTS, source, first, second, source)
    assert found == STATEMENTS


def test_namespaces_come_back(spark: SparkSession, tmp_path: Path) -> None:
    rows = list(rows_from_ops([["PA", "ex", f"<{EX}>"], ["PA", "", "<urn:x>"]]))
    text, rdf = RdfPatchOptions(), JellyRdfOptions(namespaces=True)
    PythonCodec().write(rows, text, tmp_path / "0")
    bridge.rewrite(
        tmp_path / "0", tmp_path / "1", options=rdf, source_format=text.format, spark=spark
    )
    bridge.rewrite(
        tmp_path / "1",
        tmp_path / "2",
        options=text,
        source_format=rdf.format,
        spark=spark,
        namespaces=True,
    )
    assert PythonCodec().decode(tmp_path / "2", text.format) == rows


ROWS = {
    "D": ["D", "<s:>", "<p:>", "<o:>"],
    "H": ["H", "id", "<a:>"],
    "TX": ["TX"],
    "TC": ["TC"],
    "TA": ["TA"],
    "PA": ["PA", "ex", "<a:>"],
    "PA with graph": ["PA", "ex", "<a:>", "<g:>"],
    "PD": ["PD", "ex"],
    "END": ["END"],
    "graph": ["A", "<s:>", "<p:>", "<o:>", "<g:>"],
    "triple term": ["A", "<s:>", "<p:>", "<<( <s:> <p:> <o:> )>>"],
    "relative IRI": ["A", "<s>", "<p:>", "<o:>"],
    "generalized": ["A", '"s"', '"p"', "<o:>", '"g"'],
}

_MARKS = ["TX", "TC", "TA", "END"]

V1 = RdfPatchOptions(style=Style.V1)
TRIPLES = JellyPatchOptions(statement_type=StatementType.TRIPLES)
REFUSED: list[tuple[WriteOptions, set[str]]] = [
    (JellyPatchOptions(), set()),
    (TRIPLES, {"PA with graph", "graph", "generalized"}),
    (RdfPatchOptions(), set()),
    (V1, {"H", "PD", "triple term", "relative IRI", *_MARKS, "PA with graph"}),
    (RdfPatchThriftOptions(), set()),
    (JellyRdfOptions(), {"D", "H", "PA", "PD", *_MARKS, "PA with graph"}),
    (JellyRdfOptions(namespaces=True), {"D", "H", "PD", *_MARKS, "PA with graph"}),
    (
        JellyRdfOptions(physical_type=PhysicalType.TRIPLES),
        {*ROWS} - {"triple term", "relative IRI"},
    ),
]


@pytest.mark.parametrize(
    ("options", "refused"),
    [pytest.param(*case, id=f"{number}-{ids(case[0])}") for number, case in enumerate(REFUSED)],
)
def test_what_a_format_cannot_hold_is_refused(
    spark: SparkSession, tmp_path: Path, options: WriteOptions, refused: set[str]
) -> None:
    for kind, op in ROWS.items():
        source = tmp_path / "source"
        # Numbered, so that a transaction that is not whole may be written.
        PythonCodec().write(list(rows_from_ops([op])), JellyPatchOptions(), source)
        try:
            bridge.rewrite(
                source,
                tmp_path / "target",
                options=options,
                source_format="jelly_patch",
                spark=spark,
            )
            written = True
        except UnwritableRowError:
            written = False
        assert written == (kind not in refused), kind


@pytest.mark.parametrize("options", [RdfPatchOptions(), V1, RdfPatchThriftOptions()], ids=ids)
def test_the_iri_of_a_pd_is_refused(spark: SparkSession, options: WriteOptions) -> None:
    rows = [PatchRow("PD", name="ex", value="<a:>")]
    rule = (
        "style v1 cannot write PD"
        if options is V1
        else "the value of PD must be null in this format"
    )
    for codec in (PythonCodec().encode, JvmCodec(spark).encode):
        with pytest.raises(UnwritableRowError, match=rule):
            codec(rows, options)


def test_a_triple_term_as_a_graph(spark: SparkSession, tmp_path: Path) -> None:
    row = PatchRow("A", "<s:>", "<p:>", "<o:>", "<<( <s:> <p:> <o:> )>>", patch=0, seq=0)
    PythonCodec().write([row], RdfPatchThriftOptions(), tmp_path / "source")
    assert PythonCodec().decode(tmp_path / "source", "rdf_patch_thrift") == [row]
    for options in (JellyPatchOptions(), RdfPatchOptions(), V1, JellyRdfOptions()):
        with pytest.raises(UnwritableRowError, match="a graph cannot be a triple term"):
            bridge.rewrite(
                tmp_path / "source",
                tmp_path / "target",
                options=options,
                source_format="rdf_patch_thrift",
                spark=spark,
            )
