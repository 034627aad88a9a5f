"""Reading: the grammar, the fast path and the parser alike, errors, parts, and damage."""

import gzip
import io
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import NQuadsReader, NTriplesReader, RdfRow
from jelly_spark.core.columns import count_of, rows_of_columns
from jelly_spark.errors import MalformedInputError, OptionError
from jelly_spark.lines import reader as line_reader
from jelly_spark.patches.statements import Statement, items_of, statements_of
from tests.codec.damage import check_reading, damaged
from tests.codec.lines.strategies import documents
from tests.codec.streams import peak_memory

S, P = "<http://e/s>", "<http://e/p>"
XSD = "http://www.w3.org/2001/XMLSchema#"


def read(text: str | bytes, format: str = "nquads", **options: Any) -> list[RdfRow]:
    data = text.encode() if isinstance(text, str) else text
    rows: Iterator[Any] = codec.read(data, format=format, **options)
    return list(rows)


def error_of(text: str | bytes, format: str = "nquads", **options: Any) -> MalformedInputError:
    with pytest.raises(MalformedInputError) as raised:
        read(text, format, **options)
    return raised.value


@pytest.mark.parametrize(
    ("line", "terms"),
    [
        (f"{S} {P} <o:> .", (S, P, "<o:>")),
        (f"{S}{P}<o:>.", (S, P, "<o:>")),
        (f"{S}  {P} <o:> .", (S, P, "<o:>")),
        (f"\t {S}\t {P}  <o:>\t. # a comment", (S, P, "<o:>")),
        ("_:a.b <p:>_:0.", ("_:a.b", "<p:>", "_:0")),
        ("_:é·1 <p:> _:_- .", ("_:é·1", "<p:>", "_:_-")),
        (r"<a:\u00e9\U0001F600> <p:> <a:b\u0020c> .", ("<a:é😀>", "<p:>", r"<a:b\u0020c>")),
        (r"<\u0061:b> <p:> <a:b> .", ("<a:b>", "<p:>", "<a:b>")),
        ('_:s <p:> "x" .', ("_:s", "<p:>", '"x"')),
        ('_:s <p:> "" .', ("_:s", "<p:>", '""')),
        (r'_:s <p:> "\t\b\n\r\f\"\'\\\u0041" .', ("_:s", "<p:>", '"\t\b\\n\\r\f\\"\'\\\\A"')),
        ('_:s <p:> "\t\x00\x7f\x85\u2028 é" .', ("_:s", "<p:>", '"\t\x00\x7f\x85\u2028 é"')),
        (f'_:s <p:> "x"^^<{XSD}string> .', ("_:s", "<p:>", '"x"')),
        (f'_:s <p:> "1"^^<{XSD}integer> .', ("_:s", "<p:>", f'"1"^^<{XSD}integer>')),
        ('_:s <p:> "x"@en-GB-oed .', ("_:s", "<p:>", '"x"@en-GB-oed')),
        ('_:s <p:> "x" @en.', ("_:s", "<p:>", '"x"@en')),
        ('_:s <p:> "x" ^^ <d:> .', ("_:s", "<p:>", '"x"^^<d:>')),
        ('_:s <p:> "x"@en--ltr .', ("_:s", "<p:>", '"x"@en--ltr')),
        (
            '<<_:a<p:>"x">> <p:> << <a:s> <p:> <<( _:b <p:> _:c )>> >> .',
            ('<<( _:a <p:> "x" )>>', "<p:>", "<<( <a:s> <p:> <<( _:b <p:> _:c )>> )>>"),
        ),
    ],
)
@pytest.mark.parametrize("graph", [None, "<http://e/g>", "_:g"])
def test_statements(line: str, terms: tuple[str, str, str], graph: str | None) -> None:
    row = RdfRow(*terms, seq=0)
    if graph is None:
        assert read(line, "ntriples") == read(f"\n# c\n{line}\r\n", "ntriples") == [row]
    else:
        dot = line.rindex(".")
        line = f"{line[:dot]} {graph} {line[dot:]}"
    assert read(line) == read(f"\n{line}\n") == [row._replace(graph=graph)]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\r", "\n\n \n#x\n"])
def test_ends_of_lines(end: str) -> None:
    text = end.join([f"{S} {P} <o:> .", f'{S} {P} "\\u0041" . #', f"{S} {P} _:o . # é"])
    assert [row.seq for row in read(text)] == [0, 1, 2]
    assert read(text + end) == read(f"\ufeff{end}{text}") == read(text)


def test_comments_are_not_decoded() -> None:
    assert len(read(b"# \xff\n_:s <p:> <o:> . # \xc3\n_:s <p:> <o:> . #\xe2\x82")) == 2


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        ('"x" <p:> <o:> .', "an IRI or a blank node", "'\"x\"'"),
        ("x <p:> <o:> .", "an IRI or a blank node", "'x'"),
        ("_x <p:> <o:> .", "an IRI or a blank node", "'_x'"),
        ("_: <p:> <o:> .", "a blank node label", "' '"),
        ("_:-a <p:> <o:> .", "a blank node label", "'-'"),
        ("_:a:b <p:> <o:> .", "an IRI", "':b'"),
        ("_:s _:p <o:> .", "an IRI", "'_:p'"),
        ("_:s <<<p:> <p:> <p:>>> <o:> .", "an IRI", "'<<<p:>'"),
        ("_:s <p> <o:> .", "an absolute IRI", "'<p>'"),
        ("_:s <_:p> <o:> .", "an absolute IRI", "'<_:p>'"),
        ("_:s <p: > <o:> .", "a character that an IRI may hold, or '>'", "' '"),
        ("_:s <p:{}> <o:> .", "a character that an IRI may hold, or '>'", "'{'"),
        ("_:s <p:\\n> <o:> .", "an escape sequence", "'\\'"),
        ("_:s <p:\\u00e> <o:> .", "4 hexadecimal digits", "'\\'"),
        ("_:s <p:\\uD800> <o:> .", "an escape of a Unicode character", "'\\'"),
        ("_:s <p:> 1 .", "an RDF term", "'1'"),
        ("_:s <p:> 'o' .", "an RDF term", "''o''"),
        ("_:s <p:> .", "an RDF term", "'.'"),
        ("_:s <p:>", "an RDF term", "the end of the input"),
        ("_:s <p:>\n<o:> .", "an RDF term", "the end of the line"),
        ('_:s <p:> "o', "a character that a literal may hold, or '\"'", "the end of the input"),
        ('_:s <p:> "o\n" .', "a character that a literal may hold, or '\"'", "the end of the line"),
        ('_:s <p:> "\\z" .', "an escape sequence", "'\\'"),
        ('_:s <p:> "o"@ .', "a language tag", "' '"),
        ('_:s <p:> "o"@en- .', "a language tag", "' '"),
        ('_:s <p:> "o"@en--up .', "a base direction, --ltr or --rtl", "'en--up'"),
        (
            '_:s <p:> <<( _:s <p:> "o"@en--LTR )>> .',
            "a base direction, --ltr or --rtl",
            "'en--LTR'",
        ),
        ('_:s <p:> "o"@--ltr .', "a language tag", "'-'"),
        ('_:s <p:> "o"^<d:> .', "'^^'", "'^<d:>'"),
        ('_:s <p:> "o"^^d:d .', "the IRI of a datatype", "'d:d'"),
        ('_:s <p:> "o"^^<d> .', "an absolute IRI", "'<d>'"),
        ('_:s <p:> <o:> "g" .', "a graph (an IRI or a blank node) or '.'", "'\"g\"'"),
        ("_:s <p:> <o:> <<_:a <b:> <c:>>> .", "a graph (an IRI or a blank node) or '.'", "'<<_:a'"),
        ("_:s <p:> <o:> <g:> <h:> .", "'.'", "'<h:>'"),
        ("_:s <p:> <o:> , <g:> .", "a graph (an IRI or a blank node) or '.'", "','"),
        ("_:s <p:> <o:> . .", "the end of the line", "'.'"),
        ("_:s <p:> <o:> . _:s <p:> <o:> .", "the end of the line", "'_:s'"),
        ("<< _:a <b:> <c:> .", "'>>'", "'.'"),
        ("<<( _:a <b:> <c:> >> <p:> <o:> .", "')>>'", "'>>'"),
        ('<< "a" <b:> <c:> >> <p:> <o:> .', "an IRI or a blank node", "'\"a\"'"),
        ("<<" * 64, "triple terms nested at most 63 deep", "'<<'"),
        ("@prefix e: <e:> .", "an IRI or a blank node", "'@prefix'"),
    ],
)
def test_lines_that_are_malformed(line: str, expected: str, found: str) -> None:
    before = "_:s <p:> <o:> .\n# é\n  "
    error = error_of(before + line)
    place = f"line 3 (row 1, byte {len(before.encode())})"
    assert (error.place, error.expected, error.found) == (place, expected, found)
    assert (error.offset, error.row) == (len(before.encode()), 1)


def test_bytes_that_are_not_utf8() -> None:
    for text in (b'_:s <p:> "\xff" .\n', b"_:s <p:\xff> <o:> .\n", b"_:\xff <p:> <o:> .\n"):
        error = error_of(b"_:s <p:> <o:> .\n" * 3 + text)
        assert error.place == "line 4 (row 3, byte 48)"
        assert "invalid UTF-8 (byte 0xFF)" in error.found


def test_n_triples_have_no_graphs() -> None:
    error = error_of("_:s <p:> <o:> <g:> .\n", "ntriples")
    assert (error.expected, error.found) == ("'.'", "'<g:>'")


RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_IRI = "an IRI of RFC 3987"
_SHORT = "a language tag with subtags of at most 8 characters"
_OTHER = "a datatype other than rdf:langString and rdf:dirLangString"
_RDF_FOUND = f"'<{RDF[:39]}…'"


@pytest.mark.parametrize(
    "term",
    [
        '"x"@en-GB',
        '"x"@abcdefgh-12345678',
        '"x"@en--ltr',
        '"x" @en--rtl',
        f'"{RDF}langString"',
        f"<{RDF}langString>",
        f'"x"^^<{RDF}langStrings>',
        "<http://u@[::1]:80/%41é?\ue000#f>",
        '"x"^^<http://é/>',
        "<<( _:s <p:> <<( _:s <p:> <o:> )>> )>>",
    ],
)
def test_strict_reading_takes_rdf_1_2(term: str) -> None:
    line = f"_:s <p:> {term} ."
    assert read(line, strict=True) == read(f"{line}\n", strict=True) == read(line)
    assert len(read(line)) == 1


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        ("<< _:s <p:> <o:> >> <p:> <o:> .", "an IRI or a blank node", "'<<'"),
        ("<<( _:s <p:> <o:> )>> <p:> <o:> .", "an IRI or a blank node", "'<<('"),
        ("_:s <p:> << _:s <p:> <o:> >> .", "an RDF term", "'<<'"),
        (
            "_:s <p:> <<( <<( _:s <p:> <o:> )>> <p:> <o:> )>> .",
            "an IRI or a blank node",
            "'<<('",
        ),
        ("_:s <p:> <a:[> .", _IRI, "'<a:[>'"),
        ("<a:s#b#c> <p:> <o:> .", _IRI, "'<a:s#b#c>'"),
        ("_:s <http://[p/> <o:> .", _IRI, "'<http://[p/>'"),
        ("_:s <p:> <a:%zz> .", _IRI, "'<a:%zz>'"),
        (r"_:s <p:> <a:\u0020> .", _IRI, r"'<a:\u0020>'"),
        ('_:s <p:> "x"^^<a:[> .', _IRI, "'<a:[>'"),
        ("_:s <p:> <<( _:s <p:> <a:[> )>> .", _IRI, "'<a:[>'"),
        ('_:s <p:> "x"@abcdefghi .', _SHORT, "'abcdefghi'"),
        ('_:s <p:> "x"@en-abcdefghi--ltr .', _SHORT, "'en-abcdefghi--ltr'"),
        (f'_:s <p:> "x"^^<{RDF}langString> .', _OTHER, _RDF_FOUND),
        (f'_:s <p:> "x"^^<{RDF}dirLangString> .', _OTHER, _RDF_FOUND),
        (f'_:s <p:> "x\\u0041" ^^ <{RDF}langString> .', _OTHER, _RDF_FOUND),
        (f'_:s <p:> "x"^^<{RDF}lang\\u0053tring> .', _OTHER, _RDF_FOUND),
        (f'_:s <p:> "x"^^<{RDF}dirLang\\U00000053tring> .', _OTHER, _RDF_FOUND),
    ],
)
def test_strict_reading_refuses(line: str, expected: str, found: str) -> None:
    for text in (line, f"{line}\n"):
        assert len(read(text)) == 1
        error = error_of(text, strict=True)
        assert (error.expected, error.found) == (expected, found)


@pytest.mark.parametrize("format", ["ntriples", "nquads"])
def test_versions_are_no_rows(format: str) -> None:
    line = "_:s <p:> <o:> ."
    for version in ("1.1", "1.2", "1.2-basic", "1.2-messages", r"1.\u0032"):
        for text in (
            f'VERSION "{version}"\n{line}\n{line}',
            f'# c\n\t VERSION"{version}"#c\r\n{line}\rVERSION \t "{version}" \t\n{line}\n',
            f'{line}\n{line}\nVERSION "{version}"',
        ):
            for strict in (False, True):
                rows = read(text, format, strict=strict)
                assert [(row.subject, row.seq) for row in rows] == [("_:s", 0), ("_:s", 1)]
    assert read('VERSION "1.2"', format) == read('VERSION "1.2"\n', format) == []


def test_versions_that_are_unknown() -> None:
    for version in ("1.3", "", "1.2 "):
        text = f'_:s <p:> <o:> .\nVERSION "{version}"\n_:s <p:> <o:> .'
        assert len(read(text)) == 2
        error = error_of(text, strict=True)
        assert error.expected == ('VERSION "1.1", "1.2", "1.2-basic" or "1.2-messages"')
        assert error.place == "line 2 (row 1, byte 16)"


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        ("VERSION", "a version in double quotes", "the end of the input"),
        ("VERSION\n", "a version in double quotes", "the end of the line"),
        ("VERSION '1.2'", "a version in double quotes", "''1.2''"),
        ("VERSIONS", "a version in double quotes", "'S'"),
        ('VERSION "1.2" .', "the end of the line", "'.'"),
        ('VERSION "1.2', "a character that a literal may hold, or '\"'", "the end of the input"),
        ('version "1.2"', "an IRI or a blank node", "'version'"),
        ("VERSIO", "an IRI or a blank node", "'VERSIO'"),
    ],
)
def test_versions_that_are_malformed(line: str, expected: str, found: str) -> None:
    error = error_of(line)
    assert (error.expected, error.found) == (expected, found)


MESSAGES = 'VERSION "1.2-messages"\n'


def frames_of(text: str | bytes, format: str = "nquads", **options: Any) -> list[Any]:
    return [(row.object, row.frame) for row in read(text, format, **options)]


def test_messages() -> None:
    """A line MESSAGE ends a message; empty ones count, and one at the end adds none."""
    line = "_:s <p:> <o:%d> .\n"
    text = (
        MESSAGES + line % 0 + line % 1 + "MESSAGE\n" + line % 2 + "MESSAGE\n\tMESSAGE # c\n"
        "# MESSAGE\n" + line % 3 + r'_:s <p:> "\u0041" .' + "\nMESSAGE"
    )
    expected = [("<o:0>", 0), ("<o:1>", 0), ("<o:2>", 1), ("<o:3>", 3), ('"A"', 3)]
    for format in ("ntriples", "nquads"):
        for end in ("\n", "\r\n", "\r"):
            for strict in (False, True):
                assert frames_of(text.replace("\n", end), format, strict=strict) == expected
    assert [row.seq for row in read(text)] == [0, 1, 2, 3, 4]
    assert frames_of(MESSAGES + "MESSAGE\nMESSAGE\n" + line % 0) == [("<o:0>", 2)]
    assert frames_of(MESSAGES) == frames_of(MESSAGES + "MESSAGE\nMESSAGE") == []


@pytest.mark.parametrize(
    "head",
    [
        MESSAGES,
        f"\ufeff{MESSAGES}",
        '\r\n # c\n\t\nVERSION "1.2"\rVERSION"x" # c\n \tVERSION\t"1.2-messages"# c\r',
        "#" + "c" * 60_000 + f"\n{MESSAGES}",
        "\n" * ((1 << 16) - len(MESSAGES)) + MESSAGES,
    ],
)
def test_heads_of_streams_of_messages(head: str) -> None:
    text = head + "MESSAGE\n_:s <p:> <o:> ."
    assert frames_of(text) == [("<o:>", 1)]
    assert list(codec.read(Chunks(text.encode(), 1000), format="nquads")) == read(text)


@pytest.mark.parametrize(
    "head",
    [
        "",
        'VERSION "1.2"\n',
        "_:s <p:> <o:> .\n" + MESSAGES,
        "MESSAGE\n" + MESSAGES,
        "\n" * (1 << 16) + MESSAGES,
    ],
)
def test_files_without_messages(head: str) -> None:
    error = error_of(f"{head}MESSAGE\n_:s <p:> <o:> .")
    assert error.expected == 'VERSION "1.2-messages" before the first statement'
    assert error.found == "'MESSAGE'"
    if "MESSAGE\n" not in head:
        assert {row.frame for row in read(f"{head}_:s <p:> <o:> .")} == {None}


def test_malformed_ends_of_messages() -> None:
    for line, found in (("MESSAGE .", "'.'"), ("MESSAGES", "'S'")):
        error = error_of(f"{MESSAGES}\n{line}\n")
        assert (error.expected, error.found) == ("the end of the line", found)
    assert error_of(f"{MESSAGES}message").expected == "an IRI or a blank node"


def test_a_stream_of_messages_has_one_part(tmp_path: Path) -> None:
    path = tmp_path / "data.nq"
    lines = [f'_:s <p:> "{i}" .\nMESSAGE\n' for i in range(10_000)]
    path.write_text(MESSAGES + "".join(lines), encoding="utf-8")
    size = path.stat().st_size
    rows = list(codec.read_nquads(path, part=(0, 1)))
    assert [row.frame for row in rows] == list(range(10_000))
    assert rows == list(codec.read(path)) == list(codec.read(path, part=(0, size)))
    for part in ((1, size), (size // 2, size), (0, 0)):
        assert list(codec.read(path, part=part)) == []
    compressed = tmp_path / "data.nt.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(codec.read(compressed, part=(0, 1))) == rows


def test_frames_in_arrow() -> None:
    with NTriplesReader((MESSAGES + "MESSAGE\n_:s <p:> <o:> .").encode()) as reader:
        table = reader.to_arrow().read_all()
    assert table.column("frame").to_pylist() == [1]


@given(documents(), st.sampled_from([1, 2, 7, 1 << 16]), st.booleans())
def test_the_fast_path_and_the_parser_agree(text: str, size: int, strict: bool) -> None:
    """Any text reads as it does where the fast path takes no line."""
    for format in ("ntriples", "nquads"):
        fast = outcome(io.BytesIO(text.encode()), format, strict)
        assert outcome(Chunks(text.encode(), size), format, strict) == fast
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(line_reader, "_CHARACTER", 1 << 40)
            assert outcome(Chunks(text.encode(), size), format, strict) == fast


@pytest.mark.parametrize("reader", [NTriplesReader, NQuadsReader])
def test_columns(reader: type[NTriplesReader | NQuadsReader]) -> None:
    """Canonical lines come as columns, unless they are long; rows and numbers are the same."""
    graph = "" if reader is NTriplesReader else " <http://e/g>"
    lines = [f'{S} {P} "{number}" .\n' for number in range(4_000)]
    others = [f"{S} {P} _:b{number}{graph} .\n" for number in range(4_000)]
    odd = ["# comment\n", f'{S} {P} "\\u0041" .\n', f"{S} {P} <<( {S} {P} {S} )>> .\n"]
    long = [f'{S} {P} "{number:02000}" .\n' for number in range(100)]
    text = "".join(["# head\n", *lines, *odd, *others, *long, *lines]).encode()
    items: list[Any] = [*reader(text).items()]
    columns = [item for item in items if type(item) is tuple]
    assert sum(map(count_of, columns)) > 6_000
    assert max(len(item.object or "") for item in items if type(item) is RdfRow) > 2_000
    rows = [
        row
        for item in items
        for row in (rows_of_columns(item, RdfRow) if type(item) is tuple else (item,))
    ]
    assert rows == [*reader(text)] == [*reader(text, max_row_size=1 << 15)]
    assert [row.seq for row in rows] == [*range(12_102)]


class Chunks:
    """A stream that returns few bytes at once."""

    def __init__(self, data: bytes, size: int) -> None:
        self._stream = io.BytesIO(data)
        self._size = size

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(self._size if size < 0 else min(size, self._size))


def outcome(file: Any, format: str, strict: bool) -> tuple[list[RdfRow], str]:
    rows: list[RdfRow] = []
    try:
        found: Iterator[Any] = codec.read(file, format=format, strict=strict)
        rows.extend(found)
    except MalformedInputError as error:
        # The hint depends on what the stream returns first.
        return rows, f"{error.place}: {error.expected}, {error.found}"
    return rows, ""


def statements(
    data: bytes, format: str, known: Iterable[Statement] = ()
) -> tuple[set[Statement], str]:
    """The statements of a file, or what is wrong with it."""
    reader: Any = codec.open_reader(data, format=format)
    with reader:
        try:
            return {*statements_of(items_of(reader, {*known}))}, ""
        except MalformedInputError as error:
            return set(), str(error)


@pytest.mark.parametrize("format", ["ntriples", "nquads"])
@given(documents(), documents())
def test_known_statements(format: str, first: str, second: str) -> None:
    """That a file has statements that are known changes nothing."""
    rows, _ = outcome((first + second).encode(), format, strict=False)
    known = {Statement._make(row[:4]) for row in rows}
    assert statements(second.encode(), format, known) == statements(second.encode(), format)


@pytest.mark.parametrize("format", ["ntriples", "nquads"])
@pytest.mark.parametrize(
    "line",
    [
        *(
            "{} .",
            "{}  .",
            "{}.",
            "{}",
            "{} ..",
            "{} . .",
            "{}\t.",
            "{} .\r",
            "{} . # {} .",
            "# {} .",
        ),
        *(
            " {} .",
            "{} . {} .",
            "{} . {}",
            "{}\n.",
            "{}\n{} .",
            "{} <urn:g> .",
            "{} _:g .",
            '{} "g" .',
        ),
        *("", ".", " .", 'VERSION "1.2"', 'VERSION "1.2" .', "MESSAGE", "MESSAGE ."),
    ],
)
@pytest.mark.parametrize(
    "known",
    [
        (S, P, '"x"', None),
        (S, P, '"a b ."', None),
        (S, P, '"a <urn:g>"', None),
        (S, P, S, None),
        (S, P, '"a b"', "<urn:g>"),
        (S, P, f"<<( {S} {P} _:o )>>", "_:g"),
    ],
)
def test_lines_like_known_statements(
    known: tuple[str, str, str, str | None], line: str, format: str
) -> None:
    text = " ".join(filter(None, known))
    for before in ("", f"{text} .\n"):
        data = (before + line.format(text, text) + f"\n{text} .\n").encode()
        expected = statements(data, format)
        assert statements(data, format, [Statement(*known)]) == expected


def test_rows_after_known_statements_are_counted() -> None:
    text = f'{S} {P} "x" .\n' * 1_000 + f"{S} {P} oops .\n"
    with codec.open_reader(text.encode(), format="nquads") as reader:
        reader.look_up([(S, P, '"x"', None)])
        found: list[Any] = []
        with pytest.raises(MalformedInputError, match=r"line 1001 \(row 1000,"):
            found.extend(reader.items())
    assert len(found[0]) > 100 and {*found[0]} == {(S, P, '"x"', None)}


@pytest.mark.parametrize(
    "known",
    [
        ("<s>", P, S, None),
        ("s", "p", "o", None),
        ('"s"', P, S, None),
        (S, "_:p", S, None),
        (S, P, r'"\u0041"', None),
        (S, P, f'"x"^^<{XSD}string>', None),
        (S, P, S, '"g"'),
        (S, P, f"{S} {S}", None),
    ],
)
def test_known_statements_that_no_line_can_have(known: tuple[str, str, str, str | None]) -> None:
    """A state can have other terms, as a file of Jelly or a user may."""
    others = [Statement(S, P, '"x"'), Statement(*known)]
    data = "".join(f"{' '.join(filter(None, terms))} .\n" for terms in others).encode()
    assert statements(data, "nquads", others) == statements(data, "nquads")


@given(documents(), st.lists(st.integers(0, 200), max_size=4))
def test_each_line_is_in_one_part(text: str, cuts: list[int]) -> None:
    data = text.encode()
    try:
        whole = [row._replace(seq=None) for row in read(data)]
    except MalformedInputError:
        return
    ends = sorted({0, *(min(cut, len(data)) for cut in cuts), len(data)})
    rows = [row._replace(seq=None) for part in pairwise(ends) for row in read(data, part=part)]
    assert rows == whole


def test_parts_of_files(tmp_path: Path) -> None:
    path = tmp_path / "data.nq"
    path.write_bytes(b"".join(b'_:s <p:> "%d" .\r\n' % i for i in range(20_000)))
    size = path.stat().st_size
    first = list(codec.read(path, part=(0, size // 2)))
    second = list(codec.read(path, part=(size // 2, size)))
    assert [row.object for row in first + second] == [f'"{i}"' for i in range(20_000)]
    assert [row.seq for row in first] == list(range(len(first)))
    assert {row.seq for row in second} == {None}
    for empty in ((5, 5), (size, size + 9)):
        assert list(codec.read(path, part=empty)) == []


def test_parts_of_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "data.nt.gz"
    path.write_bytes(gzip.compress(b"_:s <p:> <o:> .\n" * 3))
    assert len(list(codec.read(path, part=(0, 1)))) == 3
    assert list(codec.read(path, part=(1, 100))) == []
    assert list(codec.read(path, part=(0, 0))) == []


def test_errors_in_a_part_give_the_offset_in_the_file() -> None:
    data = b"_:s <p:> <o:> .\n" * 3 + b"  x\n"
    error = error_of(data, part=(17, 100))
    assert (error.place, error.offset, error.row) == ("line at byte 50", 50, None)
    assert error_of(data, part=(0, 100)).place == "line 4 (row 3, byte 50)"
    assert read(data, part=(0, 48)) == read(data[:48])


@pytest.mark.parametrize("part", [(0,), (3, 2), (-1, 2), [0, 1], "0", (0, 1.5)])
def test_parts_that_are_none(part: Any) -> None:
    for reader in (NTriplesReader, NQuadsReader):
        with pytest.raises(OptionError, match="part must be None or a pair of byte offsets"):
            reader(b"", part=part)


def test_long_lines_and_comments_take_little_memory() -> None:
    comment = b"#" + b"x" * (20 << 20) + b"\n_:s <p:> <o:> ."
    assert peak_memory(lambda: read(comment)) < 5 << 20
    # Many escapes.
    assert len(read('_:s <p:> "' + "\\n" * 100_000 + '" .\n')[0].object or "") == 200_002
    assert read("<a:" + "\\u0041" * 10_000 + "> <p:> _:o .\n")[0].subject == f"<a:{'A' * 10_000}>"


@pytest.mark.parametrize("format", ["ntriples", "nquads"])
def test_lines_that_are_too_long(format: str) -> None:
    line = "_:s <p:> <o:abc> .\n"
    for text in (line, line.replace("abc", "\\u0061bc"), f"  {line}", line * 2):
        length = len(text.lstrip().partition("\n")[0])
        assert read(text, format, max_row_size=length)
        error = error_of(text, format, max_row_size=length - 1)
        assert error.expected == f"a row of at most {length - 1} bytes (option maxRowSize)"


_SAMPLES = [
    b'<http://e/s> <http://e/p> "x\\n\\u0041"@en-GB <http://e/g> .\n# c\n_:a <p:> _:b.c .\r\n',
    b'<< _:a <p:> "x"^^<d:> >> <p:> <<( <a:b> <p:> _:c )>> <g:> . # c\n_:s <p:> "\xc3\xa9" .',
]


@given(damaged(_SAMPLES))
def test_damage(data: bytes) -> None:
    check_reading("nquads", data)
    check_reading("ntriples", data)
