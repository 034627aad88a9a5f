"""Encoding rows as the messages of Jelly-Patch rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from jelly_spark._proto.patch_pb2 import (
    RdfPatchHeader,
    RdfPatchNamespace,
    RdfPatchOptions,
    RdfPatchRow,
)
from jelly_spark._proto.rdf_pb2 import RdfQuad
from jelly_spark.core.rows import (
    NAMESPACE_RULE,
    OP_RULE,
    PatchRow,
    header_columns,
    prefix_columns,
    statement_columns,
)
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.jelly_patch.options import (
    PROTOCOL_VERSION,
    JellyPatchOptions,
    StatementType,
)
from jelly_spark.jelly.encoding.jelly_encoder import JellyEncoder
from jelly_spark.jelly.encoding.term_encoder import TermTags, TripleTags
from jelly_spark.jelly.options import shared_fields
from jelly_spark.jelly.wire import EMPTY, sized, string_field, tag

_QUAD: Final = TripleTags(RdfQuad)
_QUAD_GRAPH: Final = TermTags(RdfQuad, "g")
_NAMESPACE_GRAPH: Final = TermTags(RdfPatchNamespace, "g")
_NAMESPACE_NAME: Final = tag(RdfPatchNamespace, "name")
_NAMESPACE_VALUE: Final = tag(RdfPatchNamespace, "value")
_HEADER: Final = tag(RdfPatchRow, "header")
_HEADER_KEY: Final = tag(RdfPatchHeader, "key")
_HEADER_VALUE: Final = TermTags(RdfPatchHeader, "h")


class JellyPatchEncoder(JellyEncoder[JellyPatchOptions]):
    """Encodes the rows of one Jelly-Patch stream; see `JellyEncoder`."""

    def __init__(self, options: JellyPatchOptions) -> None:
        super().__init__(options, RdfPatchRow)
        self._quads = options.statement_type is StatementType.QUADS
        self._encoders: dict[str, Callable[[PatchRow], bytes]] = {
            "H": self._header,
            "TX": _mark("transaction_start"),
            "TC": _mark("transaction_commit"),
            "TA": _mark("transaction_abort"),
            "PA": partial(self._namespace, tag(RdfPatchRow, "namespace_add")),
            "PD": partial(self._namespace, tag(RdfPatchRow, "namespace_delete")),
            "A": partial(self._statement, tag(RdfPatchRow, "statement_add")),
            "D": partial(self._statement, tag(RdfPatchRow, "statement_delete")),
            "END": _mark("punctuation"),
        }

    def encode(self, row: PatchRow) -> list[bytes]:
        """Return the messages of a row: its new lookup entries, then the row itself.

        The options row precedes the first row. An `END` becomes a punctuation row.

        Raises:
            InvalidTermError: a string is not a term.
            UnwritableRowError: the row lacks a column, or the stream's options do not allow it.
        """
        encoder = self._encoders.get(row.op)
        if encoder is None:
            raise UnwritableRowError(OP_RULE)
        messages: list[bytes] = [] if self.begun else self.begin()
        self._terms.start_row(messages)
        messages.append(encoder(row))
        return messages

    def _options_message(self) -> RdfPatchOptions:
        options = self._options
        return RdfPatchOptions(
            statement_type=f"PATCH_STATEMENT_TYPE_{options.statement_type.name}",
            stream_type=f"PATCH_STREAM_TYPE_{options.stream_type.name}",
            version=PROTOCOL_VERSION,
            **shared_fields(options),
        )

    def _statement(self, row_tag: bytes, row: PatchRow) -> bytes:
        subject, predicate, obj, graph = statement_columns(row)
        triple = self._terms.triple(_QUAD, subject, predicate, obj)
        return row_tag + sized(triple + self._graph(_QUAD_GRAPH, graph))

    def _namespace(self, row_tag: bytes, row: PatchRow) -> bytes:
        name, value, graph = prefix_columns(row)
        message = string_field(_NAMESPACE_NAME, name)
        if value is not None:
            message += _NAMESPACE_VALUE + self._terms.iri(value, NAMESPACE_RULE)
        # The reference implementation always omits the default graph here. But an omitted graph
        # repeats the held one, so this is correct only if the held one is the default graph, or if
        # there is none.
        if graph is not None or not self._terms.in_default_graph:
            message += self._graph(_NAMESPACE_GRAPH, graph)
        return row_tag + sized(message)

    def _header(self, row: PatchRow) -> bytes:
        name, value = header_columns(row)
        term = self._terms.term(_HEADER_VALUE, value)
        return _HEADER + sized(string_field(_HEADER_KEY, name) + term)

    def _graph(self, tags: TermTags, text: str | None) -> bytes:
        """Return the field of the graph, or empty bytes if it repeats the held graph.

        In a stream of triples, the field is always empty, and a graph is an error.
        """
        if self._quads:
            return self._terms.graph(tags, text)
        if text is not None:
            raise UnwritableRowError(
                "a stream of triples cannot hold a graph: set statementType to QUADS"
            )
        return b""


def _mark(field: str) -> Callable[[PatchRow], bytes]:
    """Return the encoder of rows that have only an `op`."""
    message = tag(RdfPatchRow, field) + EMPTY
    return lambda _: message
