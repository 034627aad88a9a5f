"""What the reader and the writer of frames share."""

from __future__ import annotations

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.jelly.wire import BYTES, tag

ROW_TAG = tag(RdfStreamFrame, "rows", BYTES)
"""The tag of a row in its frame; frames of Jelly-Patch have the same."""

MAX_FRAME_SIZE = 2**31 - 1
"""The most bytes of a frame: Protobuf's limit for a message."""
