"""Generated rows of every format: both codecs write the same bytes or refuse, and read the same."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import NQuadsOptions, NTriplesOptions, PatchRow, RdfRow
from jelly_spark.core.terms import JENA_DEFAULT_GRAPHS
from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS
from tests.codecs import Codec, JvmCodec
from tests.differential.comparison import PYTHON, generated, written
from tests.differential.mutations import OF_BYTES
from tests.differential.strategies import (
    line_files,
    patches,
    rdf_files,
    text_patches,
    thrift_patches,
    updates,
)

STRATEGIES: dict[str, st.SearchStrategy[tuple[list[Any], Any]]] = {
    "jelly_patch": patches(),
    "jelly_rdf": rdf_files(),
    "rdf_patch": text_patches(),
    "rdf_patch_thrift": thrift_patches(),
    "ntriples": line_files(NTriplesOptions),
    "nquads": line_files(NQuadsOptions),
}


def test_every_format_has_a_strategy() -> None:
    assert STRATEGIES.keys() == FORMATS.keys()


def read(codec: Codec, data: bytes, format: str, **options: Any) -> list[Any] | str:
    """Return the rows, or where and what the error is."""
    try:
        return codec.decode(data, format, **options)
    except MalformedInputError as error:
        return str(error)


def read_options(format: str) -> list[dict[str, bool]]:
    """Return the options of each way to read a format."""
    ways: list[dict[str, bool]] = [{}, {"strict": True}]
    return [{**way, "namespaces": True} for way in ways] if format == "jelly_rdf" else ways


@pytest.mark.parametrize("format", FORMATS)
def test_generated(jvm: JvmCodec, format: str) -> None:
    sizes: list[int] = []

    @generated
    @given(STRATEGIES[format])
    def check(example: tuple[list[Any], Any]) -> None:
        rows, options = example
        data = written(PYTHON, rows, options)
        assert written(jvm, rows, options) == data
        if data is not None:
            sizes.append(len(data))
            for ways in read_options(format):
                assert read(jvm, data, format, **ways) == read(PYTHON, data, format, **ways)

    check()
    # Some of the examples can be written.
    assert sizes


@pytest.mark.parametrize("graph", sorted(JENA_DEFAULT_GRAPHS))
@pytest.mark.parametrize("format", FORMATS)
def test_jenas_names_of_the_default_graph(jvm: JvmCodec, format: str, graph: str) -> None:
    """As graphs, they are kept or refused: nothing moves to the default graph in silence."""
    options = FORMATS[format].options()
    row: PatchRow | RdfRow = PatchRow("A", "<urn:s>", "<urn:p>", "<urn:o>", graph)
    if FORMATS[format].row is RdfRow:
        row = RdfRow(*row[1:5])
    data = written(PYTHON, [row], options)
    assert written(jvm, [row], options) == data
    for codec in (PYTHON, jvm):
        assert data is None or read(codec, data, format)[0].graph == graph  # type: ignore[union-attr]


_TAGS = ("ar--ltr", "ar--RTL", "ar--foo", "ar---tl", "ar-----", "a--rtl-", "--a-rtl", "--a--ul")
"""Language tags in place of one of the same length: with base directions, good and bad."""


@pytest.mark.parametrize("format", FORMATS)
def test_base_directions(jvm: JvmCodec, format: str) -> None:
    options = FORMATS[format].options()
    row: PatchRow | RdfRow = PatchRow("A", "<urn:s>", "<urn:p>", '"x"@ar--rtl')
    if FORMATS[format].row is RdfRow:
        row = RdfRow(*row[1:5])
    data = written(PYTHON, [row], options)
    assert data is not None and written(jvm, [row], options) == data
    assert read(jvm, data, format)[0].object == '"x"@ar--rtl'  # type: ignore[union-attr]
    for tag in _TAGS:
        other = data.replace(b"ar--rtl", tag.encode())
        expected = read(PYTHON, other, format)
        assert read(jvm, other, format) == expected
        assert (tag == "ar--ltr") == isinstance(expected, list)


def test_updates(jvm: JvmCodec) -> None:
    sizes: list[int] = []

    @generated
    @given(updates())
    def check(example: tuple[list[Any], Any]) -> None:
        rows, options = example
        data = written(PYTHON, rows, options)
        assert written(jvm, rows, options) == data
        sizes.append(len(data or b""))

    check()
    assert any(sizes)


@pytest.mark.parametrize("format", FORMATS)
def test_damaged(jvm: JvmCodec, format: str) -> None:
    """Both codecs read the same rows, or find the same error at the same place."""
    errors: list[str] = []

    @generated
    @given(STRATEGIES[format], st.integers(0, 2**32))
    def check(example: tuple[list[Any], Any], seed: int) -> None:
        rows, options = example
        data = written(PYTHON, rows, options)
        if not data:
            return
        random = Random(seed)
        for _ in range(random.choice((1, 1, 2))):
            data = random.choice(OF_BYTES)(data, [data], random) or data
        for ways in read_options(format):
            expected = read(PYTHON, data, format, **ways)
            assert read(jvm, data, format, **ways) == expected, data.hex()
            if isinstance(expected, str):
                errors.append(expected)

    check()
    assert errors
