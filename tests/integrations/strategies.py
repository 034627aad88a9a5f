"""Random terms that other libraries can hold, and patches of them."""

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import format_term
from jelly_spark.core.terms.text import XSD
from tests.codec.strategies import TEXTS, atoms_of

TAGS = st.sampled_from(["en", "EN", "de-AT", "zh-Hant-TW", "x-1"])
"""Well-formed language tags without base directions."""

_XSD_TYPES = st.sampled_from(
    [
        *("boolean", "byte", "date", "dateTime", "decimal", "double", "duration", "gYear"),
        *("hexBinary", "base64Binary", "integer", "normalizedString", "positiveInteger", "time"),
        *("token", "unsignedLong", "anyURI"),
    ]
).map(XSD.__add__)
_RDF_TYPES = st.sampled_from(["HTML", "XMLLiteral", "JSON", "langString"]).map(
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#{}".format
)
# Forms that a library that normalises literals would change.
_LEXICALS = st.one_of(
    st.sampled_from(["01", "+1.50", " 1 ", "1e400", "TRUE", "a  b\t\n", "0000-13-45", "<b>x", "{"]),
    TEXTS,
)
_BASES = st.sampled_from(["http://a.example/", "urn:x:"])


def plain_terms(
    *,
    iris: st.SearchStrategy[str],
    labels: st.SearchStrategy[str],
    tags: st.SearchStrategy[str] = TAGS,
) -> st.SearchStrategy[str]:
    """Canonical strings of terms except triple terms, with language tags that are well-formed."""
    return atoms_of(
        iris=iris,
        labels=labels,
        texts=_LEXICALS,
        tags=tags,
        datatypes=st.one_of(_XSD_TYPES, _RDF_TYPES, iris),
    ).map(format_term)


def valid_iris() -> st.SearchStrategy[str]:
    """Absolute IRIs that every library accepts."""
    endings = ["", "a", "b#c", "é/😀", "%20", "(x)?y=z&_~"]
    return st.builds("{}{}".format, _BASES, st.sampled_from(endings))


def valid_labels() -> st.SearchStrategy[str]:
    """Blank node labels that every library accepts."""
    return st.from_regex(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,5}[A-Za-z0-9_-])?", fullmatch=True)


@st.composite
def patches(
    draw: st.DrawFn, *, quads: bool = True, tags: bool = True, numbers: bool = True
) -> list[PatchRow]:
    """Rows of several patches with few terms, so that changes meet: transactions, `TA` too.

    Args:
        draw: Hypothesis's function.
        quads: whether rows may have graphs.
        tags: whether there are language tags.
        numbers: whether there are literals of numbers, some with the same value.
    """
    nodes = ["<urn:x:a>", "<urn:x:b>", "_:c", "<http://a.example/d#e>"]
    objects = [*nodes, '"a"', '" a "^^<urn:x:a>']
    objects += [f'"01"^^<{XSD}integer>', f'"1"^^<{XSD}integer>'] if numbers else []
    objects += ['"a"@en', '"a"@de-AT'] if tags else []
    graphs: list[str | None] = [None, *(nodes[1:] if quads else [])]
    change = st.tuples(
        st.sampled_from(["A", "D"]),
        st.sampled_from(nodes[:3]),
        st.sampled_from(nodes[:2]),
        st.sampled_from(objects),
        st.sampled_from(graphs),
    ).map(lambda drawn: PatchRow._make((*drawn, *[None] * 5)))
    rows: list[PatchRow] = []
    for _ in range(draw(st.integers(0, 4))):
        changes = draw(st.lists(change, max_size=6))
        end = draw(st.sampled_from([PatchRow("TC"), PatchRow("TA"), None]))
        rows += changes if end is None else [PatchRow("TX"), *changes, end]
        rows += [PatchRow("END")] * draw(st.booleans())
    return rows
