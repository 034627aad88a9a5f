"""Writing: what is refused, when patches close, what is left after an error, round trips."""

import io
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyPatchWriter,
    PatchRow,
    StatementType,
    StreamType,
)
from jelly_spark.errors import UnwritableRowError
from tests.codec.jelly_patch.helpers import encode, read
from tests.codec.jelly_patch.strategies import options, patches
from tests.parity.oplines import format_op_line, row_from_op, rows_from_ops

A = PatchRow("A", "<s>", "<p>", "<o>")
TX, TC, END = PatchRow("TX"), PatchRow("TC"), PatchRow("END")


def ops(data: bytes) -> list[str]:
    return [row.op for row in read(data)]


@settings(max_examples=150)
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
        (PatchRow("X"), {}, "op must be one of: H, TX, TC, TA, PA, PD, A, D, END"),  # type: ignore[arg-type]
        (A._replace(subject=None), {}, "A and D need a subject, a predicate and an object"),
        (A._replace(object=None), {}, "A and D need a subject, a predicate and an object"),
        (
            A._replace(object="o"),
            {},
            "expected an RDF term in N-Triples syntax at character 0, found 'o'",
        ),
        (A._replace(object='"x" '), {}, "expected the end of the term at character 3, found ' '"),
        (
            A._replace(object="<\\uD800>"),
            {},
            "expected an escape of a Unicode character at character 1, found '\\'",
        ),
        (
            A._replace(object="<<( <s> <p> <o>"),
            {},
            "expected ')>>' at character 15, found the end of the string",
        ),
        (
            A._replace(graph="<g>"),
            {"statement_type": StatementType.TRIPLES},
            "a stream of triples cannot hold a graph: set statementType to QUADS",
        ),
        (
            PatchRow("PD", name="a", graph="<g>"),
            {"statement_type": StatementType.TRIPLES},
            "a stream of triples cannot hold a graph: set statementType to QUADS",
        ),
        (A._replace(graph="<<( <s> <p> <o> )>>"), {}, "a graph cannot be a triple term"),
        (
            A._replace(subject="<<( <s> <p> <o> )>>"),
            {"rdf_star": False},
            "a triple term needs the option rdfStar",
        ),
        (
            PatchRow("H", name="a", value="<<( <s> <p> <o> )>>"),
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
            A._replace(object='<<( "x" <p> <o> )>>'),
            {"generalized": False},
            "a literal subject needs the option generalized",
        ),
        (
            A._replace(graph='"g"'),
            {"generalized": False},
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
        (PatchRow("PA", value="<a>"), {}, "PA and PD need a name"),
        (PatchRow("PA", name="a"), {}, "PA needs a value"),
        (PatchRow("PA", name="a", value="_:b"), {}, "the value of PA and PD must be an IRI"),
        (PatchRow("H", name="a"), {}, "H needs a name and a value"),
        (PatchRow("H", value="<a>"), {}, "H needs a name and a value"),
        (
            PatchRow("H", name="\ud800", value="<a>"),
            {},
            "a name must not hold a lone surrogate, which UTF-8 cannot encode",
        ),
    ],
)
def test_unwritable_rows_are_refused(row: PatchRow, changes: dict[str, Any], rule: str) -> None:
    out = io.BytesIO()
    writer = JellyPatchWriter(out, JellyPatchOptions(**changes))
    writer.write(TX)
    writer.write(TC)
    with pytest.raises(UnwritableRowError) as error:
        writer.write(row)
    assert error.value.rule == rule
    assert error.value.row is not None and f'"op":"{row.op}"' in error.value.row
    with pytest.raises(ValueError, match="an earlier write failed"):
        writer.write(TX)
    writer.close()
    assert out.getvalue() == b""


def test_the_message_holds_the_row() -> None:
    with pytest.raises(UnwritableRowError) as error:
        encode([A._replace(object="é" * 300, seq=4)])
    assert str(error.value) == (
        "expected an RDF term in N-Triples syntax at character 0, found 'é'; in row "
        '{"op":"A","subject":"<s>","predicate":"<p>","object":"' + "é" * 200 + '…","seq":4}'
    )


def test_generalized_is_not_needed_by_header_values_and_blank_graphs() -> None:
    plain = JellyPatchOptions(generalized=False, rdf_star=False)
    rows = [PatchRow("H", name="", value='"x"'), A._replace(graph="_:g")]
    assert ops(encode(rows, plain)) == ["H", "A"]


def test_a_patch_closes_where_its_number_changes() -> None:
    rows = [
        A._replace(patch=patch, op=op)  # type: ignore[arg-type]
        for op, patch in [("A", 1), ("D", 1), ("A", 2), ("END", 2), ("A", 7), ("A", None)]
    ]
    assert ops(encode(rows)) == ["A", "D", "END", "A", "END", "A", "END", "A"]
    framed = JellyPatchOptions(stream_type=StreamType.FRAME)
    assert ops(encode(rows, framed)) == ["A", "D", "END", "A", "END", "A", "END", "A", "END"]


@pytest.mark.parametrize(
    "rows",
    [
        [TX],
        [TX, TX],
        [TX, END],
        [TX, A, TX],
        [TX._replace(patch=0), A._replace(patch=1)],
        [TX._replace(tx=0), A._replace(tx=0), END._replace(tx=0)],
    ],
)
def test_a_transaction_must_be_closed(rows: list[PatchRow]) -> None:
    with pytest.raises(UnwritableRowError, match="a transaction must be closed by TC or TA"):
        encode(rows)


@pytest.mark.parametrize("row", [TC, PatchRow("TA")])
def test_the_end_of_a_transaction_needs_its_start(row: PatchRow) -> None:
    with pytest.raises(UnwritableRowError, match=f"{row.op} needs a TX before it"):
        encode([A, row])


def test_rows_as_they_were_read_may_break_the_rules() -> None:
    read_rows = list(rows_from_ops([["TX"], ["TX"], ["END"], ["TC"], ["TC"], ["TX"]]))
    assert read(encode(read_rows)) == read_rows


READ = list(
    rows_from_ops([["TX"], ["H", "a", "<a>"], ["TC"], ["END"], ["TX"], ["TC"], ["H", "b", "<b>"]])
)


@pytest.mark.parametrize("lost", [0, 2, 4, 5])
def test_a_missing_row_that_breaks_a_transaction_is_an_error(lost: int) -> None:
    """The ordinals have a gap, so the rules of transactions are checked."""
    rows = [row for row in READ if row.seq != lost]
    with pytest.raises(UnwritableRowError, match=r"must be closed|needs a TX"):
        # Another transaction follows, so that the last one must have ended.
        encode([*rows, TX, TC])


def test_read_rows_need_not_be_complete() -> None:
    """Statements and whole transactions can be left out, and others inserted."""
    put_in = A._replace(patch=0)
    for rows in ([row for row in READ if row.op == "H"], READ[4:], [READ[0], put_in, READ[2]]):
        assert len(read(encode(rows))) >= len(rows)


def test_the_rows_of_two_files() -> None:
    assert len(read(encode([*READ, *READ]))) == 2 * len(READ) + 1
    mixed = [row for pair in zip(READ, READ, strict=True) for row in pair]
    with pytest.raises(UnwritableRowError, match="must be closed"):
        encode(mixed)


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    with pytest.raises(UnwritableRowError), JellyPatchWriter(path) as writer:
        writer.write(TX)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"before")
    with pytest.raises(KeyError), JellyPatchWriter(path) as writer:
        writer.write(A)
        raise KeyError
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"


def test_a_symbolic_link_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "target"
    (tmp_path / "link").symlink_to(target)
    with JellyPatchWriter(tmp_path / "link") as writer:
        writer.write(A)
    assert (tmp_path / "link").is_symlink()
    assert target.read_bytes() == encode([A])


def test_a_named_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    with JellyPatchWriter(pipe) as writer:
        writer.write(A)
    reader.join(timeout=10)
    assert found == [encode([A])]
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_takes_its_name_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    with JellyPatchWriter(str(path)) as writer:
        writer.write(A)
        assert not path.exists()
    assert path.read_bytes() == encode([A])
    with pytest.raises(ValueError, match="closed"):
        writer.write(A)
    writer.close()


def test_an_exception_in_the_block_stops_writing_to_a_stream() -> None:
    out = io.BytesIO()
    with pytest.raises(KeyError), JellyPatchWriter(out) as writer:
        writer.write(A)
        raise KeyError
    assert out.getvalue() == b""


@pytest.mark.parametrize("op", [["X"], [], ["A", "<s>"], ["TX", "a"], ["PD", "a", "<g>", "x"]])
def test_invalid_operations(op: list[str]) -> None:
    with pytest.raises(UnwritableRowError):
        row_from_op(op)


def test_operations_do_not_hold_the_iri_of_a_pd() -> None:
    row = PatchRow("PD", name="é", value="<a>", graph="<g>")
    assert format_op_line(row) == '["PD","é","<g>"]'
    assert read(encode([row]))[0][:7] == row[:7]
