"""The canonical strings of the terms that pyoxigraph's parser returns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jelly_spark.core.base_direction import SEPARATOR, check_direction
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.canonical_ntriples import LONG_SUBTAG, TAG_DATATYPES
from jelly_spark.core.iri_syntax import is_iri
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.show import quoted
from jelly_spark.core.term_patterns import SCHEME, TAG, find_tag_error
from jelly_spark.core.term_text import (
    ESCAPED_IN_IRI,
    escape_iri,
    escape_lexical,
    format_datatype,
    format_iri,
)
from jelly_spark.core.terms import MAX_NESTING
from jelly_spark.formats.rdf.blank_nodes import BlankNodeLabels
from jelly_spark.formats.rdf.source import ParserInput

if TYPE_CHECKING:
    import pyoxigraph as ox

_IRI_TEXT = re.compile(f"[^{ESCAPED_IN_IRI}]*")


class TermTexts:
    """Makes the canonical strings of terms, and checks what the parser does not.

    The parser is lenient: it takes any IRI and any language tag. What N-Triples' grammar allows is
    read, as from N-Triples.

    Args:
        source: what the parser reads.
        labels: the labels of blank nodes.
        has_base: whether there is a base from the start.
        strict: whether IRIs and tags that RDF 1.2 does not allow are errors.
    """

    def __init__(
        self, source: ParserInput, labels: BlankNodeLabels, *, has_base: bool, strict: bool
    ) -> None:
        import pyoxigraph as ox

        self._source = source
        self._marks = source.marks
        self._labels = labels
        self._has_base = has_base
        self._strict = strict
        self._kinds = (ox.Literal, ox.NamedNode, ox.BlankNode)
        # By the terms as the parser writes them, and by the ends of literals.
        self._iris: BoundedCache[str, str] = BoundedCache(self._checked_iri)
        self._ends: BoundedCache[str, str] = BoundedCache(self._checked_end)

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
