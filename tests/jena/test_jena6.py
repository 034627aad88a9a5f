"""Jena 6 reads what we write, and we read what it writes, with the same terms."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from jelly_spark.codec import PatchRow
from jelly_spark.core.rows import OPS
from jelly_spark.formats import FORMATS
from tests.codecs import Codec
from tests.conformance.cases import rows_of, statement_of
from tests.conformance.ntriples import Statement
from tests.interop.strategies import generated, patches_of_jena, rdf12_statements
from tests.java import find_java
from tests.jena.jena6 import JAVA, Jena6, JenaError, Row, as_in_jena, with_terms
from tests.shared import JENA_6_CLASSPATH

LINE_FORMATS = ["ntriples", "nquads"]
PATCH_FORMATS = ["rdf_patch", "rdf_patch_thrift"]


@pytest.fixture(scope="module")
def jena() -> Iterator[Jena6]:
    java = find_java(JAVA)
    if java is None:
        pytest.skip(f"Jena 6 needs Java {JAVA} or later: set JAVA_HOME_{JAVA}_X64 to its folder")
    if not JENA_6_CLASSPATH.is_file():
        pytest.skip(f"no {JENA_6_CLASSPATH}: run `make test`")
    with Jena6(java, JENA_6_CLASSPATH.read_text("utf-8")) as started:
        yield started


@pytest.mark.parametrize("format", PATCH_FORMATS)
def test_jena_reads_our_patches(jena: Jena6, codec: Codec, format: str) -> None:
    @generated
    @given(patches_of_jena())
    def check(rows: list[PatchRow]) -> None:
        data = codec.encode(rows, FORMATS[format].options())
        assert as_in_jena(jena.read(data, format)) == as_in_jena(with_terms(rows))

    check()


@pytest.mark.parametrize("format", PATCH_FORMATS)
def test_we_read_and_write_what_jena_does(jena: Jena6, codec: Codec, format: str) -> None:
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


@pytest.mark.parametrize("direction", ["LTR", "foo", "", "rtl-x"])
def test_directions_that_are_malformed(jena: Jena6, direction: str) -> None:
    data = f'A <urn:s> <urn:p> "x"@ar--{direction} .\n'.encode()
    with pytest.raises(JenaError, match=r"direction|language tag"):
        jena.read(data, "rdf_patch")


@pytest.mark.parametrize("format", LINE_FORMATS)
def test_jena_reads_our_statements(jena: Jena6, codec: Codec, format: str) -> None:
    @generated
    @given(rdf12_statements(quads=format == "nquads"))
    def check(statements: list[Statement]) -> None:
        data = codec.encode(rows_of([statements]), FORMATS[format].options())
        assert as_in_jena(jena.read(data, format)) == as_in_jena(statements)

    check()


@pytest.mark.parametrize("format", LINE_FORMATS)
def test_we_read_statements_of_jena(jena: Jena6, codec: Codec, format: str) -> None:
    @generated
    @given(rdf12_statements(quads=format == "nquads"))
    def check(statements: list[Statement]) -> None:
        data = jena.write(statements, format)
        rows = codec.decode(data, format)
        assert [statement_of(row) for row in rows] == jena.read(data, format)

    check()
