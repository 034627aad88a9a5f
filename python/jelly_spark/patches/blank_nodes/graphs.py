"""The statements with blank nodes of a state, as a graph whose nodes have colours.

A statement is an edge between all blank nodes in it, wherever they are: as subject, object or graph
name, or in triple terms. Its shape is the rest of it. A colour is a hash of what is said of a node,
without labels: nodes that differ only in their labels have equal colours. If hashes collide, other
nodes have equal colours, too, which no result relies on.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import NamedTuple, TypeAlias, TypeVar

from jelly_spark.patches.statements import Statement

_T = TypeVar("_T")

Colours: TypeAlias = list[int]
"""The colours of all nodes of a graph, none of them negative."""

_MAX_ROUNDS = 8
"""How often colours are refined at most. Where nodes still have equal colours after that, matched
neighbours tell them apart."""

_MASK = (1 << 60) - 1
_ODD = 0x9E3779B97F4A7C15

# Literals and IRIs match only to skip what they contain.
_IN_TRIPLE_TERM = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"|(?P<node><_:[^<>\s]*>|_:[^\s<>"()]+)|<[^<>\s]*>', re.DOTALL
)


class Edge(NamedTuple):
    """A statement with blank nodes.

    Attributes:
        shape: a hash of the statement without the labels of its blank nodes.
        nodes: its different blank nodes, in the order of their first places.
        described: how many of them are in the subject: the statement describes these.
    """

    shape: int
    nodes: tuple[int, ...]
    described: int


Incidence: TypeAlias = tuple[Edge, int]
"""A statement that a node is in, with the place of the node among its nodes."""


class BlankGraph(NamedTuple):
    """The statements with blank nodes of a state.

    Attributes:
        labels: the blank nodes, as terms, by number.
        edges: the statements.
        incident: the statements that each node is in.
    """

    labels: list[str]
    edges: list[Edge]
    incident: list[list[Incidence]]


class ColouredGraph(NamedTuple):
    """A graph whose nodes are sorted by colour, and only then by label.

    Attributes:
        graph: the graph.
        described: colours by the statements that describe a node, at any depth.
        around: colours by all statements around a node: of its neighbours, of theirs, and so on.
        components: colours by all statements of the nodes that a node is connected with.
    """

    graph: BlankGraph
    described: Colours
    around: list[Colours]
    components: Colours


def substitute(term: str, replace: Callable[[str], str]) -> str:
    """Return a term with each blank node in it replaced."""
    if term.startswith(("_:", "<_:")):
        return replace(term)
    if term.startswith("<<") and "_:" in term:
        return _IN_TRIPLE_TERM.sub(
            lambda match: replace(match[0]) if match["node"] else match[0], term
        )
    return term


def has_blank_node(statement: Statement) -> bool:
    """Return whether a statement has a blank node, at any place."""
    terms = [term for term in statement if term is not None]
    # One search finds most of those that have none.
    return "_:" in " ".join(terms) and any(map(_has_node, terms))


def _has_node(term: str) -> bool:
    if term.startswith(("_:", "<_:")):
        return True
    return term.startswith("<<") and any(match["node"] for match in _IN_TRIPLE_TERM.finditer(term))


def coloured(before: Iterable[Statement], after: Iterable[Statement]) -> list[ColouredGraph]:
    """Return the graphs of two states; colours can be compared between them.

    Args:
        before: statements with blank nodes.
        after: statements with blank nodes.
    """
    graphs = [_graph(before), _graph(after)]
    merkle = [_merkle(graph) for graph in graphs]
    around = zip(*_refined(graphs, merkle), strict=True)
    return [
        _sorted(graph, _described(graph, start), [*rounds], _components(graph, rounds[-1]))
        for graph, start, rounds in zip(graphs, merkle, around, strict=True)
    ]


def _graph(statements: Iterable[Statement]) -> BlankGraph:
    numbers: dict[str, int] = {}
    edges = []
    for subject, *others in statements:
        places: dict[str, int] = {}

        def place(label: str, places: dict[str, int] = places) -> str:
            return f"_:{places.setdefault(label, len(places))}"

        shape = [substitute(subject, place)]
        described = len(places)
        shape += [substitute(term or "", place) for term in others]
        nodes = tuple(numbers.setdefault(label, len(numbers)) for label in places)
        edges.append(Edge(_hash("\n".join(shape)), nodes, described))
    return _linked(list(numbers), edges)


def _linked(labels: list[str], edges: list[Edge]) -> BlankGraph:
    incident: list[list[Incidence]] = [[] for _ in labels]
    for edge in edges:
        for place, node in enumerate(edge.nodes):
            incident[node].append((edge, place))
    return BlankGraph(labels, edges, incident)


def _hash(text: str) -> int:
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=7).digest()
    return int.from_bytes(digest, "big")


def _mix(*values: int) -> int:
    """Return a hash of numbers; sums of such hashes rarely collide."""
    # Python randomises the hashes of strings, but not those of tuples of numbers. These are nearly
    # linear, so that sums of them often collide; the shift is not.
    mixed = hash(values)
    return (mixed ^ mixed >> 29) * _ODD & _MASK


def _merkle(graph: BlankGraph) -> Colours:
    """Return the colours by what describes a node, at any depth; 0 if a cycle is in the way."""
    colours = [0] * len(graph.labels)
    waits = [0] * len(colours)
    for edge in graph.edges:
        for node in edge.nodes[: edge.described]:
            waits[node] += len(edge.nodes) - 1
    ready = deque(node for node, count in enumerate(waits) if count == 0)
    while ready:
        node = ready.popleft()
        colours[node] = _description(graph, node, colours)
        for edge, place in graph.incident[node]:
            for other_place, other in enumerate(edge.nodes[: edge.described]):
                if other_place != place:
                    waits[other] -= 1
                    if waits[other] == 0:
                        ready.append(other)
    return colours


def _described(graph: BlankGraph, merkle: Colours) -> Colours:
    """Return the colours by what describes a node, where there are cycles by rounds."""
    in_cycles = [node for node, colour in enumerate(merkle) if colour == 0]
    colours = merkle[:]
    for _ in range(_MAX_ROUNDS if in_cycles else 0):
        found = [_description(graph, node, colours) for node in in_cycles]
        for node, colour in zip(in_cycles, found, strict=True):
            colours[node] = colour
    return colours


def _description(graph: BlankGraph, node: int, colours: Colours) -> int:
    total = 0
    for edge, place in graph.incident[node]:
        if place < edge.described:
            total += _mix(edge.shape, place, *_others(edge, place, colours))
    return _mix(total)


def _others(edge: Edge, place: int, colours: Colours) -> list[int]:
    return [colours[node] for other, node in enumerate(edge.nodes) if other != place]


def _refined(graphs: list[BlankGraph], colours: list[Colours]) -> list[list[Colours]]:
    """Refine the colours of all graphs by all statements of each node, until nothing changes.

    Returns:
        The colours of the graphs after each round.
    """
    rounds: list[list[Colours]] = []
    counts = [len(set(found)) for found in colours]
    for _ in range(_MAX_ROUNDS):
        colours = [_round(graph, found) for graph, found in zip(graphs, colours, strict=True)]
        rounds.append(colours)
        last, counts = counts, [len(set(found)) for found in colours]
        if counts == last:
            break
    return rounds


def _round(graph: BlankGraph, colours: Colours) -> Colours:
    totals = [0] * len(colours)
    for edge in graph.edges:
        shape, nodes, _ = edge
        if len(nodes) == 1:
            totals[nodes[0]] += shape
        elif len(nodes) == 2:
            # The same as below, but faster: nearly all statements are like this.
            first, second = nodes
            totals[first] += _mix(shape, 0, colours[second])
            totals[second] += _mix(shape, 1, colours[first])
        else:
            for place, node in enumerate(nodes):
                totals[node] += _mix(shape, place, *_others(edge, place, colours))
    return [_mix(colour, total) for colour, total in zip(colours, totals, strict=True)]


def _components(graph: BlankGraph, colours: Colours) -> Colours:
    """Return the colours of nodes together with those of all nodes connected with them."""
    found: Colours = [-1] * len(colours)
    for start in range(len(colours)):
        if found[start] >= 0:
            continue
        members, at = [start], 0
        found[start] = 0
        while at < len(members):
            for edge, _ in graph.incident[members[at]]:
                for node in edge.nodes:
                    if found[node] < 0:
                        found[node] = 0
                        members.append(node)
            at += 1
        whole = _mix(len(members), sum(colours[node] for node in members))
        for node in members:
            found[node] = _mix(whole, colours[node])
    return found


def _sorted(
    graph: BlankGraph, described: Colours, around: list[Colours], components: Colours
) -> ColouredGraph:
    """Sort the nodes of a graph by colour and label, and its statements by shape and nodes."""
    labels, edges, _ = graph
    order = sorted(range(len(labels)), key=lambda node: (components[node], labels[node]))
    numbers = [0] * len(order)
    for number, node in enumerate(order):
        numbers[node] = number

    def ordered(values: list[_T]) -> list[_T]:
        return [values[node] for node in order]

    renumbered = sorted(
        edge._replace(nodes=tuple(numbers[node] for node in edge.nodes)) for edge in edges
    )
    return ColouredGraph(
        _linked(ordered(labels), renumbered),
        ordered(described),
        list(map(ordered, around)),
        ordered(components),
    )
