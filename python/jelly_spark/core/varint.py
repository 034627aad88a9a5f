"""Varints (base 128, least significant group first), as Protobuf and Thrift write them."""

from __future__ import annotations

ONE_BYTE_MAX = 127
"""The largest number that a varint of one byte holds."""

GROUP_BITS = 7
"""The number of bits in each byte of a varint that hold a part of the number."""

# The eighth bit of a byte says that another byte follows.
_CONTINUES = 1 << GROUP_BITS


def encode_varint(number: int) -> bytes:
    """Return a number, 0 or above, as a varint."""
    out = bytearray()
    while number > ONE_BYTE_MAX:
        out.append(number & ONE_BYTE_MAX | _CONTINUES)
        number >>= GROUP_BITS
    out.append(number)
    return bytes(out)
