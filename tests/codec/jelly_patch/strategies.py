"""Random rows and options."""

from hypothesis import strategies as st

from jelly_spark.codec import PatchOptions, PatchRow, StatementType, StreamType
from jelly_spark.core.rows import RowNumbering
from jelly_spark.core.terms import Iri, format_term
from tests.codec.strategies import IRIS, TEXTS, atoms, terms


def options() -> st.SearchStrategy[PatchOptions]:
    """Any options that hold every row: tables big enough for one row of `patches`."""
    return st.builds(
        PatchOptions,
        stream_type=st.sampled_from(StreamType),
        statement_type=st.sampled_from(StatementType),
        max_name_table_size=st.integers(64, 80),
        max_prefix_table_size=st.sampled_from([0, 64, 100]),
        max_datatype_table_size=st.integers(64, 80),
        frame_size=st.integers(1, 20),
        delimited=st.booleans(),
    )


def _rows(op: str, **columns: st.SearchStrategy[str | None]) -> st.SearchStrategy[PatchRow]:
    return st.fixed_dictionaries(columns).map(
        lambda values: PatchRow._make([op, *map(values.get, PatchRow._fields[1:])])
    )


@st.composite
def patches(draw: st.DrawFn, written: PatchOptions) -> list[PatchRow]:
    """Draw numbered rows as a reader gives them for a stream with these options."""
    strings = draw(st.lists(st.builds(format_term, terms()), min_size=1, max_size=12))
    term = st.sampled_from(strings)
    iri = st.builds(format_term, st.builds(Iri, IRIS))
    graph = st.none()
    if written.statement_type is StatementType.QUADS:
        graph = st.one_of(st.none(), st.builds(format_term, atoms()))
    statement = st.sampled_from("AD").flatmap(
        lambda op: _rows(op, subject=term, predicate=term, object=term, graph=graph)
    )
    rows = draw(
        st.lists(
            st.one_of(
                statement,
                statement,
                _rows("H", name=TEXTS, value=term),
                _rows("PA", name=TEXTS, value=iri, graph=graph),
                _rows("PD", name=TEXTS, value=st.one_of(st.none(), iri), graph=graph),
                st.sampled_from(["TX", "TC", "TA", "END"]).map(PatchRow),
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
    number = RowNumbering().number
    numbered = []
    for row in rows:
        patch, tx, seq = number(row.op)
        numbered.append(row._replace(patch=patch, tx=tx, seq=seq))
    return numbered
