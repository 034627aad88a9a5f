"""Writing SPARQL Updates: their text, what is refused, and their effect on stores."""

import io
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow, SparqlUpdateOptions, SparqlUpdateWriter
from jelly_spark.errors import OptionError, UnwritableRowError

TX, TC, END = PatchRow("TX"), PatchRow("TC"), PatchRow("END")
BASE = "https://example.org/.well-known/genid/"


def add(obj: str, graph: str | None = None) -> PatchRow:
    return PatchRow("A", "<a:s>", "<a:p>", obj, graph)


def delete(obj: str, graph: str | None = None) -> PatchRow:
    return add(obj, graph)._replace(op="D")


def written(*rows: PatchRow, **options: Any) -> str:
    out = io.BytesIO()
    assert codec.write(out, rows, options=SparqlUpdateOptions(**options)) == len(rows)
    return out.getvalue().decode()


def refused(*rows: PatchRow, **options: Any) -> str:
    with pytest.raises(UnwritableRowError) as raised:
        written(*rows, **options)
    return raised.value.rule


def test_runs_of_statements_are_operations() -> None:
    assert written(
        PatchRow("H", name="id", value="<urn:uuid:1>"),
        TX,
        delete("<a:o>"),
        delete('"1"', "<a:g>"),
        delete('"2"', "<a:g>"),
        delete('"2"', "<a:h>"),
        delete("<a:o2>"),
        add('"x"@en'),
        TC,
        TX,
        add('"y"'),
        TC,
    ) == (
        "# H id <urn:uuid:1> .\n"
        "DELETE DATA {\n"
        "  <a:s> <a:p> <a:o> .\n"
        "  GRAPH <a:g> {\n"
        '    <a:s> <a:p> "1" .\n'
        '    <a:s> <a:p> "2" .\n'
        "  }\n"
        "  GRAPH <a:h> {\n"
        '    <a:s> <a:p> "2" .\n'
        "  }\n"
        "  <a:s> <a:p> <a:o2> .\n"
        "} ;\n"
        "INSERT DATA {\n"
        '  <a:s> <a:p> "x"@en .\n'
        "} ;\n"
        "INSERT DATA {\n"
        '  <a:s> <a:p> "y" .\n'
        "}\n"
    )


def test_headers_and_prefixes_are_comments() -> None:
    assert written(
        add("<a:o>"),
        PatchRow("PA", name="ex", value="<http://e/>"),
        PatchRow("PD", name="", graph="<a:g>"),
        add("<a:o>"),
        PatchRow("PD", name="a\nb", value="<http://e/>", graph="_:g"),
        PatchRow("H", name="no word", value="<<( _:a <p> '' )>>".replace("''", '"\\n"')),
    ) == (
        "INSERT DATA {\n  <a:s> <a:p> <a:o> .\n} ;\n"
        "# PA ex <http://e/> .\n"
        '# PD "" <a:g> .\n'
        "INSERT DATA {\n  <a:s> <a:p> <a:o> .\n}\n"
        '# PD "a\\nb" <http://e/> _:g .\n'
        '# H "no word" <<( _:a <p> "\\n" )>> .\n'
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_operations_have_a_size(size: int) -> None:
    rows = [add(f"<a:{i}>", "<a:g>") for i in range(4)]
    text = written(*rows, batch_size=size)
    operations = text.removesuffix("\n").split(" ;\n")
    assert len(operations) == -(-4 // size)
    assert all(operation.count("<a:s>") <= size for operation in operations)
    assert all(operation.count("GRAPH <a:g>") == 1 for operation in operations)
    assert written(*rows[:size], batch_size=size) == f"{operations[0]}\n"


def test_what_ends_a_run() -> None:
    one = "INSERT DATA {\n  <a:s> <a:p> <a:o> .\n  <a:s> <a:p> <a:o> .\n}\n"
    assert written(add("<a:o>"), add("<a:o>")) == one
    two = " ;\n".join(["INSERT DATA {\n  <a:s> <a:p> <a:o> .\n}"] * 2) + "\n"
    assert written(add("<a:o>"), END, add("<a:o>")) == two
    assert written(add("<a:o>")._replace(patch=0), add("<a:o>")._replace(patch=1)) == two
    assert written(TX, add("<a:o>"), TC, add("<a:o>")) == two
    assert written(add("<a:o>"), TX, add("<a:o>"), TC) == two


def test_nothing_but_marks_is_an_empty_file() -> None:
    assert written() == written(TX, TC, END, TX, TC) == ""
    assert written(PatchRow("H", name="id", value="_:b")) == "# H id _:b .\n"


@pytest.mark.parametrize(
    ("label", "iri"),
    [
        ("_:a.b-c_0", "a.b-c_0"),
        ("_:é😀", "é😀"),
        ("<_:a b%/:~>".replace(" ", "\\u0020"), "a%20b%25%2F%3A~"),
        ("<_:\ufffd\ue000>", "%EF%BF%BD%EE%80%80"),
    ],
)
def test_blank_nodes_become_iris_where_that_is_asked_for(label: str, iri: str) -> None:
    text = written(add(label, label), skolem_base=BASE)
    assert f"GRAPH <{BASE}{iri}> {{\n    <a:s> <a:p> <{BASE}{iri}> .\n" in text
    assert refused(add(label)) == "a blank node needs the option skolemBase"
    assert refused(add("<a:o>", label)) == "a blank node needs the option skolemBase"


def test_no_comment_ends_by_an_escape() -> None:
    header = PatchRow("H", name="id", value="<a:\\u000A>")
    assert written(header) == "# H id <a:\\\\U00000075000A> .\n"


def test_text_that_parsers_would_change() -> None:
    """They replace codepoint escapes before they know what a string is; one of them, tabs."""
    assert '"a\\tb"@en .' in written(add('"a\tb"@en'))
    assert '"\\\\\\U00000075d800 \\\\\\\\\\U00000055 \\\\n" .' in written(
        add('"\\\\ud800 \\\\\\\\U \\\\n"')
    )


TRIPLE_RULE = "SPARQL Update can hold a triple term only as an object"


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (PatchRow("TA"), "SPARQL Update has no rollback: squash the log first"),
        (add("<<( <a:s> _:p <a:o> )>>"), "a predicate must be an IRI"),
        (add("<<( <a:s> <a:p> <<( <<( _:s _:s _:s )>> <a:p> <a:o> )>> )>>"), TRIPLE_RULE),
        (add("<a:o>")._replace(subject="<<( <a:s> <a:p> <a:o> )>>"), TRIPLE_RULE),
        (add("<a:o>")._replace(subject='"s"'), "a subject must be an IRI, a blank node or"),
        (add("<a:o>")._replace(predicate="_:p"), "a predicate must be an IRI"),
        (add("<a:o>", '"g"'), "a graph must be an IRI or a blank node"),
        (add("<o>"), "an IRI must be absolute"),
        (add('"1"^^<d>'), "an IRI must be absolute"),
        (add(r"<a:\u0020>"), "SPARQL Update cannot hold an IRI with a space, a control"),
        (add('"o"@1--ltr'), "a language tag must follow SPARQL's grammar, as en or de-CH do"),
        (add('"o"@1'), "a language tag must follow SPARQL's grammar, as en or de-CH do"),
        (PatchRow("A", "<a:s>"), "A and D need a subject, a predicate and an object"),
        (PatchRow("H", name="id"), "H needs a name and a value"),
        (PatchRow("PA", name="ex"), "PA needs a value"),
        (PatchRow("PA", name="ex", value='"x"'), "the value of PA and PD must be an IRI"),
        (PatchRow("PD", name="ex", value='"x"'), "the value of PA and PD must be an IRI"),
        (PatchRow("PD", name="ex", graph="<<( _:a <p> _:b )>>"), "a graph cannot be a triple term"),
        (PatchRow("H", name="\ud800", value="_:b"), "a name must not hold a lone surrogate"),
        (PatchRow("X"), "op must be one of: H, TX"),  # type: ignore[arg-type]
    ],
)
def test_rows_that_are_refused(row: PatchRow, rule: str) -> None:
    assert refused(TX, row).startswith(rule)


def test_terms_of_sparql_1_2() -> None:
    term = '<<( _:a <a:p> <<( <a:s> <a:p> "\t"@ar--rtl )>> )>>'
    inner = '<<( <a:s> <a:p> "\\t"@ar--rtl )>>'
    assert written(add(term), skolem_base=BASE) == (
        f"INSERT DATA {{\n  <a:s> <a:p> <<( <{BASE}a> <a:p> {inner} )>> .\n}}\n"
    )


def test_transactions_must_be_closed() -> None:
    assert "a transaction must be closed" in refused(TX, add("<a:o>"), END)


def test_an_update_cannot_be_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.ru"
    assert codec.write(path, [add("<a:o>")], append=True) == 1
    with pytest.raises(OptionError, match="cannot be appended to"):
        codec.write(path, [add("<a:o>")], append=True)
    assert path.read_text() == written(add("<a:o>"))


def test_the_writer_of_an_extension(tmp_path: Path) -> None:
    path = tmp_path / "a.ru.gz"
    with codec.open_writer(path) as writer:
        writer.write(add("<a:o>"))
    assert isinstance(writer, SparqlUpdateWriter)
    with pytest.raises(OptionError, match="sparql_update can be written, not read"):
        codec.concatenate(tmp_path / "b.ru", path)
