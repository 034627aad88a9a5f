"""pyoxigraph's statements, and this package's."""

import pyoxigraph as ox

from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, TripleTerm
from jelly_spark.core.terms.text import XSD_STRING
from tests.conformance.ntriples import Statement


def fitting(statement: Statement) -> Statement:
    """Return a statement as pyoxigraph can have it.

    It checks IRIs, of which no part after a `#` has another one, and writes language tags in lower
    case.
    """
    subject, predicate, obj, graph = statement
    return _fit(subject), _fit(predicate), _fit(obj), None if graph is None else _fit(graph)


def _fit(term: Term) -> Term:
    if isinstance(term, Iri):
        return Iri(_fit_iri(term.value))
    if isinstance(term, Literal):
        language = None if term.language is None else term.language.lower()
        datatype = term.datatype and _fit_iri(term.datatype)
        return Literal(term.lexical, language, datatype, term.direction)
    if isinstance(term, TripleTerm):
        return TripleTerm(*map(_fit, (term.subject, term.predicate, term.object)))
    return term


def _fit_iri(iri: str) -> str:
    before, sharp, after = iri.partition("#")
    return before + sharp + after.replace("#", "")


def from_oxigraph(quad: ox.Quad) -> Statement:
    """Return the statement that one of pyoxigraph's is."""
    graph = None if isinstance(quad.graph_name, ox.DefaultGraph) else _from_term(quad.graph_name)
    return _from_term(quad.subject), _from_term(quad.predicate), _from_term(quad.object), graph


def to_oxigraph(statement: Statement) -> ox.Quad:
    """Return the statement of pyoxigraph's that a statement of RDF 1.2 is."""
    subject, predicate, obj, graph = statement
    name = ox.DefaultGraph() if graph is None else _to_resource(graph)
    triple = _to_triple(subject, predicate, obj)
    return ox.Quad(triple.subject, triple.predicate, triple.object, name)


def _to_triple(subject: Term, predicate: Term, obj: Term) -> ox.Triple:
    return ox.Triple(
        _to_resource(subject),
        ox.NamedNode(predicate.value) if isinstance(predicate, Iri) else _none(predicate),
        _to_object(obj),
    )


def _to_object(term: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple:
    if isinstance(term, TripleTerm):
        return _to_triple(term.subject, term.predicate, term.object)
    return _to_literal(term) if isinstance(term, Literal) else _to_resource(term)


def _from_term(term: object) -> Term:
    if isinstance(term, ox.NamedNode):
        return Iri(term.value)
    if isinstance(term, ox.BlankNode):
        return BlankNode(term.value)
    if isinstance(term, ox.Triple):
        return TripleTerm(*map(_from_term, term))
    assert isinstance(term, ox.Literal)
    if term.language is not None:
        direction = None if term.direction is None else term.direction.value
        return Literal(term.value, term.language, None, direction)
    datatype = term.datatype.value
    return Literal(term.value, None, None if datatype == XSD_STRING else datatype)


def _to_resource(term: Term) -> ox.NamedNode | ox.BlankNode:
    if isinstance(term, Iri):
        return ox.NamedNode(term.value)
    assert isinstance(term, BlankNode)
    return ox.BlankNode(term.label)


def _to_literal(literal: Literal) -> ox.Literal:
    if literal.language is not None:
        direction = None if literal.direction is None else ox.BaseDirection(literal.direction)
        return ox.Literal(literal.lexical, language=literal.language, direction=direction)
    if literal.datatype is not None:
        return ox.Literal(literal.lexical, datatype=ox.NamedNode(literal.datatype))
    return ox.Literal(literal.lexical)


def _none(term: Term) -> ox.NamedNode:
    raise AssertionError(f"{term} is no predicate")
