"""The messages of a stream, as the draft RDF Messages has them: whether a file is such a stream."""

from __future__ import annotations

import re
from typing import BinaryIO

from jelly_spark.lines.versions import MESSAGES

HEAD_SIZE = 1 << 16
"""The version of messages must come within this number of bytes of a file, so that each task that
reads a part of the file can know it."""

# Most files show in their first bytes that they have no messages.
_CHUNK = 1 << 12
_BYTE_ORDER_MARK = "\ufeff".encode()
_END_OF_LINE = re.compile(rb"[\r\n]")
# The lines that may come before the version of messages, and that line itself.
_HEAD_LINE = re.compile(rb'[ \t]*(?:VERSION[ \t]*"([^"\r\n]*)"[ \t]*)?(?:#[^\r\n]*)?[\r\n]')


def read_head(stream: BinaryIO) -> tuple[bytes, bool]:
    """Read the beginning of a file, and find out whether the file is a stream of messages.

    It is one if it has the line `VERSION "1.2-messages"` in its first `HEAD_SIZE` bytes, with only
    blank lines, comments and other versions before it.

    Returns:
        The bytes that were read, and whether the file is a stream of messages.
    """
    head = b""
    at = 0
    while True:
        data = stream.read(min(_CHUNK, HEAD_SIZE - len(head))) if len(head) < HEAD_SIZE else b""
        head += data
        text = head if data else head + b"\n"
        if at == 0 and text.startswith(_BYTE_ORDER_MARK):
            at = len(_BYTE_ORDER_MARK)
        while match := _HEAD_LINE.match(text, at):
            if match[1] == MESSAGES.encode():
                return head, True
            at = match.end()
        if not data or _END_OF_LINE.search(text, at):
            return head, False
