"""Jena 6 reads what we write, and we read what it writes, with the same terms."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from jelly_spark.codec import PatchRow
from jelly_spark.core.rows import OPS
from jelly_spark.core.terms import RDF_LANG_STRING, format_term
from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS
from tests.codecs import Codec
from tests.conformance.cases import rows_of, statement_of
from tests.conformance.ntriples import Statement
from tests.interop.strategies import generated, patches_of_jena, rdf12_statements
from tests.jena.jena_process import JenaError, JenaProcess, Row, as_in_jena, with_terms
from tests.shared import JENA_CLASSPATH

LINE_FORMATS = ["ntriples", "nquads"]
PATCH_FORMATS = ["rdf_patch", "rdf_patch_thrift"]


@pytest.fixture(scope="module")
def jenas(newer_java: Path, jena_6: list[str]) -> Iterator[dict[str, JenaProcess]]:
    """Jena 6, and Jena 5.6, with which the tests of the JVM compare."""
    # The class path of Jena 5.6 leaves out slf4j, which Spark has.
    slf4j = [jar for jar in jena_6 if Path(jar).name.startswith("slf4j")]
    jena_5 = [*JENA_CLASSPATH.read_text("utf-8").split(os.pathsep), *slf4j]
    with JenaProcess(newer_java, jena_6) as newer, JenaProcess(newer_java, jena_5) as older:
        yield {"5.6": older, "6.0": newer}


@pytest.fixture
def jena(jenas: dict[str, JenaProcess]) -> JenaProcess:
    return jenas["6.0"]


@pytest.mark.parametrize("format", PATCH_FORMATS)
def test_jena_reads_our_patches(jena: JenaProcess, codec: Codec, format: str) -> None:
    @generated
    @given(patches_of_jena())
    def check(rows: list[PatchRow]) -> None:
        data = codec.encode(rows, FORMATS[format].options())
        assert as_in_jena(jena.read(data, format)) == as_in_jena(with_terms(rows))

    check()


@pytest.mark.parametrize("format", PATCH_FORMATS)
def test_we_read_and_write_what_jena_does(jena: JenaProcess, codec: Codec, format: str) -> None:
    """If Jena's reader gives what Jena's writer was given."""

    def is_kept(row: Row) -> bool:
        try:
            return jena.read(jena.write([row], format), format) == [row]
        except JenaError:
            return False

    kept: list[PatchRow] = []

    @generated
    @given(patches_of_jena())
    def check(drawn: list[PatchRow]) -> None:
        rows = [row for row in drawn if is_kept(with_terms([row])[0])]
        data = jena.write(with_terms(rows), format)
        assert with_terms(codec.decode(data, format)) == with_terms(rows)
        assert codec.encode(rows, FORMATS[format].options()) == data
        kept.extend(rows)

    check()
    assert {row.op for row in kept} == set(OPS)


@pytest.mark.parametrize("format", LINE_FORMATS)
def test_jena_reads_our_statements(jena: JenaProcess, codec: Codec, format: str) -> None:
    @generated
    @given(rdf12_statements(quads=format == "nquads"))
    def check(statements: list[Statement]) -> None:
        for canonical in (False, True):
            options = FORMATS[format].options.from_strings({"canonical": str(canonical)})
            data = codec.encode(rows_of([statements]), options)
            assert as_in_jena(jena.read(data, format)) == as_in_jena(statements)

    check()


@pytest.mark.parametrize("format", LINE_FORMATS)
def test_we_read_statements_of_jena(jena: JenaProcess, codec: Codec, format: str) -> None:
    @generated
    @given(rdf12_statements(quads=format == "nquads"))
    def check(statements: list[Statement]) -> None:
        data = jena.write(statements, format)
        rows = codec.decode(data, format)
        assert [statement_of(row) for row in rows] == jena.read(data, format)

    check()


# The tables of the page on differences, which has Jena 5.6 and 6.0 in one column.
both = pytest.mark.parametrize("version", ["5.6", "6.0"])

REFUSED = "an error"


def outcome(read: Callable[[], str]) -> str:
    try:
        return read()
    except (JenaError, MalformedInputError):
        return REFUSED


def object_of(rows: list[Any]) -> str:
    """Return the object of the last row."""
    row = rows[-1]
    return str(row.object) if isinstance(row, PatchRow) else format_term(row[3])


TRIPLE = "<<( <urn:s> <urn:p> <urn:o> )>>"
READING = [
    # In the text, in Jena, in this package.
    ("<< <urn:s> <urn:p> <urn:o> >>", REFUSED, TRIPLE),
    ("<<(<urn:s> <urn:p> <urn:o>)>>", TRIPLE, TRIPLE),
    (f"<<( <urn:s> <urn:p> {TRIPLE} )>>", *[f"<<( <urn:s> <urn:p> {TRIPLE} )>>"] * 2),
    (f"<<( {TRIPLE} <urn:p> <urn:o> )>>", *[f"<<( {TRIPLE} <urn:p> <urn:o> )>>"] * 2),
    ('"x"@EN-gb', '"x"@en-GB', '"x"@EN-gb'),
    ('"x"@ar--rtl', '"x"@ar--rtl', '"x"@ar--rtl'),
    ('"x"@AR--ltr', '"x"@ar--ltr', '"x"@AR--ltr'),
    *((f'"x"@ar--{direction}', REFUSED, REFUSED) for direction in ("LTR", "foo", "", "rtl-x")),
    ('"x" .\nVERSION "1.2"', REFUSED, REFUSED),
]


@both
@pytest.mark.parametrize(("text", "in_jena", "in_ours"), READING)
def test_reading_text(
    jenas: dict[str, JenaProcess], codec: Codec, version: str, text: str, in_jena: str, in_ours: str
) -> None:
    data = f"A <urn:s> <urn:p> {text} .\n".encode()
    assert outcome(lambda: object_of(jenas[version].read(data, "rdf_patch"))) == in_jena
    assert outcome(lambda: object_of(codec.decode(data, "rdf_patch"))) == in_ours


WRITING = [
    # What is written, how Jena reads what Jena writes, and how it reads what this package writes.
    ('"x"@EN-gb', "rdf_patch", '"x"@en-GB', '"x"@en-GB'),
    ('"x"@EN-gb', "rdf_patch_thrift", '"x"@en-GB', '"x"@en-GB'),
    ('"x"@ar--rtl', "rdf_patch", '"x"@ar--rtl', '"x"@ar--rtl'),
    ('"x"@ar--rtl', "rdf_patch_thrift", REFUSED, '"x"@ar--rtl'),
    (f'"x"^^<{RDF_LANG_STRING}>', "rdf_patch_thrift", '"x"', f'"x"^^<{RDF_LANG_STRING}>'),
]


@both
@pytest.mark.parametrize(("text", "format", "in_jenas", "in_ours"), WRITING)
def test_writing(
    jenas: dict[str, JenaProcess],
    codec: Codec,
    version: str,
    text: str,
    format: str,
    in_jenas: str,
    in_ours: str,
) -> None:
    jena = jenas[version]
    row = PatchRow("A", "<urn:s>", "<urn:p>", text)
    theirs = jena.write(with_terms([row]), format)
    assert outcome(lambda: object_of(jena.read(theirs, format))) == in_jenas
    assert outcome(lambda: object_of(codec.decode(theirs, format))) == in_jenas
    ours = codec.encode([row], FORMATS[format].options())
    assert outcome(lambda: object_of(jena.read(ours, format))) == in_ours
    assert codec.decode(ours, format)[0].object == text


@both
def test_a_direction_in_thrift_of_jena(
    jenas: dict[str, JenaProcess], codec: Codec, version: str
) -> None:
    """Jena writes the datatype of such literals, but leaves the direction out."""
    row = with_terms([PatchRow("A", "<urn:s>", "<urn:p>", '"x"@ar--rtl')])
    data = jenas[version].write(row, "rdf_patch_thrift")
    with pytest.raises(MalformedInputError, match="Jena"):
        codec.decode(data, "rdf_patch_thrift")


@both
@pytest.mark.parametrize("format", LINE_FORMATS)
def test_jena_reads_no_version(jenas: dict[str, JenaProcess], version: str, format: str) -> None:
    with pytest.raises(JenaError, match="VERSION"):
        jenas[version].read(b'VERSION "1.2"\n', format)
