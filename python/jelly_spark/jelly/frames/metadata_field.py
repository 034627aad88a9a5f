"""An entry of a frame's metadata as a field of the frame (Jelly-RDF, field 15 of the frame).

The schema has metadata in frames of Jelly-RDF only. A frame of Jelly-Patch may carry it too:
readers skip it there as an unknown field.
"""

from __future__ import annotations

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.jelly.wire import BYTES, sized, tag

METADATA_TAG = tag(RdfStreamFrame, "metadata", BYTES)
"""The tag of an entry."""

_KEY = tag(RdfStreamFrame.MetadataEntry, "key", BYTES)
_VALUE = tag(RdfStreamFrame.MetadataEntry, "value", BYTES)


def entry_field(key: bytes, value: bytes) -> bytes:
    """Return an entry as a field of its frame; the key is in UTF-8."""
    # proto3 omits what is empty.
    entry = _KEY + sized(key) if key else b""
    if value:
        entry += _VALUE + sized(value)
    return METADATA_TAG + sized(entry)
