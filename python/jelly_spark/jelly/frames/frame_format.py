"""The fields of a frame, the same in both Jelly formats.

Only the schema of Jelly-RDF has metadata. Frames of Jelly-Patch may have it too, because readers
skip unknown fields.
"""

from __future__ import annotations

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.jelly.wire import sized, tag

MAX_FRAME_SIZE = 2**31 - 1
"""The largest size of a frame in bytes, which is Protobuf's limit for a message."""

ROW_TAG = tag(RdfStreamFrame, "rows")
"""The tag of a row in its frame."""

METADATA_TAG = tag(RdfStreamFrame, "metadata")
"""The tag of a metadata entry in its frame."""

_KEY = tag(RdfStreamFrame.MetadataEntry, "key")
_VALUE = tag(RdfStreamFrame.MetadataEntry, "value")


def entry_field(key: bytes, value: bytes) -> bytes:
    """Return a metadata entry as a field of its frame; the key is in UTF-8."""
    # proto3 omits empty values.
    entry = _KEY + sized(key) if key else b""
    if value:
        entry += _VALUE + sized(value)
    return METADATA_TAG + sized(entry)
