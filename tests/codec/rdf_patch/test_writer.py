"""Writing: what closes patches and transactions, what is refused, and where the text goes."""

import io
from pathlib import Path
from typing import Any

import pytest

from jelly_spark.codec import PatchRow, RdfPatchOptions, RdfPatchWriter, Style
from jelly_spark.errors import OptionError, UnwritableRowError
from tests.codec.rdf_patch.helpers import encode, read

_ROW = PatchRow("A", "<urn:s>", "<urn:p>", "<urn:o>")


def test_a_patch_is_closed_where_patch_changes() -> None:
    rows = [_ROW._replace(patch=0), _ROW._replace(patch=1), PatchRow("END", patch=1), _ROW]
    assert [line[:1] for line in encode(rows).splitlines()] == ["A", "Z", "A", "Z", "A"]


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ([PatchRow("TX"), PatchRow("TX")], "a transaction must be closed by TC or TA"),
        ([PatchRow("TX")], "a transaction must be closed by TC or TA"),
        ([PatchRow("TC")], "TC needs a TX before it"),
        ([PatchRow("Z")], "op must be one of: H, TX"),  # type: ignore[arg-type]
        ([PatchRow("A", "<s>", "<p>")], "A and D need a subject, a predicate and an object"),
        ([PatchRow("A", "<s>", "<p>", "o")], "expected an RDF term in N-Triples syntax"),
        ([PatchRow("A", "<s>", "<p>", '"\ud800"')], "expected a character that a literal may hold"),
        ([PatchRow("A", "<s", "p>", "<o>")], "expected a character that an IRI may hold"),
        ([PatchRow("A", "<s>\n<p>", "<o>", "<o>")], "expected the end of the term"),
        ([PatchRow("A", "<s>", "<p>", "<o>", "<<( <s> <p> <o> )>>")], "a graph cannot be a triple"),
        ([PatchRow("H", name="a")], "H needs a name and a value"),
        (
            [PatchRow("H", name="\ud800", value="<v>")],
            "a name must not hold a lone surrogate, which UTF-8 cannot encode",
        ),
        ([PatchRow("PA", name="a")], "PA needs a value"),
        ([PatchRow("PA", name="a", value='"v"')], "the value of PA and PD must be an IRI"),
        ([PatchRow("PD", name="a", value="<v>")], "the value of PD must be null in this format"),
    ],
)
def test_refused(rows: list[PatchRow], rule: str) -> None:
    with pytest.raises(UnwritableRowError) as raised:
        encode(rows)
    assert raised.value.rule.startswith(rule)


def test_rows_without_a_gap_may_break_the_rules_of_transactions() -> None:
    rows = read("TC .\nTX .\nTX .\nZ .\n")
    assert encode(rows) == "TC .\nTX .\nTX .\nZ .\n"


@pytest.mark.parametrize("term", [5, b"<urn:o>"])
def test_a_term_of_another_type(term: Any) -> None:
    for style in Style:
        with pytest.raises(UnwritableRowError, match="object must be a string, not"):
            encode([_ROW._replace(object=term)], style)


@pytest.mark.parametrize(
    "term",
    ['"x"^^<http://www.w3.org/2001/XMLSchema#string>', r'"\u0078"', '"x"'],
)
def test_terms_need_not_be_canonical(term: str) -> None:
    for style in Style:
        rows = [_ROW._replace(object=term), _ROW._replace(object='"x"')]
        repeated = "A R R R .\n" if style is Style.V1 else 'A <urn:s> <urn:p> "x" .\n'
        assert encode(rows, style) == f'A <urn:s> <urn:p> "x" .\n{repeated}'


def test_v1_shortens_with_the_longest_namespace() -> None:
    def prefix(name: str, iri: str) -> PatchRow:
        return PatchRow("PA", name=name, value=f"<{iri}>")

    def written(*rows: PatchRow) -> str:
        text = encode([*rows, _ROW], Style.V1)
        return text.splitlines()[-1]

    assert written(prefix("u", "urn:")) == "A u:s u:p u:o ."
    assert written(prefix("u", "urn:"), prefix("s", "urn:s")) == "A s: u:p u:o ."
    assert written(prefix("u", "urn:"), prefix("v", "urn:")) == "A v:s v:p v:o ."
    assert written(prefix("u", "urn:"), prefix("u", "x:")) == "A <urn:s> <urn:p> <urn:o> ."
    assert written(prefix("", "ur:"), prefix("u", "urn:p")) == "A <urn:s> u: <urn:o> ."


def test_v1_repeats_a_graph_of_the_statement_before() -> None:
    rows = [_ROW._replace(graph=graph) for graph in ("<x:g>", "<x:g>", None, "<x:g>")]
    text = encode(rows, Style.V1)
    assert [line.split()[4] for line in text.splitlines()] == ["<x:g>", "R", ".", "<x:g>"]


def test_v1_has_no_end_of_a_patch() -> None:
    rows = [_ROW._replace(patch=0), _ROW._replace(patch=1)]
    with pytest.raises(UnwritableRowError, match="style v1 cannot write END"):
        encode(rows, Style.V1)


def test_options() -> None:
    assert RdfPatchOptions.from_strings({"STYLE": "v1"}) == RdfPatchOptions(Style.V1)
    assert RdfPatchOptions().to_strings() == {"style": "JENA"}
    with pytest.raises(OptionError, match="style must be one of: JENA, V1; not 'v2'"):
        RdfPatchOptions.from_strings({"style": "v2"})
    with pytest.raises(OptionError, match="style must be one of"):
        RdfPatchOptions("v1")  # type: ignore[arg-type]


def test_files_and_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.rdfp"
    with RdfPatchWriter(path) as writer:
        writer.write(_ROW)
        assert not path.exists()
    assert path.read_bytes() == b"A <urn:s> <urn:p> <urn:o> .\n"
    with pytest.raises(UnwritableRowError), RdfPatchWriter(path) as writer:
        writer.write(PatchRow("TC"))
    assert path.read_bytes() == b"A <urn:s> <urn:p> <urn:o> .\n"
    assert list(tmp_path.iterdir()) == [path]
    stream = io.BytesIO()
    with RdfPatchWriter(stream) as writer:
        pass
    assert stream.getvalue() == b""
