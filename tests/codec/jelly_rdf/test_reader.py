"""Reading: physical types, ordinals, namespaces, options, files and streams, hostile input."""

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from jelly_spark._proto.rdf_pb2 import (
    RdfDatatypeEntry,
    RdfDefaultGraph,
    RdfIri,
    RdfLiteral,
    RdfPrefixEntry,
    RdfQuad,
    RdfStreamFrame,
    RdfStreamRow,
    RdfTriple,
)
from jelly_spark.codec import (
    JellyRdfOptions,
    JellyRdfReader,
    LogicalType,
    PhysicalType,
    RdfRow,
    ReadLimits,
    read_jelly_rdf,
)
from jelly_spark.errors import MalformedInputError
from tests.codec.damage import check_reading, damaged
from tests.codec.jelly_rdf.helpers import (
    GRAPHS,
    QUADS,
    TRIPLES,
    encode,
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
from tests.codec.streams import peak_memory


def repeat(**terms: Any) -> RdfStreamRow:
    """A triple of just these terms."""
    return RdfStreamRow(triple=RdfTriple(**terms))


def statements(rows: list[RdfRow]) -> list[tuple[str | None, ...]]:
    return [row[:4] for row in rows]


def test_triples() -> None:
    first = RdfIri(name_id=1)
    rows = read(
        frame(
            options_row(TRIPLES),
            RdfStreamRow(prefix=RdfPrefixEntry(value="http://a/")),
            name_row("b"),
            name_row("c"),
            RdfStreamRow(datatype=RdfDatatypeEntry(value="http://d")),
            RdfStreamRow(
                triple=RdfTriple(
                    s_iri=RdfIri(prefix_id=1),
                    p_iri=RdfIri(),
                    o_literal=RdfLiteral(lex="x", datatype=1),
                )
            ),
            repeat(o_literal=RdfLiteral(lex="y", langtag="ar--rtl")),
            repeat(
                s_bnode="b",
                o_triple_term=RdfTriple(s_bnode="b", p_iri=first, o_bnode="c"),
            ),
            repeat(),
        )
    )
    assert statements(rows) == [
        ("<http://a/b>", "<http://a/c>", '"x"^^<http://d>', None),
        ("<http://a/b>", "<http://a/c>", '"y"@ar--rtl', None),
        ("_:b", "<http://a/c>", "<<( _:b <http://a/b> _:c )>>", None),
        ("_:b", "<http://a/c>", "<<( _:b <http://a/b> _:c )>>", None),
    ]
    assert [(row.frame, row.seq) for row in rows] == [(0, 0), (0, 1), (0, 2), (0, 3)]


def test_quads() -> None:
    rows = read(
        frame(
            options_row(QUADS),
            quad_row(g_bnode="g"),
            quad_row(),
            quad_row(g_default_graph=RdfDefaultGraph()),
            RdfStreamRow(quad=RdfQuad()),
            quad_row(g_literal=RdfLiteral(lex="g")),
        )
    )
    assert [row.graph for row in rows] == ["_:g", "_:g", None, None, '"g"']
    # The reference writes it so, and reads it as the default graph.
    assert read(frame(options_row(QUADS), quad_row()))[0].graph is None


def test_graphs() -> None:
    first = frame(
        options_row(GRAPHS),
        start_row(g_bnode="g"),
        triple_row(),
        repeat(o_bnode="x"),
        end_row(),
        start_row(),
        end_row(),
        start_row(),
        repeat(),
    )
    rows = read(first + frame(repeat(), end_row(), start_row(g_bnode="g"), repeat(), end_row()))
    assert statements(rows) == [
        ("_:s", "_:p", "_:o", "_:g"),
        ("_:s", "_:p", "_:x", "_:g"),
        ("_:s", "_:p", "_:x", None),
        ("_:s", "_:p", "_:x", None),
        ("_:s", "_:p", "_:x", "_:g"),
    ]
    assert [row.frame for row in rows] == [0, 0, 0, 1, 1]


def test_a_stream_may_end_in_a_graph() -> None:
    assert len(read(frame(options_row(GRAPHS), start_row(), triple_row()))) == 1


def test_frames_are_counted_with_the_empty_ones() -> None:
    data = frame() + frame(options_row()) + frame(triple_row()) + frame() + frame(triple_row())
    assert [(row.frame, row.seq) for row in read(data)] == [(2, 0), (4, 1)]


def test_namespaces() -> None:
    data = frame(
        options_row(version=2),
        name_row("a:"),
        namespace_row("a", RdfIri()),
        triple_row(),
        name_row("b:"),
        namespace_row("", RdfIri()),
        name_row("c"),
        triple_row(p_iri=RdfIri()),
    )
    rows = read(data, namespaces=True)
    assert rows == [
        RdfRow(name="a", value="<a:>", frame=0, seq=0),
        RdfRow("_:s", "_:p", "_:o", frame=0, seq=1),
        RdfRow(name="", value="<b:>", frame=0, seq=2),
        RdfRow("_:s", "<c>", "_:o", frame=0, seq=3),
    ]
    # Those left out count for the ids of IRIs, but not for the ordinals.
    assert read(data) == [rows[1]._replace(seq=0), rows[3]._replace(seq=1)]


@pytest.mark.parametrize("entry", [9, 300, (1 << 14) - 1, 1 << 14, 1 << 20])
def test_entries_with_gaps(entry: int) -> None:
    """Lookup entries may come in any order, with ids from the whole table."""
    names = [*range(entry - 3, entry + 1), 1, 3]
    prefix_entry = RdfPrefixEntry(id=entry, value="urn:x:")
    data = frame(
        options_row(max_name_table_size=1 << 20, max_prefix_table_size=1 << 20),
        *(name_row(f"n{name}", name) for name in names),
        RdfStreamRow(prefix=prefix_entry),
        *(triple_row(o_iri=RdfIri(prefix_id=entry, name_id=name)) for name in names),
        triple_row(o_iri=RdfIri(prefix_id=entry, name_id=1)),
        name_row("other", 1),
        triple_row(o_iri=RdfIri(prefix_id=entry, name_id=1)),
    )
    limits = ReadLimits(max_name_table_size=1 << 20, max_prefix_table_size=1 << 20)
    expected = [*(f"n{name}" for name in names), "n1", "other"]
    assert [row.object for row in read(data, limits=limits)] == [f"<urn:x:{x}>" for x in expected]
    for name in (2, entry - 4, entry + 1):
        if name not in names:
            missing = data + frame(triple_row(o_iri=RdfIri(name_id=name)))
            with pytest.raises(MalformedInputError, match=f"name.*, found id {name}$"):
                read(missing, limits=limits)


def test_options_may_come_again() -> None:
    options = options_row()
    data = frame(options, triple_row(), options) + frame(options, triple_row())
    assert len(read(data)) == 2


def test_options_are_known_after_the_first_row() -> None:
    options = JellyRdfOptions(
        physical_type=PhysicalType.GRAPHS,
        logical_type=LogicalType.NAMED_GRAPHS,
        stream_name="é",
        max_prefix_table_size=0,
        delimited=False,
        generalized=False,
        namespaces=True,
    )
    reader = JellyRdfReader(io.BytesIO(encode([RdfRow("<a>", "<b>", "<c>")], options)))
    assert reader.options is None
    assert len(list(reader)) == 1
    assert reader.options == options


@pytest.mark.parametrize(
    ("number", "logical"),
    [(0, LogicalType.UNSPECIFIED), (3, LogicalType.GRAPHS), (23, LogicalType.GRAPHS)],
)
def test_logical_types_of_later_versions_are_their_base_type(
    number: int, logical: LogicalType
) -> None:
    reader = JellyRdfReader(io.BytesIO(frame(options_row(logical_type=number), triple_row())))
    assert len(list(reader)) == 1
    assert reader.options is not None
    assert reader.options.logical_type is logical


def test_undelimited() -> None:
    message = RdfStreamFrame(rows=[options_row(), triple_row(), triple_row()])
    assert len(read(message.SerializeToString())) == 2


def test_unknown_fields_are_skipped() -> None:
    unknown = b"\xa2\x06\x01x"
    row = triple_row().SerializeToString() + unknown
    rows = options_row().SerializeToString() + unknown
    body = b"".join(b"\x0a" + bytes((len(part),)) + part for part in (rows, row)) + unknown
    assert len(read(bytes((len(body),)) + body)) == 1


def test_paths_and_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.jelly"
    path.write_bytes(frame(options_row(), triple_row(), quad_row()))
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_rdf(path))
    assert str(error.value).startswith(f"{path}: frame at byte 0, row 2: expected ")
    with path.open("rb") as stream:
        with JellyRdfReader(stream) as reader:
            rows = iter(reader)
            assert next(rows).seq == 0
        assert not stream.closed
        assert list(rows) == []
        with pytest.raises(ValueError, match="is closed"):
            iter(reader)


def test_metadata_is_not_kept_when_rows_are_read() -> None:
    message = RdfStreamFrame(rows=[options_row()]).SerializeToString()
    entry = b"\x7a\x88\x08\x0a\x04%04d\x12\xff\x07" + bytes(1023)
    data = message + b"".join(entry % i for i in range(5000))
    stream = io.BytesIO(data)
    rows: list[RdfRow] = []
    assert peak_memory(lambda: rows.extend(read_jelly_rdf(stream))) < 1_000_000
    assert rows == []


SAMPLES = [
    frame(options_row(), name_row("a"), triple_row(), repeat(), a=b"b") + frame(repeat()),
    frame(options_row(QUADS), quad_row(g_bnode="g"), quad_row()),
    frame(options_row(GRAPHS), start_row(), triple_row(), end_row(), start_row(), repeat()),
    frame(options_row(version=2), name_row("a"), namespace_row("a", RdfIri()), triple_row()),
    RdfStreamFrame(rows=[options_row(), triple_row()], metadata={"a": b"b"}).SerializeToString(),
]


@settings(max_examples=400)
@given(damaged(SAMPLES))
def test_damaged_files_raise_nothing_else(data: bytes) -> None:
    check_reading("jelly_rdf", data, namespaces=True)
