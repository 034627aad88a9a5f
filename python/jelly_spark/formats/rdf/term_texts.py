"""The canonical strings of the terms that pyoxigraph's parser returns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import longer_row, text_size
from jelly_spark.core.show import quoted
from jelly_spark.core.terms import IRI_CHAR, MAX_NESTING
from jelly_spark.core.terms.base_direction import SEPARATOR, check_direction
from jelly_spark.core.terms.canonical import LONG_SUBTAG, TAG_DATATYPES
from jelly_spark.core.terms.iri_syntax import is_iri
from jelly_spark.core.terms.patterns import SCHEME, TAG, find_tag_error
from jelly_spark.core.terms.text import (
    ESCAPED_IN_IRI,
    escape_iri,
    escape_lexical,
    format_datatype,
    format_iri,
)
from jelly_spark.formats.rdf.blank_nodes import BlankNodeLabels
from jelly_spark.formats.rdf.source import ParserInput

if TYPE_CHECKING:
    import pyoxigraph as ox

_IRI_TEXT = re.compile(f"[^{ESCAPED_IN_IRI}]*")
# An IRI whose text is canonical.
_is_plain_iri = re.compile(f"<{SCHEME.pattern}{IRI_CHAR}*>").fullmatch
# A lexical form whose escapes are canonical.
_find_lexical = re.compile(r'"[^"\\]*(?:\\["\\nr][^"\\]*)*"').match
# A literal with this may be other terms: those of a triple whose subject has a space and a quote.
_BETWEEN_IRIS = "> <"
# About the number of characters of the rows that become columns at once.
_TEXT = 1 << 16

TermColumns: TypeAlias = tuple[list[str], list[str], list[str], list[str | None]]
"""The canonical strings of the terms of statements: their subjects, and so on."""


class _OtherTermError(Exception):
    """The text of a term is not that of an IRI or a blank node in canonical form."""


class TermTexts:
    """Makes the canonical strings of terms, and checks what the parser does not.

    The parser is lenient: it takes any IRI and any language tag. What N-Triples' grammar allows is
    read, as from N-Triples.

    Args:
        source: what the parser reads.
        labels: the labels of blank nodes.
        has_base: whether there is a base from the start.
        has_graphs: whether statements can have graphs.
        strict: whether IRIs and tags that RDF 1.2 does not allow are errors.
        max_row_size: the largest size of a statement's terms in bytes.
    """

    def __init__(
        self,
        source: ParserInput,
        labels: BlankNodeLabels,
        *,
        has_base: bool,
        has_graphs: bool,
        strict: bool,
        max_row_size: int,
    ) -> None:
        import pyoxigraph as ox

        self._source = source
        self._marks = source.marks
        self._labels = labels
        self._has_base = has_base
        self._has_graphs = has_graphs
        self._strict = strict
        self._max_row_size = max_row_size
        self._kinds = (ox.Literal, ox.NamedNode, ox.BlankNode)
        # By the terms as the parser writes them, and by the ends of literals.
        self._iris: BoundedCache[str, str] = BoundedCache(self._checked_iri)
        self._ends: BoundedCache[str, str] = BoundedCache(self._checked_end)
        self._resources: BoundedCache[str, str] = BoundedCache(self._plain_resource)
        self._default_graph = ox.DefaultGraph
        # Without marks, what no text of a term is.
        self._mark = "\n" if source.marks is None else source.marks.text
        # A term is not longer than its text this many times.
        self._most_text = min(max_row_size // 32, _TEXT)

    def add_rows(self, quads: Iterator[ox.Quad], columns: TermColumns) -> bool:
        """Add the terms of the next statements to columns, and count the statements.

        Returns:
            Whether there may be more.

        Raises:
            MemoryError: see `RdfReader`.
            SyntaxError: the parser found an error after the statements.
            Violation: the next statement is one that no file of N-Triples can have, is not strict,
                or is too long.
        """
        source = self._source
        resources = self._resources
        has_graphs = self._has_graphs
        most = self._most_text
        subjects, predicates, objects, graphs = columns
        name = None
        size = 0
        for quad in quads:
            # Fast path: one text for all terms takes half the time of one for each.
            if has_graphs:
                name = self._graph(quad)
                text = str(quad.triple)
                size += len(name or "")
            else:
                text = str(quad)
            size += len(text)
            try:
                if size > most:
                    raise _OtherTermError
                subject, predicate, obj = text.split(" ", 2)
                subject = resources[subject]
                predicate = resources[predicate]
                obj = self._plain_literal(obj) if obj[0] == '"' else resources[obj]
            except _OtherTermError:
                subject, predicate, obj, name = self._terms(quad)
            subjects.append(subject)
            predicates.append(predicate)
            objects.append(obj)
            graphs.append(name)
            source.rows += 1
            if size > most:
                return True
        return False

    def _plain_resource(self, text: str) -> str:
        """Return an IRI or a blank node, given what the parser writes.

        Raises:
            _OtherTermError: it is another term, or must be checked or changed.
        """
        if text.startswith("_:"):
            return f"_:{self._labels.label(text[2:])}"
        is_valid = not self._strict or is_iri(text[1:-1])
        if _is_plain_iri(text) and is_valid and self._mark not in text:
            return text
        raise _OtherTermError

    def _plain_literal(self, text: str) -> str:
        """Return a literal; see `_plain_resource`."""
        if "\\" in text:
            match = _find_lexical(text)
            at = match.end() if match else 0
        else:
            at = text.find('"', 1) + 1
        lexical = text[:at]
        if not lexical or self._mark in lexical or _BETWEEN_IRIS in text:
            raise _OtherTermError
        return lexical + self._ends[text[at:]] if at < len(text) else text

    def _terms(self, quad: ox.Quad) -> tuple[str, str, str, str | None]:
        """Return all terms of a statement; errors as `add_rows`."""
        name = self._graph(quad)
        subject, predicate, obj = map(self.of, (quad.subject, quad.predicate, quad.object))
        terms = subject, predicate, obj, name
        limit = self._max_row_size
        # Fast path: a character takes at most four bytes.
        if (
            len("".join(filter(None, terms))) * 4 > limit
            and sum(map(text_size, filter(None, terms))) > limit
        ):
            raise longer_row(limit)
        return terms

    def _graph(self, quad: ox.Quad) -> str | None:
        graph = quad.graph_name
        return None if isinstance(graph, self._default_graph) else self.of(graph)

    def of(self, term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple, depth: int = 0) -> str:
        """Return the canonical string of a term.

        Args:
            term: the term.
            depth: the number of triple terms around it.

        Raises:
            Violation: no file of N-Triples can have the term, or it is not strict.
        """
        literal, iri, blank_node = self._kinds
        if isinstance(term, iri):
            return self._iris[str(term)]
        if isinstance(term, literal):
            return self._literal(term)
        if isinstance(term, blank_node):
            return f"_:{self._labels.label(term.value)}"
        if depth == MAX_NESTING:
            raise Violation(f"triple terms nested at most {MAX_NESTING} deep", "deeper ones")
        terms = (term.subject, term.predicate, term.object)
        subject, predicate, obj = (self.of(inner, depth + 1) for inner in terms)
        return f"<<( {subject} {predicate} {obj} )>>"

    def iri(self, value: str) -> str:
        """Return the canonical string of an IRI, such as that of a prefix; errors as `of`."""
        return self._iris[f"<{value}>"]

    def _literal(self, term: ox.Literal) -> str:
        text = str(term)
        # pyoxigraph escapes more than the canonical form does.
        if "\\" in text or (self._marks is not None and self._marks.is_in(text)):
            lexical = f'"{escape_lexical(self._restored(term.value))}"'
            end = self._end_of(term)
        else:
            at = text.find('"', 1) + 1
            if at == len(text):
                return text
            lexical = text[:at]
            end = text[at:]
        return lexical + self._ends[end] if end else lexical

    def _end_of(self, term: ox.Literal) -> str:
        """Return what comes after the lexical form."""
        if term.language is None:
            return format_datatype(term.datatype.value) and f"^^<{term.datatype.value}>"
        return f"@{term.language}" + (f"{SEPARATOR}{term.direction}" if term.direction else "")

    def _checked_end(self, end: str) -> str:
        if end.startswith("^"):
            iri = self._iris[end[2:]]
            if self._strict and iri[1:-1] in TAG_DATATYPES:
                raise Violation("a language tag", f"the datatype {iri} without one")
            return f"^^{iri}"
        tag = self._restored(end)[1:]
        if self._source.xml is not None:
            tag = self._source.xml.tag(tag)
            # xml:lang="" says that there is no language.
            if not tag:
                return ""
        if TAG.fullmatch(tag) is None or find_tag_error(tag.partition(SEPARATOR)[0]) is not None:
            raise Violation("a language tag", quoted(tag))
        check_direction(tag)
        if self._strict and LONG_SUBTAG.search(tag):
            raise Violation("a language tag with subtags of at most 8 characters", quoted(tag))
        return f"@{tag}"

    def _checked_iri(self, text: str) -> str:
        written = text[1:-1]
        if self._marks is not None and _IRI_TEXT.fullmatch(written) is None:
            raise self._wrong_iri(written, "a valid IRI", quoted(written))
        iri = self._restored(written)
        if not SCHEME.match(iri):
            if self._has_base or iri.startswith("_:"):
                raise self._wrong_iri(written, "an absolute IRI", quoted(iri))
            expected = "an absolute IRI, or an option base (--read-option base=IRI)"
            raise self._wrong_iri(written, expected, "a relative IRI without a base")
        if self._strict and not is_iri(iri):
            raise self._wrong_iri(written, "an IRI of RFC 3987", quoted(iri))
        return format_iri(escape_iri(iri))

    def _wrong_iri(self, written: str, expected: str, found: str) -> Violation:
        """Return an error, and set its place if it is known."""
        self._source.place = self._source.find(f"<{written}>")
        return Violation(expected, found)

    def _restored(self, text: str) -> str:
        return text if self._marks is None else self._marks.restore(text)
