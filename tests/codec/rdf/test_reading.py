"""Reading Turtle, TriG, N3, RDF/XML and JSON-LD."""

import gzip
import io
import json
import re
import time
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import AnyRow, RdfReader, RdfRow
from jelly_spark.errors import JellySparkError, MalformedInputError, OptionError
from jelly_spark.integrations.oxigraph import from_oxigraph
from tests.shared import SHARED

A, P, B = "<http://x/a>", "<http://x/p>", "<http://x/b>"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIX = "@prefix : <http://x/> .\n"
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x/">\n'
    '<rdf:Description rdf:about="http://x/a"><p rdf:resource="{object}"/></rdf:Description>\n'
)
SAME = {
    "turtle": f"{PREFIX}:a :p :b .",
    "trig": f"{PREFIX}{{ :a :p :b }}",
    "n3": f"{PREFIX}:a :p :b .",
    "rdfxml": XML.format(object="http://x/b") + "</rdf:RDF>",
    "jsonld": '{"@context": {"p": {"@id": "http://x/p", "@type": "@id"}}, "@id": "http://x/a", '
    '"p": "http://x/b"}',
}
EXTENSIONS = {
    "turtle": (".ttl", ".turtle"),
    "trig": (".trig",),
    "n3": (".n3",),
    "rdfxml": (".rdf", ".owl", ".rdfs", ".xml"),
    "jsonld": (".jsonld", ".json"),
}


def read(text: str | bytes, syntax: str = "turtle", **options: Any) -> list[RdfRow]:
    data = text.encode() if isinstance(text, str) else text
    return [*codec.read(data, format="rdf", syntax=syntax, **options)]


def objects(text: str) -> list[str | None]:
    return [row.object for row in read(f"{PREFIX}:a :p {text} .")]


def error(text: str | bytes, syntax: str = "turtle", **options: Any) -> str:
    with pytest.raises(JellySparkError) as raised:
        read(text, syntax, **options)
    return str(raised.value).removeprefix("<stream>: ")


@pytest.mark.parametrize("syntax", SAME)
def test_syntaxes(syntax: str, tmp_path: Path) -> None:
    expected = [RdfRow(A, P, B, seq=0)]
    text = SAME[syntax].encode()
    assert read(text, syntax.upper()) == read(b"\xef\xbb\xbf" + text, syntax) == expected
    for extension in EXTENSIONS[syntax]:
        path = tmp_path / f"file{extension}"
        path.write_bytes(text)
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text))
        path.with_name(f"{path.name}.zst").write_bytes(zstandard.compress(text))
        for file in (path, f"{path}.gz", f"{path}.zst"):
            assert [*codec.read(file)] == expected
        with path.open("rb") as stream:
            assert [*codec.read(stream)] == expected


def test_terms_are_kept() -> None:
    assert objects('8.50, 01, "1"^^<http://x/t>, "Tasse"@de-AT, "x"@ar--rtl, _:b.1, true') == [
        f'"8.50"^^<{XSD}decimal>',
        f'"01"^^<{XSD}integer>',
        '"1"^^<http://x/t>',
        '"Tasse"@de-AT',
        '"x"@ar--rtl',
        "_:b.1",
        f'"true"^^<{XSD}boolean>',
    ]
    # Canonical: only four characters are escaped.
    assert objects(r'"\t\u0001\u007F\uFFFE\"\\\n\r"') == ['"\t\x01\x7f\ufffe\\"\\\\\\n\\r"']
    assert objects("<<( :a :p <<( :b :p _:x )>> )>>") == [
        "<<( <http://x/a> <http://x/p> <<( <http://x/b> <http://x/p> _:x )>> )>>"
    ]


def test_graphs() -> None:
    rows = read(f"{PREFIX}:a :p :b . :g {{ :a :p :b }} _:g {{ :a :p :b }}", "trig")
    assert [row.graph for row in rows] == [None, "<http://x/g>", "_:g"]


def test_labels_of_blank_nodes(tmp_path: Path) -> None:
    """Nodes without a label get the same ones each time, and other ones in another file."""
    # A label as Oxigraph writes it; and one that this reader made before.
    theirs = "_:f0951a7f44444ecf2e74a0283b80e004"
    path = tmp_path / "one.ttl"
    path.write_text(f"{PREFIX}:a :p [], {theirs}, <<( :a :p [] )>>, ( 1 ) .")
    first = [*codec.read(path)]
    assert [*codec.read(path)] == first
    assert theirs in [row.object for row in first]
    made = first[0].object or ""
    prefix = made.removesuffix("0")
    assert prefix.startswith("_:anon-")
    assert f"{A} {P} {prefix}1" in (first[2].object or "")
    other = path.rename(tmp_path / "two.ttl")
    assert prefix not in str([*codec.read(other)])
    path.write_text(f"{PREFIX}:a :p {made}, [] .")
    assert [row.object for row in codec.read(path)] == [f"{prefix}_0", made]


def test_labels_of_streams_and_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (f'{A} {P} [ {P} "{n}" ] .'.encode() for n in range(2))
    first, second = (read_slowly(text)[0].object for text in (one, other))
    assert first != second
    assert read_slowly(one)[0].object == first
    (tmp_path / "a.ttl").write_bytes(one)
    absolute = [*codec.read(tmp_path / "a.ttl")]
    monkeypatch.chdir(tmp_path)
    assert [*codec.read("a.ttl")] == [*codec.read("./a.ttl")] == absolute


def read_slowly(text: bytes, syntax: str = "turtle", size: int = 1) -> list[RdfRow]:
    """The rows of a stream that returns `size` bytes at a time: one, unless it is given."""
    stream = io.BytesIO(text)
    stream.read = lambda _size=-1: io.BytesIO.read(stream, size)  # type: ignore[method-assign]
    return [*codec.read_rdf(stream, syntax=syntax)]


def test_what_only_looks_nested_or_has_a_byte_order_mark() -> None:
    code = "std::cout <<(1 + (2 * (3)>>1));" * 2000
    assert len(read(f'{A} {P} "{code}" . #{code}\n{A} {P} {B} .')) == 2
    braces = json.dumps({"@id": A[1:-1], P[1:-1]: r"[{\\\" [[[" * 2000})
    assert len(read(braces, "jsonld")) == 1
    mark = "\ufeff".encode()
    assert read_slowly(mark + f"{A} {P} {B} .".encode()) == [RdfRow(A, P, B, seq=0)]
    assert read_slowly(mark + XML.format(object="http://x/b").encode() + b"</rdf:RDF>", "rdfxml")


def test_long_tokens() -> None:
    found = error(f'{A} {P} {B} .\n{A} {P} "{"x" * (17 << 20)}" .')
    assert "after row 0: expected terms and comments of at most 16 MiB" in found


def test_labels_across_the_parsers_blocks() -> None:
    label = "_:f0951a7f44444ecf2e74a0283b80e004"
    for size in range(990, 1030):
        assert read(f"#{'x' * size}\n{A} {P} {label} .")[0].object == label


def test_namespaces() -> None:
    text = f"{PREFIX}:a :p :b .\n@prefix ex: <http://ex/> .\n:a :p :b ."
    rows = read(text, namespaces=True)
    assert [row.seq for row in rows] == [0, 1, 2, 3]
    named = [(row.name, row.value) for row in rows]
    assert named == [("", "<http://x/>"), (None, None), (None, None), ("ex", "<http://ex/>")]
    assert "name" not in RdfReader(b"", syntax="turtle").columns


def test_base() -> None:
    relative = f"<a> {P} <b> ."
    assert read(relative, base="http://x/y") == [RdfRow(A, P, B, seq=0)]
    assert read(f"@base <http://x/> . {relative}") == [RdfRow(A, P, B, seq=0)]
    expected = "an absolute IRI, or an option base (--read-option base=IRI)"
    missing = f"expected {expected}, found a relative IRI without a base"
    assert error(f"\n{relative}") == f"line 2, column 1: {missing}"
    assert error(XML.format(object="b") + "</rdf:RDF>", "rdfxml").endswith(missing)
    assert error(relative, base="y").startswith("base must be an absolute IRI: ")


IRIS = {
    # What is between `<` and `>`; None for an error, or the canonical string; and if it is strict.
    "http://x/b#K[R]": ("<http://x/b#K[R]>", False),
    "http://[b/c": ("<http://[b/c>", False),
    "http://x/%zz": ("<http://x/%zz>", False),
    "http://x/%41": ("<http://x/%41>", True),
    "a:b#c#d": ("<a:b#c#d>", False),
    "http://x:port/": ("<http://x:port/>", False),
    "http://x/\ufffe": ("<http://x/\ufffe>", False),
    "http://x/a/../b": ("<http://x/a/../b>", True),
    "http://[::1]:80/": ("<http://[::1]:80/>", True),
    r"a:b\u0020c": (r"<a:b\u0020c>", False),
    r"a:\U0000007C": (r"<a:\u007C>", False),
    r"a:\u00e9": ("<a:é>", True),
    "a:b|c": (None, False),
    "a:b c": (None, False),
    "a:b<c": (None, False),
    "a:b\nc": (None, False),
    "_:b": (None, False),
    "b": (None, False),
    "": (None, False),
    "#b": (None, False),
    "1a:b": (None, False),
}


def test_iris_are_those_of_ntriples() -> None:
    for text, (expected, is_strict) in IRIS.items():
        line = f"{A} {P} <{text}> ."
        for syntax in ("turtle", "trig", "n3"):
            if expected is None:
                assert error(line, syntax).startswith(
                    ("line 1, column 27: ", "line 1, column 31: ")
                )
                assert not [*rows_before_error(line, "ntriples")]
                continue
            assert [row.object for row in read(line, syntax)] == [expected]
            assert [row.object for row in codec.read(line.encode(), format="ntriples")] == [
                expected
            ]
            if is_strict:
                assert read(line, syntax, strict=True) == read(line, syntax)
            else:
                assert "expected an IRI of RFC 3987, found '" in error(line, syntax, strict=True)
    # In a triple term and a datatype, and as the IRI of a prefix.
    assert objects(r"<<( :a :p <a:\u0020> )>>, '1'^^<a:[>") == [
        rf"<<( {A} {P} <a:\u0020> )>>",
        '"1"^^<a:[>',
    ]
    found = read(r"@prefix : <a:\u007C[> . :b :b :\# .", namespaces=True)
    assert found[0].value == r"<a:\u007C[>"
    assert found[1].object == r"<a:\u007C[#>"


def rows_before_error(text: str, format: str) -> list[AnyRow]:
    rows: list[AnyRow] = []
    with pytest.raises(MalformedInputError):
        rows += codec.read(text.encode(), format=format)
    return rows


@pytest.mark.parametrize("syntax", ["rdfxml", "jsonld"])
def test_iris_of_xml_and_json(syntax: str) -> None:
    """These syntaxes can have any characters in IRIs without escapes."""
    for text, expected in {
        "http://x/b#K[R]": "<http://x/b#K[R]>",
        "http://[b/c": "<http://[b/c>",
        "http://x/%zz": "<http://x/%zz>",
        "a:b#c#d": "<a:b#c#d>",
        "a:b|c": r"<a:b\u007Cc>",
        "a:b c": r"<a:b\u0020c>",
    }.items():
        file = node(text, syntax)
        assert [row.object for row in read(file, syntax)] == [expected]
        assert "expected an IRI of RFC 3987, found '" in error(file, syntax, strict=True)
    for text in ("b", "", "#b"):
        assert error(node(text, syntax), syntax).endswith("a relative IRI without a base")
        assert len(read(node(text, syntax), syntax, base="http://x/y")) == 1


def node(iri: str, syntax: str) -> str:
    if syntax == "rdfxml":
        return XML.format(object=iri) + "</rdf:RDF>"
    return json.dumps({"@id": "http://x/a", "http://x/p": {"@id": iri}})


def test_language_tags_are_kept() -> None:
    text = (
        f'{A} {P} "a"@en-GB, "b" @EN-gb , "john@Example.org \\u0020"@DE, "c"@ar-EG--rtl, "d"@en,\n'
        f"<mailto:John@Example.org>, 'e'@abcdefghij-KLM, <<( {A} {P} 'f'@De )>> .# @Foo\n"
    )
    found = [row.object for row in read(text)]
    assert found == [
        '"a"@en-GB',
        '"b"@EN-gb',
        '"john@Example.org  "@DE',
        '"c"@ar-EG--rtl',
        '"d"@en',
        "<mailto:John@Example.org>",
        '"e"@abcdefghij-KLM',
        f'<<( {A} {P} "f"@De )>>',
    ]
    assert [row.object for row in read_slowly(text.encode())] == found
    for size in range(1, 40):
        shifted = [row.object for row in read(f"#{'x' * (990 + size)}\n{text}")]
        assert shifted == found
    # Errors have the columns of the file.
    wrong = f'{A} {P} "é"@de-AT, "x"@EN, <a:\\u0020> . x'
    assert error(wrong).startswith(f"line 1, column {len(wrong)}: ")
    assert error(f'{A} {P} "x"@abcdefghij .', strict=True).endswith(
        "expected a language tag with subtags of at most 8 characters, found 'abcdefghij'"
    )
    tag = f'{A} {P} "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .'
    assert len(read(tag)) == 1
    assert "expected a language tag, found the datatype" in error(tag, strict=True)


@pytest.mark.parametrize(
    ("text", "iri_or_literal"),
    [
        (
            "@prefix q: <https://www.example.org/@Q> . q:1 <a:p> 1 .",
            "<https://www.example.org/@Q1>",
        ),
        ("@prefix q: <a:@Q> . q:z0\\@Bar1 <a:p> 1 .", "<a:@Qz0@Bar1>"),
        (r"<http://x/@A\u0030\u0031> <a:p> 1 .", "<http://x/@A01>"),
        (r"<http://x/-@A-\u0020@\u0020Bc> <a:p> 1 .", r"<http://x/-@A-\u0020@\u0020Bc>"),
        (r'<a:s> <a:p> "@A\u0062c" .', '"@Abc"'),
        (r'<a:s> <a:p> "x@Example\u0061.com" .', '"x@Examplea.com"'),
        (r'<a:s> <a:p> "\u0040\u0041@A\u0040@B1\\u0041" .', r'"@A@A@@B1\\u0041"'),
        (r'<a:s> <a:p> "x"^^<a:@A\u0062> .', '"x"^^<a:@Ab>'),
    ],
)
def test_what_follows_what_looks_like_a_tag_is_kept(text: str, iri_or_literal: str) -> None:
    for syntax in ("turtle", "trig", "n3"):
        assert iri_or_literal in read(text, syntax)[0][:3]
    assert iri_or_literal in read_slowly(text.encode())[0][:3]


def test_long_strings_with_what_looks_like_tags() -> None:
    long = "x@A" * (3 << 20)
    assert read(f'<a:s> <a:p> "{long}" .')[0].object == f'"{long}"'
    wrong = """<a:@S> <a:p> "@A x@B @C"@D, "x"\t@E, <a:@F\\u0020@G>, '@' . x"""
    for size in range(1, len(wrong)):
        with pytest.raises(MalformedInputError, match=f"line 1, column {len(wrong)}: "):
            read_slowly(wrong.encode(), size=size)


def test_tags_before_digits() -> None:
    rows = read('<a:s> <a:p> ("x"@EN1 "y"@De-At1) .')
    found = [row.object for row in rows if row.object and row.object.startswith('"')]
    assert found == ['"x"@en', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', '"y"@De-At1']


def test_long_tags_take_linear_time() -> None:
    """Those of up to 4,095 characters are kept, and longer ones are in lower case."""
    for size in (4094, 4095):
        tag = f"{'aB' * (size // 2)}-C"[-size:].lstrip("-")
        text = f'<a:s> <a:p> "x"@{tag} .'
        assert read(text)[0].object == read_slowly(text.encode())[0].object == f'"x"@{tag}'
    for tag in ("aB" * 2048, f"{'a' * 4095}-B", f"{'aB' * 2047}a-b-C"):
        text = f'<a:s> <a:p> "x"@{tag} .'
        expected = f'"x"@{tag.lower()}'
        assert read(text)[0].object == read_slowly(text.encode())[0].object == expected
    start = time.monotonic()
    for long in ("a" * (4 << 20), "A" * (4 << 20), "A-" * (2 << 20), "A1" * (2 << 20)):
        assert read(f'<a:s> <a:p> "@{long}" .')[0].object == f'"@{long}"'
    # Quadratic time would be minutes.
    assert time.monotonic() - start < 30


_TEXTS = ("@", "@Q", "@de-AT", "@x1", "A", "b", "0", "1", "-", "é", r"\u0062", r"\u0031", r"\u0040")
_IN_IRIS = st.lists(st.sampled_from([*_TEXTS, r"\U00000041", r"\u0020", "/"]), max_size=6)
_IN_STRINGS = st.lists(st.sampled_from([*_TEXTS, r"\\", r"\"", " ", "<", ">"]), max_size=6)
_IN_NAMES = st.lists(st.sampled_from([r"\@", r"\-", "A", "b", "0", "-", "é", "%40"]), max_size=6)
_TAGS = st.sampled_from(["en", "EN", "de-AT", "De-1A", "aB-cD-eF--ltr"])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, str]:
    """A document of Turtle with what looks like tags, and the tag of its first literal."""

    def iri() -> str:
        return f"<http://x/{''.join(draw(_IN_IRIS))}>"

    def string() -> str:
        return f'"{"".join(draw(_IN_STRINGS))}"'

    tag = draw(_TAGS)
    prefix, comment = iri(), string()
    name = "".join(draw(_IN_NAMES))
    objects = f"{string()}@{tag}, {string()}^^{iri()}, {string()}, {iri()}, q:a{name}"
    return f"@prefix q: {prefix} .#{comment}\nq:1{name} {iri()} {objects} .", tag


@given(document=documents(), size=st.integers(1, 70))
def test_what_looks_like_tags_is_read_as_by_the_parser(
    document: tuple[str, str], size: int
) -> None:
    text, tag = document
    rows = read_slowly(text.encode(), size=size)
    assert rows == read(text)
    assert rows[0].object is not None and rows[0].object.endswith(f'"@{tag}')
    found = [[_with_lower_tag(term or "") for term in row[:3]] for row in rows]
    quads = ox.parse(text, ox.RdfFormat.TURTLE, lenient=True)
    terms = [(quad.subject, quad.predicate, quad.object) for quad in quads]
    assert found == [[_with_lower_tag(from_oxigraph(term)) for term in three] for three in terms]


def _with_lower_tag(term: str) -> str:
    return re.sub('(?<=")@[A-Za-z0-9-]+$', lambda tag: tag[0].lower(), term)


def test_language_tags_of_json() -> None:
    text = {
        "@context": {"l": {"@id": "http://x/l", "@container": "@language"}, "@language": "de-AT"},
        "@id": "http://x/a",
        "l": {"en-GB": "a", "EN": "b"},
        "http://x/p": ["c", {"@value": "d", "@language": "Fr"}],
    }
    found = [row.object for row in read(json.dumps(text), "jsonld")]
    assert found == ['"a"@en-GB', '"b"@EN', '"c"@de-AT', '"d"@Fr']
    text["http://x/p"] = {"@value": "d", "@language": "en_GB"}
    assert "expected a language tag, found 'en_GB'" in error(json.dumps(text), "jsonld")


def test_keys_of_json_without_a_meaning_are_left_out() -> None:
    inner = {"@context": {"k": "http://x/k"}, "k": 1, "other": {"k": 1}}
    text = {"@id": "http://x/a", "k": {"http://x/p": 1}, "é": 2, "http://x/p": [1, inner]}
    with pytest.raises(MalformedInputError, match=r"have a meaning everywhere or nowhere .* 'k'"):
        read(json.dumps(text), "jsonld")
    del text["k"]
    found = read(json.dumps(text), "jsonld")
    assert [row.predicate for row in found] == [P, P, "<http://x/k>"]


def test_keys_of_json_without_a_meaning_elsewhere_are_kept() -> None:
    """The same key can be a part of a JSON literal, an index, an identifier, a type, a language."""
    names = ["json", "language", "id", "graph", "type", "index"]
    text = {
        "@context": {
            "json": {"@id": "http://x/json", "@type": "@json"},
            "language": {"@id": "http://x/language", "@container": "@language"},
            "id": {"@id": "http://x/id", "@container": "@id"},
            "graph": {"@id": "http://x/graph", "@container": ["@graph", "@id"]},
            "type": {"@id": "http://x/type", "@container": "@type"},
            "index": {"@id": "http://x/index", "@container": "@index", "@index": "http://x/name"},
        },
        "@id": "http://x/a",
        "foo": {"@id": "http://x/b", "foo": {"@list": [1, {"http://x/p": 1}]}},
        "@reverse": {"foo": {"@id": "http://x/b"}},
        "json": {"foo": {"foo": [1]}},
        "language": {"foo": "v"},
        "http://x/p": {"@type": "@json", "@value": {"foo": None, "@context": {"foo": 1}}},
    }
    text |= {name: {"foo": {"@id": "http://x/b", "foo": 1}} for name in ("type", "index")}
    text |= {name: {"foo": {"http://x/p": "v", "foo": 2}} for name in ("id", "graph")}
    assert {*names} == {*text["@context"]}
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    rows = read(json.dumps(text), "jsonld", base="http://base/")
    found = {tuple("_:b" if term[0] == "_" else term for term in row[:4] if term) for row in rows}
    assert found == {
        (A, "<http://x/json>", rf'"{{\"foo\":{{\"foo\":[1]}}}}"^^<{rdf}JSON>'),
        (A, "<http://x/language>", '"v"@foo'),
        (A, "<http://x/id>", "<http://base/foo>"),
        ("<http://base/foo>", P, '"v"'),
        (A, "<http://x/graph>", "<http://base/foo>"),
        ("_:b", P, '"v"', "<http://base/foo>"),
        (A, "<http://x/type>", B),
        (B, f"<{rdf}type>", "<http://base/foo>"),
        (A, "<http://x/index>", B),
        (B, "<http://x/name>", '"foo"'),
        (A, P, rf'"{{\"@context\":{{\"foo\":1}},\"foo\":null}}"^^<{rdf}JSON>'),
    }
    assert len(rows) == len(found)


def test_keys_of_json_without_a_meaning_in_graph_containers() -> None:
    context = {"g": {"@id": "http://x/g", "@container": ["@graph", "@id"]}}
    graph = [{"@id": "http://x/a", "http://x/p": {"@id": "http://x/b"}}]
    # The parser puts the statement of the first one in another graph.
    objects: list[dict[str, Any]] = [{"foo": 1, "@graph": graph}, {"@graph": graph, "foo": 1}]
    first, last = (
        json.dumps({"@context": context, "@id": "http://x/a", "g": {"http://x/b": value}})
        for value in objects
    )
    assert "expected the key @graph before keys without a meaning" in error(first, "jsonld")
    assert [row[:4] for row in read(last, "jsonld")] == [
        (A, "<http://x/g>", B, None),
        (A, P, B, B),
    ]
    # Outside, it is the default graph.
    for value in objects:
        assert [row[:4] for row in read(json.dumps(value), "jsonld")] == [(A, P, B, None)]


@pytest.mark.parametrize(
    "text",
    [
        '{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"value": "a:b"}}]}}',
        '{"a": 1, "b": [2]}',
        '{"a": "\\"@id", "b": "x@"}',
        "[1, 2]",
        "[{}]",
        '"x"',
        "null",
    ],
)
def test_json_that_is_not_json_ld(text: str, tmp_path: Path) -> None:
    says = "expected JSON-LD, found JSON without any of its keywords"
    for base in ("", "http://x/"):
        assert error(text, "jsonld", base=base) == f"before the first row: {says}"
    path = tmp_path / "a.json"
    path.write_text(f"\ufeff{text}\n", "utf-8")
    with pytest.raises(MalformedInputError) as raised:
        [*codec.read(path)]
    assert str(raised.value) == f"{path}: before the first row: {says}"


def test_json_ld_without_statements() -> None:
    for text in (
        "{}",
        " { }\n",
        "[ ]",
        '{"@id": "http://x/a"}',
        '{"a": [{"b": "@id"}]}',
        '{"\\u0040graph": []}',
        '{"@context": {"ex": "http://x/"}}',
    ):
        assert read(text, "jsonld") == []
    assert len(read('{"http://x/p": 1}', "jsonld")) == 1


def test_long_strings_of_json() -> None:
    start = '{"@id": "http://x/a", "foo": 1, "http://x/p": "'
    # Quadratic time would be hours.
    assert "Unexpected end of file" in error(start + '\\"' * 500_000, "jsonld")
    assert "Unexpected end of file" in error(start + '\\"' * 500_000 + "\\", "jsonld")
    assert len(read(start + "x" * 8_000_000 + '"}', "jsonld")) == 1
    says = "expected strings of less than 8 MiB, found a longer one, or a string without its end"
    assert says in error(start + "x" * 9_000_000 + '"}', "jsonld")


@pytest.mark.parametrize(
    ("text", "syntax", "says"),
    [
        (f"{PREFIX}:a :p :b ; .\n:a :p c .", "turtle", "line 3, column 7: expected valid Turtle, "),
        (f'{PREFIX}:a :p "b', "turtle", "line 2, column 7: expected valid Turtle, found an error"),
        (b'<http://x/a> <http://x/p> "\xff" .', "trig", "line 1, column 28: expected valid TriG, "),
        (
            "<html><p>Not found</p></html>",
            "turtle",
            "(this looks like an HTML page: download the data",
        ),
        (
            "<!DOCTYPE html>\n<html><br></html>",
            "rdfxml",
            "(this looks like an HTML page: download the data",
        ),
        ("<!DOCTYPE html>", "jsonld", "(this looks like an HTML page: download the data"),
        (SAME["rdfxml"], "turtle", "(this looks like XML: if it is RDF/XML, read it "),
        (SAME["turtle"], "rdfxml", "(this looks like Turtle or TriG: read it with the format rdf)"),
        # The time of its making would be part of the test's name, which differs between processes.
        (
            gzip.compress(b"x", mtime=0),
            "turtle",
            "gzip: give the file the extension .gz, or decompress it",
        ),
        (
            b"$HDT\1",
            "turtle",
            "(this looks like an HDT file: convert it to N-Triples first, for example with hdt2",
        ),
        (f"{A} {P} {B} .".encode("utf-16-le"), "turtle", "(this looks like text in UTF-16: "),
        (SAME["jsonld"].encode("utf-16-be"), "jsonld", "(this looks like text in UTF-16: "),
        # Their error is another one.
        (SAME["rdfxml"][:-1].encode("utf-16-le"), "rdfxml", "expected well-formed XML, found an"),
        # The parser itself would accept a file that ends too early.
        (XML.format(object="http://x/b"), "rdfxml", "line 3, column 1: expected well-formed XML, "),
        ("", "rdfxml", "line 1, column 1: expected well-formed XML, found an error: no element"),
        ('{"@context": "https://schema.org/"}', "jsonld", "because contexts are not fetched"),
        ('{"@id": "http://x/a",\n "http://x/p" 1}', "jsonld", "line 2, column "),
        (f"{A} {P} {f'<<( {A} {P} ' * 64}1{' )>>' * 64} .", "turtle", "at most 63 deep, found"),
        # Such nesting would overflow the parser's stack.
        (f"{A} {P} {f'<<( {A} {P} ' * 99999}", "turtle", "1000 deep, found deeper ones"),
        ("<e xmlns='e:'>" * 1001, "rdfxml", "elements nested at most 1000 deep"),
        ("[" * 201, "jsonld", "objects and arrays nested at most 200 deep"),
    ],
)
def test_malformed_files(text: str | bytes, syntax: str, says: str) -> None:
    found = error(text, syntax)
    assert says in found
    # A file that begins as it should gets no hint.
    assert ("(this looks like" in found) == ("this looks like" in says or "gzip" in says)


def test_rows_before_an_error_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file.ttl.gz"
    path.write_bytes(gzip.compress(f"{PREFIX}{':a :p 1 .' * 9}".encode())[:-9])
    rows: list[RdfRow] = []
    with pytest.raises(MalformedInputError) as raised:
        rows += codec.read_rdf(path)
    with RdfReader(io.BytesIO(f"{PREFIX}:a :p 1 . x".encode()), syntax="turtle") as reader:
        assert next(reader).subject == A
        with pytest.raises(MalformedInputError) as raised_later:
            next(reader)
    assert raised.value.file == str(path)
    assert "undamaged compressed input" in str(raised.value)
    assert raised_later.value.row == 1


def test_long_rows() -> None:
    text = f'{PREFIX}:a :p "{"x" * 300}" .'
    assert "option maxRowSize" in error(text, max_row_size=200)
    assert len(read(text, max_row_size=400)) == 1


def test_files_whose_syntax_is_not_known() -> None:
    for file in (b"", io.BytesIO(), "file.dat"):
        with pytest.raises(OptionError, match="the option syntax, one of: turtle, trig, n3, "):
            [*codec.read(file, format="rdf")]
    with pytest.raises(OptionError, match=r"syntax must be one of: turtle, .*; not 'ttl'"):
        read("", "ttl")
    with pytest.raises(OptionError, match=r"a\.hdt: HDT cannot be read: convert it to N-Triples"):
        [*codec.read("a.hdt")]


def test_every_statement_is_that_of_the_parser() -> None:
    """N-Triples of the W3C's suites as Turtle, and their manifests, as pyoxigraph reads them.

    In strict mode, the same files are read: pyoxigraph checks IRIs and tags as strictly.
    """
    folders = [SHARED / "conformance/w3c/n-triples", SHARED / "conformance/rdf12"]
    files = [
        path
        for folder in folders
        for path in (*folder.rglob("*.nt"), *folder.rglob("*.ttl"))
        if folder.is_dir()
    ]
    if not files:
        pytest.skip("the suites are not there")
    base = "http://x/"
    rejected = 0
    for path in files:
        data = path.read_bytes()
        try:
            quads = [*ox.parse(data, ox.RdfFormat.TURTLE, base_iri=base)]
        except SyntaxError:
            rejected += 1
            error(data, base=base, strict=True)
            continue
        rows = read(data, base=base, strict=True)
        assert rows == read(data, base=base)
        labels: dict[str, str] = {}
        for row, quad in zip(rows, quads, strict=True):
            terms = (from_oxigraph(term) for term in (quad.subject, quad.predicate, quad.object))
            for found, expected in zip(row[:3], terms, strict=True):
                if found is not None and found.startswith("_:"):
                    assert labels.setdefault(expected, found) == found
                elif "_:" not in expected and expected.startswith('"'):
                    # pyoxigraph makes language tags lower-case.
                    assert found is not None and found.lower() == expected.lower()
                elif "_:" not in expected:
                    assert found == expected
    assert 0 < rejected < len(files) / 2
