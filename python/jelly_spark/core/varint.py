"""Varints as Protobuf and Thrift write them: in base 128, least significant group first."""

from __future__ import annotations

from typing import Final

ONE_BYTE_MAX: Final = 127
"""The largest number that fits a varint of one byte."""

GROUP_BITS: Final = 7
"""The number of bits of the encoded number in each byte of a varint."""

# The continuation bit, which says that another byte follows.
_CONTINUES: Final = 1 << GROUP_BITS


def encode_varint(number: int) -> bytes:
    """Encode a non-negative number as a varint."""
    out = bytearray()
    while number > ONE_BYTE_MAX:
        out.append(number & ONE_BYTE_MAX | _CONTINUES)
        number >>= GROUP_BITS
    out.append(number)
    return bytes(out)


def decode_varint(data: bytes | bytearray, at: int, size: int) -> tuple[int, int]:
    """Return the varint at an index, and the index after it.

    Raises:
        IndexError: the bytes end within the varint.
        ValueError: the varint has more than `size` bytes.
    """
    number = 0
    for shift in range(0, size * GROUP_BITS, GROUP_BITS):
        byte = data[at]
        at += 1
        number |= (byte & ONE_BYTE_MAX) << shift
        if byte <= ONE_BYTE_MAX:
            return number, at
    raise ValueError
