"""The metadata of frames: a mapping from strings to bytes (Jelly-RDF, field 15 of the frame)."""

from __future__ import annotations

from collections.abc import Mapping

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import encode_text
from jelly_spark.errors import UnwritableRowError
from jelly_spark.jelly.frames import restart_index, term_filters
from jelly_spark.jelly.frames.frame_format import entry_field
from jelly_spark.jelly.wire import PARSE_ERRORS

RESERVED_KEYS = (restart_index.KEY, term_filters.KEY)
"""The keys of the index of restart points, and of its filters."""


def encode_metadata(metadata: Mapping[str, bytes]) -> bytes:
    """Return the entries as fields of their frame, in the order of the mapping.

    Raises:
        UnwritableRowError: a key is not a string, holds a lone surrogate or is reserved for the
            index of restart points; or a value is not bytes.
    """
    fields = b""
    for key, value in metadata.items():
        if not isinstance(key, str) or not isinstance(value, bytes):
            raise UnwritableRowError("the keys of metadata must be strings, and its values bytes")
        if key in RESERVED_KEYS:
            raise UnwritableRowError(f"the key {key!r} of metadata is reserved")
        fields += entry_field(encode_text(key, "a key of metadata"), value)
    return fields


def decode_entry(data: bytes | bytearray, metadata: dict[str, bytes]) -> None:
    """Decode an entry, and add it to the metadata of its frame.

    Args:
        data: the bytes of the entry's message.
        metadata: the metadata of the frame, which is modified.

    Raises:
        Violation: the bytes are not the message of an entry.
    """
    try:
        entry = RdfStreamFrame.MetadataEntry.FromString(bytes(data))
    except PARSE_ERRORS:
        raise Violation(
            "an entry of the metadata of a frame",
            f"{len(data)} bytes that are not an entry",
            in_row=False,
        ) from None
    metadata[entry.key] = entry.value
