"""The statements of graphs and datasets as rows, and the names of graphs."""

from __future__ import annotations

from collections.abc import Iterator

from rdflib import BNode, Dataset, Graph, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ConjunctiveGraph

from jelly_spark.core.rows import RdfRow
from jelly_spark.errors import InvalidTermError, OptionError
from jelly_spark.integrations.rdflib.terms import from_rdflib, to_rdflib

DEFAULT_GRAPH = URIRef(str(DATASET_DEFAULT_GRAPH_ID))
"""The identifier of a dataset's default graph."""


def check_graph(target: object) -> None:
    """Check that an object is a `Dataset`, or one graph.

    Raises:
        OptionError: it is not.
    """
    joined = isinstance(target, ConjunctiveGraph) and not isinstance(target, Dataset)
    if joined or not isinstance(target, Graph):
        raise OptionError(f"expected a Dataset or a Graph of rdflib, not {type(target).__name__}")


def rows(source: Graph) -> Iterator[RdfRow]:
    """Yield the statements of a dataset or graph, in the store's order.

        codec.write("data.nq", rows(dataset))

    Args:
        source: a `Dataset`; or a `Graph`, whose statements have no graph in the rows.

    Raises:
        InvalidTermError: a statement has something that is not an RDF term, such as a `Variable`.
        OptionError: `source` is neither.
    """
    check_graph(source)
    if not isinstance(source, Dataset):
        for subject, predicate, obj in source:
            yield RdfRow(from_rdflib(subject), from_rdflib(predicate), from_rdflib(obj))
        return
    for subject, predicate, obj, name in source.quads():
        yield RdfRow(from_rdflib(subject), from_rdflib(predicate), from_rdflib(obj), graph_of(name))


def graph_of(name: object) -> str | None:
    """Return the graph of a row for the identifier of a dataset's graph.

    Raises:
        InvalidTermError: the identifier is not an RDF term.
    """
    return None if name is None or name == DEFAULT_GRAPH else from_rdflib(name)


def context_of(target: Graph, graph: str | None) -> Graph:
    """Return the graph of a dataset, or the target itself, for the graph of a row.

    Raises:
        InvalidTermError: rdflib has no graph of this name; or the target is a graph, not a dataset,
            and the row has a graph.
    """
    if not isinstance(target, Dataset):
        if graph is not None:
            raise InvalidTermError(
                "a Graph of rdflib has no named graphs: use a Dataset, or parse into one"
            )
        return target
    if graph is None:
        return target.get_context(DEFAULT_GRAPH)
    name = to_rdflib(graph)
    # rdflib makes up another name for an empty one.
    if not isinstance(name, (URIRef, BNode)) or not name:
        raise InvalidTermError("the name of a graph in rdflib must be an IRI or a blank node")
    if name == DEFAULT_GRAPH:
        raise InvalidTermError(f"{graph} is rdflib's own name of the default graph")
    return target.get_context(name)
