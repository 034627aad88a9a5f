"""Writing: canonical lines, what is refused, and what comes back."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import (
    JellyRdfOptions,
    LogicalType,
    NQuadsOptions,
    NQuadsWriter,
    NTriplesOptions,
    NTriplesWriter,
    PhysicalType,
    RdfRow,
)
from jelly_spark.core.terms import format_term
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from tests.codec.strategies import terms


def written(*rows: RdfRow, format: str = "nquads", **options: Any) -> str:
    out = io.BytesIO()
    chosen = (NQuadsOptions if format == "nquads" else NTriplesOptions)(**options)
    assert codec.write(out, rows, options=chosen, format=format) == len(rows)
    return out.getvalue().decode()


def refused(row: RdfRow, format: str = "nquads", **options: Any) -> str:
    with pytest.raises(UnwritableRowError) as raised:
        written(row, format=format, **options)
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


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ('"x"@EN-gb', '"x"@en-gb'),
        ('"x"@Ar--rtl', '"x"@ar--rtl'),
        ('"x"@en', '"x"@en'),
        ('"A"', '"A"'),
        (r'"\u0041\t\b\f\"\\\n\r"', r'"A\t\b\f\"\\\n\r"'),
        ('"\0\x07\x0b\x0e\x1f\x7f\x80"', '"' + r"\u0000\u0007\u000B\u000E\u001F\u007F" + '\x80"'),
        ('"\ufffd\ufffe\uffff\U0010ffff?"', '"\ufffd' + r"\uFFFE\uFFFF" + '\U0010ffff?"'),
        ('"x"^^<http://www.w3.org/2001/XMLSchema#string>', '"x"'),
        (r"<a:\u00e9\u0020\u007f>", "<a:é\\u0020\x7f>"),
        ('<< _:a <a:p> "\x07"@EN >>', r'<<( _:a <a:p> "\u0007"@en )>>'),
        ("<_:b>", "_:b"),
    ],
)
def test_canonical_form(given: str, canonical: str) -> None:
    row = RdfRow("_:s", "<a:p>", given)
    assert written(row, canonical=True) == f"_:s <a:p> {canonical} .\n"
    assert written(row, format="ntriples", canonical=True) == f"_:s <a:p> {canonical} .\n"


_ONLY_AS_OBJECT = "canonical N-Triples can hold a triple term only as an object"


@pytest.mark.parametrize(
    ("columns", "rule"),
    [
        ({"subject": '"s"'}, _KINDS[0]),
        ({"subject": "<<( _:s <a:p> _:o )>>"}, _ONLY_AS_OBJECT),
        (
            {"object": "<<( <<( _:s <a:p> _:o )>> <a:p> _:o )>>"},
            _ONLY_AS_OBJECT,
        ),
        ({"object": '"x"@abcdefghi'}, "a subtag of a language tag must have at most 8 characters"),
        (
            {"object": '"x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>'},
            "a literal with rdf:langString or rdf:dirLangString needs a tag",
        ),
        (
            {"object": '"x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString>'},
            "a literal with rdf:langString or rdf:dirLangString needs a tag",
        ),
        ({"object": "<o>"}, "an IRI must be absolute"),
        ({"graph": "<_:a:b>"}, "a blank node label must follow N-Triples' grammar"),
    ],
)
def test_rows_that_canonical_form_refuses(columns: dict[str, Any], rule: str) -> None:
    assert refused(_ROW._replace(**columns), canonical=True) == rule


@given(st.tuples(_TERMS, _TERMS, _TERMS, st.none() | _TERMS))
def test_canonical_lines_are_rdf_1_2(terms: tuple[str, str, str, str | None]) -> None:
    """What is written canonically is written again as it is; strict readers refuse only IRIs."""
    try:
        text = written(RdfRow(*terms), canonical=True)
    except UnwritableRowError:
        return
    (row,) = codec.read_nquads(text.encode())
    assert written(row, canonical=True) == text
    try:
        assert [*codec.read_nquads(text.encode(), strict=True)] == [row]
    except MalformedInputError as error:
        assert "expected an IRI of RFC 3987" in str(error)
    (given,) = codec.read(written(RdfRow(*terms)).encode(), format="nquads")
    assert str(row).lower() == str(given).lower()


@pytest.mark.parametrize("version", ["1.1", "1.2", "1.2-basic"])
def test_versions(version: str) -> None:
    line = "<a:s> <a:p> <a:o> .\n"
    row = RdfRow("<a:s>", "<a:p>", "<a:o>")
    for format in ("ntriples", "nquads"):
        first = f'VERSION "{version}"\n'
        assert written(row, row, format=format, version=version) == first + line * 2
        assert written(format=format, version=f" {version}") == first
        assert written(row, format=format, version=" ") == line


def test_messages() -> None:
    def row(number: int, frame: int | None) -> RdfRow:
        return RdfRow("_:s", "<a:p>", f'"{number}"', frame=frame)

    rows = [row(0, 0), row(1, 0), row(2, 1), row(3, 4)]
    line = '_:s <a:p> "%d" .\n'
    for format in ("ntriples", "nquads"):
        text = written(*rows, format=format, version="1.2-messages")
        assert text == (
            'VERSION "1.2-messages"\n'
            + line % 0
            + line % 1
            + "MESSAGE\n"
            + line % 2
            + "MESSAGE\n" * 3
            + line % 3
        )
        read = codec.read(text.encode(), format=format)
        assert [each._replace(seq=None) for each in read] == rows
        first = written(row(0, 2), format=format, version="1.2-messages")
        assert first == 'VERSION "1.2-messages"\nMESSAGE\nMESSAGE\n' + line % 0
        assert written(format=format, version="1.2-messages") == 'VERSION "1.2-messages"\n'
        assert written(*rows, format=format) == "".join(line % i for i in range(4))
    many = written(row(0, 5000), version="1.2-messages")
    assert many.count("MESSAGE\n") == 5000
    needs = "in a stream of messages, each row needs a frame from 0 on"
    assert refused(row(0, None), version="1.2-messages") == needs
    assert refused(row(0, -1), version="1.2-messages") == needs
    many = "in a stream of messages, frame must not increase by more than 10000000"
    assert refused(row(0, 10_000_001), version="1.2-messages") == many
    assert refused(row(0, (1 << 63) - 1), version="1.2-messages") == many
    with pytest.raises(UnwritableRowError) as raised:
        written(row(0, 1), row(1, 0), version="1.2-messages")
    assert raised.value.rule == "in a stream of messages, frame must not decrease"


def test_messages_are_not_appended() -> None:
    options = NTriplesOptions(version="1.2-messages")
    with pytest.raises(OptionError, match="messages cannot be appended to a file"):
        NTriplesWriter(io.BytesIO(b"_:s <a:p> <a:o> .\n"), options, append=True)
    out = io.BytesIO()
    with NTriplesWriter(out, options, append=True) as writer:
        writer.write(RdfRow("_:s", "<a:p>", "<a:o>", frame=0))
    assert out.getvalue() == b'VERSION "1.2-messages"\n_:s <a:p> <a:o> .\n'


def test_the_version_is_written_in_its_own_case() -> None:
    assert written(RdfRow("_:s", "<a:p>", "<a:o>", frame=1), version=" 1.2-MESSAGES ") == (
        'VERSION "1.2-messages"\nMESSAGE\n_:s <a:p> <a:o> .\n'
    )


def test_canonical_lines_are_not_appended() -> None:
    """An empty line would come between, in case the last one lacks its line feed."""
    options = NTriplesOptions(canonical=True)
    with pytest.raises(OptionError, match="lines in canonical form cannot be appended to a file"):
        NTriplesWriter(io.BytesIO(b"_:s <a:p> <a:o> .\n"), options, append=True)
    out = io.BytesIO()
    with NTriplesWriter(out, options, append=True) as writer:
        writer.write(RdfRow("_:s", "<a:p>", "<a:o>"))
    assert out.getvalue() == b"_:s <a:p> <a:o> .\n"


@given(st.lists(st.tuples(_TERMS, st.integers(0, 3))))
def test_messages_come_back(objects: list[tuple[str, int]]) -> None:
    """Frames of Jelly-RDF survive as messages, and the other way round."""
    frame = 0
    rows = []
    for term, step in objects:
        frame += step
        rows.append(
            RdfRow("<a:s>", "<a:p>", "<a:o>" if term.startswith("<_:") else term, frame=frame)
        )
    try:
        text = written(*rows, version="1.2-messages")
    except UnwritableRowError:
        return
    read = list(codec.read(text.encode(), format="nquads"))
    assert read == [row._replace(seq=seq) for seq, row in enumerate(rows)]
    out = io.BytesIO()
    grouped = JellyRdfOptions(physical_type=PhysicalType.TRIPLES, logical_type=LogicalType.GRAPHS)
    codec.write(out, read, options=grouped, format="jelly_rdf")
    again = list(codec.read(out.getvalue(), format="jelly_rdf"))
    assert [row._replace(name=None) for row in again] == _renumbered(read)
    back = written(*again, version="1.2-messages")
    assert list(codec.read(back.encode(), format="nquads")) == again


def _renumbered(rows: list[RdfRow]) -> list[RdfRow]:
    """Number the frames of rows without gaps, as Jelly-RDF's writer does."""
    frames = sorted({row.frame for row in rows if row.frame is not None})
    return [row._replace(frame=frames.index(row.frame or 0)) for row in rows]


def test_options_that_are_not_valid() -> None:
    with pytest.raises(OptionError, match=r"version must be one of: 1\.1, 1\.2, 1\.2-basic, "):
        NTriplesOptions(version="2")
    with pytest.raises(OptionError, match="canonical files have no VERSION"):
        NQuadsOptions(version="1.2", canonical=True)


def test_appending_writes_no_version() -> None:
    for start, first in ((b"", b'VERSION "1.2"\n'), (b"_:a <a:p> _:b .\n", b"\n")):
        out = io.BytesIO(start)
        with NQuadsWriter(out, NQuadsOptions(version="1.2"), append=True) as lines:
            lines.write(_ROW)
        assert out.getvalue() == start + first + b"<a:s> <a:p> <a:o> <a:g> .\n"


def test_appending() -> None:
    for writer in (NTriplesWriter, NQuadsWriter):
        out = io.BytesIO(b"<a:s> <a:p> <a:o> .")
        with writer(out, append=True) as lines:
            lines.write(_ROW._replace(graph=None))
        found = list(codec.read(out.getvalue(), format="nquads"))
        assert [row.seq for row in found] == [0, 1]
