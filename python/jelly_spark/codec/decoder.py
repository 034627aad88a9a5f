"""From the messages of rows to rows: options, lookups, repeated terms, the rules of the format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError

from jelly_spark._proto.patch_pb2 import (
    RdfPatchHeader,
    RdfPatchNamespace,
    RdfPatchOptions,
    RdfPatchPunctuation,
    RdfPatchRow,
    RdfPatchTransactionAbort,
    RdfPatchTransactionCommit,
    RdfPatchTransactionStart,
)
from jelly_spark._proto.rdf_pb2 import (
    RdfDatatypeEntry,
    RdfLiteral,
    RdfNameEntry,
    RdfPrefixEntry,
    RdfQuad,
    RdfTriple,
)
from jelly_spark.codec.lookups import DecoderLookup, IriDecoder
from jelly_spark.codec.options import (
    MIN_NAME_TABLE_SIZE,
    PROTOCOL_VERSION,
    PatchOptions,
    ReadLimits,
    StatementType,
    StreamType,
)
from jelly_spark.codec.rows import PatchRow, RowNumbering
from jelly_spark.codec.terms import (
    MAX_NESTING,
    escape_lexical,
    format_blank_node,
    format_datatype,
    format_language,
    format_quoted,
)
from jelly_spark.codec.violation import Violation

# Protobuf's pure-Python runtime lets other errors than its own out.
_PARSE_ERRORS = (DecodeError, UnicodeDecodeError, RecursionError)


class PatchDecoder:
    """Decodes the rows of one stream, in their order.

    Args:
        strict: whether what the reference reads against the specification's MUSTs (order of
            transactions, graphs in a stream of triples, a first graph that repeats) is an error.
        limits: the biggest lookups accepted.
    """

    def __init__(self, *, strict: bool, limits: ReadLimits) -> None:
        self._strict = strict
        self._limits = limits
        self._numbering = RowNumbering()
        self._options_seen: tuple[int, ...] = ()
        self._options: PatchOptions | None = None
        self._quads = True
        # The terms that repeats refer to; a graph can be None, the default graph, and still be set.
        self._subject: str | None = None
        self._predicate: str | None = None
        self._object: str | None = None
        self._graph: str | None = None
        self._graph_set = False
        self._iris = IriDecoder(0, 0)
        self._datatypes = DecoderLookup(0, "datatype")
        self._handlers: dict[str, Callable[[Any], PatchRow | None]] = {
            "options": self._take_options,
            "statement_add": partial(self._statement, "A"),
            "statement_delete": partial(self._statement, "D"),
            "namespace_add": partial(self._namespace, "PA"),
            "namespace_delete": partial(self._namespace, "PD"),
            "transaction_start": self._transaction_start,
            "transaction_commit": partial(self._transaction_end, "TC"),
            "transaction_abort": partial(self._transaction_end, "TA"),
            "name": self._set_name,
            "prefix": self._set_prefix,
            "datatype": self._set_datatype,
            "header": self._header,
            "punctuation": self._punctuation,
        }

    @property
    def options(self) -> PatchOptions | None:
        """What the options row says, the other options at their defaults; None before it."""
        return self._options

    def decode(self, data: bytes) -> PatchRow | None:
        """Return the row that a row's message stands for; None for options and lookup entries.

        Raises:
            Violation: the message breaks the format.
        """
        try:
            message = RdfPatchRow.FromString(data)
        except _PARSE_ERRORS:
            raise Violation("a row's message", f"{len(data)} bytes that are none") from None
        kind = message.WhichOneof("row")
        if kind is None:
            raise Violation("a row of a known kind", "none")
        if self._options is None and kind != "options":
            raise Violation("the options row first", f"a {kind} row")
        return self._handlers[kind](getattr(message, kind))

    def end_frame(self) -> PatchRow | None:
        """Return the `END` that the end of a frame is in a FRAME stream, else None.

        Raises:
            Violation: reading is strict, and a transaction is open.
        """
        if self._options is None or self._options.stream_type is not StreamType.FRAME:
            return None
        return self._end(in_row=False)

    def end_stream(self) -> None:
        """Check that the stream may end here.

        Raises:
            Violation: reading is strict, and a transaction is open.
        """
        self._check_no_transaction("the end of the input", in_row=False)

    def _take_options(self, message: RdfPatchOptions) -> None:
        """Take the first options, check that later ones equal them ("Patch stream options")."""
        seen = (
            message.statement_type,
            message.stream_type,
            message.generalized_statements,
            message.rdf_star,
            message.max_name_table_size,
            message.max_prefix_table_size,
            message.max_datatype_table_size,
            message.version,
        )
        if self._options is not None:
            if seen != self._options_seen:
                raise Violation("the same options as before", "others")
            return
        self._options = options = self._check_options(message)
        self._options_seen = seen
        self._quads = options.statement_type is StatementType.QUADS
        self._iris = IriDecoder(options.max_prefix_table_size, options.max_name_table_size)
        self._datatypes = DecoderLookup(options.max_datatype_table_size, "datatype")

    def _check_options(self, message: RdfPatchOptions) -> PatchOptions:
        limits = self._limits
        if message.version != PROTOCOL_VERSION:
            raise Violation(f"version {PROTOCOL_VERSION}", f"version {message.version}")
        if int(message.stream_type) not in tuple(StreamType):
            raise Violation("stream type 1, 2 or 3", f"stream type {message.stream_type}")
        if int(message.statement_type) not in tuple(StatementType):
            raise Violation("statement type 1 or 2", f"statement type {message.statement_type}")
        for kind, size, least, most in (
            ("name", message.max_name_table_size, MIN_NAME_TABLE_SIZE, limits.max_name_table_size),
            ("prefix", message.max_prefix_table_size, 0, limits.max_prefix_table_size),
            ("datatype", message.max_datatype_table_size, 0, limits.max_datatype_table_size),
        ):
            if not least <= size <= most:
                raise Violation(f"a {kind} table of {least} to {most} entries", f"one of {size}")
        return PatchOptions(
            stream_type=StreamType(message.stream_type),
            statement_type=StatementType(message.statement_type),
            max_name_table_size=message.max_name_table_size,
            max_prefix_table_size=message.max_prefix_table_size,
            max_datatype_table_size=message.max_datatype_table_size,
            rdf_star=message.rdf_star,
            generalized=message.generalized_statements,
        )

    def _set_name(self, entry: RdfNameEntry) -> None:
        self._iris.set_name(entry.id, entry.value)

    def _set_prefix(self, entry: RdfPrefixEntry) -> None:
        self._iris.set_prefix(entry.id, entry.value)

    def _set_datatype(self, entry: RdfDatatypeEntry) -> None:
        # Kept in the form that literals need.
        self._datatypes.set(entry.id, format_datatype(entry.value))

    def _statement(self, op: str, quad: RdfQuad) -> PatchRow:
        field: str | None = quad.WhichOneof("subject")
        if field is not None:
            self._subject = self._term(quad, field, 0)
        elif self._subject is None:
            raise Violation("a subject", "none, and none before to repeat")
        field = quad.WhichOneof("predicate")
        if field is not None:
            self._predicate = self._term(quad, field, 0)
        elif self._predicate is None:
            raise Violation("a predicate", "none, and none before to repeat")
        field = quad.WhichOneof("object")
        if field is not None:
            self._object = self._term(quad, field, 0)
        elif self._object is None:
            raise Violation("an object", "none, and none before to repeat")
        field = quad.WhichOneof("graph")
        if not self._quads:
            # The graph of a triple is not even decoded: the last ids stay as they are.
            self._check_no_graph(field)
        elif field is not None:
            self._graph = self._graph_term(quad, field)
            self._graph_set = True
        elif self._strict and not self._graph_set:
            raise Violation("a graph", "none, and none before to repeat")
        patch, tx, seq = self._numbering.number(op)
        return PatchRow(
            op,
            self._subject,
            self._predicate,
            self._object,
            self._graph,
            patch=patch,
            tx=tx,
            seq=seq,
        )

    def _namespace(self, op: str, namespace: RdfPatchNamespace) -> PatchRow:
        value = None
        if namespace.HasField("value"):
            value = self._iris.decode(namespace.value.prefix_id, namespace.value.name_id)
        elif op == "PA":
            raise Violation("the namespace's IRI", "none")
        field: str | None = namespace.WhichOneof("graph")
        if not self._quads:
            self._check_no_graph(field)
        if field is not None:
            graph = self._graph_term(namespace, field)
            if self._quads:
                self._graph = graph
                self._graph_set = True
        return self._row(op, graph=self._graph, name=namespace.name, value=value)

    def _check_no_graph(self, field: str | None) -> None:
        if self._strict and field is not None:
            raise Violation("no graph in a stream of triples", "one")

    def _header(self, header: RdfPatchHeader) -> PatchRow:
        field: str | None = header.WhichOneof("value")
        if field is None:
            raise Violation("a header's value", "none")
        return self._row("H", name=header.key, value=self._term(header, field, 0))

    def _transaction_start(self, _: RdfPatchTransactionStart) -> PatchRow:
        self._check_no_transaction("TX")
        return self._row("TX")

    def _transaction_end(
        self, op: str, _: RdfPatchTransactionCommit | RdfPatchTransactionAbort
    ) -> PatchRow:
        if self._strict and not self._numbering.in_transaction:
            raise Violation(f"a TX before a {op}", "none")
        return self._row(op)

    def _punctuation(self, _: RdfPatchPunctuation) -> PatchRow:
        if self._options is not None and self._options.stream_type is not StreamType.PUNCTUATED:
            raise Violation(f"no punctuation in a {self._options.stream_type.name} stream", "one")
        return self._end(in_row=True)

    def _end(self, *, in_row: bool) -> PatchRow:
        self._check_no_transaction("the end of the patch", in_row=in_row)
        return self._row("END")

    def _check_no_transaction(self, found: str, *, in_row: bool = True) -> None:
        if self._strict and self._numbering.in_transaction:
            raise Violation("the transaction's TC or TA", found, in_row=in_row)

    def _row(
        self,
        op: str,
        *,
        graph: str | None = None,
        name: str | None = None,
        value: str | None = None,
    ) -> PatchRow:
        patch, tx, seq = self._numbering.number(op)
        return PatchRow(op, None, None, None, graph, name, value, patch, tx, seq)

    def _graph_term(self, message: RdfQuad | RdfPatchNamespace, field: str) -> str | None:
        return None if field == "g_default_graph" else self._term(message, field, 0)

    def _term(self, message: Any, field: str, depth: int) -> str:
        """Return the term in a field, whose name says its kind: s_iri, g_literal, and so on."""
        value = getattr(message, field)
        kind = field[2:]
        if kind == "iri":
            return self._iris.decode(value.prefix_id, value.name_id)
        if kind == "literal":
            return self._literal(value)
        if kind == "bnode":
            return format_blank_node(value)
        return self._quoted(value, depth + 1)

    def _literal(self, literal: RdfLiteral) -> str:
        lexical = escape_lexical(literal.lex)
        kind = literal.WhichOneof("literal_kind")
        if kind is None:
            return f'"{lexical}"'
        if kind == "langtag":
            return f'"{lexical}"{format_language(literal.langtag)}'
        if literal.datatype == 0:
            raise Violation("a datatype id", "id 0")
        return f'"{lexical}"{self._datatypes.get(literal.datatype)}'

    def _quoted(self, triple: RdfTriple, depth: int) -> str:
        if depth > MAX_NESTING:
            raise Violation(f"triples quoted at most {MAX_NESTING} deep", "deeper ones")
        terms = []
        for position in ("subject", "predicate", "object"):
            field: str | None = triple.WhichOneof(position)
            if field is None:
                raise Violation("all terms of a quoted triple", f"no {position}")
            terms.append(self._term(triple, field, depth))
        return format_quoted(*terms)
