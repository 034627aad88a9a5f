"""Rows and frames of gigabytes, of which the tests give the beginning only."""

from collections.abc import Iterator

import pytest

from jelly_spark import codec
from jelly_spark.errors import MalformedInputError
from tests.codec.files.hostile_files import field, patch_file, varint
from tests.codec.streams import peak_memory

_ROW = "a row of at most 67108864 bytes"
_OPTIONS = patch_file([])[1:]


class _Endless:
    """A stream that begins with some bytes, and goes on with others without an end."""

    def __init__(self, head: bytes, rest: bytes) -> None:
        self._chunks = self._all(head, rest)

    @staticmethod
    def _all(head: bytes, rest: bytes) -> Iterator[bytes]:
        yield head
        while True:
            yield rest

    def read(self, size: int = -1, /) -> bytes:
        return next(self._chunks)


def _long_frame(size: int, row: bytes) -> bytes:
    return varint(size) + _OPTIONS + row


@pytest.mark.parametrize(
    ("format", "head", "expected"),
    [
        ("jelly_patch", varint(2**31), "a frame of at most 2147483647 bytes"),
        ("jelly_patch", varint(2**63 - 1), "a frame of at most 2147483647 bytes"),
        ("jelly_patch", varint(2**64 - 1), "a frame of at most 2147483647 bytes"),
        ("jelly_patch", b"\xff" * 10 + b"\x01", "a varint of at most 10 bytes"),
        ("jelly_patch", _long_frame(2**31 - 1, b"\x0a" + varint(2**31 - 100)), _ROW),
        ("jelly_patch", _OPTIONS + b"\x0a" + varint(2**31 - 1), _ROW),
        ("jelly_patch", _OPTIONS + b"\x0a" + varint(2**62), _ROW),
        ("jelly_patch", _OPTIONS + b"\x0a" + varint(2**26 + 1), _ROW),
        ("rdf_patch_thrift", b"\x1c\x18" + varint(2**31 - 1), "a string of at most"),
        ("rdf_patch_thrift", b"\x1c\x18" + varint(2**32 - 1), "a string of at most"),
    ],
)
def test_lengths_that_are_announced_take_no_memory(format: str, head: bytes, expected: str) -> None:
    def read() -> None:
        with pytest.raises(MalformedInputError) as error:
            list(codec.read(_Endless(head, bytes(1 << 16)), format=format))
        assert expected in error.value.expected

    assert peak_memory(read) < 10 << 20


@pytest.mark.parametrize(
    ("format", "head", "rest"),
    [
        ("rdf_patch", b'A <urn:s> <urn:p> "', b"a" * (1 << 16)),
        ("rdf_patch", b"A <urn:s>", b" " * (1 << 16)),
        ("rdf_patch_thrift", b"\x1c\x18" + varint(2**30), bytes(1 << 16)),
        ("nquads", b'<urn:s> <urn:p> "', b"a" * (1 << 16)),
        ("ntriples", b"<urn:s>", b" " * (1 << 16)),
    ],
)
def test_a_row_without_an_end_is_refused(format: str, head: bytes, rest: bytes) -> None:
    def read() -> None:
        with pytest.raises(MalformedInputError, match="a row of at most 1048576 bytes"):
            list(codec.read(_Endless(head, rest), format=format, max_row_size=1 << 20))

    assert peak_memory(read) < 10 << 20


def test_fields_that_are_skipped_may_have_any_length() -> None:
    skipped = field(100, bytes(1 << 20))

    def frames() -> Iterator[bytes]:
        yield _OPTIONS
        for _ in range(50):
            yield skipped

    class Frames:
        chunks = frames()

        def read(self, _: int = -1, /) -> bytes:
            return next(self.chunks, b"")

    assert peak_memory(lambda: list(codec.read(Frames(), format="jelly_patch"))) < 10 << 20
