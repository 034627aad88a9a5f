"""Terms as Turtle and TriG have them, with prefixes and short literals."""

from __future__ import annotations

import re

from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.prefixes import Prefixes
from jelly_spark.core.terms import (
    IRI_CHAR,
    LEXICAL_CHAR,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    language_tag,
    parse_term,
)
from jelly_spark.core.terms.patterns import SCHEME, literal_pattern
from jelly_spark.core.terms.short_literals import has_short_form
from jelly_spark.core.terms.statement_rules import (
    check_absolute,
    check_graph,
    check_label,
    check_predicate,
    check_subject,
    check_tag,
)
from jelly_spark.core.terms.text import (
    LABEL_START,
    NAME_REST,
    NAME_START,
    XSD_STRING,
    escape_iri,
    escape_lexical,
    format_blank_node,
    format_iri,
    format_language,
)
from jelly_spark.errors import UnwritableRowError

_RDF_TYPE = Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

# Turtle's PN_PREFIX, and PN_LOCAL without escapes; both can be empty.
_NAME_CHARACTERS = f"{LABEL_START}{NAME_REST}"
_PREFIX_NAME = re.compile(f"(?:[{NAME_START}](?:[.{_NAME_CHARACTERS}]*[{_NAME_CHARACTERS}])?)?")
_LOCAL_NAME = re.compile(f"(?:[:{LABEL_START}](?:[:.{_NAME_CHARACTERS}]*[:{_NAME_CHARACTERS}])?)?")

# Fast path: canonical terms that need not be parsed.
_IRI = f"<{SCHEME.pattern}{IRI_CHAR}*>"
_is_iri = re.compile(_IRI).fullmatch
_is_literal = re.compile(literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))).fullmatch


def check_prefix(name: str, iri: str) -> None:
    """Check that Turtle can declare a prefix.

    Args:
        name: the prefix without its colon.
        iri: the IRI that it stands for, without brackets and escapes.

    Raises:
        UnwritableRowError: it cannot.
    """
    if not _PREFIX_NAME.fullmatch(name):
        raise UnwritableRowError(
            "a prefix in Turtle must be empty, or begin with a letter and have only letters, "
            "digits, '_', '-' and dots, with no dot at its end"
        )
    check_absolute(iri)


def format_prefix(name: str, iri: str) -> str:
    """Return the line that declares a prefix; the arguments are those of `check_prefix`."""
    return f"@prefix {name}: {format_iri(escape_iri(iri))} .\n"


class TurtleTerms:
    """Formats the terms of statements with the prefixes that are declared so far.

    Each attribute maps the string of a term to its text. This raises an `InvalidTermError` if the
    string is not a term, and an `UnwritableRowError` if Turtle cannot have the term at that place.

    Attributes:
        subjects: the texts of subjects.
        predicates: the texts of predicates; that of rdf:type is `a`.
        objects: the texts of objects.
        graphs: the texts of graphs.
    """

    def __init__(self) -> None:
        self._prefixes = Prefixes(_LOCAL_NAME)
        self.subjects = BoundedCache(self._subject)
        self.predicates = BoundedCache(self._predicate)
        self.objects = BoundedCache(self._object)
        self.graphs = BoundedCache(self._graph)

    def declare(self, name: str, iri: str) -> bool:
        """Declare a prefix that `check_prefix` accepts; return False if it is already declared."""
        if self._prefixes.is_declared(name, iri):
            return False
        self._prefixes.declare(name, iri)
        for known in (self.subjects, self.predicates, self.objects, self.graphs):
            known.clear()
        return True

    def _subject(self, text: str) -> str:
        return self._format_subject(_parse(text))

    def _predicate(self, text: str) -> str:
        return self._format_predicate(_parse(text))

    def _object(self, text: str) -> str:
        # Only literals with a datatype end with a bracket.
        if _is_literal(text) and not text.endswith(">"):
            return text
        term = _parse(text)
        if isinstance(term, Literal) and has_short_form(term.lexical, term.datatype or ""):
            return term.lexical
        return self._format(term)

    def _graph(self, text: str) -> str:
        term = _parse(text)
        check_graph(term)
        return self._format(term)

    def _format_subject(self, term: Term) -> str:
        check_subject(term)
        if isinstance(term, TripleTerm):
            raise UnwritableRowError("Turtle can hold a triple term only as an object")
        return self._format(term)

    def _format_predicate(self, term: Term) -> str:
        check_predicate(term)
        return "a" if term == _RDF_TYPE else self._format(term)

    def _format(self, term: Term) -> str:
        if isinstance(term, Iri):
            return self._format_iri(term.value)
        if isinstance(term, BlankNode):
            check_label(term)
            return format_blank_node(term.label)
        if isinstance(term, Literal):
            return self._format_literal(term)
        subject = self._format_subject(term.subject)
        predicate = self._format_predicate(term.predicate)
        # Literals have no short forms here: Jena 5.6 does not read `true`.
        return f"<<( {subject} {predicate} {self._format(term.object)} )>>"

    def _format_iri(self, iri: str) -> str:
        check_absolute(iri)
        return self._prefixes.shorten(iri) or format_iri(escape_iri(iri))

    def _format_literal(self, literal: Literal) -> str:
        check_tag(literal, "Turtle's")
        text = f'"{escape_lexical(literal.lexical)}"'
        if literal.datatype is not None:
            return f"{text}^^{self._format_iri(literal.datatype)}"
        return text + format_language(language_tag(literal) or "")


def _parse(text: str) -> Term:
    return Iri(text[1:-1]) if _is_iri(text) else parse_term(text)
