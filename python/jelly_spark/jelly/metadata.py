"""The metadata of frames, bytes by keys (field 15 of `RdfStreamFrame`), on the wire.

Only frames of Jelly-RDF have it; in those of Jelly-Patch readers skip it.
"""

from __future__ import annotations

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.jelly.wire import BYTES, sized, tag

METADATA_TAG = tag(RdfStreamFrame, "metadata", BYTES)
"""The tag of an entry."""

_KEY = tag(RdfStreamFrame.MetadataEntry, "key", BYTES)
_VALUE = tag(RdfStreamFrame.MetadataEntry, "value", BYTES)


def entry_field(key: bytes, value: bytes) -> bytes:
    """Return an entry, as a field of its frame."""
    # What is empty is left out.
    entry = _KEY + sized(key) if key else b""
    if value:
        entry += _VALUE + sized(value)
    return METADATA_TAG + sized(entry)
