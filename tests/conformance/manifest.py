"""The manifest of a suite: which cases there are, and their files."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from rdflib import RDF, Graph, Namespace, URIRef
from rdflib.term import Node

_MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
_JELLYT = Namespace("https://w3id.org/jelly/dev/tests/vocab#")
_RDFT = Namespace("http://www.w3.org/ns/rdftest#")

FROM_JELLY = str(_JELLYT.TestRdfFromJelly)
"""The class of the cases that read Jelly."""
TO_JELLY = str(_JELLYT.TestRdfToJelly)
"""The class of the cases that write Jelly."""
POSITIVE = str(_JELLYT.TestPositive)
"""The class of the cases that have a result."""
NEGATIVE = str(_JELLYT.TestNegative)
"""The class of the cases that end with an error."""

N_TRIPLES = str(_RDFT.TestNTriplesPositiveSyntax)
"""The class of the W3C's cases of N-Triples."""
NOT_N_TRIPLES = str(_RDFT.TestNTriplesNegativeSyntax)
"""The class of the W3C's cases that are not N-Triples."""
N_QUADS = str(_RDFT.TestNQuadsPositiveSyntax)
"""The class of the W3C's cases of N-Quads."""
NOT_N_QUADS = str(_RDFT.TestNQuadsNegativeSyntax)
"""The class of the W3C's cases that are not N-Quads."""
CANONICAL_N_TRIPLES = str(_RDFT.TestNTriplesPositiveC14N)
"""The class of the W3C's cases of N-Triples and their canonical form."""
CANONICAL_N_QUADS = str(_RDFT.TestNQuadsPositiveC14N)
"""The class of the W3C's cases of N-Quads and their canonical form."""


def _turtle_and_trig(*kinds: str) -> dict[str, str]:
    syntaxes = {"Turtle": "turtle", "Trig": "trig"}
    return {
        str(_RDFT[f"Test{name}{kind}"]): syntax
        for name, syntax in syntaxes.items()
        for kind in kinds
    }


TURTLE = _turtle_and_trig("PositiveSyntax", "Eval")
"""The classes of the W3C's cases of Turtle and TriG, with the values of the option `syntax`."""
NOT_TURTLE = _turtle_and_trig("NegativeSyntax", "NegativeEval")
"""The classes of the W3C's cases that are not Turtle or TriG, likewise."""

W3C = frozenset(
    {N_TRIPLES, NOT_N_TRIPLES, CANONICAL_N_TRIPLES, N_QUADS, NOT_N_QUADS, CANONICAL_N_QUADS}
    | {*TURTLE, *NOT_TURTLE}
)
"""All of the W3C's."""

_CLASSES = W3C | {FROM_JELLY, TO_JELLY, POSITIVE, NEGATIVE}


@dataclass(frozen=True)
class Entry:
    """One case of a manifest.

    Attributes:
        path: where its IRI is, as a path; usually the folder of its files, for cases of the W3C the
            manifest with a fragment.
        classes: its classes, of those above.
        action: the files of the input; they need not exist.
        result: the files of the output; None where the case has none.
        delimited: whether its Jelly files have delimited frames.
        base: the IRI of the first file of the input.
    """

    path: Path
    classes: frozenset[str]
    action: tuple[Path, ...]
    result: tuple[Path, ...] | None
    delimited: bool
    base: str


@dataclass(frozen=True)
class Unusable:
    """A manifest, or an entry of it, that lacks what it needs."""

    path: Path
    reason: str


class _Problem(Exception):
    """Why a manifest or an entry is unusable."""


def read_manifest(path: Path) -> Iterator[Entry | Unusable]:
    """Yield the entries of a manifest, in its order."""
    try:
        # As text: what rdflib makes of a path depends on its characters.
        text, base = path.read_text(encoding="utf-8"), path.absolute().as_uri()
        graph = Graph().parse(data=text, format="turtle", publicID=base)
    # Each parser of rdflib's has errors of its own, some of builtin classes.
    except Exception as error:
        yield Unusable(path, f"no Turtle: {error}")
        return
    try:
        manifests = list(graph.subjects(RDF.type, _MF.Manifest))
        if len(manifests) != 1:
            raise _Problem(f"{len(manifests)} resources of class mf:Manifest, expected 1")
        files = _Files(path, manifests[0])
        entries = _optional(graph, manifests[0], _MF.entries)
        if entries is None and (manifests[0], _MF.include, None) not in graph:
            raise _Problem("no mf:entries")
        # Manifests that include others have no entries. The others are found as files.
        tests = [] if entries is None else _items(graph, entries)
    except _Problem as problem:
        yield Unusable(path, str(problem))
        return
    for test in tests:
        try:
            yield _entry(graph, test, files)
        except _Problem as problem:
            yield Unusable(path, f"{test}: {problem}")


class _Files:
    """The files that IRIs stand for: those next to the manifest's IRI are next to its file.

    Relative IRIs of a manifest whose own IRI is elsewhere are next to its file, too.
    """

    def __init__(self, path: Path, manifest: Node) -> None:
        self._manifest = path
        # IRIs are resolved without `..`, whatever is in the path.
        folder = Path(os.path.abspath(path.parent)).as_uri() + "/"
        self._bases = (str(manifest).rpartition("/")[0] + "/", folder)

    def path(self, node: Node) -> Path:
        for base in self._bases:
            if isinstance(node, URIRef) and node.startswith(base):
                return self._manifest.parent / unquote(node.removeprefix(base))
        raise _Problem(f"{node} is no IRI below {' or '.join(self._bases)}")

    def case(self, test: Node) -> Path:
        """Return the path of a case: one that is a fragment is that of the manifest."""
        _, hash_, fragment = str(test).rpartition("#")
        if hash_ and isinstance(test, URIRef):
            return self._manifest.with_name(f"{self._manifest.name}#{unquote(fragment)}")
        return self.path(test)


def _entry(graph: Graph, test: Node, files: _Files) -> Entry:
    result = _optional(graph, test, _MF.result)
    inputs = _items(graph, _one(graph, test, _MF.action))
    return Entry(
        path=files.case(test),
        classes=_CLASSES & frozenset(map(str, graph.objects(test, RDF.type))),
        action=tuple(map(files.path, inputs)),
        result=None if result is None else tuple(map(files.path, _items(graph, result))),
        delimited=(test, _MF.notable, _JELLYT.featureNonDelimited) not in graph,
        base=str(inputs[0]) if inputs else "",
    )


def _one(graph: Graph, subject: Node, predicate: URIRef) -> Node:
    value = _optional(graph, subject, predicate)
    if value is None:
        raise _Problem(f"no mf:{predicate.fragment}")
    return value


def _optional(graph: Graph, subject: Node, predicate: URIRef) -> Node | None:
    values = list(graph.objects(subject, predicate))
    if len(values) > 1:
        raise _Problem(f"more than one mf:{predicate.fragment}")
    return values[0] if values else None


def _items(graph: Graph, node: Node) -> list[Node]:
    """Return the items of a list; a node that is not a list is its own only item."""
    if node == RDF.nil:
        return []
    if (node, RDF.first, None) not in graph:
        return [node]
    try:
        return list(graph.items(node))
    except ValueError as error:
        raise _Problem(str(error)) from None
