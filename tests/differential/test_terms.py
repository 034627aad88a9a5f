"""Generated terms: both codecs write the same bytes, or both refuse."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark.codec import JellyPatchOptions, PatchRow
from jelly_spark.core.terms import Iri, format_term, parse_term
from jelly_spark.errors import InvalidTermError
from tests.codecs import JvmCodec
from tests.differential.comparison import PYTHON, generated, written
from tests.differential.strategies import iris, odd_spellings, spellings


@settings(generated, max_examples=50)
@given(st.lists(spellings(), min_size=10, max_size=30))
def test_spellings_of_terms(jvm: JvmCodec, texts: list[str]) -> None:
    """Each is a term of both codecs, and its canonical string is the same."""
    texts = [text for text in texts if _is_term(text)]
    rows = [PatchRow("H", name="", value=text) for text in texts]
    data = PYTHON.encode(rows, JellyPatchOptions())
    assert jvm.encode(rows, JellyPatchOptions()) == data
    canonical = [format_term(parse_term(text)) for text in texts]
    assert [row.value for row in jvm.decode(data)] == canonical
    assert [row.value for row in PYTHON.decode(data)] == canonical


def _is_term(text: str) -> bool:
    try:
        parse_term(text)
    except InvalidTermError:
        return False
    return True


@settings(generated, max_examples=150)
@given(odd_spellings())
def test_text_that_is_not_a_term(jvm: JvmCodec, text: str) -> None:
    rows = [PatchRow("H", name="", value=text)]
    assert written(jvm, rows, JellyPatchOptions()) == written(PYTHON, rows, JellyPatchOptions())


@settings(generated, max_examples=50)
@given(st.lists(iris(), min_size=20, max_size=50), st.sampled_from([0, 1, 2, 150]))
def test_splitting_iris(jvm: JvmCodec, values: list[str], prefixes: int) -> None:
    options = JellyPatchOptions(max_prefix_table_size=prefixes, max_name_table_size=8)
    rows = [PatchRow("H", name="", value=format_term(Iri(value))) for value in values]
    assert jvm.encode(rows, options) == PYTHON.encode(rows, options)


STATEMENT, ENTRY = ("subject", "predicate", "object"), ("name", "value")
UNUSED = {
    **dict.fromkeys(("TX", "TC", "END"), (*STATEMENT, "graph", *ENTRY)),
    "H": (*STATEMENT, "graph"),
    "PA": STATEMENT,
    "A": ENTRY,
}
"""The columns that an op does not use."""


@pytest.mark.parametrize(
    "rows",
    [
        [PatchRow("TX"), PatchRow("TC")],
        [PatchRow("END")],
        [PatchRow("H", name="", value="<urn:x>")],
        [PatchRow("PA", name="", value="<urn:x>")],
        [PatchRow("A", "<urn:s>", "<urn:p>", "<urn:o>")],
    ],
    ids=lambda rows: rows[0].op,
)
def test_columns_that_an_op_does_not_use_are_ignored(jvm: JvmCodec, rows: list[PatchRow]) -> None:
    extra: Any = "no term"
    filled = [row._replace(**dict.fromkeys(UNUSED[row.op], extra)) for row in rows]
    assert filled != rows
    expected = PYTHON.encode(rows, JellyPatchOptions())
    for codec in (PYTHON, jvm):
        assert codec.encode(filled, JellyPatchOptions()) == expected, codec.name
