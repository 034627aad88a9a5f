"""Random statements that other libraries can hold as well."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from jelly_spark.core.terms import XSD_STRING, BlankNode, Iri, Literal, QuotedTriple, Term
from tests.conformance.ntriples import Statement

generated = settings(
    max_examples=30,  # the JVM is called for each
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""How tests use these strategies."""

_TEXTS = st.one_of(
    st.sampled_from(["", "a", "b#c", 'x "\\\n\r\t', "é/😀\u2028"]), st.text(max_size=5)
)
_BASES = st.sampled_from(["http://a.example/", "http://b.example/#", "urn:x:"])
_TAGS = st.sampled_from(["en", "de-AT", "zh-Hant-TW"])

_XSD = XSD_STRING.removesuffix("string")


def _atoms(iris: st.SearchStrategy[str], labels: st.SearchStrategy[str]) -> st.SearchStrategy[Term]:
    # Lexical forms that are not valid or not canonical for their datatype stay as they are.
    datatypes = st.one_of(st.sampled_from([f"{_XSD}integer", f"{_XSD}decimal"]), iris).filter(bool)
    return st.one_of(
        st.builds(Iri, iris),
        st.builds(BlankNode, labels),
        st.builds(Literal, _TEXTS),
        st.builds(Literal, st.sampled_from(["01", "1", "true", "+1.50"]), st.none(), datatypes),
        st.builds(Literal, _TEXTS, _TAGS),
        st.builds(Literal, _TEXTS, st.none(), datatypes.filter(lambda iri: iri != XSD_STRING)),
    )


# Any term; and any of RDF 1.1 that rdflib takes without a word. Made once, as making them is slow.
_GENERIC = st.recursive(
    _atoms(st.one_of(st.builds("{}{}".format, _BASES, _TEXTS), _TEXTS), _TEXTS),
    lambda inner: st.builds(QuotedTriple, inner, inner, inner),
    max_leaves=9,
)
_RDF11 = _atoms(
    st.builds(
        "{}{}".format, _BASES, st.sampled_from(["", "a", "b#c", "é/😀", "%20", "(x)?y=z&_~"])
    ),
    st.from_regex(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?", fullmatch=True),
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
        names += [term for term in terms if not isinstance(term, QuotedTriple)]
    return _statements(draw(_PLACES), terms, terms, terms, names)


@st.composite
def rdf11_statements(draw: st.DrawFn, *, quads: bool) -> list[Statement]:
    """Draw statements of RDF 1.1."""
    terms = draw(_RDF11_LISTS)
    predicates: list[Term] = [Iri("urn:p"), *(term for term in terms if isinstance(term, Iri))]
    subjects = predicates + [term for term in terms if isinstance(term, BlankNode)]
    names = [None, *(subjects if quads else [])]
    return _statements(draw(_PLACES), subjects, predicates, terms, names)
