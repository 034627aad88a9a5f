"""Random rows that the two styles of RDF Patch can hold."""

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import Iri, Literal, Term, format_term
from jelly_spark.core.terms.text import XSD_STRING
from tests.codec.strategies import atoms_of, patch_rows, with_triple_terms
from tests.numbering import numbered

_XSD = XSD_STRING.removesuffix("string")
_TEXTS = st.one_of(
    st.sampled_from(
        ["", "a", ".", "a.", "x<y>", "é/😀", ' "\\\n\r\t\f\b\0', "\ufffd", "\x14", "R"]
    ),
    st.text(max_size=5),
)
_NAMES = st.one_of(st.sampled_from(["", "a", "ex", "a.b", "a-1", "true", "R"]), _TEXTS)
_NUMBERS = st.one_of(
    st.sampled_from(["7", "-01", "+.5", "1.", ".", "1.e5", "e5", "-1E+3", "true", "1", "+", ""]),
    st.text("+-.eE01", max_size=6),
)
_TAGS = st.sampled_from(["en", "EN-us", "de-AT-1996", "x-y", "he--rtl"])
_NAMESPACES = st.sampled_from(["http://a.example/", "http://a.example/b#", "urn:"])
_ABSOLUTE = st.builds("{}{}".format, _NAMESPACES, _TEXTS)
_RELATIVE = st.one_of(_ABSOLUTE, _TEXTS.filter(lambda text: not text.startswith("_:")))


def _atoms(
    iris: st.SearchStrategy[str], datatypes: st.SearchStrategy[str]
) -> st.SearchStrategy[Term]:
    short = st.sampled_from(["integer", "decimal", "double", "boolean"]).map(_XSD.__add__)
    return st.one_of(
        atoms_of(iris=iris, labels=_TEXTS, texts=_TEXTS, tags=_TAGS, datatypes=datatypes),
        st.builds(Literal, _NUMBERS, st.none(), short),
    )


# Built once because building them is slow.
_JENA_ATOMS = _atoms(_RELATIVE, st.one_of(_RELATIVE, st.just("_:d")))
_JENA_TERMS = with_triple_terms(_JENA_ATOMS, max_leaves=6).map(format_term)
_JENA_GRAPHS = st.none() | _JENA_ATOMS.map(format_term)
_ANY_IRIS = st.builds(Iri, st.one_of(_ABSOLUTE, _TEXTS, st.just("_:x"))).map(format_term)
_V1_TERMS = _atoms(_ABSOLUTE, _ABSOLUTE).map(format_term)


_V1_PREFIXES = patch_rows(
    "PA",
    name=st.sampled_from(["", "a", "b", "ex.b"]),
    value=_NAMESPACES.map(lambda iri: f"<{iri}>"),
)


def jena_patches() -> st.SearchStrategy[list[PatchRow]]:
    """Rows as a reader numbers them, that style `JENA` holds."""
    rows = st.one_of(
        patch_rows(
            "A D",
            subject=_JENA_TERMS,
            predicate=_JENA_TERMS,
            object=_JENA_TERMS,
            graph=_JENA_GRAPHS,
        ),
        patch_rows("H", name=_NAMES, value=_JENA_TERMS),
        patch_rows("PA", name=_NAMES, value=_ANY_IRIS, graph=_JENA_GRAPHS),
        patch_rows("PD", name=_NAMES, graph=_JENA_GRAPHS),
        patch_rows("TX TC TA END"),
    )
    return st.lists(rows, max_size=12).map(numbered)


@st.composite
def v1_patches(draw: st.DrawFn) -> list[PatchRow]:
    """Draw rows without ordinals, that style `V1` holds."""
    terms = st.sampled_from(draw(st.lists(_V1_TERMS, min_size=1, max_size=6)))
    statements = patch_rows(
        "A D", subject=terms, predicate=terms, object=terms, graph=st.none() | terms
    )
    return draw(st.lists(st.one_of(statements, statements, _V1_PREFIXES), max_size=15))
