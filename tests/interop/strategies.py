"""Random statements and patches that other libraries can hold as well."""

from itertools import chain

from hypothesis import settings
from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import (
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    tagged_literal,
)
from jelly_spark.core.terms.text import XSD_STRING
from tests.codec.strategies import atoms_of, patch_rows, with_triple_terms
from tests.conformance.ntriples import Statement

generated = settings(max_examples=30)
"""How tests use these strategies: with few examples, because each may call the JVM."""

_TEXTS = st.one_of(
    st.sampled_from(["", "a", "b#c", 'x "\\\n\r\t', "é/😀\u2028"]), st.text(max_size=5)
)
_BASES = st.sampled_from(["http://a.example/", "http://b.example/#", "urn:x:"])
_TAGS = st.sampled_from(["en", "de-AT", "zh-Hant-TW"])
_TAGS_WITH_DIRECTION = st.one_of(_TAGS, st.sampled_from(["ar--rtl", "en-GB--ltr"]))

_XSD = XSD_STRING.removesuffix("string")


def _atoms(
    iris: st.SearchStrategy[str],
    labels: st.SearchStrategy[str],
    tags: st.SearchStrategy[str] = _TAGS,
) -> st.SearchStrategy[Term]:
    # Lexical forms that are invalid or not canonical for their datatype stay as they are.
    datatypes = st.one_of(st.sampled_from([f"{_XSD}integer", f"{_XSD}decimal"]), iris).filter(bool)
    return st.one_of(
        atoms_of(iris=iris, labels=labels, texts=_TEXTS, tags=tags, datatypes=datatypes),
        st.builds(Literal, st.sampled_from(["01", "1", "true", "+1.50"]), st.none(), datatypes),
    )


# Any term; any term of patches; and any term of RDF 1.1 that rdflib reads without a warning. Built
# once because building them is slow.
_GENERIC = with_triple_terms(
    _atoms(st.one_of(st.builds("{}{}".format, _BASES, _TEXTS), _TEXTS), _TEXTS), max_leaves=9
)
_PATCH_TERMS = with_triple_terms(
    _atoms(
        st.builds("{}{}".format, st.one_of(_BASES, st.just("")), _TEXTS),
        _TEXTS,
        _TAGS_WITH_DIRECTION,
    ),
    max_leaves=9,
)
_RDF11 = _atoms(
    st.builds(
        "{}{}".format, _BASES, st.sampled_from(["", "a", "b#c", "é/😀", "%20", "(x)?y=z&_~"])
    ),
    st.from_regex(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?", fullmatch=True),
)
_RDF12_IRIS = st.builds("{}{}".format, _BASES, st.sampled_from(["", "a", "é/😀"])).map(Iri)
_RDF12_NODES = st.one_of(_RDF12_IRIS, st.sampled_from(["b", "0", "a.b-c"]).map(BlankNode))
_RDF12_OBJECTS = st.recursive(
    st.one_of(_RDF11, st.builds(tagged_literal, _TEXTS, _TAGS_WITH_DIRECTION)),
    lambda inner: st.builds(TripleTerm, _RDF12_NODES, _RDF12_IRIS, inner),
    max_leaves=4,
)
_GENERIC_LISTS = st.lists(_GENERIC, min_size=1, max_size=8)
_RDF11_LISTS = st.lists(_RDF11, min_size=1, max_size=8)

# Statements by the places of their terms in four lists, taken round: which terms there are is drawn
# once, so that they come again.
_PLACES = st.lists(
    st.tuples(*[st.integers(0, 9)] * 4),
    min_size=1,  # a stream of no statements has no frame, which others take for an error
    max_size=30,
)


def _statements(
    places: list[tuple[int, ...]],
    subjects: list[Term],
    predicates: list[Term],
    objects: list[Term],
    graphs: list[Term | None],
) -> list[Statement]:
    return [
        (
            subjects[s % len(subjects)],
            predicates[p % len(predicates)],
            objects[o % len(objects)],
            graphs[g % len(graphs)],
        )
        for s, p, o, g in places
    ]


@st.composite
def generic_statements(draw: st.DrawFn, *, quads: bool) -> list[Statement]:
    """Draw generalized RDF-star statements."""
    terms = draw(_GENERIC_LISTS)
    names: list[Term | None] = [None]
    if quads:
        names += [term for term in terms if not isinstance(term, TripleTerm)]
    return _statements(draw(_PLACES), terms, terms, terms, names)


@st.composite
def rdf11_statements(draw: st.DrawFn, *, quads: bool) -> list[Statement]:
    """Draw statements of RDF 1.1."""
    terms = draw(_RDF11_LISTS)
    predicates: list[Term] = [Iri("urn:p"), *(term for term in terms if isinstance(term, Iri))]
    subjects = predicates + [term for term in terms if isinstance(term, BlankNode)]
    names = [None, *(subjects if quads else [])]
    return _statements(draw(_PLACES), subjects, predicates, terms, names)


@st.composite
def rdf12_statements(draw: st.DrawFn, *, quads: bool) -> list[Statement]:
    """Draw statements of RDF 1.2: triple terms as objects, nested or not, and base directions."""
    objects = draw(st.lists(_RDF12_OBJECTS, min_size=1, max_size=8))
    nodes: list[Term] = draw(st.lists(_RDF12_NODES, min_size=1, max_size=4))
    predicates: list[Term] = draw(st.lists(_RDF12_IRIS, min_size=1, max_size=4))
    names = [None, *(nodes if quads else [])]
    return _statements(draw(_PLACES), nodes, predicates, objects, names)


@st.composite
def patches_of_jena(draw: st.DrawFn) -> list[PatchRow]:
    """Draw rows of patches with any terms; Jena has no IRI in a `PD`."""
    terms = [format_term(term) for term in draw(st.lists(_PATCH_TERMS, min_size=1, max_size=8))]
    term = st.sampled_from(terms)
    graph = st.sampled_from(
        [None, "<urn:g>", *(text for text in terms if text.startswith(("<_:", "_:")))]
    )
    name = st.sampled_from(["", "ex", "a.b-c"])
    change = st.one_of(
        patch_rows("A D", subject=term, predicate=term, object=term, graph=graph),
        patch_rows("A D", subject=term, predicate=term, object=term, graph=graph),
        patch_rows("PA", graph=graph, name=name, value=st.sampled_from(["<urn:x:>", "<x>"])),
        patch_rows("PD", graph=graph, name=name),
    )
    changes = st.lists(change, max_size=6)
    transaction = st.tuples(
        st.just([PatchRow("TX")]), changes, st.sampled_from([[PatchRow("TC")], [PatchRow("TA")]])
    ).map(lambda parts: [*chain.from_iterable(parts)])
    header = patch_rows("H", name=st.sampled_from(["id", "prev", "x-y"]), value=term)
    block = st.one_of(
        transaction, transaction, changes, st.lists(header, max_size=3), st.just([PatchRow("END")])
    )
    return [*chain.from_iterable(draw(st.lists(block, min_size=1, max_size=6)))]
