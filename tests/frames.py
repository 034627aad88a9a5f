"""The frames of a delimited Jelly file, found without the package's own reader."""

from collections.abc import Iterator


def frame_places(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield, for each frame, the offsets of its length, of its content, and of its end.

    In a damaged file the last offset may lie behind the end of the data.
    """
    at = 0
    while at < len(data):
        start = at
        size = shift = 0
        # The length is a varint: seven bits a byte, the lowest first, all but the last over 127.
        while at < len(data):
            byte = data[at]
            at += 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        yield start, at, at + size
        at += size


def frame_contents(data: bytes) -> list[bytes]:
    """Return the content of each frame: a message, without the length before it."""
    return [data[begin:end] for _, begin, end in frame_places(data)]


def two_byte_varint(number: int) -> bytes:
    """Return a number below 2^14 as a varint of two bytes, although one may be enough."""
    assert number < 1 << 14
    return bytes((number & 127 | 128, number >> 7))
