"""Writing SPARQL Update."""

from __future__ import annotations

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import OP_RULE, OPS, PatchRow, statement_columns
from jelly_spark.core.writer import PatchRowWriter
from jelly_spark.errors import OptionError, UnwritableRowError
from jelly_spark.formats.sparql_update.encoder import TermEncoder, format_comment
from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions

_OPERATIONS = {"A": "INSERT DATA {\n", "D": "DELETE DATA {\n"}
_COMMENTS = ("H", "PA", "PD")


class SparqlUpdateWriter(PatchRowWriter):
    """Writes rows to a file as one SPARQL Update request; see `PatchRowWriter`.

    Consecutive adds become an `INSERT DATA` operation, consecutive deletes a `DELETE DATA`
    operation, each with at most `batch_size` statements. An operation ends with its transaction.
    Headers and prefixes become comments in the syntax of RDF Patch, which are held in memory until
    the next operation.

        with SparqlUpdateWriter("changes.ru") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    The writer rejects `TA` rows, because a request has no rollback; quoted triples; statements that
    RDF 1.1 does not allow; and blank nodes, unless `skolem_base` is given.

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the options for writing.
        append: whether to append to the file instead of replacing it. The file must be empty,
            because the separator before the next operation depends on what the file holds.

    Raises:
        OptionError: the options are those of another format, or the file to append to is not empty.
    """

    options = SparqlUpdateOptions

    def __init__(
        self,
        file: Writable,
        options: SparqlUpdateOptions = SparqlUpdateOptions(),
        *,
        append: bool = False,
    ) -> None:
        super().__init__(file, options, append=append)
        if append and self._follows:
            self._discard()
            raise OptionError("a SPARQL Update cannot be appended to: write another file")
        self._batch_size = options.batch_size
        self._terms = TermEncoder(options.skolem_base)
        # `op` of the open operation, None if there is none; and the number of its rows.
        self._op: str | None = None
        self._rows = 0
        # The graph of the open `GRAPH` block, None if there is none.
        self._graph: str | None = None
        # The last graph and its encoded name, a cache of one entry.
        self._named: tuple[str, str] | None = None
        # The text between the last operation and the next one, besides comments.
        self._separator = ""
        self._comments: list[str] = []

    def _put(self, row: PatchRow) -> None:
        op = row.op
        if op == "A" or op == "D":
            self._statement(row)
        elif op == "TA":
            raise UnwritableRowError("SPARQL Update has no rollback: squash the log first")
        elif op in _COMMENTS:
            self._comments.append(format_comment(row))
            self._end_operation()
        elif op in OPS:
            self._end_operation()
        else:
            raise UnwritableRowError(OP_RULE)

    def _statement(self, row: PatchRow) -> None:
        subject, predicate, obj, graph = statement_columns(row)
        triple = self._terms.triple(subject, predicate, obj)
        name = None if graph is None else self._name(graph)
        if row.op != self._op or self._rows == self._batch_size:
            self._end_operation()
            self._begin_operation(row.op)
        if graph != self._graph:
            self._end_block()
            if name is not None:
                self._write_text(f"  GRAPH {name} {{\n")
                self._graph = graph
        self._write_text(f"  {triple}\n" if name is None else f"    {triple}\n")
        self._rows += 1

    def _name(self, graph: str) -> str:
        if self._named is None or graph != self._named[0]:
            self._named = graph, self._terms.graph(graph)
        return self._named[1]

    def _begin_operation(self, op: str) -> None:
        self._write_text(f"{self._separator}{''.join(self._comments)}{_OPERATIONS[op]}")
        self._comments.clear()
        self._separator = " ;\n"
        self._op = op
        self._rows = 0

    def _end_operation(self) -> None:
        if self._op is not None:
            self._end_block()
            self._write_text("}")
            self._op = None

    def _end_block(self) -> None:
        if self._graph is not None:
            self._write_text("  }\n")
            self._graph = None

    def _finish(self) -> None:
        super()._finish()
        self._end_operation()
        if self._separator:
            self._write_text("\n")
        self._write_text("".join(self._comments))

    def _write_text(self, text: str) -> None:
        self._stream.write(text.encode())
