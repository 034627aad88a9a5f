"""Random terms and rows, and what the options of both Jelly formats have in common."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import (
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    Term,
)

# Few of each, so that they repeat, share lookup entries, and drive each other out.
TEXTS = st.one_of(
    st.sampled_from(["", "a", "b#c", "_:", "é/😀", 'x "\\\n', "http://example.org/"]),
    st.text(max_size=5),
)
IRIS = st.builds(
    "{}{}".format,
    st.sampled_from(["http://a.example/", "http://b.example/#", "urn:", "_:", ""]),
    TEXTS,
)
_TAGS = st.one_of(st.sampled_from(["en", "de-AT", "_x"]), st.text(min_size=1, max_size=3))
_DATATYPES = IRIS.filter(lambda iri: iri != XSD_STRING)


# Made once, as making them is slow.
@cache
def atoms() -> st.SearchStrategy[Term]:
    """Any term but quoted triples."""
    return st.one_of(
        st.builds(Iri, IRIS),
        st.builds(BlankNode, TEXTS),
        st.builds(Literal, TEXTS),
        st.builds(Literal, TEXTS, _TAGS),
        st.builds(Literal, TEXTS, st.none(), _DATATYPES),
    )


@cache
def terms() -> st.SearchStrategy[Term]:
    """Any term, quoted triples as well."""
    return st.recursive(
        atoms(), lambda inner: st.builds(QuotedTriple, inner, inner, inner), max_leaves=9
    )


def patch_rows(ops: str, **columns: st.SearchStrategy[str | None]) -> st.SearchStrategy[PatchRow]:
    """Rows with one of these codes, and these columns."""
    return st.tuples(st.sampled_from(ops.split()), st.fixed_dictionaries(columns)).map(
        lambda drawn: PatchRow._make((drawn[0], *map(drawn[1].get, PatchRow._fields[1:])))
    )


def jelly_options() -> dict[str, st.SearchStrategy[Any]]:
    """Options that hold every row of the strategies: tables big enough for each."""
    return {
        "max_name_table_size": st.integers(64, 80),
        "max_prefix_table_size": st.sampled_from([0, 64, 100]),
        "max_datatype_table_size": st.integers(64, 80),
        "frame_size": st.integers(1, 20),
        "delimited": st.booleans(),
        "restart_interval": st.sampled_from([0, 1, 30, 100, 32 << 20]),
    }
