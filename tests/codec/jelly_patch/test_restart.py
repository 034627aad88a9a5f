"""What a patch stream repeats after a restart point."""

import io

import pytest

from jelly_spark._proto.patch_pb2 import RdfPatchFrame
from jelly_spark.codec import (
    JellyPatchOptions,
    PatchRow,
    StatementType,
    StreamType,
    read_jelly_patch,
)
from jelly_spark.errors import MalformedInputError
from jelly_spark.jelly.frames.restart_index import RestartPoint
from tests.codec.files.restart_files import points_of, with_index
from tests.codec.jelly_patch.helpers import OPTIONS, encode, frame, options_row
from tests.frames import frame_contents

PUNCTUATION = b"\x7a\x00"
START = b"\x32\x00"


def pa(graph: bytes = b"") -> bytes:
    """Return the message of a PA of the prefix `x` for the first entries."""
    content = b"\x0a\x01x\x12\x04\x08\x01\x10\x01" + graph
    return b"\x22" + bytes([len(content)]) + content


ENTRIES = (b"\x62\x05\x08\x01\x12\x01p", b"\x5a\x05\x08\x01\x12\x01n")
NAMED = b"\x22\x01g"
DEFAULT = b"\x2a\x00"


def restarted(*rows: bytes, options: bytes = OPTIONS, rows_before: int = 1) -> tuple[bytes, int]:
    before = frame(options, *ENTRIES, pa(NAMED if options == OPTIONS else b""))
    data = before + frame(options, *ENTRIES, *rows)
    return with_index(data, [RestartPoint(len(before), 1, rows_before)]), len(before)


def test_the_graph_of_a_prefix_is_unknown() -> None:
    data, at = restarted(pa())
    assert [row.graph for row in read_jelly_patch(io.BytesIO(data))] == ["_:g", "_:g"]
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_patch(io.BytesIO(data), part=(at, at + 1)))
    assert str(error.value) == (
        f"<stream>: frame at byte {at}, row 3: expected a graph, "
        "found no graph, and no earlier one to repeat"
    )
    data, at = restarted(pa(DEFAULT), pa())
    assert [row.graph for row in read_jelly_patch(io.BytesIO(data), part=(at, at + 1))] == [
        None,
        None,
    ]


NAME = b"\x5a\x03\x12\x01n"
UNKNOWN = b"\x48\x01"
NO_MESSAGE = "a well-formed row, found {} bytes that are not a message of the schema"
NO_KIND = "a row of a known kind, found a row without a known field"
NAME_FIRST = "an options row first, found a name row"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        pytest.param(b"", NO_KIND, id="empty"),
        pytest.param(UNKNOWN, NO_KIND, id="unknown field"),
        pytest.param(b"\0", NO_MESSAGE.format(1), id="field 0"),
        pytest.param(NAME[:-1], NO_MESSAGE.format(4), id="name entry cut short"),
        pytest.param(NAME, NAME_FIRST, id="name entry"),
        pytest.param(OPTIONS + NAME, NAME_FIRST, id="options that a name entry replaces"),
        pytest.param(NAME + OPTIONS, None, id="options that replace a name entry"),
        pytest.param(UNKNOWN + OPTIONS, None, id="options after an unknown field"),
    ],
)
def test_the_row_at_a_restart_point(row: bytes, expected: str | None) -> None:
    """It is read as any row is: `PatchRestartSuite` has the same rows."""
    before = frame(OPTIONS, PUNCTUATION)
    data = with_index(before + frame(row), [RestartPoint(len(before), 1, 1, patches=1)])
    for part in ((0, 1), (1, len(data))):
        rows = read_jelly_patch(io.BytesIO(data), part=part)
        if expected is None:
            assert [row.op for row in rows] == (["END"] if part == (0, 1) else [])
        else:
            with pytest.raises(MalformedInputError) as error:
                list(rows)
            assert str(error.value) == (
                f"<stream>: frame at byte {len(before)}, row 0: expected {expected}"
            )


def test_there_are_no_graphs_in_a_stream_of_triples() -> None:
    options = options_row(statement_type=1)
    data, at = restarted(pa(), options=options)
    (row,) = read_jelly_patch(io.BytesIO(data), part=(at, at + 1))
    assert row == PatchRow("PA", name="x", value="<pn>", patch=0, seq=1)


def test_transactions_go_on() -> None:
    before = frame(OPTIONS, START)
    data = before + frame(OPTIONS, *ENTRIES, pa(DEFAULT), b"\x3a\x00", START)
    point = RestartPoint(len(before), 1, 1, patches=0, transactions=1, in_transaction=True)
    data = with_index(data, [point])
    whole = list(read_jelly_patch(io.BytesIO(data)))
    assert [(row.op, row.patch, row.tx, row.seq) for row in whole[1:]] == [
        ("PA", 0, 0, 1),
        ("TC", 0, 0, 2),
        ("TX", 0, 1, 3),
    ]
    parts = [
        list(read_jelly_patch(io.BytesIO(data), part=part)) for part in ((0, 1), (1, len(data)))
    ]
    assert parts[0] + parts[1] == whole
    with pytest.raises(MalformedInputError, match="expected the transaction's TC or TA"):
        list(read_jelly_patch(io.BytesIO(data), strict=True, part=(1, len(data))))


@pytest.mark.parametrize("statements", StatementType)
def test_the_writer_names_the_graph_of_the_first_prefix(statements: StatementType) -> None:
    options = JellyPatchOptions(statement_type=statements, frame_size=1, restart_interval=1)
    row = PatchRow("PA", name="x", value="<p/n>")
    data = encode([row, row, row], options)
    assert len(points_of(data)) == 2
    graphs = [
        message.namespace_add.WhichOneof("graph")
        for content in frame_contents(data)
        for message in RdfPatchFrame.FromString(content).rows
        if message.HasField("namespace_add")
    ]
    quads = statements is StatementType.QUADS
    assert graphs == [None, *["g_default_graph" if quads else None] * 2]


def test_the_first_entries_and_ids_are_written() -> None:
    options = JellyPatchOptions(stream_type=StreamType.FRAME, restart_interval=1)
    row = PatchRow("A", "<p/a>", "<p/b>", '"1"^^<d>')
    data = encode([row, PatchRow("END"), row], options)
    _, second = (RdfPatchFrame.FromString(content).rows for content in frame_contents(data))
    ids = [
        (kind, getattr(message, kind).id)
        for message in second
        if (kind := message.WhichOneof("row")) in ("prefix", "name", "datatype")
    ]
    assert ids == [("prefix", 1), ("name", 1), ("name", 0), ("datatype", 1)]
    quad = second[-1].statement_add
    assert (quad.s_iri.prefix_id, quad.s_iri.name_id) == (1, 1)
    assert (quad.p_iri.prefix_id, quad.p_iri.name_id) == (0, 0)
    assert quad.HasField("g_default_graph")
    assert second[0].options == RdfPatchFrame.FromString(frame_contents(data)[0]).rows[0].options
