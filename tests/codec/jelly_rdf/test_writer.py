"""Writing: the messages of each type, where frames end, what is refused, round trips."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame, RdfStreamOptions
from jelly_spark.codec import JellyRdfOptions, JellyRdfWriter, LogicalType, PhysicalType, RdfRow
from jelly_spark.errors import UnwritableRowError
from tests.codec.jelly_rdf.helpers import encode, frames_of, kinds, read
from tests.codec.jelly_rdf.strategies import options, rows

A = RdfRow("<s>", "<p>", "<o>")
NAMESPACE = RdfRow(name="a", value="<a:>")


@settings(max_examples=150)
@given(st.data())
def test_rows_come_back(data: st.DataObject) -> None:
    written = data.draw(options())
    given_rows = data.draw(rows(written))
    file = encode(given_rows, written)
    found = read(file, namespaces=True, strict=True)
    assert [row[:6] for row in found] == [row[:6] for row in given_rows]
    assert [row.seq for row in found] == list(range(len(found)))
    if written.logical_type.grouped and written.delimited:
        assert [row.frame for row in found] == [row.frame for row in given_rows]
    assert encode(found, written) == file


def test_the_options_row_by_default() -> None:
    (message,) = frames_of(encode([A]))
    assert message.rows[0].options == RdfStreamOptions(
        physical_type="PHYSICAL_STREAM_TYPE_QUADS",
        logical_type="LOGICAL_STREAM_TYPE_FLAT_QUADS",
        generalized_statements=True,
        rdf_star=True,
        max_name_table_size=4000,
        max_prefix_table_size=150,
        max_datatype_table_size=32,
        version=1,
    )


def test_the_options_row() -> None:
    (message,) = frames_of(
        encode(
            [A],
            physical_type=PhysicalType.TRIPLES,
            logical_type=LogicalType.UNSPECIFIED,
            stream_name="é",
            max_name_table_size=8,
            max_prefix_table_size=0,
            max_datatype_table_size=0,
            rdf_star=False,
            generalized=False,
            namespaces=True,
        )
    )
    assert message.rows[0].options == RdfStreamOptions(
        stream_name="é",
        physical_type="PHYSICAL_STREAM_TYPE_TRIPLES",
        max_name_table_size=8,
        version=2,
    )


def test_no_rows() -> None:
    for physical in PhysicalType:
        assert encode([], physical_type=physical) == b""
        assert encode([], physical_type=physical, delimited=False) == b""


def test_triples_and_quads() -> None:
    for physical, kind in ((PhysicalType.TRIPLES, "triple"), (PhysicalType.QUADS, "quad")):
        (message,) = frames_of(encode([A, A], physical_type=physical, max_prefix_table_size=0))
        assert kinds(message) == ["options", "name", "name", "name", kind, kind]
    # The first graph is written, also where it is the default graph.
    assert message.rows[4].quad.WhichOneof("graph") == "g_default_graph"
    assert message.rows[5].quad.WhichOneof("graph") is None


GRAPH_ROWS = [A, A._replace(graph="<g>"), A._replace(graph="<\\u0067>"), A, A._replace(graph="_:g")]


def test_graphs() -> None:
    (message,) = frames_of(
        encode(GRAPH_ROWS, physical_type=PhysicalType.GRAPHS, max_prefix_table_size=0)
    )
    assert kinds(message) == [
        *("options", "graph_start", "name", "name", "name", "triple", "graph_end"),
        *("name", "graph_start", "triple", "triple", "graph_end"),
        *("graph_start", "triple", "graph_end"),
        *("graph_start", "triple", "graph_end"),
    ]
    graphs = [row.graph_start for row in message.rows if row.HasField("graph_start")]
    assert [graph.WhichOneof("graph") for graph in graphs] == [
        *("g_default_graph", "g_iri", "g_default_graph", "g_bnode")
    ]


def test_frames_end_by_their_size() -> None:
    for physical, expected in (
        (PhysicalType.TRIPLES, [5, 2, 1]),
        (PhysicalType.QUADS, [5, 2, 1]),
        # The graph goes on over the ends of frames; its end comes after the last statement.
        (PhysicalType.GRAPHS, [6, 2, 2]),
    ):
        data = encode(
            [A._replace(frame=0), *[A._replace(frame=1)] * 3],
            physical_type=physical,
            frame_size=2,
            max_prefix_table_size=0,
        )
        assert [len(message.rows) for message in frames_of(data)] == expected


def test_namespaces_count_for_the_size_of_frames() -> None:
    data = encode([NAMESPACE, NAMESPACE, NAMESPACE, A], namespaces=True, frame_size=2)
    assert [kinds(message)[-1] for message in frames_of(data)] == ["namespace", "namespace", "quad"]


def test_namespaces_stay_in_their_graph() -> None:
    (message,) = frames_of(
        encode(
            [NAMESPACE, A, NAMESPACE, A],
            physical_type=PhysicalType.GRAPHS,
            namespaces=True,
        )
    )
    assert [kind for kind in kinds(message) if kind not in ("options", "name", "prefix")] == [
        *("namespace", "graph_start", "triple", "namespace", "triple", "graph_end")
    ]


def grouped(
    *numbers: int | None, physical: PhysicalType = PhysicalType.TRIPLES
) -> list[RdfStreamFrame]:
    """Return the frames of statements with these values in `frame`."""
    triples = physical is PhysicalType.TRIPLES
    return frames_of(
        encode(
            [A._replace(frame=number) for number in numbers],
            physical_type=physical,
            logical_type=LogicalType.GRAPHS if triples else LogicalType.DATASETS,
            frame_size=1,
            max_prefix_table_size=0,
        )
    )


def test_in_grouped_streams_frames_end_where_their_number_changes() -> None:
    assert [len(message.rows) for message in grouped(0, 0, 1, 5, 5, 0, None)] == [6, 1, 2, 1, 1]
    assert [len(message.rows) for message in grouped(7, 7)] == [6]
    assert [len(message.rows) for message in grouped(None, None)] == [6]


def test_in_grouped_streams_graphs_end_with_their_frame() -> None:
    frames = grouped(0, 0, 1, physical=PhysicalType.GRAPHS)
    assert [kinds(message)[-4:] for message in frames] == [
        ["name", "triple", "triple", "graph_end"],
        ["graph_start", "triple", "graph_end"],
    ]


def test_an_undelimited_stream_is_one_frame() -> None:
    flat = [A._replace(frame=0), A._replace(frame=1)]
    data = encode(flat, delimited=False, frame_size=1)
    (message,) = frames_of(data, is_delimited=False)
    assert kinds(message)[-2:] == ["quad", "quad"]
    with pytest.raises(UnwritableRowError, match="only one frame"):
        encode(flat, delimited=False, logical_type=LogicalType.DATASETS)


@pytest.mark.parametrize(
    ("row", "changes", "rule"),
    [
        (
            A._replace(predicate=None),
            {},
            "a statement needs a subject, a predicate and an object",
        ),
        (RdfRow(), {}, "a statement needs a subject, a predicate and an object"),
        (
            A._replace(object="o"),
            {},
            "expected an RDF term in N-Triples syntax at character 0, found 'o'",
        ),
        (
            A._replace(graph="<g>"),
            {"physical_type": PhysicalType.TRIPLES},
            "a stream of triples cannot hold a graph: set physicalType to QUADS or GRAPHS",
        ),
        (A._replace(graph="<<( <s> <p> <o> )>>"), {}, "a graph cannot be a triple term"),
        (
            A._replace(graph="<<( <s> <p> <o> )>>"),
            {"physical_type": PhysicalType.GRAPHS},
            "a graph cannot be a triple term",
        ),
        (
            A._replace(subject="<<( <s> <p> <o> )>>"),
            {"rdf_star": False},
            "a triple term needs the option rdfStar",
        ),
        (
            A._replace(subject='"x"'),
            {"generalized": False},
            "a literal subject needs the option generalized",
        ),
        (
            A._replace(predicate="_:p"),
            {"generalized": False},
            "a predicate that is not an IRI needs the option generalized",
        ),
        (
            A._replace(graph='"g"'),
            {"generalized": False, "physical_type": PhysicalType.GRAPHS},
            "a literal graph needs the option generalized",
        ),
        (
            A._replace(object='"1"^^<d>'),
            {"max_datatype_table_size": 0},
            "a typed literal needs a datatype table: set maxDatatypeTableSize above 0",
        ),
        (
            A._replace(subject="<http://a/>", object="<http://b/>"),
            {"max_prefix_table_size": 1},
            "the row needs more entries than the prefix table of 1 can hold: raise "
            "maxPrefixTableSize",
        ),
        (NAMESPACE, {}, "a namespace needs the option namespaces: set it to true"),
        (
            NAMESPACE._replace(value=None),
            {"namespaces": True},
            "a namespace needs a name and a value",
        ),
        (
            NAMESPACE._replace(value="_:b"),
            {"namespaces": True},
            "the value of a namespace must be an IRI",
        ),
        (
            NAMESPACE._replace(name="\ud800"),
            {"namespaces": True},
            "a name must not hold a lone surrogate, which UTF-8 cannot encode",
        ),
        (
            NAMESPACE._replace(graph="<g>"),
            {"namespaces": True},
            "a row must be a statement or a namespace, not both",
        ),
        (
            A._replace(name="a"),
            {"namespaces": True},
            "a row must be a statement or a namespace, not both",
        ),
        (
            RdfRow(value="<a>"),
            {"namespaces": True},
            "a statement needs a subject, a predicate and an object",
        ),
    ],
)
def test_unwritable_rows_are_refused(row: RdfRow, changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(UnwritableRowError) as error:
        encode([A, row], **changes)
    assert error.value.rule == rule
    assert error.value.row is not None


def test_a_value_without_a_name_is_ignored() -> None:
    assert encode([A._replace(value="no term")], namespaces=True) == encode([A], namespaces=True)


def test_the_graph_and_the_triple_are_rows_of_their_own() -> None:
    """Together they may need more entries than a lookup table holds."""
    row = RdfRow("<a/s>", "<a/p>", "<a/o>", "<b/g>")
    options = JellyRdfOptions(physical_type=PhysicalType.GRAPHS, max_prefix_table_size=1)
    assert read(encode([row], options))[0][:4] == row[:4]
    with pytest.raises(UnwritableRowError, match="prefix table of 1"):
        encode([row], max_prefix_table_size=1)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.jelly"
    with JellyRdfWriter(path) as writer:
        writer.write(A)
        assert not path.exists()
    assert path.read_bytes() == encode([A])
    with pytest.raises(ValueError, match="closed"):
        writer.write(A)
    with pytest.raises(UnwritableRowError), JellyRdfWriter(path) as writer:
        writer.write(RdfRow())
    assert path.read_bytes() == encode([A])
    assert list(tmp_path.iterdir()) == [path]
