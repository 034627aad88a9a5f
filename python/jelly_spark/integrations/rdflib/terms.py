"""Terms in rows as rdflib's terms, and back, exactly."""

from __future__ import annotations

from rdflib import BNode, Literal, URIRef
from rdflib.term import Identifier

from jelly_spark.core import terms
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.terms.text import XSD_STRING
from jelly_spark.errors import InvalidTermError


def to_rdflib(term: str) -> Identifier:
    """Return a term as rdflib's `URIRef`, `BNode` or `Literal`.

    Lexical forms, language tags and blank node labels stay as they are: `"01"^^xsd:integer` does
    not become `"1"^^xsd:integer`, whatever `rdflib.NORMALIZE_LITERALS` is.

        to_rdflib('"01"^^<http://www.w3.org/2001/XMLSchema#integer>').value  # 1

    Args:
        term: a term in N-Triples syntax.

    Raises:
        InvalidTermError: the string is not a term; or rdflib has no such term: a triple term, a
            base direction, or a language tag that is not well-formed.
    """
    parsed = parse_term(term)
    if isinstance(parsed, terms.Iri):
        return URIRef(parsed.value)
    if isinstance(parsed, terms.BlankNode):
        return BNode(parsed.label)
    if isinstance(parsed, terms.TripleTerm):
        raise InvalidTermError("rdflib has no triple terms")
    return _literal(parsed)


def _literal(parsed: terms.Literal) -> Literal:
    lexical = parsed.lexical
    if parsed.direction is not None:
        raise InvalidTermError(f"rdflib has no base directions such as {parsed.direction}")
    try:
        literal = Literal(lexical, parsed.language, parsed.datatype, normalize=False)
    except ValueError:
        raise InvalidTermError(f"rdflib has no language tag {parsed.language!r}") from None
    if str(literal) == lexical:
        return literal
    # rdflib replaces white space in xsd:token and xsd:normalizedString, even if `normalize` is
    # False. So make the object as its constructor does after that.
    exact = str.__new__(Literal, lexical)
    exact._language = literal.language
    exact._datatype = literal.datatype
    exact._value = literal.value
    exact._ill_typed = literal.ill_typed
    return exact


def from_rdflib(term: object) -> str:
    """Return a term of rdflib as a string in N-Triples syntax.

        from_rdflib(rdflib.Literal("Tasse", lang="de"))  # '"Tasse"@de'

    rdflib keeps `"a"` and `"a"^^xsd:string` apart. In RDF 1.1, and here, they are one term.

    Args:
        term: a `URIRef`, a `BNode` or a `Literal`.

    Raises:
        InvalidTermError: the term is something else, such as a `Variable` or a `QuotedGraph`, or
            holds a lone surrogate.
    """
    if isinstance(term, URIRef):
        return format_term(terms.Iri(str(term)))
    if isinstance(term, BNode):
        return format_term(terms.BlankNode(str(term)))
    if isinstance(term, Literal):
        datatype = None if term.datatype is None else str(term.datatype)
        return format_term(terms.Literal(str(term), term.language, datatype))
    raise InvalidTermError(
        f"a term must be a URIRef, a BNode or a Literal of rdflib, not {type(term).__name__}"
    )


def forms(literal_or_node: Identifier) -> tuple[Identifier, ...]:
    """Return all objects of rdflib that are the same term as this one.

    There are two of a string: without a datatype, and with xsd:string.
    """
    term = literal_or_node
    if not isinstance(term, Literal) or term.language is not None:
        return (term,)
    if term.datatype is None:
        return term, Literal(str(term), datatype=XSD_STRING, normalize=False)
    if str(term.datatype) == XSD_STRING:
        return term, Literal(str(term))
    return (term,)
