"""The fast path, which decodes rows without Protobuf, gives the same rows and errors as it."""

from functools import partialmethod
from random import Random
from typing import Any

import pytest

from jelly_spark.codec import JellyRdfOptions, RdfRow
from jelly_spark.errors import MalformedInputError
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.reader import JellyReader
from jelly_spark.jelly.wire import sized
from tests.codec.files.restart_files import all_options, name_of, read, rows_for, write
from tests.codec.jelly_rdf.helpers import frame, name_row, options_row
from tests.differential.mutations import OF_BYTES
from tests.frames import two_byte_varint


def outcome(data: bytes, options: JellyOptions, **how: Any) -> list[Any] | str:
    try:
        return read(data, options, **how)
    except MalformedInputError as error:
        return str(error)


@pytest.fixture
def by_protobuf(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that reads a file with Protobuf only."""

    def read(data: bytes, options: JellyOptions, **how: Any) -> list[Any] | str:
        with monkeypatch.context() as patch:
            row_by_row = partialmethod(JellyReader._ranges, row_by_row=True)
            patch.setattr(JellyReader, "_ranges", row_by_row)
            return outcome(data, options, **how)

    return read


@pytest.mark.parametrize("options", list(all_options(0)), ids=name_of)
def test_damaged_files(options: JellyOptions, by_protobuf: Any) -> None:
    random = Random(1)
    whole = write(rows_for(options, size=60), options)
    assert read(whole, options) == by_protobuf(whole, options)
    for number in range(300):
        data = whole
        for _ in range(random.choice((1, 1, 2))):
            data = random.choice(OF_BYTES)(data, [whole], random) or data
        strict = number % 3 == 0
        expected = by_protobuf(data, options, strict=strict)
        assert outcome(data, options, strict=strict) == expected, data.hex()


# The content of a triple of the names n and m, without prefixes, and of a blank node.
S, P, OBJECT = b"\x0a\x02\x10\x01", b"\x2a\x00", b"\x52\x01o"


@pytest.mark.parametrize(
    "triple",
    [
        S + P + OBJECT,
        P + S + OBJECT,
        S + P + OBJECT + OBJECT,
        S + S + P + OBJECT,
        S + b"\x12\x01b" + P + OBJECT,
        b"\x0a\x02\x08\x00" + P + OBJECT,
        b"\x0a\x02\x10\x00" + P + OBJECT,
        b"\x0a\x03\x08\x80\x00" + P + OBJECT,
        b"\x0a\x03\x10\x81\x00" + P + OBJECT,
        b"\x0a\x04\x10\x81\x80\x00" + P + OBJECT,
        b"\x0a\x01\x08" + P + OBJECT,
        b"\x0a\x01\x10" + P + OBJECT,
        b"\x0a\x03\x10\x01\x10" + P + OBJECT,
        b"\x0a\x04\x10\x01\x18\x05" + P + OBJECT,
        b"\x0a\x82\x00\x10\x01" + P + OBJECT,
        b"\x0a\x82\x80\x00\x10\x01" + P + OBJECT,
        S + P + b"\x5a\x00",
        S + P + b"\x5a\x03\x0a\x01x",
        S + P + b"\x5a\x06\x0a\x01x\x0a\x01y",
        S + P + b"\x5a\x05\x0a\x01x\x0a\x00",
        S + P + b"\x5a\x05\x0a\x01x\x18\x00",
        S + P + b"\x5a\x05\x0a\x01x\x18\x01",
        S + P + b"\x5a\x07\x12\x02en\x0a\x01x",
        S + P + b"\x5a\x07\x0a\x01x\x12\x02en",
        S + P + b"\x5a\x07\x0a\x01x\x12\x02\xff\xff",
        S + P + b"\x5a\x03\x0a\x02x",
        S + P + b"\x5a\x04\x0a\x82\x00x",
        S + P + b"\x52\x01\xff",
        S + P + b"\x52\x02o",
        S + P + b"\x6a\x00" + OBJECT,
        S + P + OBJECT + b"\x6a\x00",
        S + P,
        S + P + OBJECT + b"\x82\x01\x03\x0a\x01x",
        S + P + OBJECT + b"\x82\x03\x0a\x01x",
        b"",
    ],
    ids=bytes.hex,
)
def test_triples(triple: bytes, by_protobuf: Any) -> None:
    options = JellyRdfOptions()
    start = frame(options_row(max_prefix_table_size=0), name_row("n", 1), name_row("m"))[1:]
    # Of the right length, of the right length in two bytes, and cut off.
    for size in (bytes([len(triple)]), two_byte_varint(len(triple)), bytes([len(triple) + 1])):
        for rows in (1, 2):
            data = start + (b"\x0a" + sized(b"\x12" + size + triple)) * rows
            assert outcome(data, options) == by_protobuf(data, options)


@pytest.mark.parametrize(
    "entry",
    [
        b"\x12\x01n",
        b"\x08\x01\x12\x01n",
        b"\x08\x00\x12\x01n",
        b"\x08\x81\x00\x12\x01n",
        b"\x12\x01n\x08\x01",
        b"\x12\x01n\x12\x01m",
        b"\x12\x81\x00n",
        b"\x12\x81\x80\x00n",
        b"\x12\x85" + b"\x01" + b"n" * 132,
        b"\x12\x85" + b"\x00" + b"n" * 132,
        b"\x12\x85\x01" + b"n" * 133,
        b"\x12\x02\xff\xfe",
        b"\x12\x00",
        b"\x08\x01",
        b"\x08\x09\x12\x01n",
        b"\x08",
        b"",
    ],
    ids=bytes.hex,
)
def test_entries(entry: bytes, by_protobuf: Any) -> None:
    options = JellyRdfOptions()
    start = frame(options_row(max_prefix_table_size=0))[1:]
    triple = b"\x12" + sized(S + P + OBJECT)
    data = start + b"\x0a" + sized(b"\x4a" + sized(entry)) + b"\x0a" + sized(triple)
    assert outcome(data, options) == by_protobuf(data, options)


def test_long_values() -> None:
    options = JellyRdfOptions(max_prefix_table_size=0)
    # Around the lengths at which a varint takes one byte more.
    rows = [
        RdfRow(f"<{'s' * size}>", "<p>", f'"{"é" * size}"', "_:" + "g" * size)
        for size in (1, *range(60, 65), 120, *range(126, 130), 8191, 8192, 16383, 16384, 70000)
    ]
    found = read(write(rows * 2, options), options)
    assert [row[:4] for row in found] == [row[:4] for row in rows * 2]
