"""Malformed input: where each error is found, and what it says."""

import pickle

import pytest

from jelly_spark.errors import (
    JellySparkError,
    MalformedInputError,
    UnwritableRowError,
)
from jelly_spark.jelly.wire import sized
from tests.codec.jelly_patch.helpers import OPTIONS, frame, options_row, read

NAME = b"\x5a\x03\x12\x01a"
QUAD = b"\x12\x06\x12\x00\x32\x00\x52\x00"
FIRST = "<stream>: frame at byte 0, row 0: expected "
SECOND = "<stream>: frame at byte 0, row 1: expected "


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (frame(b"\x32\x00"), FIRST + "an options row first, found a transaction_start row"),
        (frame(NAME, OPTIONS), FIRST + "an options row first, found a name row"),
        (frame(options_row(version=0)), FIRST + "version 1, found version 0"),
        (frame(options_row(version=2)), FIRST + "version 1, found version 2"),
        (frame(options_row(stream_type=4)), FIRST + "stream type 1, 2 or 3, found stream type 4"),
        (frame(options_row(0)), FIRST + "statement type 1 or 2, found statement type 0"),
        (
            frame(options_row(names=7)),
            FIRST + "a name table of 8 to 4096 entries (option maxNameTableSize), "
            "found a name table of 7 entries",
        ),
        (
            frame(OPTIONS, options_row(names=9)),
            SECOND + "the options of the first options row, found different options",
        ),
        (frame(OPTIONS, b""), SECOND + "a row of a known kind, found a row without a known field"),
        (
            frame(OPTIONS, b"\x48\x01"),
            SECOND + "a row of a known kind, found a row without a known field",
        ),
        (
            frame(OPTIONS, b"\x12\x05"),
            SECOND + "a well-formed row, found 2 bytes that are not a message of the schema",
        ),
        (
            frame(OPTIONS, b"\x5a\x04\x12\x02\xc0\x80"),
            SECOND + "a well-formed row, found 6 bytes that are not a message of the schema",
        ),
        (
            frame(OPTIONS, b"\x5a\x02\x08\x09"),
            SECOND + "a name entry with an id of at most 8, found id 9",
        ),
        (
            frame(OPTIONS, b"\x62\x02\x08\x03"),
            SECOND + "a prefix entry with an id of at most 2, found id 3",
        ),
        (
            frame(OPTIONS, b"\x6a\x02\x08\x03"),
            SECOND + "a datatype entry with an id of at most 2, found id 3",
        ),
        (
            frame(OPTIONS, b"\x12\x00"),
            SECOND + "a subject, found no subject, and no earlier one to repeat",
        ),
        (
            frame(OPTIONS, b"\x12\x02\x12\x00"),
            SECOND + "a predicate, found no predicate, and no earlier one to repeat",
        ),
        (
            frame(OPTIONS, b"\x12\x04\x12\x00\x32\x00"),
            SECOND + "an object, found no object, and no earlier one to repeat",
        ),
        (frame(OPTIONS, b"\x72\x00"), SECOND + "the value of the header, found no value"),
        (
            frame(OPTIONS, b"\x72\x02\x12\x00"),
            SECOND + "the id of an earlier name entry, found id 1",
        ),
        (
            frame(OPTIONS, b"\x72\x04\x12\x02\x10\x09"),
            SECOND + "a name id of at most 8, found id 9",
        ),
        (
            frame(OPTIONS, b"\x72\x04\x12\x02\x08\x01"),
            SECOND + "the id of an earlier prefix entry, found id 1",
        ),
        (
            frame(OPTIONS, b"\x72\x04\x22\x02\x18\x00"),
            SECOND + "a datatype id of at least 1, found id 0",
        ),
        (
            frame(OPTIONS, b"\x72\x04\x22\x02\x18\x02"),
            SECOND + "the id of an earlier datatype entry, found id 2",
        ),
        (
            frame(OPTIONS, b"\x72\x04\x2a\x02\x12\x00"),
            SECOND + "all terms of a triple term, found no predicate",
        ),
        (frame(OPTIONS, b"\x22\x00"), SECOND + "the IRI of the namespace, found no IRI"),
        (
            frame(options_row(stream_type=2), b"\x7a\x00"),
            SECOND + "no punctuation row in a FLAT stream, found a punctuation row",
        ),
        (
            frame(OPTIONS)[:-3],
            "<stream>: frame at byte 0: "
            "expected the rest of the frame, found the end of the input at byte 15",
        ),
        (
            frame(OPTIONS) + b"\x80",
            "<stream>: frame at byte 18: "
            "expected the rest of the frame, found the end of the input at byte 19",
        ),
        (
            b"\x80\x80\x80\x80\x08",
            "<stream>: frame at byte 0: "
            "expected a frame of at most 2147483647 bytes, found a frame of 2147483648 bytes",
        ),
        (b"\x01\x07", "<stream>: frame at byte 0: expected a valid field tag, found the tag 7"),
        (
            b"\x02\x0c\x00",
            "<stream>: frame at byte 0: expected a valid field tag, found the tag 12",
        ),
        (
            b"\x01\x80",
            "<stream>: frame at byte 0: expected a varint that ends within its frame, found the "
            "end of the frame",
        ),
        (
            b"\x0c\x08" + b"\x80" * 11,
            "<stream>: frame at byte 0: expected a varint of at most 10 bytes, found a longer "
            "varint",
        ),
        (
            b"\x03\x12\x02a",
            "<stream>: frame at byte 0: "
            "expected a field that ends within its frame, found a field of 2 bytes",
        ),
        (
            frame(OPTIONS) + b"\x03\x0a\x02\x32",
            "<stream>: frame at byte 18, row 0: "
            "expected a row that ends within its frame, found a row of 2 bytes",
        ),
    ],
)
def test_messages(data: bytes, message: str) -> None:
    with pytest.raises(MalformedInputError) as error:
        read(data)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (frame(OPTIONS, b"\x3a\x00"), SECOND + "a TX before a TC, found no open transaction"),
        (frame(OPTIONS, b"\x42\x00"), SECOND + "a TX before a TA, found no open transaction"),
        (
            frame(OPTIONS, b"\x32\x00", b"\x32\x00"),
            "<stream>: frame at byte 0, row 2: expected the transaction's TC or TA, found TX",
        ),
        (
            frame(OPTIONS, b"\x32\x00", b"\x7a\x00"),
            "<stream>: frame at byte 0, row 2: "
            "expected the transaction's TC or TA, found the end of the patch",
        ),
        (
            frame(options_row(stream_type=1), b"\x32\x00"),
            "<stream>: frame at byte 0: "
            "expected the transaction's TC or TA, found the end of the patch",
        ),
        (
            frame(OPTIONS, b"\x32\x00"),
            "<stream>: frame at byte 0: "
            "expected the transaction's TC or TA, found the end of the input",
        ),
        (
            frame(options_row(1), QUAD[:1] + b"\x08" + QUAD[2:] + b"\x7a\x00"),
            SECOND + "no graph in a stream of triples, found a graph",
        ),
        (
            frame(options_row(1), b"\x2a\x02\x2a\x00"),
            SECOND + "no graph in a stream of triples, found a graph",
        ),
        (frame(OPTIONS, QUAD), SECOND + "a graph, found no graph, and no earlier one to repeat"),
    ],
)
def test_messages_of_strict_reading(data: bytes, message: str) -> None:
    read(data)
    with pytest.raises(MalformedInputError) as error:
        read(data, strict=True)
    assert str(error.value) == message


def test_triples_quoted_too_deep() -> None:
    def quoted(depth: int) -> bytes:
        triple = b"\x12\x00\x32\x00\x52\x00"
        for _ in range(depth - 1):
            triple = b"\x12\x00\x32\x00\x62" + sized(triple)
        return frame(OPTIONS, b"\x72" + sized(b"\x2a" + sized(triple)))

    assert len(read(quoted(63))) == 1
    with pytest.raises(MalformedInputError, match="expected triple terms nested at most 63 deep"):
        read(quoted(64))


@pytest.mark.parametrize(
    "error",
    [
        MalformedInputError("a.jellyp", "frame at byte 3", 3, None, "this", "that"),
        UnwritableRowError("a rule", '{"op":"X"}'),
    ],
)
def test_errors_survive_pickling(error: JellySparkError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
