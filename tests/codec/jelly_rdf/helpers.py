"""Streams made by hand, and reading and writing in memory."""

import io
from collections.abc import Iterable
from typing import Any

from jelly_spark._proto.rdf_pb2 import (
    RdfDefaultGraph,
    RdfGraphEnd,
    RdfGraphStart,
    RdfIri,
    RdfNameEntry,
    RdfNamespaceDeclaration,
    RdfQuad,
    RdfStreamFrame,
    RdfStreamOptions,
    RdfStreamRow,
    RdfTriple,
)
from jelly_spark.codec import JellyRdfOptions, RdfRow, read_jelly_rdf
from jelly_spark.jelly.wire import sized
from tests.codecs import PythonCodec
from tests.frames import frame_contents

TRIPLES, QUADS, GRAPHS = 1, 2, 3
"""Physical types by their numbers."""


def options_row(physical: int = TRIPLES, **fields: Any) -> RdfStreamRow:
    """Return an options row, with small lookups where the fields do not say otherwise."""
    given = {
        "max_name_table_size": 8,
        "max_prefix_table_size": 2,
        "max_datatype_table_size": 2,
        "version": 1,
        **fields,
    }
    return RdfStreamRow(options=RdfStreamOptions(physical_type=physical, **given))  # type: ignore[arg-type]


def name_row(value: str, entry: int = 0) -> RdfStreamRow:
    """Return an entry of the name lookup."""
    return RdfStreamRow(name=RdfNameEntry(id=entry, value=value))


def triple_row(**terms: Any) -> RdfStreamRow:
    """Return a triple; terms left out are blank nodes `s`, `p` and `o`."""
    return RdfStreamRow(triple=RdfTriple(**_with_blank_nodes(terms)))


def quad_row(**terms: Any) -> RdfStreamRow:
    """Return a quad; terms left out are blank nodes `s`, `p`, `o`, and no graph."""
    return RdfStreamRow(quad=RdfQuad(**_with_blank_nodes(terms)))


def _with_blank_nodes(terms: dict[str, Any]) -> dict[str, Any]:
    given = {name[0] for name in terms}
    return {**{f"{name}_bnode": name for name in "spo" if name not in given}, **terms}


def start_row(**graph: Any) -> RdfStreamRow:
    """Return the start of a graph, by default of the default graph."""
    return RdfStreamRow(
        graph_start=RdfGraphStart(**(graph or {"g_default_graph": RdfDefaultGraph()}))
    )


def end_row() -> RdfStreamRow:
    """Return the end of a graph."""
    return RdfStreamRow(graph_end=RdfGraphEnd())


def namespace_row(name: str, value: RdfIri | None) -> RdfStreamRow:
    """Return a namespace."""
    return RdfStreamRow(namespace=RdfNamespaceDeclaration(name=name, value=value))


def frame(*rows: RdfStreamRow, **metadata: bytes) -> bytes:
    """Return a delimited frame."""
    return sized(RdfStreamFrame(rows=rows, metadata=metadata).SerializeToString())


def read(data: bytes, **options: Any) -> list[RdfRow]:
    """Return the rows of a file."""
    return list(read_jelly_rdf(io.BytesIO(data), **options))


def encode(rows: Iterable[RdfRow], options: JellyRdfOptions | None = None, **fields: Any) -> bytes:
    """Return the file that holds the rows, written with these options or with these fields."""
    return PythonCodec().encode(rows, options or JellyRdfOptions(**fields))


def frames_of(data: bytes, *, is_delimited: bool = True) -> list[RdfStreamFrame]:
    """Return the frames of a file, as Protobuf parses them."""
    contents = frame_contents(data) if is_delimited else [data]
    return [RdfStreamFrame.FromString(content) for content in contents]


def kinds(message: RdfStreamFrame) -> list[str]:
    """Return the kinds of a frame's rows: `triple`, `graph_start` and so on."""
    return [str(row.WhichOneof("row")) for row in message.rows]
