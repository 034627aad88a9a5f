"""Random rows and options."""

from hypothesis import strategies as st

from jelly_spark.codec import JellyPatchOptions, PatchRow, StatementType, StreamType
from jelly_spark.core.terms import Iri, format_term
from tests.codec.strategies import IRIS, TEXTS, atoms, jelly_options, patch_rows, terms
from tests.numbering import numbered


def options() -> st.SearchStrategy[JellyPatchOptions]:
    """Any options that hold every row of `patches`."""
    return st.builds(
        JellyPatchOptions,
        stream_type=st.sampled_from(StreamType),
        statement_type=st.sampled_from(StatementType),
        **jelly_options(),
    )


@st.composite
def patches(draw: st.DrawFn, written: JellyPatchOptions) -> list[PatchRow]:
    """Draw numbered rows as a reader gives them for a stream with these options."""
    strings = draw(st.lists(st.builds(format_term, terms()), min_size=1, max_size=12))
    term = st.sampled_from(strings)
    iri = st.builds(format_term, st.builds(Iri, IRIS))
    graph = st.none()
    if written.statement_type is StatementType.QUADS:
        graph = st.one_of(st.none(), st.builds(format_term, atoms()))
    statement = patch_rows("A D", subject=term, predicate=term, object=term, graph=graph)
    rows = draw(
        st.lists(
            st.one_of(
                statement,
                statement,
                patch_rows("H", name=TEXTS, value=term),
                patch_rows("PA", name=TEXTS, value=iri, graph=graph),
                patch_rows("PD", name=TEXTS, value=st.one_of(st.none(), iri), graph=graph),
                patch_rows("TX TC TA END"),
            ),
            max_size=40,
        )
    )
    framed = written.stream_type is StreamType.FRAME
    if written.stream_type is StreamType.FLAT or (framed and not written.delimited):
        rows = [row for row in rows if row.op != "END"]
    if framed:
        # Frames before the options give no rows, and the last frame ends as well.
        while rows and rows[0].op == "END":
            del rows[0]
        if rows and rows[-1].op != "END":
            rows.append(PatchRow("END"))
    return numbered(rows)
