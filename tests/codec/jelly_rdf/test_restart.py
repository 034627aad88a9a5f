"""Rows that are not allowed after a restart point, in streams made by hand."""

import io

import pytest

from jelly_spark._proto.rdf_pb2 import (
    RdfDatatypeEntry,
    RdfIri,
    RdfLiteral,
    RdfPrefixEntry,
    RdfStreamRow,
    RdfTriple,
)
from jelly_spark.codec import read_jelly_rdf
from jelly_spark.errors import MalformedInputError
from jelly_spark.jelly.frames.restart_index import RestartPoint, index_field
from tests.codec.files.restart_files import with_index
from tests.codec.jelly_rdf.helpers import (
    GRAPHS,
    QUADS,
    frame,
    name_row,
    options_row,
    quad_row,
    start_row,
    triple_row,
)

OPTIONS = options_row()
WITHOUT_PREFIXES = options_row(max_prefix_table_size=0)
TRIPLE = triple_row()
PREFIX = RdfStreamRow(prefix=RdfPrefixEntry(id=1, value="p/"))
NAME = name_row("n", 1)
EXPLICIT = RdfIri(prefix_id=1, name_id=1)


def restarted(
    first: list[RdfStreamRow], then: list[RdfStreamRow], *, rows: int = 1
) -> tuple[bytes, int]:
    """Return a file of two frames whose index says that the second is a restart, and its offset."""
    before = frame(*first)
    data = before + frame(*then)
    return with_index(data, [RestartPoint(len(before), 1, rows)]), len(before)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [name_row("n")],
            "row 1: expected an explicit id of the name entry after a restart point, found id 0",
        ),
        (
            [RdfStreamRow(prefix=RdfPrefixEntry(value="p"))],
            "row 1: expected an explicit id of the prefix entry after a restart point, found id 0",
        ),
        (
            [RdfStreamRow(datatype=RdfDatatypeEntry(value="d"))],
            "row 1: expected an explicit id of the datatype entry after a restart point, found "
            "id 0",
        ),
        (
            [PREFIX, NAME, triple_row(s_iri=RdfIri(name_id=1))],
            "row 3: expected an explicit prefix id after a restart point, found id 0",
        ),
        (
            [PREFIX, NAME, triple_row(s_iri=RdfIri(prefix_id=1))],
            "row 3: expected an explicit name id after a restart point, found id 0",
        ),
        (
            [triple_row(s_iri=EXPLICIT)],
            "row 1: expected the id of an earlier prefix entry, found id 1",
        ),
        (
            [triple_row(o_literal=RdfLiteral(lex="x", datatype=1))],
            "row 1: expected the id of an earlier datatype entry, found id 1",
        ),
        (
            [RdfStreamRow(triple=RdfTriple(s_bnode="s", p_bnode="p"))],
            "row 1: expected an object, found no object, and no earlier one to repeat",
        ),
    ],
)
def test_references_to_rows_before_a_restart_point_are_errors(
    rows: list[RdfStreamRow], expected: str
) -> None:
    first = [
        OPTIONS,
        PREFIX,
        NAME,
        RdfStreamRow(datatype=RdfDatatypeEntry(id=1, value="d")),
        triple_row(s_iri=EXPLICIT),
    ]
    data, at = restarted(first, [OPTIONS, *rows])
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_rdf(io.BytesIO(data), part=(1, len(data))))
    assert str(error.value) == f"<stream>: frame at byte {at}, {expected}"
    # The part before it is read.
    assert len(list(read_jelly_rdf(io.BytesIO(data), part=(0, 1)))) == 1


def test_a_restart_point_without_references_to_rows_before() -> None:
    iri = triple_row(s_iri=EXPLICIT, p_iri=RdfIri(), o_iri=RdfIri(prefix_id=2))
    entries = [PREFIX, RdfStreamRow(prefix=RdfPrefixEntry(value="q/"))]
    names = [NAME, name_row("m"), name_row("l")]
    data, _ = restarted([OPTIONS, TRIPLE], [OPTIONS, *entries, *names, iri, TRIPLE])
    rows = list(read_jelly_rdf(io.BytesIO(data), part=(1, len(data))))
    assert [row[:3] for row in rows] == [("<p/n>", "<p/m>", "<q/l>"), ("_:s", "_:p", "_:o")]


def test_prefix_ids_are_not_needed_without_a_prefix_table() -> None:
    iri = triple_row(s_iri=RdfIri(name_id=1))
    data, _ = restarted([WITHOUT_PREFIXES, TRIPLE], [WITHOUT_PREFIXES, NAME, iri])
    (row,) = read_jelly_rdf(io.BytesIO(data), part=(1, len(data)))
    assert row.subject == "<n>"


def test_a_graph_cannot_be_repeated_after_a_restart_point() -> None:
    options = options_row(QUADS)
    data, at = restarted([options, quad_row()], [options, quad_row(g_bnode="g")])
    assert [row.graph for row in read_jelly_rdf(io.BytesIO(data), part=(0, 1 << 30))] == [
        None,
        "_:g",
    ]
    data, at = restarted([options, quad_row(g_bnode="g")], [options, quad_row()])
    assert [row.graph for row in read_jelly_rdf(io.BytesIO(data))] == ["_:g", "_:g"]
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_rdf(io.BytesIO(data), part=(at, at + 1)))
    assert str(error.value) == (
        f"<stream>: frame at byte {at}, row 1: expected a graph, "
        "found no graph, and no earlier one to repeat"
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], ": expected an options row first, found no row"),
        ([NAME], ", row 0: expected an options row first, found a name row"),
        ([TRIPLE], ", row 0: expected an options row first, found a triple row"),
        (
            [WITHOUT_PREFIXES],
            ", row 0: expected the options of the first options row, found different options",
        ),
        (
            [RdfStreamRow()],
            ", row 0: expected a row of a known kind, found a row without a known field",
        ),
    ],
)
def test_frames_that_cannot_be_restart_points(rows: list[RdfStreamRow], expected: str) -> None:
    data, at = restarted([OPTIONS, TRIPLE], rows)
    found = []
    with pytest.raises(MalformedInputError) as error:
        for row in read_jelly_rdf(io.BytesIO(data), part=(0, 1)):
            found.append(row)
    assert str(error.value) == f"<stream>: frame at byte {at}{expected}"
    assert len(found) == 1


def test_a_graph_cannot_be_open_at_a_restart_point() -> None:
    options = options_row(GRAPHS)
    data, _ = restarted([options, start_row(), TRIPLE], [options, start_row(), TRIPLE])
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_rdf(io.BytesIO(data), part=(0, 1)))
    assert str(error.value) == (
        "<stream>: frame at byte 0: expected the end of the graph, found a restart point"
    )


def test_an_index_in_an_undelimited_file() -> None:
    """Such a file has no restart points, but an index can be appended to its message."""
    rows = frame(OPTIONS, TRIPLE, TRIPLE)[1:]
    length = len(rows) + len(index_field([RestartPoint()], 0))
    data = rows + index_field([RestartPoint(9)], length)
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_rdf(io.BytesIO(data), part=(0, 1)))
    assert (
        error.value.expected == "a frame that ends by byte 9, where the index has a restart point"
    )
    assert error.value.found == "a file that is one undelimited frame"
