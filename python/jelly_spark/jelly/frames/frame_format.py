"""Constants that the reader and the writer of frames share."""

from __future__ import annotations

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.jelly.wire import BYTES, tag

ROW_TAG = tag(RdfStreamFrame, "rows", BYTES)
"""The tag of a row in its frame, the same in both Jelly formats."""

MAX_FRAME_SIZE = 2**31 - 1
"""The largest size of a frame in bytes, which is Protobuf's limit for a message."""
