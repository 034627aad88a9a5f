"""The stream options of a Jelly file, and the writer's options that they ask for.

Read with Protobuf's own parser, not with a codec that is tested.
"""

from io import BytesIO

from google.protobuf.proto import parse, parse_length_prefixed

from jelly_spark._proto.rdf_pb2 import (
    LogicalStreamType,
    PhysicalStreamType,
    RdfStreamFrame,
    RdfStreamOptions,
)
from jelly_spark.codec import JellyRdfOptions

_VERSION_OF_NAMESPACES = 2


def read_stream_options(data: bytes) -> RdfStreamOptions:
    """Return the options that a Jelly file begins with.

    Raises:
        ValueError: it does not begin with options.
    """
    # As an undelimited file's first byte, 0A is the tag of a row, and the next the row's length;
    # as a delimited one's it is the first frame's length, and the next the tag of a row.
    delimited = data[:1] != b"\n" or (data[1:2] == b"\n" and data[2:3] != b"\n")
    if delimited:
        frame = parse_length_prefixed(RdfStreamFrame, BytesIO(data))
    else:
        frame = parse(RdfStreamFrame, data)
    if frame is None or not frame.rows or not frame.rows[0].HasField("options"):
        raise ValueError("the file does not begin with stream options")
    return frame.rows[0].options


def is_grouped(options: RdfStreamOptions) -> bool:
    """Whether each frame is an element of the stream, a graph or a dataset."""
    return options.logical_type % 10 in (
        LogicalStreamType.LOGICAL_STREAM_TYPE_GRAPHS,
        LogicalStreamType.LOGICAL_STREAM_TYPE_DATASETS,
    )


def writer_options(asked: RdfStreamOptions, *, delimited: bool) -> JellyRdfOptions:
    """Return the options with which a writer writes these stream options.

    Raises:
        OptionError: no stream has such options.
    """
    physical = PhysicalStreamType.Name(asked.physical_type)
    logical = LogicalStreamType.Name(asked.logical_type)
    return JellyRdfOptions.from_strings(
        {
            "physicalType": physical.removeprefix("PHYSICAL_STREAM_TYPE_"),
            "logicalType": logical.removeprefix("LOGICAL_STREAM_TYPE_"),
            "streamName": asked.stream_name,
            "maxNameTableSize": str(asked.max_name_table_size),
            "maxPrefixTableSize": str(asked.max_prefix_table_size),
            "maxDatatypeTableSize": str(asked.max_datatype_table_size),
            "rdfStar": str(asked.rdf_star),
            "generalized": str(asked.generalized_statements),
            "namespaces": str(asked.version >= _VERSION_OF_NAMESPACES),
            "delimited": str(delimited),
        }
    )
