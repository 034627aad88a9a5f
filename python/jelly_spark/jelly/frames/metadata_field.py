"""The field for an entry of a frame's metadata (Jelly-RDF, field 15 of the frame).

Only the schema of Jelly-RDF has this field. Frames of Jelly-Patch may have it too, because readers
skip unknown fields.
"""

from __future__ import annotations

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.jelly.wire import BYTES, sized, tag

METADATA_TAG = tag(RdfStreamFrame, "metadata", BYTES)
"""The tag of a metadata entry in its frame."""

_KEY = tag(RdfStreamFrame.MetadataEntry, "key", BYTES)
_VALUE = tag(RdfStreamFrame.MetadataEntry, "value", BYTES)


def entry_field(key: bytes, value: bytes) -> bytes:
    """Return a metadata entry as a field of its frame; the key is in UTF-8."""
    # proto3 omits empty values.
    entry = _KEY + sized(key) if key else b""
    if value:
        entry += _VALUE + sized(value)
    return METADATA_TAG + sized(entry)
