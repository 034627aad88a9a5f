"""Writing: what is refused, when patches close, what is left after an error, round trips."""

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark.codec import PatchOptions, PatchRow, PatchWriter, StatementType, StreamType
from jelly_spark.codec.oplines import format_op_line, parse_op_line, rows_from_ops
from jelly_spark.errors import UnwritableRowError
from tests.codec.helpers import encode, read
from tests.codec.strategies import options, patches

A = PatchRow("A", "<s>", "<p>", "<o>")
TX, TC, END = PatchRow("TX"), PatchRow("TC"), PatchRow("END")


def ops(data: bytes) -> list[str]:
    return [row.op for row in read(data)]


@settings(max_examples=150, deadline=2000)
@given(st.data())
def test_rows_come_back(data: st.DataObject) -> None:
    written = data.draw(options())
    rows = data.draw(patches(written))
    file = encode(rows, written)
    assert read(file) == rows
    assert encode(read(file), written) == file


@pytest.mark.parametrize(
    ("row", "changes", "rule"),
    [
        (PatchRow("X"), {}, "op must be one of: H, TX, TC, TA, PA, PD, A, D, END"),
        (A._replace(subject=None), {}, "A and D need a subject, a predicate and an object"),
        (A._replace(object=None), {}, "A and D need a subject, a predicate and an object"),
        (A._replace(object="o"), {}, "not a term: no term at character 0"),
        (A._replace(object='"x" '), {}, "not a term: unexpected text at character 3"),
        (A._replace(object="<\\uD800>"), {}, "not a term: \\uD800 is no character"),
        (A._replace(object="<< <s> <p> <o>"), {}, "not a term: no >> at character 14"),
        (
            A._replace(graph="<g>"),
            {"statement_type": StatementType.TRIPLES},
            "a stream of triples holds no graphs",
        ),
        (
            PatchRow("PD", name="a", graph="<g>"),
            {"statement_type": StatementType.TRIPLES},
            "a stream of triples holds no graphs",
        ),
        (A._replace(graph="<< <s> <p> <o> >>"), {}, "a graph cannot be a quoted triple"),
        (
            A._replace(subject="<< <s> <p> <o> >>"),
            {"rdf_star": False},
            "a quoted triple needs RDF-star",
        ),
        (
            PatchRow("H", name="a", value="<< <s> <p> <o> >>"),
            {"rdf_star": False},
            "a quoted triple needs RDF-star",
        ),
        (
            A._replace(subject='"x"'),
            {"generalized": False},
            "a literal subject needs generalized statements",
        ),
        (
            A._replace(predicate="_:p"),
            {"generalized": False},
            "a predicate that is not an IRI needs generalized statements",
        ),
        (
            A._replace(object='<< "x" <p> <o> >>'),
            {"generalized": False},
            "a literal subject needs generalized statements",
        ),
        (
            A._replace(graph='"g"'),
            {"generalized": False},
            "a literal graph needs generalized statements",
        ),
        (
            A._replace(object='"1"^^<d>'),
            {"max_datatype_table_size": 0},
            "a typed literal needs a datatype table",
        ),
        (
            A._replace(subject="<http://a/>", object="<http://b/>"),
            {"max_prefix_table_size": 1},
            "the row needs more entries at once than the prefix table of 1 holds",
        ),
        (PatchRow("PA", value="<a>"), {}, "PA and PD need a name"),
        (PatchRow("PA", name="a"), {}, "PA needs a value"),
        (PatchRow("PA", name="a", value="_:b"), {}, "the value of PA and PD must be an IRI"),
        (PatchRow("H", name="a"), {}, "H needs a name and a value"),
        (PatchRow("H", value="<a>"), {}, "H needs a name and a value"),
        (PatchRow("H", name="\ud800", value="<a>"), {}, "a name holds a lone surrogate"),
    ],
)
def test_what_cannot_be_written_is_refused(
    row: PatchRow, changes: dict[str, Any], rule: str
) -> None:
    out = io.BytesIO()
    writer = PatchWriter(out, PatchOptions(**changes))
    writer.write(TX._replace(tx=0))
    writer.write(TC._replace(tx=0))
    with pytest.raises(UnwritableRowError) as error:
        writer.write(row)
    assert error.value.rule == rule
    assert error.value.row is not None and f'"op":"{row.op}"' in error.value.row
    with pytest.raises(ValueError, match="failed before"):
        writer.write(TX)
    writer.close()
    assert out.getvalue() == b""


def test_the_message_holds_the_row() -> None:
    with pytest.raises(UnwritableRowError) as error:
        encode([A._replace(object="é" * 300, seq=4)])
    assert str(error.value) == (
        "not a term: no term at character 0; in row "
        '{"op":"A","subject":"<s>","predicate":"<p>","object":"' + "é" * 200 + '…","seq":4}'
    )


def test_generalized_is_not_needed_by_header_values_and_blank_graphs() -> None:
    plain = PatchOptions(generalized=False, rdf_star=False)
    rows = [PatchRow("H", name="", value='"x"'), A._replace(graph="_:g")]
    assert ops(encode(rows, plain)) == ["H", "A"]


def test_a_patch_closes_where_its_number_changes() -> None:
    rows = [
        A._replace(patch=patch, op=op)
        for op, patch in [("A", 1), ("D", 1), ("A", 2), ("END", 2), ("A", 7), ("A", None)]
    ]
    assert ops(encode(rows)) == ["A", "D", "END", "A", "END", "A", "END", "A"]
    framed = PatchOptions(stream_type=StreamType.FRAME)
    assert ops(encode(rows, framed)) == ["A", "D", "END", "A", "END", "A", "END", "A", "END"]


@pytest.mark.parametrize(
    "rows",
    [
        [TX],
        [TX, TX],
        [TX, END],
        [TX, A, TX._replace(tx=0)],
        [TX._replace(patch=0), A._replace(patch=1)],
    ],
)
def test_a_transaction_must_be_closed(rows: list[PatchRow]) -> None:
    with pytest.raises(UnwritableRowError, match="a transaction must be closed by TC or TA"):
        encode(rows)


def test_a_numbered_transaction_may_stay_open_as_it_was_read() -> None:
    read_rows = list(rows_from_ops([["TX"], ["TX"], ["END"], ["TC"], ["TC"], ["TX"]]))
    assert read(encode(read_rows)) == read_rows


@pytest.mark.parametrize("row", [A, TC, END, A._replace(tx=1)])
def test_a_numbered_transaction_whose_end_got_lost(row: PatchRow) -> None:
    with pytest.raises(UnwritableRowError, match="transaction 0 must be closed by TC or TA before"):
        encode([TX._replace(tx=0), row])


def test_a_failed_file_leaves_none(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    with pytest.raises(UnwritableRowError), PatchWriter(path) as writer:
        writer.write(TX)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"before")
    with pytest.raises(KeyError), PatchWriter(path) as writer:
        writer.write(A)
        raise KeyError
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"


def test_a_file_takes_its_name_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    with PatchWriter(str(path)) as writer:
        writer.write(A)
        assert not path.exists()
    assert path.read_bytes() == encode([A])
    with pytest.raises(ValueError, match="closed"):
        writer.write(A)
    writer.close()


def test_an_exception_in_the_block_stops_writing_to_a_stream() -> None:
    out = io.BytesIO()
    with pytest.raises(KeyError), PatchWriter(out) as writer:
        writer.write(A)
        raise KeyError
    assert out.getvalue() == b""


@pytest.mark.parametrize(
    "line", ['["X"]', "[]", '["A","<s>"]', '["TX","a"]', "{}", "[1]", "x", '["PD","a","<g>","x"]']
)
def test_what_is_no_operation(line: str) -> None:
    with pytest.raises(UnwritableRowError):
        parse_op_line(line)


def test_the_iri_of_a_pd_has_no_place_in_its_operation() -> None:
    row = PatchRow("PD", name="é", value="<a>", graph="<g>")
    assert format_op_line(row) == '["PD","é","<g>"]'
    assert read(encode([row]))[0][:7] == row[:7]
