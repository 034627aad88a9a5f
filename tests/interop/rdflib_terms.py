"""rdflib's terms, graphs and datasets, and this package's terms."""

from collections.abc import Iterable
from typing import Any

import rdflib
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from jelly_spark.core.terms import BlankNode, Iri, Literal, Term
from jelly_spark.core.terms.text import XSD_STRING
from tests.conformance.ntriples import Statement

DEFAULT_GRAPH = Iri(str(DATASET_DEFAULT_GRAPH_ID))
"""The name that rdflib gives to the default graph."""


def from_rdflib(term: Any) -> Term:
    """Return the term that one of rdflib's is."""
    if isinstance(term, rdflib.Literal):
        datatype = None if term.datatype is None else str(term.datatype)
        return Literal(str(term), term.language, None if datatype == XSD_STRING else datatype)
    if isinstance(term, rdflib.BNode):
        return BlankNode(str(term))
    assert isinstance(term, rdflib.URIRef)
    return Iri(str(term))


def to_rdflib(term: Term) -> Any:
    """Return the term of rdflib's that a term of RDF 1.1 is."""
    if isinstance(term, Iri):
        return rdflib.URIRef(term.value)
    if isinstance(term, BlankNode):
        return rdflib.BNode(term.label)
    assert isinstance(term, Literal)
    return rdflib.Literal(term.lexical, lang=term.language, datatype=term.datatype)


def graph_of(statements: Iterable[Statement]) -> rdflib.Graph:
    """Return a graph of statements without their graphs."""
    graph = rdflib.Graph()
    for subject, predicate, obj, _ in statements:
        graph.add((to_rdflib(subject), to_rdflib(predicate), to_rdflib(obj)))
    return graph


def dataset_of(statements: Iterable[Statement]) -> rdflib.Dataset:
    """Return a dataset of statements."""
    dataset = rdflib.Dataset()
    for subject, predicate, obj, name in statements:
        graph = dataset.default_graph if name is None else dataset.graph(to_rdflib(name))
        graph.add((to_rdflib(subject), to_rdflib(predicate), to_rdflib(obj)))
    return dataset


def statements_of(data: rdflib.Graph | rdflib.Dataset) -> set[Statement]:
    """Return the statements of a graph, all in the default graph, or of a dataset."""
    quads = data.quads() if isinstance(data, rdflib.Dataset) else ((*t, None) for t in data)
    return {
        (
            from_rdflib(subject),
            from_rdflib(predicate),
            from_rdflib(obj),
            None if name in (None, DATASET_DEFAULT_GRAPH_ID) else from_rdflib(name),
        )
        for subject, predicate, obj, name in quads
    }
