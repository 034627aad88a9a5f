"""Writing: canonical lines, what is refused, and what comes back."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import NQuadsWriter, NTriplesWriter, RdfRow
from jelly_spark.core.terms import format_term
from jelly_spark.errors import MalformedInputError, UnwritableRowError
from tests.codec.strategies import terms


def written(*rows: RdfRow, format: str = "nquads") -> str:
    out = io.BytesIO()
    assert codec.write(out, rows, format=format) == len(rows)
    return out.getvalue().decode()


def refused(row: RdfRow, format: str = "nquads") -> str:
    with pytest.raises(UnwritableRowError) as raised:
        written(row, format=format)
    return raised.value.rule


def test_a_line_for_each_statement() -> None:
    rows = [
        RdfRow("<a:s>", "<a:p>", "<a:o>"),
        RdfRow("_:s", "<a:p>", '"x\ty\\n"@en-GB', frame=3, seq=7),
        RdfRow("<a:s>", "<a:p>", '<<( _:a <a:p> <<( _:b <a:p> "" )>> )>>'),
    ]
    lines = [
        "<a:s> <a:p> <a:o> .\n",
        '_:s <a:p> "x\ty\\n"@en-GB .\n',
        '<a:s> <a:p> <<( _:a <a:p> <<( _:b <a:p> "" )>> )>> .\n',
    ]
    assert written(*rows, format="ntriples") == written(*rows) == "".join(lines)
    in_graphs = [row._replace(graph=graph) for row in rows for graph in ("<a:g>", "_:g")]
    assert written(*in_graphs) == "".join(
        f"{line[:-2]}{graph} .\n" for line in lines for graph in ("<a:g>", "_:g")
    )
    assert written() == ""


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        (r'"\u0041\t\"\\\n"', '"A\t\\"\\\\\\n"'),
        ('"x"^^<http://www.w3.org/2001/XMLSchema#string>', '"x"'),
        (r"<a:\u00e9\u0020>", r"<a:é\u0020>"),
        ("<<_:a<a:p>_:b>>", "<<( _:a <a:p> _:b )>>"),
        ("<_:b>", "_:b"),
        ('"' + "\\n" * 1000 + '"', '"' + "\\n" * 1000 + '"'),
    ],
)
def test_terms_become_canonical(given: str, canonical: str) -> None:
    assert written(RdfRow("_:s", "<a:p>", given)) == f"_:s <a:p> {canonical} .\n"


_ROW = RdfRow("<a:s>", "<a:p>", "<a:o>", "<a:g>")
_KINDS = (
    "a subject must be an IRI, a blank node or a triple term",
    "a predicate must be an IRI",
    "a graph must be an IRI or a blank node",
)


@pytest.mark.parametrize(
    ("columns", "rule"),
    [
        ({"subject": None}, "a statement needs a subject, a predicate and an object"),
        ({"object": None}, "a statement needs a subject, a predicate and an object"),
        ({"subject": '"s"'}, _KINDS[0]),
        ({"subject": '<<( "s" <a:p> <a:o> )>>'}, _KINDS[0]),
        ({"predicate": "_:p"}, _KINDS[1]),
        ({"object": "<<( <a:s> <<( <a:s> <a:p> <a:o> )>> <a:o> )>>"}, _KINDS[1]),
        ({"graph": '"g"'}, _KINDS[2]),
        ({"graph": "<<( <a:s> <a:p> <a:o> )>>"}, _KINDS[2]),
        ({"subject": "<s>"}, "an IRI must be absolute"),
        ({"object": '"1"^^<d>'}, "an IRI must be absolute"),
        ({"graph": r"<\u005F:g>"}, "an IRI must be absolute"),
        ({"object": "<_:a:b>"}, "a blank node label must follow N-Triples' grammar"),
        ({"graph": "<_:>"}, "a blank node label must follow N-Triples' grammar"),
        ({"object": '"o"@1'}, "a language tag must follow N-Triples' grammar, as en or de-CH do"),
        ({"object": '"o"@en-'}, "a language tag must follow N-Triples' grammar, as en or de-CH do"),
        ({"name": "ex"}, "a namespace cannot be written as N-Triples or N-Quads"),
        # As one string they would be a quad.
        ({"subject": "<a:s> <a:p>", "predicate": "<a:o>"}, "expected the end of the term"),
        ({"object": '"o" <a:g>', "graph": None}, "expected the end of the term"),
        ({"object": "<a:\ud800>"}, "expected a character that an IRI may hold"),
    ],
)
def test_rows_that_are_refused(columns: dict[str, Any], rule: str) -> None:
    assert refused(_ROW._replace(**columns)).startswith(rule)


def test_n_triples_hold_no_graph() -> None:
    assert refused(_ROW, "ntriples") == "N-Triples cannot hold a graph: write nquads"


_TERMS = terms().map(format_term)


@given(st.tuples(_TERMS, _TERMS, _TERMS, st.none() | _TERMS))
def test_what_is_written_is_read(terms: tuple[str, str, str, str | None]) -> None:
    row = RdfRow(*terms)
    try:
        text = written(row)
    except UnwritableRowError:
        return
    assert list(codec.read(text.encode(), format="nquads")) == [row._replace(seq=0)]


@given(st.lists(_TERMS, min_size=4, max_size=4))
def test_each_row_is_refused_or_read(columns: list[str]) -> None:
    """The writer takes what the reader takes: the grammar is the same."""
    line = f"{' '.join(columns)} .\n"
    subject, predicate, obj, graph = columns
    row = RdfRow(subject, predicate, obj, graph)
    try:
        read = list(codec.read(line.encode(), format="nquads"))
    except MalformedInputError:
        assert refused(row)
    else:
        assert read == [row._replace(seq=0)]
        assert written(row) == line


def test_appending() -> None:
    for writer in (NTriplesWriter, NQuadsWriter):
        out = io.BytesIO(b"<a:s> <a:p> <a:o> .")
        with writer(out, append=True) as lines:
            lines.write(_ROW._replace(graph=None))
        found = list(codec.read(out.getvalue(), format="nquads"))
        assert [row.seq for row in found] == [0, 1]
