"""What XML can do in a file of RDF/XML."""

import io
import time
import tracemalloc
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.errors import MalformedInputError
from tests.codec.rdf.xml_cases import (
    MALFORMED,
    RDF,
    READ,
    Statement,
    about,
    as_bytes,
    declared,
    doctype,
    large,
    rdf,
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
