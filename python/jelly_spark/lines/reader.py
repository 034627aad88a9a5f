"""Reading N-Triples and N-Quads."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import chain, compress, count, repeat
from operator import contains
from typing import Any, BinaryIO, ClassVar, TypeAlias, TypeVar, cast

from jelly_spark.core.columns import Columns
from jelly_spark.core.columns.column_reader import ColumnReader
from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.malformed_input import Place, Violation, in_line, in_line_of_part
from jelly_spark.core.options import check_part
from jelly_spark.core.reader import Skipping
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import RdfRow
from jelly_spark.core.terms import STRING_ESCAPE, UCHAR, format_term, parse_term
from jelly_spark.core.terms.canonical import TAG_DATATYPES
from jelly_spark.core.terms.iri_syntax import IRI_SYNTAX
from jelly_spark.core.terms.patterns import COMMON_TAG, SCHEME, literal_pattern
from jelly_spark.core.terms.text import CANONICAL_LABEL, ESCAPED_IN_IRI, XSD_STRING
from jelly_spark.core.text.input import TextInput
from jelly_spark.lines.beginnings import START
from jelly_spark.lines.parser import StatementParser
from jelly_spark.lines.part import LinePart

_T = TypeVar("_T")

# An incomplete line of up to this many characters is kept until the rest of it is read; the parser
# reads longer ones piece by piece.
_LONG_LINE = 1 << 16
# Statements come as columns if their lines have at most this many characters on average: those who
# collect columns count rows, not bytes.
_SHORT_LINE = 1 << 10
# How lines of canonical N-Triples and N-Quads end. No literal has it: line feeds are escaped.
_END = " .\n"
# Terms that are checked at once: the regex engine uses memory for each.
_MOST_TERMS = 1 << 10
# The greatest number of bytes of a character in UTF-8.
_CHARACTER = 4

# The fast path matches whole lines. Invariant: for each line that a pattern matches, the parser
# would return the same terms. The parser handles all other lines, such as those with comments or
# triple terms. The patterns need not exclude surrogates, because they are only used for text that
# was valid UTF-8. They match at most 100 escapes, because the regex engine uses memory for each.
_IRI_CHAR = f"[^{ESCAPED_IN_IRI}]"
_LEXICAL_CHAR = r'[^"\\\n\r]'
_IRI = f"<{SCHEME.pattern}{_IRI_CHAR}*>"
_STRICT_IRI = f"<{IRI_SYNTAX}>"
_LITERAL = literal_pattern(_IRI, _LEXICAL_CHAR, (XSD_STRING,))
_STRICT_LITERAL = literal_pattern(_STRICT_IRI, _LEXICAL_CHAR, (XSD_STRING, *TAG_DATATYPES))
_ANY_IRI = f"<{SCHEME.pattern}{_IRI_CHAR}*(?:(?:{UCHAR}){_IRI_CHAR}*){{0,100}}>"
_ANY_STRING = rf'"{_LEXICAL_CHAR}*(?:(?:{STRING_ESCAPE}){_LEXICAL_CHAR}*){{0,100}}"'
_ANY_LITERAL = rf"{_ANY_STRING}(?:@{COMMON_TAG}|\^\^{_ANY_IRI})?"
# Does not match IRIs with escapes, which may stand for one that is not allowed.
_ANY_STRICT_LITERAL = (
    rf"{_ANY_STRING}(?:@{COMMON_TAG}"
    rf"|\^\^(?!<(?:{'|'.join(map(re.escape, TAG_DATATYPES))})>){_STRICT_IRI})?"
)


@cache
def _line_patterns(*, has_graphs: bool, strict: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return two patterns for the lines of a format, each with its line feed.

    The groups are the three terms and the graph. The first pattern matches any line; if its terms
    are not in canonical form, all groups are None. The second one matches a line with any terms
    except triple terms. In strict mode, IRIs and literals that RDF 1.2 forbids match as little as
    malformed ones. The patterns are compiled at the first call: compiling takes longer than most
    imports.
    """
    iri, any_iri, literal, any_literal = (
        (_STRICT_IRI, _STRICT_IRI, _STRICT_LITERAL, _ANY_STRICT_LITERAL)
        if strict
        else (_IRI, _ANY_IRI, _LITERAL, _ANY_LITERAL)
    )
    return (
        re.compile(rf"{_statement(iri, literal, has_graphs)}|[^\n]*\n"),
        re.compile(_statement(any_iri, any_literal, has_graphs)),
    )


def _statement(iri: str, literal: str, has_graphs: bool) -> str:
    resource = f"{iri}|_:{CANONICAL_LABEL}"
    # Without graphs, the last group never matches: there are four groups in any case.
    graph = rf"(?:[ \t]+({resource}))?" if has_graphs else "((?!))?"
    return rf"({resource})[ \t]+({iri})[ \t]+({resource}|{literal}){graph}[ \t]*\.[ \t]*\r?\n"


def _to_canonical(term: str | None) -> str | None:
    """Return the canonical string of a term matched by a pattern; None for None."""
    return term and format_term(parse_term(term))


_Statement: TypeAlias = tuple[str, str, str, str | None]
_TermColumns: TypeAlias = tuple[list[str], list[str], list[str], list[str | None] | None]
"""The columns of the terms of lines; without graphs, None."""


class _Terms:
    """Reads several lines at once, if they are written as canonical N-Triples or N-Quads are.

    Lines are split at spaces, and each term of them is checked once, which takes two thirds of the
    time of a pattern for lines, and less where terms repeat.

    Args:
        has_graphs: whether statements may have graphs.
        strict: whether IRIs and literals that RDF 1.2 forbids are malformed.
    """

    def __init__(self, *, has_graphs: bool, strict: bool) -> None:
        iri, literal = (_STRICT_IRI, _STRICT_LITERAL) if strict else (_IRI, _LITERAL)
        resource = f"{iri}|_:{CANONICAL_LABEL}"
        self._has_graphs = has_graphs
        self._is_resource = re.compile(resource).fullmatch
        # For the terms of each column, each with a line feed.
        self._patterns = [
            re.compile(rf"(?:(?:{term})\n)*").fullmatch
            for term in (resource, iri, f"{literal}|{resource}", resource)
        ]

    def split(self, block: str) -> _TermColumns | None:
        """Return the columns of terms, which are not checked.

        Args:
            block: whole lines.

        Returns:
            The columns; None if a line is written in another way, or the lines are long.
        """
        lines = block.split(_END)
        if lines.pop() or len(block) > _SHORT_LINE * len(lines):
            return None
        # Else a line ends in another way.
        if block.count("\n") > len(lines):
            return None
        try:
            rows = zip(*[line.split(" ", 2) for line in lines], strict=True)
            subjects, predicates, objects = map(list, rows)
        except ValueError:
            return None
        if not self._has_graphs:
            return subjects, predicates, objects, None
        ends = [term.rpartition(" ") for term in objects]
        graphs = {*filter(self._is_resource, {end for _, _, end in ends})}
        names = [end if term and end in graphs else None for term, _, end in ends]
        objects = [
            term if name is None else end[0]
            for term, name, end in zip(objects, names, ends, strict=True)
        ]
        return subjects, predicates, objects, names if any(names) else None

    def are_canonical(self, columns: _TermColumns) -> bool:
        """Return whether the terms that `split` returned are in canonical form."""
        # `split` has checked the graphs.
        others = map(self._others, self._patterns[:3], columns[:3])
        return next(chain.from_iterable(others), None) is None

    def known(self, statements: Collection[_Statement]) -> dict[_Statement, _Statement]:
        """Return statements by themselves, without those that have a term in another form."""
        columns = zip(*statements, strict=True)
        others = [{*found} for found in map(self._others, self._patterns, columns)]
        if not any(others):
            return dict(zip(statements, statements, strict=True))
        return {
            statement: statement
            for statement in statements
            if not any(map(contains, others, statement))
        }

    def _others(
        self, are_terms: Callable[[str], object], column: Iterable[str | None]
    ) -> Iterator[str]:
        """Yield the terms of a column that are not in canonical form, or of the wrong kind."""
        terms = [term for term in {*column} if term is not None]
        for at in range(0, len(terms), _MOST_TERMS):
            some = terms[at : at + _MOST_TERMS]
            if not are_terms("\n".join([*some, ""])):
                yield from (term for term in some if not are_terms(f"{term}\n"))


@cache
def _terms(*, has_graphs: bool, strict: bool) -> _Terms:
    """Return what reads the lines of a format; the patterns are compiled at the first call."""
    return _Terms(has_graphs=has_graphs, strict=strict)


class LineReader(ColumnReader[RdfRow]):
    """Iterates over the statements of an N-Triples or N-Quads file; see `RowReader`.

    If the file is a stream of messages, as the draft RDF Messages defines it, `frame` is the
    ordinal of a row's message. It has a line `VERSION "1.2-messages"` before its first statement,
    and a line `MESSAGE` between two messages. In other files, `frame` is None.

    Args:
        file: path, URL, bytes, or stream of bytes, which must be seekable to read a part that does
            not begin at 0.
        strict: whether to reject what RDF 1.2 does not allow: `<< s p o >>`, triple terms as
            subjects, IRIs that are not those of RFC 3987, the datatypes rdf:langString and
            rdf:dirLangString without a language tag, subtags of more than eight characters, and
            unknown versions.
        max_row_size: the largest size of a row in bytes, both of its line and of its terms as
            canonical strings.
        part: a pair of byte offsets `0 <= start <= end`. The reader reads the lines that begin at
            or after `start` and before `end`. A line begins at the start of the file, and after
            each line feed and carriage return. In a part that does not begin at 0, `seq` is None.
            If the file is compressed or a stream of messages, the part that begins at 0 is the
            whole file, and other parts are empty. By default, the whole file is read.

    Raises:
        OptionError: an argument has a wrong type or is out of range.
    """

    row = RdfRow
    columns = ("subject", "predicate", "object", "graph", "frame")
    start = START
    is_text = True
    skipping = Skipping.LINE

    has_graphs: ClassVar[bool]
    """Whether statements may have graphs."""

    def __init__(
        self,
        file: Readable,
        *,
        strict: bool = False,
        max_row_size: int = DEFAULT_MAX_ROW_SIZE,
        part: tuple[int, int] | None = None,
    ) -> None:
        check_part(part)
        super().__init__(file, strict=strict, max_row_size=max_row_size)
        self._part = part
        # The ordinal of the message with which a part begins, if that is given.
        self._first_frame: int | None = None
        self._known: dict[_Statement, _Statement] = {}
        self._parser: StatementParser | None = None
        # The byte offset of the part's first line, and the function that returns the next `seq`.
        self._start = 0
        self._number: Callable[[], int | None] = count().__next__

    @property
    def frame(self) -> int | None:
        """The ordinal of the current message; None before the first row, and without messages."""
        return None if self._parser is None else self._parser.frame

    def continue_from(self, frame: int) -> None:
        """Read the part as the rest of a stream of messages. To be called before the first row.

        Args:
            frame: the ordinal of the message with which the part begins.
        """
        self._first_frame = frame

    def look_up(self, known: Collection[_Statement]) -> None:
        """Look for lines among known statements: that takes a third of the time to parse them.

        See `RowReader.look_up`.
        """
        self._known = _terms(has_graphs=self.has_graphs, strict=self._strict).known(known)

    def _items(self, stream: BinaryIO) -> Iterator[RdfRow | Columns]:
        limit = self._max_row_size
        lines = self._lines_of_part(stream)
        source = TextInput(cast(BinaryIO, lines), limit)
        parser = self._parser = StatementParser(
            source,
            limit,
            has_graphs=self.has_graphs,
            strict=self._strict,
            frame=(self._first_frame or 0) if lines.has_messages else None,
        )
        if self._start == 0:
            source.skip_byte_order_mark()
        terms = _terms(has_graphs=self.has_graphs, strict=self._strict)
        canonical, any_terms = _line_patterns(has_graphs=self.has_graphs, strict=self._strict)
        find_lines = canonical.finditer
        common = any_terms.match
        new = tuple.__new__
        # Whether the last lines were canonical, so that the next ones may be read as columns.
        are_canonical = True
        line: re.Match[str] | None
        other: re.Match[str] | None
        while True:
            text = source.text
            at = source.at
            frame = parser.frame
            # Fast path: the same result as `parser.next`. It does not check the sizes of lines, so
            # it is used only if the whole text is too short for a line above the limit.
            if source.is_utf8 and len(text) * _CHARACTER <= limit:
                end = max(at, text.rfind("\n", at) + 1)
                columns = None
                if are_canonical and at < end:
                    columns = terms.split(text[at:end])
                if columns is not None:
                    found, columns = self._looked_up(columns)
                    if terms.are_canonical(columns):
                        if found:
                            self._numbers(len(found))
                            yield cast(Columns, found)
                        if size := len(columns[0]):
                            yield (*columns, None, None, frame, self._numbers(size))
                        at = end
                    found, columns = [], None
                are_canonical = True
                number = self._number
                for line in find_lines(text, at, end):
                    subject, predicate, obj, graph = line.groups()
                    if subject is None:
                        are_canonical = False
                        other = common(text, line.start())
                        if other is None:
                            at = line.start()
                            break
                        subject, predicate, obj, graph = map(_to_canonical, other.groups())
                    # Faster than `RdfRow(...)`, which calls a `__new__` in Python.
                    yield new(
                        RdfRow,
                        (subject, predicate, obj, graph, None, None, frame, number()),
                    )
                else:
                    at = end
                line = other = None
            source.at = at
            if not source.ended and len(text) - at < _LONG_LINE and text.find("\n", at) < 0:
                source.more(at)
                continue
            # Release the text, because the parser may need memory for another one.
            text = ""
            statement = parser.next()
            if statement is None:
                return
            yield RdfRow(*statement, frame=parser.frame, seq=self._number())

    def _looked_up(self, columns: _TermColumns) -> tuple[list[Any], _TermColumns]:
        """Return which known statements are in columns, and the columns of all others."""
        if not self._known:
            return [], columns
        subjects, predicates, objects, graphs = columns
        statements = zip(subjects, predicates, objects, graphs or repeat(None), strict=False)
        found = [*map(self._known.get, statements)]
        are_new = [statement is None for statement in found]

        def new(column: list[_T]) -> list[_T]:
            return [*compress(column, are_new)]

        others = (
            new(subjects),
            new(predicates),
            new(objects),
            None if graphs is None else new(graphs),
        )
        return [*filter(None, found)], others

    def _numbers(self, size: int) -> range | None:
        """Return the column `seq` of the next rows, given how many they are."""
        first = self._number()
        if first is None:
            return None
        numbers = range(first, first + size)
        self._number = count(numbers.stop).__next__
        return numbers

    def _lines_of_part(self, stream: BinaryIO) -> LinePart:
        start, end = self._part or (0, None)
        if self._input.compressed and end is not None:
            # A compressed file cannot be split: as in Spark, the first part has all of it.
            return LinePart(stream if start == 0 < end else BytesIO(), 0, None)
        part = LinePart(stream, start, end, continues=self._first_frame is not None)
        self._start = part.offset
        if self._start > 0:
            self._number = repeat(None).__next__
        return part

    def _place(self, violation: Violation) -> Place:
        # Without a parser, the head of the file cannot be read.
        line, offset = (1, 0) if self._parser is None else self._parser.place
        row = self._number()
        return in_line_of_part(self._start + offset) if row is None else in_line(offset, row, line)
