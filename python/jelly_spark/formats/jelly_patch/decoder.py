"""Decoding the messages of Jelly-Patch rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from google.protobuf.message import Message

from jelly_spark._proto.patch_pb2 import (
    RdfPatchHeader,
    RdfPatchNamespace,
    RdfPatchOptions,
    RdfPatchRow,
)
from jelly_spark._proto.rdf_pb2 import RdfQuad
from jelly_spark.core.columns import Columns
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import PatchRow, RowNumbering, RowOp
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.formats.jelly_patch.options import (
    PROTOCOL_VERSION,
    JellyPatchOptions,
    StatementType,
    StreamType,
)
from jelly_spark.jelly.decoding.fast_path import FastRows
from jelly_spark.jelly.decoding.jelly_decoder import JellyDecoder
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.options import ReadLimits, shared_options

_STATEMENTS: Mapping[str, RowOp] = {"statement_add": "A", "statement_delete": "D"}


class JellyPatchDecoder(JellyDecoder[PatchRow, JellyPatchOptions]):
    """Decodes the rows of one Jelly-Patch stream, in order.

    Args:
        start: the place in the file where the stream begins.
        max_row_size: the reader's option.
        strict: whether to enforce rules of the specification that the reference implementation does
            not enforce: the transaction rules, no graphs in a stream of triples, and a graph in the
            first quad.
        limits: the largest lookup tables that are accepted.
    """

    def __init__(
        self, start: RestartPoint, max_row_size: int, *, strict: bool, limits: ReadLimits
    ) -> None:
        super().__init__(RdfPatchRow, start, max_row_size)
        # A patch has no namespaces, but a forged index may say so.
        self._namespaces = start.namespaces
        self._strict = strict
        self._limits = limits
        self._numbering = RowNumbering(
            start.rows, start.patches, start.transactions, start.in_transaction
        )
        self._transactions = TransactionCheck(self._numbering, strict=strict)
        self._stream_type = StreamType.FLAT
        self._quads = True

    def end_frame(self) -> PatchRow | None:
        """Handle the end of a frame; in a FRAME stream, return the `END` row that it stands for.

        Raises:
            Violation: reading is strict, and a transaction is open.
        """
        if self._stream_type is not StreamType.FRAME:
            return None
        self._transactions.check("END", in_row=False)
        return self._row("END")

    def end_stream(self) -> None:
        """Check that the stream may end here: if decoding is strict, not within a transaction."""
        self._transactions.check_end()

    def position(self, offset: int, frames: int) -> RestartPoint:
        """Return the current place in the file; see `JellyDecoder.position`."""
        numbering = self._numbering
        return RestartPoint(
            offset,
            frames,
            numbering.rows,
            namespaces=self._namespaces,
            patches=numbering.patches,
            transactions=numbering.transactions,
            in_transaction=numbering.in_transaction,
        )

    def _read_options(self, message: RdfPatchOptions) -> JellyPatchOptions:
        """Check and return the options (Jelly-Patch, "Patch stream options")."""
        if message.version != PROTOCOL_VERSION:
            raise Violation(f"version {PROTOCOL_VERSION}", f"version {message.version}")
        if int(message.stream_type) not in tuple(StreamType):
            raise Violation("stream type 1, 2 or 3", f"stream type {message.stream_type}")
        if int(message.statement_type) not in tuple(StatementType):
            raise Violation("statement type 1 or 2", f"statement type {message.statement_type}")
        self._limits.check(message)
        return JellyPatchOptions(
            stream_type=StreamType(message.stream_type),
            statement_type=StatementType(message.statement_type),
            **shared_options(message),
        )

    def _begin(self, options: JellyPatchOptions) -> Mapping[str, Callable[[Any], PatchRow]]:
        self._stream_type = options.stream_type
        self._quads = options.statement_type is StatementType.QUADS
        if not self._quads:
            self._terms.hold_graph(None)
        return {
            "statement_add": partial(self._statement, "A"),
            "statement_delete": partial(self._statement, "D"),
            "namespace_add": partial(self._namespace, "PA"),
            "namespace_delete": partial(self._namespace, "PD"),
            "transaction_start": partial(self._mark, "TX"),
            "transaction_commit": partial(self._mark, "TC"),
            "transaction_abort": partial(self._mark, "TA"),
            "header": self._header,
            "punctuation": self._punctuation,
        }

    def _statement(self, op: RowOp, quad: RdfQuad) -> PatchRow:
        triple = self._terms.triple(quad)
        graph = None
        if self._quads:
            graph = self._terms.repeated_graph(quad, required=self._strict)
        else:
            # As in the reference implementation, the graph of a triple is not decoded, so it does
            # not change the previous ids.
            self._check_no_graph(quad)
        subject, predicate, obj = triple
        patch, tx, seq = self._numbering.number(op)
        return PatchRow(op, subject, predicate, obj, graph, None, None, patch, tx, seq)

    def _fast_statements(self) -> tuple[type[Message], str, Mapping[str, RowOp]]:
        return RdfQuad, "spog" if self._quads else "spo", _STATEMENTS

    def _number(self, statements: FastRows) -> Columns:
        numbering = self._numbering
        seq = numbering.rows
        patch, tx = numbering.number_statements(statements.count)
        ops = statements.ops
        return (
            ops[0] if ops.count(ops[0]) == len(ops) else ops,
            statements.subjects,
            statements.predicates,
            statements.objects,
            statements.graphs,
            None,
            None,
            patch,
            tx,
            range(seq, numbering.rows),
        )

    def _namespace(self, op: RowOp, namespace: RdfPatchNamespace) -> PatchRow:
        self._terms.text.count(namespace.name)
        value = None
        if namespace.HasField("value"):
            value = self._terms.iri(namespace.value)
        elif op == "PA":
            raise Violation("the IRI of the namespace", "no IRI")
        graph = None
        if self._quads:
            graph = self._terms.repeated_graph(namespace, required=False)
        else:
            self._check_no_graph(namespace)
            field: str | None = namespace.WhichOneof("graph")
            if field is not None:
                # As in the reference implementation, the graph is decoded, which changes the
                # previous ids, and then dropped.
                self._terms.graph(namespace, field)
        return self._row(op, graph=graph, name=namespace.name, value=value)

    def _check_no_graph(self, message: RdfQuad | RdfPatchNamespace) -> None:
        if self._strict and message.WhichOneof("graph") is not None:
            raise Violation("no graph in a stream of triples", "a graph")

    def _header(self, header: RdfPatchHeader) -> PatchRow:
        field: str | None = header.WhichOneof("value")
        if field is None:
            raise Violation("the value of the header", "no value")
        self._terms.text.count(header.key)
        return self._row("H", name=header.key, value=self._terms.term(header, field))

    def _punctuation(self, punctuation: object) -> PatchRow:
        if self._stream_type is not StreamType.PUNCTUATED:
            raise Violation(
                f"no punctuation row in a {self._stream_type.name} stream", "a punctuation row"
            )
        return self._mark("END", punctuation)

    def _mark(self, op: RowOp, _: object) -> PatchRow:
        self._transactions.check(op)
        return self._row(op)

    def _row(
        self,
        op: RowOp,
        *,
        graph: str | None = None,
        name: str | None = None,
        value: str | None = None,
    ) -> PatchRow:
        patch, tx, seq = self._numbering.number(op)
        return PatchRow(op, None, None, None, graph, name, value, patch, tx, seq)
