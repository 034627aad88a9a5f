"""From the messages of rows to rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from jelly_spark._proto.patch_pb2 import (
    RdfPatchHeader,
    RdfPatchNamespace,
    RdfPatchOptions,
    RdfPatchRow,
)
from jelly_spark._proto.rdf_pb2 import RdfQuad
from jelly_spark.core.rows import PatchRow, RowNumbering, RowOp
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.core.violation import Violation
from jelly_spark.formats.jelly_patch.options import (
    PROTOCOL_VERSION,
    JellyPatchOptions,
    StatementType,
    StreamType,
)
from jelly_spark.jelly.decoder import JellyDecoder
from jelly_spark.jelly.options import ReadLimits
from jelly_spark.jelly.plain_rows import PlainStatements
from jelly_spark.jelly.restart_index import RestartPoint

_new_row = tuple.__new__


class PatchDecoder(JellyDecoder[PatchRow, JellyPatchOptions]):
    """Decodes the rows of one stream, in their order.

    Args:
        start: where in the file the stream begins.
        strict: whether what the reference reads against the specification's MUSTs (order of
            transactions, graphs in a stream of triples, a first graph that repeats) is an error.
        limits: the biggest lookups accepted.
    """

    # Set with the options.
    _plain_statements: PlainStatements

    def __init__(self, start: RestartPoint, *, strict: bool, limits: ReadLimits) -> None:
        super().__init__(RdfPatchRow, start)
        self._strict = strict
        self._limits = limits
        self._numbering = RowNumbering(
            start.rows, start.patches, start.transactions, start.in_transaction
        )
        self._transactions = TransactionCheck(self._numbering, strict=strict)
        self._stream_type = StreamType.FLAT
        self._quads = True

    def end_frame(self) -> PatchRow | None:
        """Return the `END` that the end of a frame is in a FRAME stream, else None.

        Raises:
            Violation: reading is strict, and a transaction is open.
        """
        if self._stream_type is not StreamType.FRAME:
            return None
        self._transactions.check("END", in_row=False)
        return self._row("END")

    def end_stream(self) -> None:
        """Check that the stream may end here.

        Raises:
            Violation: reading is strict, and a transaction is open.
        """
        self._transactions.check_end()

    def position(self, offset: int, frames: int) -> RestartPoint:
        """Return what there was before this byte offset, and this many frames."""
        numbering = self._numbering
        return RestartPoint(
            offset,
            frames,
            numbering.rows,
            patches=numbering.patches,
            transactions=numbering.transactions,
            in_transaction=numbering.in_transaction,
        )

    def _read_options(self, message: RdfPatchOptions) -> JellyPatchOptions:
        """Jelly-Patch, "Patch stream options"."""
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
            max_name_table_size=message.max_name_table_size,
            max_prefix_table_size=message.max_prefix_table_size,
            max_datatype_table_size=message.max_datatype_table_size,
            rdf_star=message.rdf_star,
            generalized=message.generalized_statements,
        )

    def _begin(self, options: JellyPatchOptions) -> Mapping[str, Callable[[Any], PatchRow]]:
        self._stream_type = options.stream_type
        self._quads = options.statement_type is StatementType.QUADS
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
            # The graph of a triple is not even decoded: the last ids stay as they are.
            self._check_no_graph(quad)
        return self._statement_row(op, *triple, graph)

    def _begin_plain(self) -> Mapping[str, Callable[[bytes, int], PatchRow]]:
        letters = "spog" if self._quads else "spo"
        self._plain_statements = PlainStatements(self._terms, RdfQuad, letters)
        return {
            "statement_add": partial(self._plain_statement, "A"),
            "statement_delete": partial(self._plain_statement, "D"),
        }

    def _plain_statement(self, op: RowOp, data: bytes, at: int) -> PatchRow:
        subject, predicate, obj, graph = self._plain_statements.take(data, at)
        return self._statement_row(op, subject, predicate, obj, graph if self._quads else None)

    def _statement_row(
        self,
        op: RowOp,
        subject: str | None,
        predicate: str | None,
        obj: str | None,
        graph: str | None,
    ) -> PatchRow:
        patch, tx, seq = self._numbering.number(op)
        # Half the time of PatchRow(...).
        return _new_row(PatchRow, (op, subject, predicate, obj, graph, None, None, patch, tx, seq))

    def _namespace(self, op: RowOp, namespace: RdfPatchNamespace) -> PatchRow:
        value = None
        if namespace.HasField("value"):
            value = self._terms.iri(namespace.value)
        elif op == "PA":
            raise Violation("the namespace's IRI", "none")
        graph = None
        if self._quads:
            graph = self._terms.repeated_graph(namespace, required=False)
        else:
            self._check_no_graph(namespace)
            field: str | None = namespace.WhichOneof("graph")
            if field is not None:
                # It is dropped, but counts for the last ids.
                self._terms.graph(namespace, field)
        return self._row(op, graph=graph, name=namespace.name, value=value)

    def _check_no_graph(self, message: RdfQuad | RdfPatchNamespace) -> None:
        if self._strict and message.WhichOneof("graph") is not None:
            raise Violation("no graph in a stream of triples", "one")

    def _header(self, header: RdfPatchHeader) -> PatchRow:
        field: str | None = header.WhichOneof("value")
        if field is None:
            raise Violation("a header's value", "none")
        return self._row("H", name=header.key, value=self._terms.term(header, field))

    def _punctuation(self, punctuation: object) -> PatchRow:
        if self._stream_type is not StreamType.PUNCTUATED:
            raise Violation(f"no punctuation in a {self._stream_type.name} stream", "one")
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
