"""The parser of RDF Patch text, both in the current syntax and in that of the first version."""

from __future__ import annotations

import re
from collections.abc import Callable

from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import RowText, TableSpace, longer_row, text_size
from jelly_spark.core.rows import PatchRow, RowOp
from jelly_spark.core.show import quoted
from jelly_spark.core.terms import JENA_DEFAULT_GRAPHS
from jelly_spark.core.terms.patterns import NAME_CHARACTERS, SCHEME
from jelly_spark.core.terms.short_literals import expand_short_form
from jelly_spark.core.terms.text import escape_iri, escape_lexical, format_iri
from jelly_spark.core.text.input import TextInput
from jelly_spark.formats.rdf_patch.scanner import Scanner
from jelly_spark.formats.rdf_patch.token_patterns import UNESCAPED_LOCAL_NAME

_PREFIX = "@prefix"
_LONGER_WORD = re.compile(f"{_PREFIX}[{NAME_CHARACTERS}]")
# The memory for a declared prefix, besides its name and its IRI, in bytes.
_DECLARATION = 300
# What a strict reader expects where the line of a header ends.
_HEADER_DOT = "'.' (rdflib 7.6 leaves it out after H prev)"
_POSITIONS = ("a subject", "a predicate", "an object", "a graph")


class RowParser:
    """Parses rows of any shape, in order.

    Args:
        source: the text.
        strict: the reader's option.
        max_row_size: the reader's option.

    Attributes:
        place: the 1-based line and the byte offset of the current row; after the last row, of the
            end of the text.
        last: the subject, predicate, object and graph that `R` stands for; None before the first.
        longest: the largest number of characters of a term that `expand` returns. The fast path
            does not count the size of a row; four such terms, even with four bytes per character,
            are shorter than a row may be.
        was_long: whether an earlier row was so long that `R` may stand for a longer term.
    """

    def __init__(self, source: TextInput, max_row_size: int, *, strict: bool) -> None:
        self._strict = strict
        self._max_row_size = max_row_size
        self.longest = max_row_size // 64
        self.was_long = False
        # The terms of the current row.
        self._text = RowText(max_row_size)
        self._prefix_space = TableSpace("prefixes", max_row_size)
        self._source = source
        self._scanner = Scanner(source)
        # The byte offset of the token after a literal, if a line ends between them.
        self._after_line: int | None = None
        self.place = (1, 0)
        self.last: list[str | None] = [None, None, None, None]
        self._prefixes: dict[str, str] = {}
        # A cache of terms by their short forms, cleared when a prefix is declared.
        self._expanded = BoundedCache(self._expand)
        self._parsers: dict[str, Callable[[], PatchRow]] = {
            "H": self._header,
            "TX": self._only("TX"),
            "TB": self._only("TX"),
            "TC": self._only("TC"),
            "TA": self._only("TA"),
            "PA": self._prefix_add,
            "PD": self._prefix_delete,
            "A": lambda: self._statement("A"),
            "D": lambda: self._statement("D"),
            "Z": self._only("END"),
        }

    def next(self) -> PatchRow | None:
        """Parse the next row, without its ordinals; return None at the end of the text.

        Raises:
            Violation: the text does not continue with a well-formed row.
        """
        source = self._source
        scanner = self._scanner
        while True:
            character = scanner.skip_space()
            self.place = source.position(source.at)
            if not character:
                return None
            if character == "@" and self._takes_prefix():
                self._declare()
                continue
            code = scanner.word()
            parser = self._parsers.get(code)
            if parser is None:
                raise scanner.wrong_token("a row code: H, TX, TC, TA, PA, PD, A, D or Z")
            scanner.take(code)
            self._text.begin_row()
            source.row = self.place[1]
            row = parser()
            source.row = None
            if source.position(source.at)[1] - self.place[1] > self._max_row_size:
                raise longer_row(self._max_row_size)
            if self._text.size > self._max_row_size // 4:
                self.was_long = True
            return row

    def expand(self, token: str, position: int) -> str | None:
        """Return the canonical string of a term that the fast path matched.

        Args:
            token: the term as it is written in the text.
            position: the term's index in `last`, for `R`.

        Returns:
            None if the term must be parsed by `next`, which also finds what is wrong with it.
        """
        first = token[0]
        if first == "<":
            return "_:" + token[3:-1] if token.startswith("<_:") else token
        if first == '"' or first == "_":
            return token
        if token == "R":
            return self.last[position]
        return self._expanded[token]

    def _expand(self, token: str) -> str | None:
        prefix, colon, local_name = token.partition(":")
        if not colon:
            return expand_short_form(token)
        iri = self._prefixes.get(prefix)
        if iri is None or not UNESCAPED_LOCAL_NAME.fullmatch(local_name):
            return None
        if len(iri) + len(local_name) > self.longest:
            return None
        term = format_iri(escape_iri(iri + local_name))
        return term if len(term) <= self.longest else None

    def _takes_prefix(self) -> bool:
        scanner = self._scanner
        if _LONGER_WORD.match(scanner.peek(len(_PREFIX) + 1)):
            return False
        return scanner.take(_PREFIX)

    def _declare(self) -> None:
        scanner = self._scanner
        scanner.skip_space()
        name = scanner.prefix_before_colon()
        if name is None:
            raise scanner.wrong_token("a prefix name and ':'")
        scanner.skip_space()
        # Create the error before taking the IRI, so that it shows the IRI.
        error = scanner.wrong_token("an absolute IRI")
        iri = self._bracketed()
        if iri is None or not SCHEME.match(iri):
            raise error
        self._dot()
        old = self._prefixes.get(name)
        if old is not None:
            self._prefix_space.take(-_declaration_size(name, old))
        self._prefix_space.take(_declaration_size(name, iri))
        self._prefixes[name] = iri
        self._expanded.clear()

    def _only(self, op: RowOp) -> Callable[[], PatchRow]:
        row = PatchRow(op)

        def parse() -> PatchRow:
            self._dot()
            return row

        return parse

    def _header(self) -> PatchRow:
        key = self._name("a header key: a word or a string")
        value = self._term()
        self._header_dot()
        return PatchRow("H", name=key, value=value)

    def _prefix_add(self) -> PatchRow:
        name = self._name("a prefix name: a word or a string")
        value = self._namespace()
        return PatchRow("PA", graph=_resolve_graph(self._graph_or_dot()), name=name, value=value)

    def _prefix_delete(self) -> PatchRow:
        name = self._name("a prefix name: a word or a string")
        return PatchRow("PD", graph=_resolve_graph(self._graph_or_dot()), name=name)

    def _statement(self, op: RowOp) -> PatchRow:
        subject = self._term(position=0)
        predicate = self._term(position=1)
        obj = self._term(position=2)
        graph = self._graph_or_dot(position=3)
        self.last[:3] = subject, predicate, obj
        if graph is not None:
            self.last[3] = graph
        return PatchRow(op, subject, predicate, obj, _resolve_graph(graph))

    def _dot(self) -> None:
        self._scanner.skip_space()
        self._scanner.require(".")

    def _header_dot(self) -> None:
        """Take the dot of a header, which may be missing where its line ends."""
        source = self._source
        ends_line = self._scanner.skip_line() or source.position(source.at)[1] == self._after_line
        if self._scanner.skip_space() == "." or not ends_line:
            self._scanner.require(".")
        elif self._strict:
            raise Violation(_HEADER_DOT, "the end of the line")

    def _graph_or_dot(self, position: int | None = None) -> str | None:
        scanner = self._scanner
        if scanner.skip_space() == "." and not "0" <= scanner.peek(2)[1:] <= "9":
            scanner.take(".")
            return None
        if scanner.peek(2) == "<<":
            raise scanner.wrong_token("a graph that is not a triple term")
        graph = self._term("a graph or '.'", position)
        self._dot()
        return graph

    def _name(self, expected: str) -> str:
        scanner = self._scanner
        scanner.skip_space()
        word = scanner.word()
        if word:
            scanner.take(word)
            self._text.count(word)
            return word
        string = scanner.string()
        if string is None:
            raise scanner.wrong_token(expected)
        self._text.add_unescaped(str, string)
        return self._text.end_term()

    def _namespace(self) -> str:
        scanner = self._scanner
        scanner.skip_space()
        iri = self._reference()
        if iri is None:
            string = scanner.string()
            if string is None:
                raise scanner.wrong_token("a namespace: an IRI or a string")
            iri = self._text.unescape(string)
        self._text.add_iri(iri)
        return self._text.end_term()

    def _bracketed(self) -> str | None:
        """Take an IRI in angle brackets; return it unescaped, or None if there is none."""
        scanner = self._scanner
        if not scanner.take("<"):
            return None
        return self._text.unescape(scanner.iri())

    def _reference(self) -> str | None:
        """Take an IRI in brackets or a prefixed name; return the IRI, or None if there is none."""
        iri = self._bracketed()
        return self._prefixed() if iri is None else iri

    def _prefixed(self) -> str | None:
        """Take a prefixed name; return its IRI, or None if there is no prefixed name."""
        prefix = self._scanner.prefix_before_colon()
        if prefix is None:
            return None
        local_name = self._scanner.local_name()
        iri = self._prefixes.get(prefix)
        if iri is None:
            raise Violation("a declared prefix", quoted(f"{prefix}:"))
        if len(iri) + len(local_name) > self._max_row_size:
            raise longer_row(self._max_row_size)
        return iri + local_name

    def _term(self, expected: str = "an RDF term", position: int | None = None) -> str:
        """Take a term; return its canonical string.

        Args:
            expected: what to say is expected, if there is no term.
            position: the term's index in `last` if `R` is allowed, else None.
        """
        repeated = self._add_term(expected, position, 0)
        if repeated is None:
            return self._text.end_term()
        self._text.count(repeated)
        return repeated

    def _add_term(self, expected: str, position: int | None, depth: int) -> str | None:
        """Take a term, and add it to the text of the row.

        Args:
            expected: see `_term`.
            position: see `_term`.
            depth: the number of triple terms around the term.

        Returns:
            The repeated term if the term is `R`, which is not added; else None.
        """
        scanner = self._scanner
        text = self._text
        character = scanner.skip_space()
        if character == "<":
            if scanner.peek(2) == "<<":
                self._add_triple(depth + 1)
                return None
            scanner.take("<")
            raw = scanner.iri()
            if raw.startswith("_:"):
                text.add_blank_node(text.unescape(raw[2:]))
            else:
                text.add_iri(text.unescape(raw))
            return None
        string = scanner.string()
        if string is not None:
            self._add_literal(string)
            return None
        if scanner.take("_:"):
            text.add_blank_node(scanner.label())
            return None
        word = scanner.number() or scanner.word()
        if word == "R" and position is not None:
            return self._repeated(position)
        literal = expand_short_form(word)
        if literal is not None:
            scanner.take(word)
            text.add(literal)
            return None
        iri = self._prefixed()
        if iri is None:
            raise scanner.wrong_token(expected)
        text.add_iri(iri)
        return None

    def _add_literal(self, raw: str) -> None:
        """Take the rest of a literal after its string, and add the literal.

        Args:
            raw: the text in its quotes, with its escapes.
        """
        scanner = self._scanner
        text = self._text
        text.add('"')
        text.add_unescaped(escape_lexical, raw)
        text.add('"')
        ends_line = scanner.skip_line()
        scanner.skip_space()
        if ends_line:
            self._after_line = self._source.position(self._source.at)[1]
        if scanner.take("@"):
            text.add_language(scanner.language_tag())
        elif scanner.peek(1) == "^":
            scanner.require("^^")
            scanner.skip_space()
            datatype = self._reference()
            if datatype is None:
                raise scanner.wrong_token("the IRI of a datatype")
            text.add_datatype(datatype)

    def _repeated(self, position: int) -> str:
        self._scanner.take("R")
        term = self.last[position]
        if term is None:
            expected = _POSITIONS[position]
            raise Violation(f"{expected} before R", f"no earlier {expected.split()[1]}")
        return term

    def _add_triple(self, depth: int) -> None:
        scanner = self._scanner
        closing = scanner.begin_triple(depth)
        self._text.begin_triple_term()
        for _ in range(3):
            self._text.begin_inner_term()
            self._add_term("an RDF term", None, depth)
            self._text.end_inner_term()
        self._text.end_triple_term()
        scanner.skip_space()
        scanner.require(closing)


def _resolve_graph(graph: str | None) -> str | None:
    """Return None for Jena's names of the default graph, and any other graph unchanged."""
    return None if graph in JENA_DEFAULT_GRAPHS else graph


def _declaration_size(name: str, iri: str) -> int:
    return text_size(name) + text_size(iri) + _DECLARATION
