"""Writing: what rows the format cannot hold, and what of Jena's differs."""

import io

import pytest

from jelly_spark.codec import PatchRow, RdfPatchThriftWriter
from jelly_spark.errors import InvalidTermError, UnwritableRowError
from tests.codec.rdf_patch_thrift.helpers import encode, read

_STATEMENT = "A and D need a subject, a predicate and an object"
_HEADER = "H needs a name and a value"
_JENA_GRAPH = (
    "a graph cannot be <urn:x-arq:DefaultGraph> or <urn:x-arq:DefaultGraphNode>, which this format "
    "reads as the default graph: use null for the default graph"
)


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (PatchRow("A", None, "<p>", "<o>"), _STATEMENT),
        (PatchRow("A", "<s>", None, "<o>"), _STATEMENT),
        (PatchRow("D", "<s>", "<p>", None), _STATEMENT),
        (PatchRow("H", value="<o>"), _HEADER),
        (PatchRow("H", name="k"), _HEADER),
        (PatchRow("PA", value="<o>"), "PA and PD need a name"),
        (PatchRow("PD"), "PA and PD need a name"),
        (PatchRow("PA", name="p"), "PA needs a value"),
        (PatchRow("PA", name="p", value="_:b"), "the value of PA and PD must be an IRI"),
        (PatchRow("PD", name="p", value="<o>"), "the value of PD must be null in this format"),
        (PatchRow("A", "<s>", "<p>", "<o>", "<urn:x-arq:DefaultGraph>"), _JENA_GRAPH),
        (PatchRow("D", "<s>", "<p>", "<o>", "<urn:x-arq:DefaultGraphNode>"), _JENA_GRAPH),
        (PatchRow("A", "<s>", "<p>", "<o>", r"<urn:x-arq:\u0044efaultGraph>"), _JENA_GRAPH),
        (PatchRow("PA", None, None, None, "<urn:x-arq:DefaultGraph>", "p", "<o>"), _JENA_GRAPH),
        (PatchRow("PD", graph="<urn:x-arq:DefaultGraphNode>", name="p"), _JENA_GRAPH),
        (
            PatchRow("PD", name="\ud800"),
            "a string must not hold a lone surrogate, which UTF-8 cannot encode",
        ),
        (PatchRow("X"), "op must be one of: H, TX, TC, TA, PA, PD, A, D, END"),  # type: ignore[arg-type]
    ],
)
def test_refused(row: PatchRow, rule: str) -> None:
    out = io.BytesIO()
    with pytest.raises(UnwritableRowError) as raised, RdfPatchThriftWriter(out) as writer:
        writer.write(row)
    assert raised.value.rule == rule
    assert raised.value.row is not None
    assert not out.getvalue()


def test_text_that_is_not_a_term() -> None:
    with pytest.raises(UnwritableRowError, match="expected an RDF term") as raised:
        encode([PatchRow("H", name="k", value="term")])
    assert not isinstance(raised.value, InvalidTermError)


def test_transactions() -> None:
    with pytest.raises(UnwritableRowError, match="a transaction must be closed"):
        encode([PatchRow("TX"), PatchRow("END")])


def test_patch_changes() -> None:
    rows = [PatchRow("H", name="k", value='"v"', patch=patch) for patch in (0, 0, 1)]
    assert [row.op for row in read(encode(rows))] == ["H", "H", "END", "H"]


@pytest.mark.parametrize(
    "term",
    [
        '"x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>',  # Jena drops the datatype
        '"x"@EN-us',  # Jena makes it en-US
    ],
)
def test_terms_that_jena_changes(term: str) -> None:
    row = PatchRow("H", name="k", value=term)
    assert read(encode([row]))[0].value == term
