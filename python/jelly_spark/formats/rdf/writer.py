"""Writing Turtle and TriG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.options import check_class
from jelly_spark.core.rows import RdfRow, check_row, is_ordinal, triple_columns
from jelly_spark.core.terms import Iri, parse_term
from jelly_spark.core.writer import RowWriter
from jelly_spark.errors import InvalidTermError, UnwritableRowError
from jelly_spark.formats.rdf.options import RdfOptions
from jelly_spark.formats.rdf.syntaxes import SYNTAXES, find_written_syntax
from jelly_spark.formats.rdf.turtle_terms import TurtleTerms, check_prefix, format_prefix

_INDENT = "    "


class RdfWriter(RowWriter[RdfRow]):
    """Writes rows to a file of Turtle or TriG, one statement a line; see `RowWriter`.

    Consecutive statements with one subject are a block, with `;` between predicates and `,` between
    objects; in TriG, consecutive blocks with one graph are within `{ }`. Nothing is sorted, so the
    memory does not grow with the file. A namespace row declares its prefix where it comes, and
    abbreviates the IRIs after it. It is left out if it declares nothing new, or if the option
    `prefixes` has its prefix. `frame` and `seq` are ignored.

        with RdfWriter("data.ttl", RdfOptions(prefixes={"ex": "http://example.org/"})) as writer:
            writer.write(RdfRow("<http://example.org/cup>", "<http://example.org/size>", '"L"'))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the syntax and the prefixes.
        append: whether to append to the file instead of replacing it.

    Raises:
        OptionError: the options are those of another format, the extension does not tell the
            syntax, or it cannot be written.
    """

    row = RdfRow
    options = RdfOptions

    @staticmethod
    def fitting(rows: Iterable[RdfRow]) -> Iterator[RdfRow]:
        """Yield rows without the namespaces whose prefixes Turtle cannot declare."""
        for row in rows:
            if row.name is not None:
                try:
                    _namespace(row)
                except (InvalidTermError, UnwritableRowError):
                    continue
            yield row

    def __init__(
        self, file: Writable, options: RdfOptions = RdfOptions(), *, append: bool = False
    ) -> None:
        check_class("options", options, RdfOptions)
        self._has_graphs = SYNTAXES[find_written_syntax(file, options.syntax)].has_graphs
        super().__init__(file, options, append=append)
        self._terms = TurtleTerms()
        self._own_prefixes = options.prefixes
        # The graph, the subject and the predicate of the open block; without one, all are None.
        self._graph: str | None = None
        self._subject: str | None = None
        self._predicate: str | None = None
        # What comes before the next block, and before the next prefix.
        self._before_block = self._before_prefix = ""
        if append and self._follows:
            # The last line of the file may lack its line feed.
            self._before_block = self._before_prefix = "\n"
        for name, iri in options.prefixes.items():
            self._declare(name, iri)

    def _write(self, row: RdfRow) -> None:
        _, _, _, graph, name, _, frame, seq = row
        if not (is_ordinal(frame) and is_ordinal(seq)):
            check_row(row, RdfRow)
        if name is not None:
            prefix, iri = _namespace(row)
            if prefix not in self._own_prefixes:
                self._declare(prefix, iri)
            return
        subject, predicate, obj = triple_columns(row)
        text = self._terms.objects[obj]
        if graph != self._graph:
            self._begin_graph(graph)
        indent = "" if graph is None else _INDENT
        if subject != self._subject:
            self._end_block()
            words = f"{self._terms.subjects[subject]} {self._terms.predicates[predicate]}"
            before = f"{self._before_block}{indent}{words} "
        elif predicate != self._predicate:
            before = f" ;\n{indent}{_INDENT}{self._terms.predicates[predicate]} "
        else:
            before = f" ,\n{indent}{_INDENT}{_INDENT}"
        self._stream.write(f"{before}{text}".encode())
        self._subject, self._predicate = subject, predicate

    def _begin_graph(self, graph: str | None) -> None:
        self._end_graph()
        if graph is None:
            return
        if not self._has_graphs:
            raise UnwritableRowError("Turtle cannot hold a graph: write TriG (syntax trig)")
        self._stream.write(f"{self._before_block}{self._terms.graphs[graph]} {{\n".encode())
        self._before_block = ""
        self._graph = graph

    def _end_block(self) -> None:
        """End the statements about a subject."""
        if self._subject is not None:
            self._stream.write(b" .\n")
            self._before_block = self._before_prefix = "\n"
            self._subject = self._predicate = None

    def _end_graph(self) -> None:
        """End the block, and the graph that it is in."""
        self._end_block()
        if self._graph is not None:
            self._stream.write(b"}\n")
            self._graph = None

    def _declare(self, name: str, iri: str) -> None:
        """Declare a prefix, unless it is declared; prefixes cannot be within blocks or graphs."""
        if self._terms.declare(name, iri):
            self._end_graph()
            self._stream.write(f"{self._before_prefix}{format_prefix(name, iri)}".encode())
            self._before_block, self._before_prefix = "\n", ""

    def _pass_on(self) -> None:
        self._end_graph()

    def _finish(self) -> None:
        self._end_graph()


def _namespace(row: RdfRow) -> tuple[str, str]:
    """Return the prefix and the IRI of a namespace row."""
    subject, predicate, obj, graph, name, value, _, _ = row
    if not (subject is predicate is obj is graph is None):
        raise UnwritableRowError("a row must be a statement or a namespace, not both")
    if name is None or value is None:
        raise UnwritableRowError("a namespace needs a name and a value")
    term = parse_term(value)
    if not isinstance(term, Iri):
        raise UnwritableRowError("the value of a namespace must be an IRI")
    check_prefix(name, term.value)
    return name, term.value
