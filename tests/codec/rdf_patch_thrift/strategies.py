"""Random rows."""

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import Iri, format_term
from tests.codec.strategies import patch_rows, terms
from tests.numbering import numbered

_NAMES = st.text(max_size=5)
_IRIS = st.text(max_size=5).map(lambda text: format_term(Iri(text)))


@st.composite
def patches(draw: st.DrawFn) -> list[PatchRow]:
    """Draw any rows, of few terms, numbered, so that their transactions need not be in order."""
    term = st.sampled_from(draw(st.lists(terms().map(format_term), min_size=1, max_size=6)))
    graph = st.none() | term
    rows = st.one_of(
        patch_rows("A D", subject=term, predicate=term, object=term, graph=graph),
        patch_rows("H", name=_NAMES, value=term),
        patch_rows("PA", name=_NAMES, value=_IRIS, graph=graph),
        patch_rows("PD", name=_NAMES, graph=graph),
        patch_rows("TX TC TA END"),
    )
    return numbered(draw(st.lists(rows, max_size=12)))
