"""How much memory the texts of a long message take, known before Protobuf decodes them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from jelly_spark.core.row_size import check_decoded_size
from jelly_spark.core.varint import GROUP_BITS, ONE_BYTE_MAX
from jelly_spark.jelly.wire import BYTES, FIXED32, FIXED64, VARINT

# Fields with fewer bytes are too short to matter.
_SHORT = 1 << 16
_FIXED_SIZES = {FIXED64: 8, FIXED32: 4}


def check_message_size(data: bytes | bytearray, message: Any, limit: int) -> None:
    """Check the sizes of the texts in a message, each as `check_decoded_size` does.

    Args:
        data: the bytes of the message.
        message: its class.
        limit: the most bytes of a text.

    A message that is not well-formed passes: Protobuf finds what is wrong with it.

    Raises:
        Violation: one is above the limit.
    """
    # Not more characters than bytes, of four bytes each.
    if len(data) * 4 <= limit:
        return
    with suppress(IndexError), memoryview(data) as view:
        _check_fields(view, message.DESCRIPTOR, limit)


def _check_fields(data: memoryview, message: Descriptor, limit: int) -> None:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            _, at = _varint(data, at)
        elif kind in _FIXED_SIZES:
            at += _FIXED_SIZES[kind]
        elif kind == BYTES:
            size, at = _varint(data, at)
            if size > _SHORT:
                _check_value(data[at : at + size], message.fields_by_number.get(key >> 3), limit)
            at += size
        else:
            return


def _check_value(value: memoryview, field: FieldDescriptor | None, limit: int) -> None:
    if field is None:
        return
    if field.message_type is None:
        check_decoded_size(value, limit)
    else:
        _check_fields(value, field.message_type, limit)


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & ONE_BYTE_MAX) << shift
        if byte <= ONE_BYTE_MAX:
            return number, at
        shift += GROUP_BITS
