"""Malformed input: where each error is found, and what it says."""

import io
from typing import Any

import pytest

from jelly_spark._proto.rdf_pb2 import (
    RdfDatatypeEntry,
    RdfIri,
    RdfLiteral,
    RdfPrefixEntry,
    RdfStreamRow,
    RdfTriple,
)
from jelly_spark.codec import ReadLimits, read_jelly_rdf
from jelly_spark.errors import MalformedInputError
from tests.codec.jelly_rdf.helpers import (
    GRAPHS,
    QUADS,
    TRIPLES,
    end_row,
    frame,
    name_row,
    namespace_row,
    options_row,
    quad_row,
    read,
    start_row,
    triple_row,
)

FRAME = "<stream>: frame at byte 0: expected "
FIRST = "<stream>: frame at byte 0, row 0: expected "
SECOND = "<stream>: frame at byte 0, row 1: expected "
THIRD = "<stream>: frame at byte 0, row 2: expected "

# Of the entry that the rows of strict reading begin with.
P = RdfIri(name_id=1)
TRIPLE = RdfTriple(s_bnode="s", p_iri=P, o_bnode="o")
LITERAL = RdfLiteral(lex="x")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([triple_row()], FIRST + "an options row first, found a triple row"),
        ([name_row("a"), options_row()], FIRST + "an options row first, found a name row"),
        ([options_row(version=0)], FIRST + "version 1 or 2, found version 0"),
        ([options_row(version=3)], FIRST + "version 1 or 2, found version 3"),
        ([options_row(version=10_001)], FIRST + "version 1 or 2, found version 10001"),
        ([options_row(0)], FIRST + "physical type 1, 2 or 3, found physical type 0"),
        ([options_row(4)], FIRST + "physical type 1, 2 or 3, found physical type 4"),
        (
            [options_row(TRIPLES, logical_type=2)],
            FIRST + "a logical type that fits physical type TRIPLES, found FLAT_QUADS",
        ),
        (
            [options_row(TRIPLES, logical_type=114)],
            FIRST
            + "a logical type that fits physical type TRIPLES, found TIMESTAMPED_NAMED_GRAPHS",
        ),
        (
            [options_row(QUADS, logical_type=13)],
            FIRST + "a logical type that fits physical type QUADS, found SUBJECT_GRAPHS",
        ),
        (
            [options_row(GRAPHS, logical_type=23)],
            FIRST + "a logical type that fits physical type GRAPHS, found GRAPHS",
        ),
        (
            [options_row(logical_type=5)],
            FIRST + "a logical type whose last digit is from 1 to 4, found logical type 5",
        ),
        (
            [options_row(logical_type=10)],
            FIRST + "a logical type whose last digit is from 1 to 4, found logical type 10",
        ),
        (
            [options_row(logical_type=-9)],
            FIRST + "a logical type whose last digit is from 1 to 4, found logical type -9",
        ),
        (
            [options_row(max_name_table_size=7)],
            FIRST + "a name table of 8 to 4096 entries (option maxNameTableSize), "
            "found a name table of 7 entries",
        ),
        (
            [options_row(max_prefix_table_size=1025)],
            FIRST + "a prefix table of 0 to 1024 entries (option maxPrefixTableSize), "
            "found a prefix table of 1025 entries",
        ),
        (
            [options_row(max_datatype_table_size=2**32 - 1)],
            FIRST + "a datatype table of 0 to 256 entries (option maxDatatypeTableSize), "
            "found a datatype table of 4294967295 entries",
        ),
        (
            [options_row(), options_row(stream_name="x")],
            SECOND + "the options of the first options row, found different options",
        ),
        (
            [options_row(), RdfStreamRow()],
            SECOND + "a row of a known kind, found a row without a known field",
        ),
        (
            [options_row(), quad_row()],
            SECOND + "no quad row in a stream of physical type TRIPLES, found a quad row",
        ),
        (
            [options_row(), start_row()],
            SECOND
            + "no graph_start row in a stream of physical type TRIPLES, found a graph_start row",
        ),
        (
            [options_row(), end_row()],
            SECOND + "no graph_end row in a stream of physical type TRIPLES, found a graph_end row",
        ),
        (
            [options_row(QUADS), triple_row()],
            SECOND + "no triple row in a stream of physical type QUADS, found a triple row",
        ),
        (
            [options_row(QUADS), start_row()],
            SECOND
            + "no graph_start row in a stream of physical type QUADS, found a graph_start row",
        ),
        (
            [options_row(QUADS), end_row()],
            SECOND + "no graph_end row in a stream of physical type QUADS, found a graph_end row",
        ),
        (
            [options_row(GRAPHS), quad_row()],
            SECOND + "no quad row in a stream of physical type GRAPHS, found a quad row",
        ),
        ([options_row(GRAPHS), triple_row()], SECOND + "the start of a graph, found a triple"),
        (
            [options_row(GRAPHS), start_row(), end_row(), triple_row()],
            "<stream>: frame at byte 0, row 3: expected the start of a graph, found a triple",
        ),
        (
            [options_row(GRAPHS), start_row(), start_row()],
            THIRD + "the end of the graph, found the start of another graph",
        ),
        (
            [options_row(GRAPHS), end_row()],
            SECOND + "the start of a graph, found the end of a graph",
        ),
        (
            [options_row(GRAPHS), RdfStreamRow.FromString(b"\x22\x00")],
            SECOND + "a graph, found no graph",
        ),
        (
            [options_row(), namespace_row("a", RdfIri())],
            SECOND + "no namespace row in a stream of version 1, found a namespace row",
        ),
        (
            [options_row(version=2), namespace_row("a", None)],
            SECOND + "the IRI of the namespace, found no IRI",
        ),
        (
            [options_row(version=2), namespace_row("a", RdfIri())],
            SECOND + "the id of an earlier name entry, found id 1",
        ),
        (
            [options_row(), RdfStreamRow(triple=RdfTriple(p_bnode="p", o_bnode="o"))],
            SECOND + "a subject, found no subject, and no earlier one to repeat",
        ),
        (
            [options_row(), RdfStreamRow(triple=RdfTriple(s_bnode="s", o_bnode="o"))],
            SECOND + "a predicate, found no predicate, and no earlier one to repeat",
        ),
        (
            [options_row(), RdfStreamRow(triple=RdfTriple(s_bnode="s", p_bnode="p"))],
            SECOND + "an object, found no object, and no earlier one to repeat",
        ),
        (
            [options_row(), triple_row(o_triple_term=RdfTriple(s_bnode="s", o_bnode="o"))],
            SECOND + "all terms of a triple term, found no predicate",
        ),
        (
            [options_row(), triple_row(o_literal=RdfLiteral(datatype=0))],
            SECOND + "a datatype id of at least 1, found id 0",
        ),
        (
            [options_row(), triple_row(o_literal=RdfLiteral(datatype=1))],
            SECOND + "the id of an earlier datatype entry, found id 1",
        ),
        (
            [options_row(), triple_row(o_literal=RdfLiteral(lex="x", langtag="en--up"))],
            SECOND + "a base direction, --ltr or --rtl, found 'en--up'",
        ),
        (
            [
                options_row(),
                triple_row(
                    o_triple_term=RdfTriple(
                        s_bnode="s", p_bnode="p", o_literal=RdfLiteral(lex="x", langtag="--ltr")
                    )
                ),
            ],
            SECOND + "a language tag, found '--ltr'",
        ),
        (
            [options_row(), name_row("a", 9)],
            SECOND + "a name entry with an id of at most 8, found id 9",
        ),
        (
            [options_row(max_prefix_table_size=0), RdfStreamRow(prefix=RdfPrefixEntry(value="a"))],
            SECOND + "a prefix entry with an id of at most 0, found id 1",
        ),
        (
            [options_row(), RdfStreamRow(datatype=RdfDatatypeEntry(id=3, value="a"))],
            SECOND + "a datatype entry with an id of at most 2, found id 3",
        ),
        (
            [options_row(), triple_row(s_iri=RdfIri(name_id=9))],
            SECOND + "a name id of at most 8, found id 9",
        ),
    ],
)
def test_messages(rows: list[RdfStreamRow], message: str) -> None:
    with pytest.raises(MalformedInputError) as error:
        read(frame(*rows))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [options_row(GRAPHS), start_row(), triple_row(p_iri=P)],
            FRAME + "the end of the graph, found the end of the input",
        ),
        (
            [options_row(QUADS), quad_row(p_iri=P)],
            THIRD + "a graph, found no graph, and no earlier one to repeat",
        ),
        (
            [options_row(), triple_row(s_triple_term=TRIPLE, p_iri=P)],
            THIRD
            + "no triple term, since the options do not announce RDF-star, found a triple term",
        ),
        (
            [
                options_row(rdf_star=True),
                triple_row(p_iri=P, o_triple_term=RdfTriple(s_bnode="s", p_bnode="p", o_bnode="o")),
            ],
            THIRD
            + (
                "no generalized statement, since the options do not announce generalized "
                "statements, found a generalized statement"
            ),
        ),
        (
            [options_row(), triple_row(p_literal=LITERAL)],
            THIRD
            + (
                "no generalized statement, since the options do not announce generalized "
                "statements, found a generalized statement"
            ),
        ),
        (
            [options_row(), triple_row(s_literal=LITERAL, p_iri=P)],
            THIRD
            + (
                "no generalized statement, since the options do not announce generalized "
                "statements, found a generalized statement"
            ),
        ),
        (
            [options_row(QUADS), quad_row(p_iri=P, g_literal=LITERAL)],
            THIRD
            + (
                "no generalized statement, since the options do not announce generalized "
                "statements, found a generalized statement"
            ),
        ),
        (
            [options_row(GRAPHS), start_row(g_literal=LITERAL)],
            THIRD
            + (
                "no generalized statement, since the options do not announce generalized "
                "statements, found a generalized statement"
            ),
        ),
    ],
)
def test_messages_of_strict_reading(rows: list[RdfStreamRow], message: str) -> None:
    data = frame(rows[0], name_row("a"), *rows[1:])
    read(data)
    with pytest.raises(MalformedInputError) as error:
        read(data, strict=True)
    assert str(error.value) == message


def test_strict_reading_accepts_features_that_the_options_announce() -> None:
    features = {"generalized_statements": True, "rdf_star": True}
    triple = RdfTriple(s_literal=LITERAL, p_bnode="p", o_bnode="o")
    statement: dict[str, Any] = {"s_literal": LITERAL, "o_triple_term": triple}
    for rows in (
        [options_row(TRIPLES, **features), triple_row(**statement)],
        [options_row(QUADS, **features), quad_row(g_literal=LITERAL, **statement)],
        [
            options_row(GRAPHS, **features),
            start_row(g_literal=LITERAL),
            triple_row(**statement),
            end_row(),
        ],
    ):
        assert len(read(frame(*rows), strict=True)) == 1


def test_rows_before_an_error_are_delivered() -> None:
    rows = read_jelly_rdf(io.BytesIO(frame(options_row(), triple_row(), triple_row(), quad_row())))
    assert [next(rows).seq, next(rows).seq] == [0, 1]
    with pytest.raises(MalformedInputError) as error:
        next(rows)
    assert (error.value.offset, error.value.row) == (0, 3)


def test_limits() -> None:
    data = frame(options_row(max_prefix_table_size=2000))
    assert read(data, limits=ReadLimits(max_prefix_table_size=2000)) == []
    with pytest.raises(
        MalformedInputError,
        match=r"a prefix table of 0 to 1024 entries \(option maxPrefixTableSize\)",
    ):
        read(data)
