"""What these tests share: both directions in memory, random rows."""

import io
from collections.abc import Iterable

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow, RdfPatchThriftWriter, read_rdf_patch_thrift
from jelly_spark.core.rows import RowNumbering
from jelly_spark.core.terms import Iri, format_term
from tests.codec.strategies import terms


def read(data: bytes, *, strict: bool = False) -> list[PatchRow]:
    """Return the rows of a file."""
    return list(read_rdf_patch_thrift(io.BytesIO(data), strict=strict))


def encode(rows: Iterable[PatchRow]) -> bytes:
    """Return the file that holds the rows."""
    out = io.BytesIO()
    with RdfPatchThriftWriter(out) as writer:
        for row in rows:
            writer.write(row)
    return out.getvalue()


def numbered(rows: Iterable[PatchRow]) -> list[PatchRow]:
    """Return the rows with the ordinals that a reader gives them."""
    number = RowNumbering().number
    return [PatchRow(*row[:7], *number(row.op)) for row in rows]


_TERMS = terms().map(format_term)
_GRAPHS = st.none() | _TERMS
_NAMES = st.text(max_size=5)
_IRIS = st.text(max_size=5).map(lambda text: format_term(Iri(text)))


def _rows() -> st.SearchStrategy[PatchRow]:
    statements = st.tuples(st.sampled_from("AD"), _TERMS, _TERMS, _TERMS, _GRAPHS)
    prefixes = st.tuples(_GRAPHS, _NAMES, _IRIS)
    deletions = st.tuples(_GRAPHS, _NAMES)
    headers = st.tuples(_NAMES, _TERMS)
    return st.one_of(
        statements.map(lambda columns: PatchRow(*columns)),
        headers.map(lambda columns: PatchRow("H", None, None, None, None, *columns)),
        prefixes.map(lambda columns: PatchRow("PA", None, None, None, *columns)),
        deletions.map(lambda columns: PatchRow("PD", None, None, None, *columns)),
        st.sampled_from(["TX", "TC", "TA", "END"]).map(PatchRow),
    )


def patches() -> st.SearchStrategy[list[PatchRow]]:
    """Any rows, numbered, so that their transactions need not be in order."""
    return st.lists(_rows(), max_size=12).map(numbered)
