"""Transactions and the ends of patches (Jelly-Patch, "Patch stream types" and "Transactions")."""

import re
from itertools import pairwise
from random import Random

import pytest

from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType
from jelly_spark.errors import MalformedInputError, UnwritableRowError
from jelly_spark.formats import FORMATS
from tests.codec.jelly_patch.helpers import frame, options_row
from tests.codecs import Codec
from tests.frames import frame_contents
from tests.numbering import numbered

PATCH_FORMATS = [name for name, format in FORMATS.items() if format.row is PatchRow]
STREAM_TYPES = list(StreamType)

ADD = PatchRow("A", "<urn:s>", "<urn:p>", "<urn:o>")
TX, TC, TA, END = PatchRow("TX"), PatchRow("TC"), PatchRow("TA"), PatchRow("END")

# Rows of a stream: the two names and an `A` of them, a TX, a TC, and a punctuation.
NAMES = b"\x5a\x04\x12\x02:s", b"\x5a\x04\x12\x02:o"
ROW_OF_A = b"\x12\x0c\x0a\x02\x10\x01\x2a\x00\x4a\x02\x10\x01\x7a\x00"
ROW_OF_TX, ROW_OF_TC, PUNCTUATION = b"\x32\x00", b"\x3a\x00", b"\x7a\x00"

NOT_CLOSED = "expected the transaction's TC or TA, found the end of the "


def file_of(stream_type: StreamType, *frames: tuple[bytes, ...]) -> bytes:
    """Return a stream with these rows after the options; QUADS."""
    number = {StreamType.FRAME: 1, StreamType.FLAT: 2, StreamType.PUNCTUATED: 3}[stream_type]
    first, *others = frames
    options = options_row(stream_type=number)
    return frame(options, *first) + b"".join(frame(*rows) for rows in others)


def ops(codec: Codec, data: bytes, *, strict: bool = True) -> str:
    return " ".join(row.op for row in codec.decode(data, strict=strict))


# In frames of one row each.
SPANNING = (ROW_OF_TX,), (*NAMES, ROW_OF_A), (ROW_OF_TC,)


def test_a_transaction_may_span_frames_but_not_patches(codec: Codec) -> None:
    assert ops(codec, file_of(StreamType.FLAT, *SPANNING)) == "TX A TC"
    assert ops(codec, file_of(StreamType.PUNCTUATED, *SPANNING, (PUNCTUATION,))) == "TX A TC END"
    frames = file_of(StreamType.FRAME, *SPANNING)
    with pytest.raises(MalformedInputError, match=f"frame at byte 0: {NOT_CLOSED}patch"):
        codec.decode(frames, strict=True)
    assert ops(codec, frames, strict=False) == "TX END A END TC END"
    together = tuple(row for rows in SPANNING for row in rows)
    assert ops(codec, file_of(StreamType.FRAME, together, together)) == "TX A TC END TX A TC END"


@pytest.mark.parametrize("stream_type", STREAM_TYPES)
def test_a_transaction_ends_before_the_stream(codec: Codec, stream_type: StreamType) -> None:
    data = file_of(stream_type, (ROW_OF_TX, *NAMES, ROW_OF_A))
    place = "patch" if stream_type is StreamType.FRAME else "input"
    with pytest.raises(MalformedInputError, match=f"{NOT_CLOSED}{place}"):
        codec.decode(data, strict=True)


def test_punctuation_within_a_transaction(codec: Codec) -> None:
    rows = (*NAMES, ROW_OF_TX, ROW_OF_A, PUNCTUATION, ROW_OF_TC)
    data = file_of(StreamType.PUNCTUATED, rows)
    with pytest.raises(MalformedInputError, match=f"row 5: {NOT_CLOSED}patch"):
        codec.decode(data, strict=True)
    assert ops(codec, data, strict=False) == "TX A END TC"


@pytest.mark.parametrize("stream_type", [StreamType.FRAME, StreamType.FLAT])
@pytest.mark.parametrize("strict", [False, True])
def test_punctuation_in_other_streams(codec: Codec, stream_type: StreamType, strict: bool) -> None:
    data = file_of(stream_type, (*NAMES, ROW_OF_A), (PUNCTUATION,))
    expected = f"expected no punctuation row in a {stream_type.name} stream"
    with pytest.raises(MalformedInputError, match=expected):
        codec.decode(data, strict=strict)


def test_punctuation_anywhere_in_a_frame(codec: Codec) -> None:
    """Also between lookup entries and the statement that needs them."""
    patch = ROW_OF_TX, ROW_OF_A, ROW_OF_TC
    whole = codec.decode(
        file_of(
            StreamType.PUNCTUATED,
            (PUNCTUATION, NAMES[0], PUNCTUATION, NAMES[1], *patch, PUNCTUATION, *patch),
            (PUNCTUATION, *patch, PUNCTUATION, PUNCTUATION),
            (PUNCTUATION,),
            (),
            patch,
        ),
        strict=True,
    )
    assert " ".join(row.op for row in whole) == (
        "END END TX A TC END TX A TC END TX A TC END END END TX A TC"
    )
    assert [row.patch for row in whole if row.op == "A"] == [2, 3, 4, 7]
    assert whole == numbered(whole)


def test_frames_may_end_anywhere(codec: Codec) -> None:
    """Where frames end does not change the rows of FLAT and PUNCTUATED streams."""
    rows = numbered([END, *[TX, ADD, TC, END, ADD, TX, TA, END] * 20, TX, ADD, TC])
    for stream_type in (StreamType.FLAT, StreamType.PUNCTUATED):
        data = codec.encode(rows, JellyPatchOptions(stream_type=stream_type, frame_size=1))
        expected = codec.decode(data, strict=True)
        contents = frame_contents(data)
        random = Random(1)
        for _ in range(5):
            cuts = [0, *sorted(random.sample(range(1, len(contents)), 9)), len(contents)]
            # Messages that follow each other are one message with the rows of all.
            merged = [b"".join(contents[a:b]) for a, b in pairwise(cuts)]
            joined = b"".join(_delimited(content) for content in merged)
            assert codec.decode(joined, strict=True) == expected


def _delimited(content: bytes) -> bytes:
    return bytes((len(content) & 127 | 128, len(content) >> 7)) + content


OVER_AN_END = numbered([TX, ADD, END, ADD, TC, END, TX, END])
"""The first transaction is closed in the next patch, and the second is not closed."""


@pytest.mark.parametrize("format", PATCH_FORMATS)
def test_a_transaction_ends_with_its_patch(codec: Codec, format: str) -> None:
    """A reader that is not strict accepts the rows, and they can be written again."""
    data = codec.encode(OVER_AN_END, FORMATS[format].options())
    rows = codec.decode(data, format)
    assert [(row.op, row.patch, row.tx) for row in rows] == [
        ("TX", 0, 0),
        ("A", 0, 0),
        ("END", 0, 0),
        ("A", 1, None),
        ("TC", 1, None),
        ("END", 1, None),
        ("TX", 2, 1),
        ("END", 2, 1),
    ]
    assert codec.encode(rows, FORMATS[format].options()) == data
    with pytest.raises(MalformedInputError, match=f"{NOT_CLOSED}patch"):
        codec.decode(data, format, strict=True)


@pytest.mark.parametrize("stream_type", STREAM_TYPES)
def test_writers_close_transactions_in_their_patch(codec: Codec, stream_type: StreamType) -> None:
    options = JellyPatchOptions(stream_type=stream_type)

    def refuses(*rows: PatchRow, rule: str = "a transaction must be closed by TC or TA") -> None:
        with pytest.raises(UnwritableRowError, match=re.escape(rule)):
            codec.encode(rows, options)

    refuses(TX, ADD, END, TC)
    refuses(TX, ADD)
    refuses(TX._replace(patch=0), TC._replace(patch=1))
    # The rows up to the END are those of an unchanged file, and the next one is not.
    refuses(*OVER_AN_END[:3], TC, rule="TC needs a TX before it")
