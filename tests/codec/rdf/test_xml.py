"""What XML can do in a file of RDF/XML."""

import io
import time
import tracemalloc
from hashlib import sha256
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.errors import MalformedInputError
from tests.codec.rdf.xml_cases import (
    MALFORMED,
    PREFIXES,
    RDF,
    READ,
    A,
    B,
    P,
    Q,
    Statement,
    about,
    as_bytes,
    declared,
    doctype,
    large,
    literal,
    rdf,
    values,
)
from tests.codec.streams import peak_memory
from tests.shared import SHARED


class Slow(io.BytesIO):
    """A stream that returns one byte at a time."""

    def read(self, _size: int | None = -1) -> bytes:
        return super().read(1)


def statements(document: str | bytes) -> list[Statement]:
    rows = codec.read_rdf(as_bytes(document), syntax="rdfxml")
    return [Statement(*(term or "" for term in row[:3])) for row in rows]


@pytest.mark.parametrize("name", READ)
def test_documents(name: str) -> None:
    document, expected = READ[name]
    assert statements(document) == expected


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_documents(name: str) -> None:
    document, says = MALFORMED[name]
    started = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(MalformedInputError) as raised:
            statements(document)
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert says in str(raised.value)
    assert time.process_time() - started < 10


def test_the_case_of_language_tags_is_kept() -> None:
    found = statements(about('<e:p xml:lang="en-GB">1</e:p><e:p xml:lang="EN-gb">1</e:p>'))
    assert [text for *_, text in found] == ['"1"@en-GB', '"1"@EN-gb']


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("utf_8", "utf-8"),
        ("UTF8", "utf-8-sig"),
        ("UTF16", "utf-16"),
        ("utf_16", "utf-16-le"),
        ("UTF-16BE", "utf-16-be"),
        ("ISO_8859-1", "iso-8859-1"),
        ("l1", "iso-8859-1"),
    ],
)
def test_other_names_of_encodings(name: str, encoding: str) -> None:
    assert statements(about("<e:p>é</e:p>", declared(name)).encode(encoding)) == values('"é"')


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("UTF8", "utf-16"),
        ("Shift_JIS", "utf-16-le"),
        ("UTF16", "utf-8"),
        ("UTF8", "latin1"),
        ("us", "utf-8"),
    ],
)
def test_other_encodings_than_the_declared_one(name: str, encoding: str) -> None:
    with pytest.raises(MalformedInputError):
        statements(about("<e:p>é</e:p>", declared(name)).encode(encoding))


@pytest.mark.parametrize(
    "name",
    [
        "rot13",
        "zlib",
        "bz2",
        "quopri",
        "hex",
        "base64",
        "uu",
        "idna",
        "punycode",
        "raw_unicode_escape",
        "undefined",
    ],
)
def test_codecs_that_are_no_encodings_of_files(name: str) -> None:
    with pytest.raises(MalformedInputError) as raised:
        statements(about("<e:p>1</e:p>", declared(name)))
    assert raised.value.expected == "XML in a known encoding"
    assert raised.value.found == f"the encoding {name}"


def test_an_attribute_with_and_without_a_prefix() -> None:
    document = rdf('<rdf:Description about="http://x/a" rdf:about="http://x/b"/>')
    with pytest.raises(MalformedInputError, match="each attribute of RDF once in an element"):
        statements(document)


_BESIDE_TYPE = "no attribute but rdf:ID beside rdf:parseType"
_BESIDE_DATATYPE = "no attribute but rdf:ID beside rdf:datatype"
_IN_NODES = "attributes that RDF/XML allows in a node element"


@pytest.mark.parametrize(
    ("element", "expected", "found"),
    [
        ('<e:p rdf:parseType="Resource" e:q="1"/>', _BESIDE_TYPE, "e:q"),
        ('<e:p rdf:parseType="Literal" rdf:resource="x:y"/>', _BESIDE_TYPE, "rdf:resource"),
        ('<e:p parseType="x" resource="x:y"/>', _BESIDE_TYPE, "rdf:resource"),
        ('<e:p rdf:nodeID="n" rdf:parseType="Collection"/>', _BESIDE_TYPE, "rdf:nodeID"),
        ('<e:p rdf:parseType="Literal" rdf:datatype="x:y"/>', _BESIDE_TYPE, "rdf:datatype"),
        ('<e:p rdf:datatype="x:y" rdf:resource="x:y"/>', _BESIDE_DATATYPE, "rdf:resource"),
        ('<e:p rdf:datatype="x:y" e:q="1"/>', _BESIDE_DATATYPE, "e:q"),
        ('<e:p rdf:datatype="x:y" rdf:type="x:y"/>', _BESIDE_DATATYPE, "rdf:type"),
        ('<e:p rdf:Description="1"/>', "attributes that RDF/XML allows", "rdf:Description"),
        ('<e:p rdf:bagID="b">1</e:p>', "attributes that RDF/XML allows", "rdf:bagID"),
        (
            '<e:p about="x:y"/>',
            "attributes that RDF/XML allows in a property element",
            "rdf:about",
        ),
        ('<e:p><rdf:Description rdf:resource="x:y"/></e:p>', _IN_NODES, "rdf:resource"),
        ('<e:p><e:T rdf:datatype="x:y"/></e:p>', _IN_NODES, "rdf:datatype"),
        ('<e:p><e:T rdf:parseType="Literal"/></e:p>', _IN_NODES, "rdf:parseType"),
        (
            '<e:p rdf:parseType="Resource"><e:q><e:T rdf:resource="x:y"/></e:q></e:p>',
            _IN_NODES,
            "rdf:resource",
        ),
        (
            '<e:p rdf:parseType="Collection"><e:T rdf:resource="x:y"/></e:p>',
            _IN_NODES,
            "rdf:resource",
        ),
    ],
)
def test_attributes_that_the_grammar_does_not_allow(
    element: str, expected: str, found: str
) -> None:
    document = about(f"\n<e:p>1</e:p>{element}")
    root = document[document.index("<rdf:Description") :].removesuffix("</rdf:RDF>")
    # The root can be a node element itself.
    for text in (document, root.replace("<rdf:Description", f"<rdf:Description {PREFIXES}", 1)):
        with pytest.raises(MalformedInputError) as raised:
            statements(text)
        assert (raised.value.expected, raised.value.found) == (expected, found)
        assert "line 2, column " in str(raised.value)


def test_attributes_that_the_grammar_allows() -> None:
    its = 'xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0" its:dir="ltr"'
    document = about(
        f'<e:p xml:base="http://y/" rdf:parseType="Resource" xml:lang="en" {its}>'
        '<e:q rdf:resource="b"/><e:q xml:base="z/" rdf:parseType="Resource">'
        '<e:p rdf:resource="b"/></e:q><e:q rdf:datatype="t" xml:space="preserve">1</e:q></e:p>'
        '<e:p rdf:resource="http://x/b" e:q="1" rdf:type="http://x/T"/>'
        '<e:p rdf:annotation="http://x/c" rdf:datatype="http://x/t">1</e:p>'
        '<e:p rdf:version="1.2" rdf:parseType="Triple"><e:T rdf:about="http://x/b"/></e:p>'
    )
    a, b = (f"_:anon-{sha256(document.encode()).hexdigest()[:16]}-{n}" for n in range(2))
    kind = f"<{RDF}type>"
    assert sorted(statements(document)) == sorted(
        [
            Statement(A, P, a),
            Statement(a, Q, "<http://y/b>"),
            Statement(a, Q, b),
            Statement(b, P, "<http://y/z/b>"),
            Statement(a, Q, '"1"^^<http://y/t>'),
            Statement(A, P, B),
            Statement(B, Q, '"1"'),
            Statement(B, kind, "<http://x/T>"),
            Statement(A, P, '"1"^^<http://x/t>'),
            Statement("<http://x/c>", f"<{RDF}reifies>", f'<<( {A} {P} "1"^^<http://x/t> )>>'),
            Statement(A, P, f"<<( {B} {kind} <http://x/T> )>>"),
        ]
    )


def test_a_type_is_the_only_attribute() -> None:
    """It is that of a blank node, which the parser does not know."""
    document = about(
        '<e:p rdf:type="http://x/T"/><e:p type="U" xml:lang="de"/>'
        '<e:p rdf:ID="i" rdf:type="http://x/T"/><e:p rdf:type="http://x/T" e:q="1"/>',
        attributes='xml:base="http://x/"',
    )
    nodes = [f"_:anon-{sha256(document.encode()).hexdigest()[:16]}-{n}" for n in range(4)]
    kind, statement = f"<{RDF}type>", "<http://x/#i>"
    assert sorted(statements(document)) == sorted(
        [
            *values(*nodes),
            Statement(nodes[0], kind, "<http://x/T>"),
            Statement(nodes[1], kind, "<http://x/U>"),
            Statement(nodes[2], kind, "<http://x/T>"),
            Statement(nodes[3], kind, "<http://x/T>"),
            Statement(nodes[3], Q, '"1"'),
            Statement(statement, kind, f"<{RDF}Statement>"),
            Statement(statement, f"<{RDF}subject>", A),
            Statement(statement, f"<{RDF}predicate>", P),
            Statement(statement, f"<{RDF}object>", nodes[2]),
        ]
    )
    # Such an element has no content, and a node element is the node itself.
    for content in ("1", "<e:T/>"):
        with pytest.raises(MalformedInputError):
            statements(about(f'<e:p rdf:type="http://x/T">{content}</e:p>'))
    assert statements(rdf('<rdf:Description rdf:ID="i" rdf:type="u:T"/>', 'xml:base="u:b"')) == [
        Statement("<u:b#i>", kind, "<u:T>")
    ]


def test_labels_of_annotations_are_those_of_nodes() -> None:
    found = statements(
        about(
            '<e:p rdf:version="1.2" rdf:annotationNodeID="t1">1</e:p><e:q rdf:nodeID="t1"/>'
            '<e:q rdf:type="http://x/T"/>'
        )
    )
    assert found[:3] == [
        Statement(A, P, '"1"'),
        Statement("_:t1", f"<{RDF}reifies>", f'<<( {A} {P} "1" )>>'),
        Statement(A, Q, "_:t1"),
    ]
    assert {row.subject for row in found[3:]} == {A, found[4].object}
    assert found[4].object.startswith("_:anon-")


@pytest.mark.parametrize("name", ["x", "", "literal", "daml:collection"])
def test_other_values_of_parse_type_are_for_literals(name: str) -> None:
    document = about(f'<e:p rdf:parseType="{name}">1<!-- c --><b rdf:parseType="y"/></e:p>')
    expected = f'1<!-- c --><b xmlns:rdf="{RDF}" rdf:parseType="y"></b>'
    assert statements(document) == literal(expected)


def test_triples_of_a_document_without_a_version() -> None:
    with pytest.raises(MalformedInputError, match="rdf:version in a document with rdf:parseType="):
        statements(about('<e:p rdf:parseType="Triple"/>'))


def test_large_documents() -> None:
    document, expected = large()
    assert sorted(statements(document)) == sorted(expected)


def test_defaults_of_attributes_cannot_fill_the_memory() -> None:
    document = about(
        '<e:p rdf:resource="http://x/b"/>' * 2000,
        doctype(f"<!ATTLIST e:p e:q CDATA '{'x' * 100000}'>"),
    )
    with pytest.raises(MalformedInputError, match="entities do not multiply its size"):
        statements(document)


def test_namespaces_of_nested_elements_in_a_literal_take_little_memory() -> None:
    names = [f' xmlns:n{n}="u" n{n}:a{n}=""' for n in range(12_000)]
    starts = [f"<e:a{''.join(names[at : at + 40])}>" for at in range(0, len(names), 40)]
    ends = "</e:a>" * len(starts)
    document = about(f'<e:p rdf:parseType="Literal">{"".join(starts)}{ends}</e:p>')
    found: list[Statement] = []
    assert peak_memory(lambda: found.extend(statements(document))) < 40 << 20
    assert found[0].object.count("xmlns:n") == len(names)


@pytest.mark.parametrize("outer", ["x", "#f", "//h", "../y", "", "/"])
@pytest.mark.parametrize("inner", ["c/", "", "#g", "?q", "/", "//z/q"])
def test_relative_bases_without_an_absolute_one(outer: str, inner: str) -> None:
    element = f'<rdf:Description xml:base="{inner}" rdf:about="y" e:p="1"/>'
    document = rdf(element, f'xml:base="{outer}"').encode()
    with pytest.raises(MalformedInputError) as raised:
        [*codec.read_rdf(document, syntax="rdfxml")]
    assert raised.value.found == "a relative IRI without a base"
    (row,) = codec.read_rdf(document, syntax="rdfxml", base="http://x/")
    assert (row.subject or "").startswith(("<http://x/", "<http://h/", "<http://z/"))
    absolute = rdf(element.replace(f'"{inner}"', '"http://x/"'), f'xml:base="{outer}"')
    assert [row.subject for row in statements(absolute)] == ["<http://x/y>"]


def test_bases_cannot_fill_the_memory() -> None:
    """A long base is written again for each relative one, with entities and without."""
    entities = f"<!ENTITY a '{'x' * 100}'><!ENTITY b '{'&a;' * 100}'><!ENTITY c '{'&b;' * 200}'>"
    for before, base, times in [(doctype(entities), "&c;", 150), ("", "x" * 200_000, 3000)]:
        description = about('<e:p xml:base=""/>' * times, before, f'xml:base="http://x/{base}/"')

        def refuse(document: str = description) -> None:
            with pytest.raises(MalformedInputError, match="entities do not multiply its size"):
                statements(document)

        assert peak_memory(refuse) < 40 << 20


def test_entities_cannot_fill_the_memory_in_a_large_file() -> None:
    """The limit of expat is a hundred times the size of a file."""
    text = f"<!ENTITY a '{'x' * 8000}'><!ENTITY b '{'<e:p>&a;</e:p>' * 1000}'>"
    document = about(f"<e:q>{'y' * 1_000_000}</e:q>{'&b;' * 12}", doctype(text))

    def refuse() -> None:
        with pytest.raises(MalformedInputError, match="entities do not multiply its size"):
            statements(document)

    assert peak_memory(refuse) < 80 << 20


def test_long_names_are_not_kept() -> None:
    elements = "".join(f"<f:a{n}/>" for n in range(500))
    document = about(elements, attributes=f'xmlns:f="http://y/{"x" * 200_000}"')
    # Rows are not collected: each has a long predicate.
    rows = codec.read_rdf(document.encode(), syntax="rdfxml")
    assert peak_memory(lambda: all(rows)) < 20 << 20


def test_documents_in_pieces() -> None:
    """However the bytes come, also in the middle of a character."""
    for name, (document, expected) in READ.items():
        rows = codec.read_rdf(Slow(as_bytes(document)), syntax="rdfxml")
        assert [Statement(*(term or "" for term in row[:3])) for row in rows] == expected, name


def test_prefixes_are_those_of_the_document() -> None:
    document = about('<e:p rdf:parseType="Literal"><u:a xmlns:u="http://u/"/></e:p>')
    rows = codec.read_rdf(document.encode(), syntax="rdfxml", namespaces=True)
    assert [row.name for row in rows if row.name is not None] == ["e", "rdf"]
    document = f'<e:T xmlns:e="http://x/" about="http://x/a" type="{RDF}Bag"/>'
    rows = codec.read_rdf(document.encode(), syntax="rdfxml", namespaces=True)
    assert [row.name for row in rows if row.name is not None] == ["e"]


def test_a_real_file_with_entities_in_single_quotes() -> None:
    path = SHARED / "trials/entity-in-single-quotes.rdf"
    if not path.is_file():
        pytest.skip(f"no {path}")
    assert [row.object for row in codec.read(path)] == [
        '"8.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
        '"He said \\"no\\""',
    ]


def test_labels_that_look_like_those_of_the_parser(tmp_path: Path) -> None:
    label = "f0951a7f44444ecf2e74a0283b80e004"
    path = tmp_path / "a.rdf"
    path.write_text(about(f'<e:p rdf:nodeID="{label}"/><e:p rdf:parseType="Resource"/>'), "utf-8")
    first, second = (row.object or "" for row in codec.read(path))
    assert first == f"_:{label}"
    assert second.startswith("_:anon-")
    made = second.removeprefix("_:")
    path.write_text(about(f'<e:p rdf:nodeID="{made}"/><e:p rdf:parseType="Resource"/>'), "utf-8")
    assert [row.object for row in codec.read(path)] == [f"_:{made[:-1]}_0", f"_:{made}"]
