"""A parser for lines: the grammar of N-Triples and N-Quads, in RDF 1.2.

The grammar follows W3C's specifications and test suites: IRIs must be absolute, and blank node
labels may not contain a colon. In addition, triple terms may be written as in RDF-star,
`<< s p o >>`, and may be subjects.
"""

from __future__ import annotations

import re

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import RowText, longer_row
from jelly_spark.core.terms import IRI_CHAR
from jelly_spark.core.terms.canonical import LONG_SUBTAG, TAG_DATATYPES
from jelly_spark.core.terms.iri_syntax import is_iri
from jelly_spark.core.terms.patterns import SCHEME
from jelly_spark.core.terms.text import NAME_REST, NAME_START, escape_lexical
from jelly_spark.core.text.input import TextInput
from jelly_spark.core.text.scanner import TextScanner, iri_pattern, string_pattern
from jelly_spark.lines.versions import EXPECTED_MESSAGES, EXPECTED_VERSION, VERSIONS

_RESOURCE = "an IRI or a blank node"
_IRI = "an IRI"
_TERM = "an RDF term"
_GRAPH_OR_DOT = "a graph (an IRI or a blank node) or '.'"

_MESSAGE = "MESSAGE"

_BLANKS = re.compile(r"[ \t]*")
# The longest possible label. Dots at its end belong to what follows. A label has no colon, as the
# test suite requires.
_LABEL = re.compile(f"(?:[{NAME_START}_0-9][.{NAME_START}_0-9{NAME_REST}]*)?")
_STRING = string_pattern('"')


class _Scanner(TextScanner):
    """Scans the tokens of N-Triples and N-Quads.

    Within a statement, use `skip_blanks`. `skip_space` also skips ends of lines, so it is for use
    between statements.
    """

    space = re.compile(r"[ \t\r\n]*")
    iri_text = iri_pattern(IRI_CHAR)
    label_text = _LABEL

    def skip_blanks(self) -> str:
        """Skip spaces and tabs; return the next character, or `""` at the end of the text."""
        return self.skip(_BLANKS)

    def end_line(self) -> None:
        """Consume the end of the line, with blanks and a comment before it."""
        character = self.skip_blanks()
        if character == "#":
            self.skip_comment()
        elif character and character not in "\r\n":
            raise self.wrong_token("the end of the line")
        self.take("\r")
        self.take("\n")


class StatementParser:
    """Parses any statements, one after the other.

    Args:
        source: the text.
        max_row_size: the largest size of a row in bytes; see `LineReader`.
        has_graphs: whether statements may have graphs, as in N-Quads.
        strict: whether what RDF 1.2 does not allow is an error; see `LineReader`.
        frame: the ordinal of the first message; None if the text is no stream of messages.

    Attributes:
        frame: the ordinal of the current message; None if the text is no stream of messages.
        place: the 1-based line number and the byte offset of the current statement; after the last
            statement, those of the end of the text.
    """

    def __init__(
        self,
        source: TextInput,
        max_row_size: int,
        *,
        has_graphs: bool,
        strict: bool,
        frame: int | None,
    ) -> None:
        self.frame = frame
        self._source = source
        self._max_row_size = max_row_size
        self._has_graphs = has_graphs
        self._strict = strict
        self._scanner = _Scanner(source)
        # The terms of the current statement.
        self._text = RowText(max_row_size)
        self.place = (1, 0)

    def next(self) -> tuple[str, str, str, str | None] | None:
        """Parse the next statement with the rest of its line.

        Returns:
            The subject, predicate, object and graph as canonical strings, with None for the default
            graph; or None at the end of the text.

        Raises:
            Violation: the statement is malformed, or larger than `max_row_size`.
        """
        source = self._source
        scanner = self._scanner
        text = self._text
        while True:
            character = scanner.skip_space()
            self.place = source.position(source.at)
            if not character:
                return None
            text.begin_row()
            source.row = self.place[1]
            if character == "V" and scanner.take("VERSION"):
                self._take_version()
                self._end_row()
            elif character == "M" and scanner.peek(len(_MESSAGE)) == _MESSAGE:
                self._end_message()
            else:
                break
        self._add_resource(_RESOURCE, 0, triples=not self._strict)
        subject = text.end_term()
        self._add_predicate()
        predicate = text.end_term()
        self._add_object(0)
        obj = text.end_term()
        graph = None
        if self._has_graphs and scanner.skip_blanks() != ".":
            self._add_resource(_GRAPH_OR_DOT, 0, triples=False)
            graph = text.end_term()
        scanner.skip_blanks()
        scanner.require(".")
        self._end_row()
        return subject, predicate, obj, graph

    def _end_row(self) -> None:
        """Check the size of the row, and take the end of its line."""
        source = self._source
        source.row = None
        if source.position(source.at)[1] - self.place[1] > self._max_row_size:
            raise longer_row(self._max_row_size)
        self._scanner.end_line()

    def _end_message(self) -> None:
        """Take a line `MESSAGE`, which ends a message."""
        if self.frame is None:
            raise self._scanner.wrong_token(EXPECTED_MESSAGES)
        self._scanner.take(_MESSAGE)
        self._end_row()
        self.frame += 1

    def _take_version(self) -> None:
        """Take the version after the word `VERSION`."""
        scanner = self._scanner
        if scanner.skip_blanks() != '"':
            raise scanner.wrong_token("a version in double quotes")
        error = self._strict_error(EXPECTED_VERSION)
        scanner.take('"')
        version = self._text.unescape(scanner.string_text(_STRING, '"'))
        if error is not None and version not in VERSIONS:
            raise error

    def _strict_error(self, expected: str) -> Violation | None:
        """Return the error for the token that comes next, in strict mode only."""
        return self._scanner.wrong_token(expected) if self._strict else None

    def _add_resource(self, expected: str, depth: int, *, triples: bool = True) -> None:
        """Parse an IRI, a blank node or a triple term, and add it to the row.

        Args:
            expected: what the error says was expected.
            depth: the number of triple terms around the term.
            triples: whether a triple term is allowed.
        """
        scanner = self._scanner
        character = scanner.skip_blanks()
        if character == "<":
            if scanner.peek(2) != "<<":
                self._text.add_iri(self._iri())
                return
            if triples and (not self._strict or scanner.peek(3) == "<<("):
                self._add_triple(depth + 1)
                return
        elif character == "_" and scanner.take("_:"):
            self._text.add_blank_node(scanner.label())
            return
        raise scanner.wrong_token(expected)

    def _add_predicate(self) -> None:
        scanner = self._scanner
        if scanner.skip_blanks() != "<" or scanner.peek(2) == "<<":
            raise scanner.wrong_token(_IRI)
        self._text.add_iri(self._iri())

    def _add_object(self, depth: int) -> None:
        if self._scanner.skip_blanks() == '"':
            self._add_literal()
        else:
            self._add_resource(_TERM, depth)

    def _iri(self) -> str:
        """Parse an IRI, and return it without escapes."""
        scanner = self._scanner
        # Created while the scanner is still before the IRI, so that the errors show it.
        error = scanner.wrong_token("an absolute IRI")
        strict_error = self._strict_error("an IRI of RFC 3987")
        scanner.take("<")
        iri = self._text.unescape(scanner.iri())
        if not SCHEME.match(iri):
            raise error
        if strict_error is not None and not is_iri(iri):
            raise strict_error
        return iri

    def _add_literal(self) -> None:
        scanner = self._scanner
        text = self._text
        scanner.take('"')
        lexical = scanner.string_text(_STRING, '"')
        text.add('"')
        text.add_unescaped(escape_lexical, lexical)
        text.add('"')
        character = scanner.skip_blanks()
        if character == "@":
            scanner.take("@")
            error = self._strict_error("a language tag with subtags of at most 8 characters")
            tag = scanner.language_tag()
            if error is not None and LONG_SUBTAG.search(tag):
                raise error
            text.add_language(tag)
        elif character == "^":
            scanner.require("^^")
            if scanner.skip_blanks() != "<" or scanner.peek(2) == "<<":
                raise scanner.wrong_token("the IRI of a datatype")
            error = self._strict_error("a datatype other than rdf:langString and rdf:dirLangString")
            datatype = self._iri()
            if error is not None and datatype in TAG_DATATYPES:
                raise error
            text.add_datatype(datatype)

    def _add_triple(self, depth: int) -> None:
        scanner = self._scanner
        text = self._text
        closing = scanner.begin_triple(depth)
        text.begin_triple_term()
        text.begin_inner_term()
        self._add_resource(_RESOURCE, depth, triples=not self._strict)
        text.end_inner_term()
        text.begin_inner_term()
        self._add_predicate()
        text.end_inner_term()
        text.begin_inner_term()
        self._add_object(depth)
        text.end_inner_term()
        text.end_triple_term()
        scanner.skip_blanks()
        scanner.require(closing)
