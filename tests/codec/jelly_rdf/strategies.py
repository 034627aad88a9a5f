"""Random statements and options."""

from hypothesis import strategies as st

from jelly_spark.codec import JellyRdfOptions, LogicalType, PhysicalType, RdfRow
from jelly_spark.core.terms import Iri, format_term
from tests.codec.strategies import IRIS, TEXTS, atoms, jelly_options, terms


@st.composite
def options(draw: st.DrawFn) -> JellyRdfOptions:
    """Draw options that hold every row of `rows`."""
    physical = draw(st.sampled_from(PhysicalType))
    return JellyRdfOptions(
        physical_type=physical,
        logical_type=draw(st.sampled_from([kind for kind in LogicalType if kind.fits(physical)])),
        stream_name=draw(TEXTS),
        namespaces=draw(st.booleans()),
        **draw(st.fixed_dictionaries(jelly_options())),
    )


@st.composite
def rows(draw: st.DrawFn, written: JellyRdfOptions) -> list[RdfRow]:
    """Draw rows for a stream with these options, with the frames that a grouped stream needs."""
    strings = draw(st.lists(st.builds(format_term, terms()), min_size=1, max_size=12))
    term = st.sampled_from(strings)
    graph = st.none()
    if written.physical_type is not PhysicalType.TRIPLES:
        graph = st.one_of(st.none(), st.builds(format_term, atoms()))
    row = st.tuples(term, term, term, graph).map(lambda columns: RdfRow(*columns))
    if written.namespaces:
        iri = st.builds(format_term, st.builds(Iri, IRIS))
        namespace = st.tuples(TEXTS, iri).map(lambda pair: RdfRow(name=pair[0], value=pair[1]))
        row = st.one_of(row, row, namespace)
    found = draw(st.lists(row, max_size=40))
    if written.logical_type.grouped and written.delimited:
        steps = draw(st.lists(st.integers(0, 1), min_size=len(found), max_size=len(found)))
        # The first frame is number 0.
        number = 0
        for i, step in enumerate(steps):
            number += step if i else 0
            found[i] = found[i]._replace(frame=number)
    return found
