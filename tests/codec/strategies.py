"""Random terms and rows, and the options that both Jelly formats have."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, TripleTerm, tagged_literal
from jelly_spark.core.terms.base_direction import expected_tag
from jelly_spark.core.terms.text import XSD_STRING

# Few of each, so that they repeat, share lookup entries, and evict each other.
TEXTS = st.one_of(
    st.sampled_from(["", "a", "b#c", "_:", "é/😀", 'x "\\\n', "http://example.org/"]),
    st.text(max_size=5),
)
IRIS = st.builds(
    "{}{}".format,
    st.sampled_from(["http://a.example/", "http://b.example/#", "urn:", "_:", ""]),
    TEXTS,
)
_TAGS = st.one_of(
    st.sampled_from(["en", "de-AT", "_x", "ar--rtl", "é-x--ltr"]), st.text(min_size=1, max_size=3)
).filter(lambda tag: expected_tag(tag) is None)


def atoms_of(
    *,
    iris: st.SearchStrategy[str],
    labels: st.SearchStrategy[str],
    texts: st.SearchStrategy[str],
    tags: st.SearchStrategy[str],
    datatypes: st.SearchStrategy[str],
) -> st.SearchStrategy[Term]:
    """Terms of every kind except triple terms, with these parts.

    Tags may have a base direction.
    """
    return st.one_of(
        st.builds(Iri, iris),
        st.builds(BlankNode, labels),
        st.builds(Literal, texts),
        st.builds(tagged_literal, texts, tags),
        st.builds(Literal, texts, st.none(), datatypes.filter(lambda iri: iri != XSD_STRING)),
    )


def with_triple_terms(atoms: st.SearchStrategy[Term], max_leaves: int) -> st.SearchStrategy[Term]:
    """These terms, and triple terms of them, nested or not, with about so many atoms at most."""
    return st.recursive(
        atoms, lambda inner: st.builds(TripleTerm, inner, inner, inner), max_leaves=max_leaves
    )


# Cached because building these strategies is slow.
@cache
def atoms() -> st.SearchStrategy[Term]:
    """Any term except a triple term."""
    return atoms_of(iris=IRIS, labels=TEXTS, texts=TEXTS, tags=_TAGS, datatypes=IRIS)


@cache
def terms() -> st.SearchStrategy[Term]:
    """Any term, including triple terms."""
    return with_triple_terms(atoms(), max_leaves=9)


def patch_rows(ops: str, **columns: st.SearchStrategy[str | None]) -> st.SearchStrategy[PatchRow]:
    """Rows with one of these codes, and these columns."""
    return st.tuples(st.sampled_from(ops.split()), st.fixed_dictionaries(columns)).map(
        lambda drawn: PatchRow._make((drawn[0], *map(drawn[1].get, PatchRow._fields[1:])))
    )


def jelly_options() -> dict[str, st.SearchStrategy[Any]]:
    """Options with tables that are big enough for every row of these strategies."""
    return {
        "max_name_table_size": st.integers(64, 80),
        "max_prefix_table_size": st.sampled_from([0, 64, 100]),
        "max_datatype_table_size": st.integers(64, 80),
        "frame_size": st.integers(1, 20),
        "delimited": st.booleans(),
        "restart_interval": st.sampled_from([0, 1, 30, 100, 32 << 20]),
    }
