"""Writing SPARQL Update (SPARQL 1.1 Update, "Graph Update"; terms as in SPARQL 1.2).

Only triple terms and base directions need SPARQL 1.2.
"""

from __future__ import annotations

import re

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import (
    GRAPH_RULE,
    NAMESPACE_RULE,
    OP_RULE,
    OPS,
    PatchRow,
    encode_text,
    header_columns,
    prefix_columns,
    statement_columns,
)
from jelly_spark.core.terms import (
    IRI_CHAR,
    LEXICAL_CHAR,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    language_tag,
    parse_term,
)
from jelly_spark.core.terms.patterns import SCHEME, WORD, literal_pattern
from jelly_spark.core.terms.skolem_iris import skolem_iri
from jelly_spark.core.terms.statement_rules import (
    check_absolute,
    check_graph,
    check_tag,
    check_triple,
)
from jelly_spark.core.terms.text import ESCAPED_IN_IRI, XSD_STRING, escape_lexical
from jelly_spark.core.writer import PatchRowWriter
from jelly_spark.errors import OptionError, UnwritableRowError
from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions

_OPERATIONS = {"A": "INSERT DATA {\n", "D": "DELETE DATA {\n"}
_COMMENTS = ("H", "PA", "PD")

# Fast path: terms whose canonical string is also valid in SPARQL. The three terms are matched at
# once, joined by line feeds, which no canonical term contains.
_IRI = f"<{SCHEME.pattern}{IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_is_triple = re.compile(f"{_IRI}\n{_IRI}\n(?:{_IRI}|{_LITERAL})").fullmatch

# Parsers may replace codepoint escapes such as `\u0041` before they tokenize the text (SPARQL 1.1
# Query, "Codepoint Escape Sequences"): even after an escaped backslash in a literal, and in a
# comment, which an escaped line feed would end.
_CODEPOINT_ESCAPE = re.compile(r"\\[uU]")
_EXCLUDED_FROM_IRI = re.compile(f"[{ESCAPED_IN_IRI}]")


class SparqlUpdateWriter(PatchRowWriter):
    """Writes rows to a file as one SPARQL Update request; see `PatchRowWriter`.

    Consecutive adds become an `INSERT DATA` operation, consecutive deletes a `DELETE DATA`
    operation, each with at most `batch_size` statements. An operation ends with its transaction.
    Headers and prefixes become comments in the syntax of RDF Patch, which are held in memory until
    the next operation.

        with SparqlUpdateWriter("changes.ru") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    The writer rejects `TA` rows, because a request has no rollback; statements that RDF 1.2 does
    not allow; and blank nodes, unless `skolem_base` is given. Triple terms and base directions are
    written in the syntax of SPARQL 1.2.

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
        self._skolem_base = options.skolem_base
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
            self._comments.append(_comment(row))
            self._end_operation()
        elif op in OPS:
            self._end_operation()
        else:
            raise UnwritableRowError(OP_RULE)

    def _statement(self, row: PatchRow) -> None:
        subject, predicate, obj, graph = statement_columns(row)
        triple = self._triple(subject, predicate, obj)
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
            self._named = graph, self._graph_name(graph)
        return self._named[1]

    def _triple(self, subject: str, predicate: str, obj: str) -> str:
        """Return a triple with its final dot, given the strings of its terms."""
        if _is_triple(f"{subject}\n{predicate}\n{obj}"):
            if "\\" in obj or "\t" in obj:
                obj = _escape_literal(obj)
            return f"{subject} {predicate} {obj} ."
        terms = parse_term(subject), parse_term(predicate), parse_term(obj)
        return f"{self._format_triple(*terms)} ."

    def _format_triple(self, subject: Term, predicate: Term, obj: Term) -> str:
        if isinstance(subject, TripleTerm):
            raise UnwritableRowError("SPARQL Update can hold a triple term only as an object")
        check_triple(subject, predicate)
        return " ".join(map(self._format, (subject, predicate, obj)))

    def _graph_name(self, text: str) -> str:
        term = parse_term(text)
        check_graph(term)
        return self._format(term)

    def _format(self, term: Term) -> str:
        """Return a term in SPARQL's syntax."""
        if isinstance(term, Iri):
            return _format_iri(term.value)
        if isinstance(term, Literal):
            return _format_literal(term)
        if isinstance(term, BlankNode):
            if not self._skolem_base:
                raise UnwritableRowError("a blank node needs the option skolemBase")
            return f"<{skolem_iri(self._skolem_base, term.label)}>"
        return f"<<( {self._format_triple(term.subject, term.predicate, term.object)} )>>"

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


def _format_iri(iri: str) -> str:
    check_absolute(iri)
    if _EXCLUDED_FROM_IRI.search(iri):
        raise UnwritableRowError(
            "SPARQL Update cannot hold an IRI with a space, a control character or any of "
            '<>"{}|^`\\'
        )
    return f"<{iri}>"


def _format_literal(literal: Literal) -> str:
    text = f'"{_escape_literal(escape_lexical(literal.lexical))}"'
    check_tag(literal, "SPARQL's")
    tag = language_tag(literal)
    if tag is not None:
        return f"{text}@{tag}"
    return text if literal.datatype is None else f"{text}^^{_format_iri(literal.datatype)}"


def _escape_literal(canonical: str) -> str:
    """Escape a canonical literal, or its lexical form, so that all parsers read it alike.

    Tabs are escaped because rdflib reads a tab as a space.
    """
    return _escape_codepoints(canonical).replace("\t", "\\t")


def _escape_codepoints(text: str) -> str:
    r"""Escape the letter in `\u` and `\U`, so that no parser takes them for a codepoint escape."""
    return _CODEPOINT_ESCAPE.sub(_escape_letter, text)


def _escape_letter(match: re.Match[str]) -> str:
    # Eight digits, because rdflib reads up to eight, even if some belong to the text that follows.
    return f"\\\\U{ord(match[0][-1]):08X}"


def _comment(row: PatchRow) -> str:
    """Return an `H`, `PA` or `PD` row as a comment line, in the syntax of RDF Patch."""
    graph = None
    value: str | None
    if row.op == "H":
        name, value = header_columns(row)
    else:
        name, value, graph = prefix_columns(row)
    terms = [parse_term(text) for text in (value, graph) if text is not None]
    if row.op != "H" and value is not None and not isinstance(terms[0], Iri):
        raise UnwritableRowError(NAMESPACE_RULE)
    if graph is not None and isinstance(terms[-1], TripleTerm):
        raise UnwritableRowError(GRAPH_RULE)
    encode_text(name, "a name")
    key = name if WORD.fullmatch(name) else f'"{escape_lexical(name)}"'
    line = " ".join(["#", row.op, key, *map(format_term, terms), ".\n"])
    return _escape_codepoints(line)
