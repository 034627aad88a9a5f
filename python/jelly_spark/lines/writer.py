"""Writing N-Triples and N-Quads."""

from __future__ import annotations

import re
from typing import ClassVar

from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.rows import MOST_SKIPPED_FRAMES, RdfRow, check_row, is_ordinal
from jelly_spark.core.terms import (
    IRI_CHAR,
    LEXICAL_CHAR,
    SURROGATES,
    BlankNode,
    Iri,
    Literal,
    Term,
    format_term,
    parse_term,
)
from jelly_spark.core.terms.canonical import ESCAPED, TAG_DATATYPES, format_canonical_triple
from jelly_spark.core.terms.patterns import SCHEME, literal_pattern
from jelly_spark.core.terms.statement_rules import (
    check_absolute,
    check_graph,
    check_label,
    check_tag,
    check_triple,
)
from jelly_spark.core.terms.text import CANONICAL_LABEL, XSD_STRING
from jelly_spark.core.writer import RowWriter
from jelly_spark.errors import OptionError, UnwritableRowError
from jelly_spark.lines.options import LineOptions
from jelly_spark.lines.versions import MESSAGES

# Fast path: terms in canonical form are written as they are; all others are parsed first. The three
# terms are matched at once, joined by line feeds, which no canonical term contains.
_IRI = f"<{SCHEME.pattern}{IRI_CHAR}*>"
_RESOURCE = f"{_IRI}|_:{CANONICAL_LABEL}"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_is_triple = re.compile(f"(?:{_RESOURCE})\n{_IRI}\n(?:{_RESOURCE}|{_LITERAL})").fullmatch
_is_resource = re.compile(_RESOURCE).fullmatch

# The same for terms in RDF 1.2's canonical form.
_RDF12_LITERAL = literal_pattern(
    _IRI,
    rf'[^"\\{ESCAPED}{SURROGATES}]',
    (XSD_STRING, *TAG_DATATYPES),
    tag="[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,8}",
)
_is_rdf12_triple = re.compile(
    f"(?:{_RESOURCE})\n{_IRI}\n(?:{_RESOURCE}|{_RDF12_LITERAL})"
).fullmatch


# The most lines that are written at once.
_MOST_MESSAGES = 1 << 10


class LineWriter(RowWriter[RdfRow]):
    """Writes rows to an N-Triples or N-Quads file, one line each; see `RowWriter`.

    `seq` is ignored, and so is `frame`, except in a stream of messages: with the version
    `1.2-messages`, a line `MESSAGE` comes before a row for each number by which its `frame` exceeds
    that of the row before, or 0 for the first row. `frame` must then not be None, and must not
    decrease. Namespace rows are rejected.

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the options of the format.
        append: whether to append to the file instead of replacing it.

    Raises:
        OptionError: the options are those of another format, or messages or lines in canonical form
            are to be appended to a file that is not empty.
    """

    row = RdfRow

    has_graphs: ClassVar[bool]
    """Whether statements may have graphs."""

    def __init__(self, file: Writable, options: LineOptions, *, append: bool = False) -> None:
        super().__init__(file, options, append=append)
        # `frame` of the row before.
        self._frame: int | None = None
        self._has_messages = options.version == MESSAGES
        if append and self._follows:
            if self._has_messages or options.canonical:
                self._discard()
                what = "messages" if self._has_messages else "lines in canonical form"
                raise OptionError(f"{what} cannot be appended to a file that is not empty")
            # The last line may lack its line feed. An empty line is allowed.
            self._stream.write(b"\n")
        elif options.version:
            self._stream.write(f'VERSION "{options.version}"\n'.encode())
        self._canonical = options.canonical
        # The ordinal of the current message.
        self._message = 0

    def _write(self, row: RdfRow) -> None:
        _, _, _, _, _, _, frame, seq = row
        # `is_ordinal` inlined, to save calls: `seq` differs in each row, `frame` rarely changes.
        if frame is not self._frame or (seq is not None and (type(seq) is not int or seq >> 63)):
            if not (is_ordinal(frame) and is_ordinal(seq)):
                check_row(row, RdfRow)
            self._frame = frame
        if self._has_messages:
            self._begin_message(frame)
        self._stream.write(format_line(row, self.has_graphs, self._canonical).encode())

    def _begin_message(self, frame: int | None) -> None:
        """End messages, unless the current one has this ordinal."""
        if frame is None or frame < 0:
            raise UnwritableRowError("in a stream of messages, each row needs a frame from 0 on")
        if frame < self._message:
            raise UnwritableRowError("in a stream of messages, frame must not decrease")
        if frame - self._message > MOST_SKIPPED_FRAMES:
            raise UnwritableRowError(
                "in a stream of messages, frame must not increase by more than "
                f"{MOST_SKIPPED_FRAMES}"
            )
        while self._message < frame:
            # In pieces, because a row can skip many messages.
            count = min(frame - self._message, _MOST_MESSAGES)
            self._stream.write(b"MESSAGE\n" * count)
            self._message += count


def format_line(row: RdfRow, has_graphs: bool, canonical: bool = False) -> str:
    """Return the line for a row, with its line feed.

    Args:
        row: the row.
        has_graphs: whether statements may have graphs, as in N-Quads.
        canonical: whether terms are in the canonical form of RDF 1.2.

    Raises:
        InvalidTermError: a string is not an RDF term in N-Triples syntax.
        UnwritableRowError: the row lacks a term, or the format cannot represent it.
    """
    subject, predicate, obj, graph, name, _, _, _ = row
    if name is not None:
        raise UnwritableRowError("a namespace cannot be written as N-Triples or N-Quads")
    if subject is None or predicate is None or obj is None:
        raise UnwritableRowError("a statement needs a subject, a predicate and an object")
    if graph is not None and not has_graphs:
        raise UnwritableRowError("N-Triples cannot hold a graph: write nquads")
    if canonical:
        if not _is_rdf12_triple(f"{subject}\n{predicate}\n{obj}"):
            subject, predicate, obj = format_canonical_triple(
                parse_term(subject), parse_term(predicate), parse_term(obj)
            )
    elif not _is_triple(f"{subject}\n{predicate}\n{obj}"):
        subject, predicate, obj = _format_triple(subject, predicate, obj)
    if graph is None:
        return f"{subject} {predicate} {obj} .\n"
    if not isinstance(graph, str) or not _is_resource(graph):
        graph = _format_graph(graph)
    return f"{subject} {predicate} {obj} {graph} .\n"


def _format_triple(subject: str, predicate: str, obj: str) -> tuple[str, str, str]:
    terms = parse_term(subject), parse_term(predicate), parse_term(obj)
    _check_triple(*terms)
    return format_term(terms[0]), format_term(terms[1]), format_term(terms[2])


def _format_graph(graph: str) -> str:
    term = parse_term(graph)
    check_graph(term)
    _check_term(term)
    return format_term(term)


def _check_triple(subject: Term, predicate: Term, obj: Term) -> None:
    check_triple(subject, predicate)
    for term in (subject, predicate, obj):
        _check_term(term)


def _check_term(term: Term) -> None:
    """Check that a term follows the grammar of N-Triples; triple terms may also be subjects.

    Raises:
        UnwritableRowError: the term does not.
    """
    if isinstance(term, Iri):
        check_absolute(term.value)
    elif isinstance(term, BlankNode):
        check_label(term)
    elif isinstance(term, Literal):
        check_tag(term, "N-Triples'")
        if term.datatype is not None:
            check_absolute(term.datatype)
    else:
        _check_triple(term.subject, term.predicate, term.object)
