"""Checking how much memory a long message needs before Protobuf decodes it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import Descriptor

from jelly_spark.core.row_size import check_decoded_size, longer_row
from jelly_spark.core.varint import decode_varint
from jelly_spark.jelly.wire import BYTES, END_GROUP, FIXED_SIZES, MAX_VARINT, START_GROUP, VARINT

# The size that a field counts as, and the additional size of a field that is a message, in bytes;
# the same on the JVM. These alone never make a row of a writer too long: `TripleTermSize` counts 64
# bytes for each term in a triple term, and such a term has at most three fields and one message,
# plus its share of the triple: half a field and half a message.
_FIELD: Final = 8
_MESSAGE: Final = 24
# The bytes that are not counted; they cover the fields outside of triple terms.
_FREE: Final = 1024
# The largest size that one byte of a row counts as: an empty message has two bytes.
_MOST_PER_BYTE: Final = (_FIELD + _MESSAGE) // 2
# Texts of up to this many bytes are not checked.
_SHORT: Final = 1 << 16
# Protobuf rejects messages and groups that are nested deeper.
_MAX_DEPTH: Final = 100


def check_message_size(data: bytes | bytearray, message: Any, limit: int) -> None:
    """Check the number of fields in a message, and the sizes of its texts.

    Texts are checked with `check_decoded_size`. Each field counts as 8 bytes, and each message as
    24 more; the first 1024 bytes are not counted. A malformed message passes, because Protobuf will
    find what is wrong with it.

    Args:
        data: the bytes of the message.
        message: the class of the message.
        limit: the largest size of a text, and of all fields together, in bytes.

    Raises:
        Violation: a text or the fields are above the limit.
    """
    if len(data) * _MOST_PER_BYTE > limit:
        with suppress(IndexError, ValueError):
            _check_fields(data, message.DESCRIPTOR, limit)


def _check_fields(data: bytes | bytearray, message: Descriptor, limit: int) -> None:
    left = limit + _FREE
    known = _known_fields(message)
    # For each message around the current one, its fields and the index of its end.
    around: list[tuple[Mapping[int, Descriptor | None], int]] = []
    groups = 0
    at = 0
    end = len(data)
    while True:
        while at == end:
            if not around or groups:
                return
            known, end = around.pop()
        key, at = decode_varint(data, at, MAX_VARINT)
        left -= _FIELD
        kind = key & 7
        if kind == BYTES:
            size, at = decode_varint(data, at, MAX_VARINT)
            if size > end - at:
                return
            number = key >> 3
            if groups or number not in known:
                at += size
            elif (inner := known[number]) is not None:
                left -= _MESSAGE
                around.append((known, end))
                if len(around) > _MAX_DEPTH:
                    return
                known = _known_fields(inner)
                end = at + size
            else:
                if size > _SHORT:
                    with memoryview(data) as view:
                        check_decoded_size(view[at : at + size], limit)
                at += size
        elif kind == VARINT:
            _, at = decode_varint(data, at, MAX_VARINT)
        elif kind in FIXED_SIZES:
            at += FIXED_SIZES[kind]
        elif kind == START_GROUP:
            groups += 1
        elif kind == END_GROUP:
            groups -= 1
        else:
            return
        if left < 0:
            raise longer_row(limit)
        if at > end or groups < 0:
            return


@cache
def _known_fields(message: Descriptor) -> Mapping[int, Descriptor | None]:
    """Return the fields of a message by number, each with its message type, if it has one."""
    return {field.number: field.message_type for field in message.fields}
