"""Varints (base 128, least significant group first), as Protobuf and Thrift write them."""

from __future__ import annotations

ONE_BYTE_MAX = 127
"""The largest varint of one byte: seven bits; the eighth bit says that another byte follows."""

_CONTINUES = 128


def encode_varint(number: int) -> bytes:
    """Return a number, 0 or above, as a varint."""
    out = bytearray()
    while number > ONE_BYTE_MAX:
        out.append(number & ONE_BYTE_MAX | _CONTINUES)
        number >>= 7
    out.append(number)
    return bytes(out)
