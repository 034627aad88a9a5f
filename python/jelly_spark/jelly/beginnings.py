"""How Jelly files begin: with the options row, which the length of its frame may precede.

See Jelly-RDF and Jelly-Patch, "Stream options".
"""

from __future__ import annotations

import re
from functools import partial

from jelly_spark.core.files.hints import Beginning
from jelly_spark.core.varint import decode_varint

_VARINT = rb"[\x80-\xff]{0,4}[\x00-\x7f]"


def options_row(first: bytes, length: bytes = rb"(?:%b)?" % _VARINT) -> bytes:
    """Return a pattern for the beginning of files, up to the tag of the first option.

    Args:
        first: the tags that the first option can have, as in a set of characters.
        length: a pattern for the length of the frame.
    """
    return rb"%b\x0a(%b)\x0a(%b)[%b]" % (length, _VARINT, _VARINT, first)


def beginning(format: str, title: str, first: bytes) -> Beginning:
    """Return the beginning of files of a format with this title; see `options_row`."""
    is_like = partial(_has_options, first=first)
    return Beginning(format, f"{title}: read it with the format {format}", is_like)


def _has_options(head: bytes, first: bytes) -> bool:
    """Return whether a file begins with a row as long as the options in it, as text does not."""
    for length in (b"", _VARINT):
        if sizes := re.match(options_row(first, length), head, re.DOTALL):
            row, options = (decode_varint(size, 0, len(size))[0] for size in sizes.groups())
            if row == 1 + len(sizes[2]) + options:
                return True
    return False
