"""What these tests share: both directions in memory, random rows that the styles can hold."""

import io
from collections.abc import Iterable

from hypothesis import strategies as st

from jelly_spark.codec import (
    PatchRow,
    RdfPatchOptions,
    RdfPatchReader,
    RdfPatchWriter,
    Style,
    read_rdf_patch,
)
from jelly_spark.core.rows import RowNumbering
from jelly_spark.core.terms import (
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    Term,
    format_term,
)


def read(text: str | bytes, *, strict: bool = False) -> list[PatchRow]:
    """Return the rows of a text."""
    data = text.encode() if isinstance(text, str) else text
    return list(read_rdf_patch(io.BytesIO(data), strict=strict))


def open_reader(text: str | bytes) -> RdfPatchReader:
    """Return a reader of a text."""
    return RdfPatchReader(io.BytesIO(text.encode() if isinstance(text, str) else text))


def encode(rows: Iterable[PatchRow], style: Style = Style.JENA) -> str:
    """Return the text that holds the rows."""
    out = io.BytesIO()
    with RdfPatchWriter(out, RdfPatchOptions(style)) as writer:
        for row in rows:
            writer.write(row)
    return out.getvalue().decode()


def numbered(rows: Iterable[PatchRow]) -> list[PatchRow]:
    """Return the rows with the ordinals that a reader gives them."""
    number = RowNumbering().number
    return [PatchRow(*row[:7], *number(row.op)) for row in rows]


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
        st.builds(Iri, iris),
        st.builds(BlankNode, _TEXTS),
        st.builds(Literal, _TEXTS),
        st.builds(Literal, _TEXTS, _TAGS),
        st.builds(Literal, _TEXTS, st.none(), datatypes),
        st.builds(Literal, _NUMBERS, st.none(), short),
    )


# Made once, as making them is slow.
_JENA_ATOMS = _atoms(_RELATIVE, st.one_of(_RELATIVE, st.just("_:d")))
_JENA_TERMS = st.recursive(
    _JENA_ATOMS, lambda inner: st.builds(QuotedTriple, inner, inner, inner), max_leaves=6
).map(format_term)
_JENA_GRAPHS = st.none() | _JENA_ATOMS.map(format_term)
_ANY_IRIS = st.builds(Iri, st.one_of(_ABSOLUTE, _TEXTS, st.just("_:x"))).map(format_term)
_V1_TERMS = _atoms(_ABSOLUTE, _ABSOLUTE).map(format_term)


def _rows(ops: str, **columns: st.SearchStrategy[str | None]) -> st.SearchStrategy[PatchRow]:
    return st.tuples(st.sampled_from(ops.split()), st.fixed_dictionaries(columns)).map(
        lambda drawn: PatchRow._make((drawn[0], *map(drawn[1].get, PatchRow._fields[1:])))
    )


_V1_PREFIXES = _rows(
    "PA",
    name=st.sampled_from(["", "a", "b", "ex.b"]),
    value=_NAMESPACES.map(lambda iri: f"<{iri}>"),
)


def jena_patches() -> st.SearchStrategy[list[PatchRow]]:
    """Rows as a reader numbers them, that style `JENA` holds."""
    rows = st.one_of(
        _rows(
            "A D",
            subject=_JENA_TERMS,
            predicate=_JENA_TERMS,
            object=_JENA_TERMS,
            graph=_JENA_GRAPHS,
        ),
        _rows("H", name=_NAMES, value=_JENA_TERMS),
        _rows("PA", name=_NAMES, value=_ANY_IRIS, graph=_JENA_GRAPHS),
        _rows("PD", name=_NAMES, graph=_JENA_GRAPHS),
        _rows("TX TC TA END"),
    )
    return st.lists(rows, max_size=12).map(numbered)


@st.composite
def v1_patches(draw: st.DrawFn) -> list[PatchRow]:
    """Draw rows without ordinals, that style `V1` holds."""
    terms = st.sampled_from(draw(st.lists(_V1_TERMS, min_size=1, max_size=6)))
    statements = _rows("A D", subject=terms, predicate=terms, object=terms, graph=st.none() | terms)
    return draw(st.lists(st.one_of(statements, statements, _V1_PREFIXES), max_size=15))
