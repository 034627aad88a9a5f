"""Writing Turtle and TriG: the layout, what is abbreviated, what is refused, and round trips."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import JellyRdfOptions, RdfOptions, RdfRow, RdfWriter
from jelly_spark.core.terms import Iri, Literal, format_term, parse_term
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.integrations.oxigraph import from_oxigraph
from tests.codec.strategies import TEXTS, atoms_of
from tests.shared import SHARED

E = "http://example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
CUP, POT, PRICE, NAME = (f"<{E}{name}>" for name in ("cup", "pot", "price", "name"))
EX = {"ex": E}
EX_ROW = RdfRow(name="ex", value=f"<{E}>")


def written(*rows: Any, syntax: str = "turtle", **options: Any) -> str:
    out = io.BytesIO()
    assert codec.write_rdf(out, rows, RdfOptions(syntax=syntax, **options)) == len(rows)
    return out.getvalue().decode()


def refused(*rows: Any, **options: Any) -> str:
    with pytest.raises(UnwritableRowError) as raised:
        written(*rows, **options)
    return raised.value.rule


def statements(text: str, syntax: str) -> list[RdfRow]:
    """The statements of a text as pyoxigraph reads it, without checks of IRIs."""
    known = {"turtle": ox.RdfFormat.TURTLE, "trig": ox.RdfFormat.TRIG}[syntax]
    return [
        RdfRow(
            from_oxigraph(quad.subject),
            from_oxigraph(quad.predicate),
            from_oxigraph(quad.object),
            None if quad.graph_name == ox.DefaultGraph() else from_oxigraph(quad.graph_name),
        )
        for quad in ox.parse(text.encode(), known, lenient=True)
    ]


def test_a_block_for_each_subject() -> None:
    assert written(
        RdfRow(CUP, TYPE, f"<{E}Cup>"),
        RdfRow(CUP, NAME, '"Cup"@en-GB'),
        RdfRow(CUP, NAME, '"Tasse \\"1\\"\\n"@de--ltr'),
        RdfRow(CUP, PRICE, f'"8.50"^^<{XSD}decimal>'),
        (POT, PRICE, '"21"'),
        (POT, PRICE, '"21"'),
        (CUP, PRICE, f'"9"^^<{XSD}date>'),
        prefixes=EX,
    ) == (
        "@prefix ex: <http://example.org/> .\n"
        "\n"
        "ex:cup a ex:Cup ;\n"
        '    ex:name "Cup"@en-GB ,\n'
        '        "Tasse \\"1\\"\\n"@de--ltr ;\n'
        "    ex:price 8.50 .\n"
        "\n"
        'ex:pot ex:price "21" ,\n'
        '        "21" .\n'
        "\n"
        'ex:cup ex:price "9"^^<http://www.w3.org/2001/XMLSchema#date> .\n'
    )


def test_graphs_and_prefixes_where_they_come() -> None:
    shop = f"<{E}shop>"
    assert written(
        RdfRow(CUP, PRICE, '"1"'),
        EX_ROW,
        RdfRow(name="", value="<urn:x:>"),
        RdfRow(CUP, PRICE, '"2"'),
        RdfRow(CUP, PRICE, '"2"', shop),
        RdfRow(CUP, PRICE, "<urn:x:>", shop),
        RdfRow(POT, PRICE, '"2"', shop),
        EX_ROW,
        RdfRow(POT, PRICE, '"3"', shop),
        RdfRow(name="ex", value="<urn:x:>"),
        RdfRow(POT, PRICE, "<urn:x:a>", shop),
        RdfRow(POT, PRICE, '"2"', "_:g"),
        RdfRow(POT, PRICE, '"2"'),
        RdfRow(name="last", value="<urn:y:\\u0020>"),
        syntax="trig",
    ) == (
        '<http://example.org/cup> <http://example.org/price> "1" .\n'
        "\n"
        "@prefix ex: <http://example.org/> .\n"
        "@prefix : <urn:x:> .\n"
        "\n"
        'ex:cup ex:price "2" .\n'
        "\n"
        "ex:shop {\n"
        '    ex:cup ex:price "2" ,\n'
        "            : .\n"
        "\n"
        '    ex:pot ex:price "2" ,\n'
        '            "3" .\n'
        "}\n"
        "\n"
        "@prefix ex: <urn:x:> .\n"
        "\n"
        "<http://example.org/shop> {\n"
        "    <http://example.org/pot> <http://example.org/price> ex:a .\n"
        "}\n"
        "\n"
        "_:g {\n"
        '    <http://example.org/pot> <http://example.org/price> "2" .\n'
        "}\n"
        "\n"
        '<http://example.org/pot> <http://example.org/price> "2" .\n'
        "\n"
        "@prefix last: <urn:y:\\u0020> .\n"
    )


def test_given_prefixes_take_precedence() -> None:
    rows = [EX_ROW, RdfRow(name="b", value="<urn:b:>"), RdfRow(CUP, "<urn:a:p>", "<urn:b:o>")]
    assert written(*rows, prefixes={"ex": "urn:a:"}) == (
        "@prefix ex: <urn:a:> .\n@prefix b: <urn:b:> .\n\n<http://example.org/cup> ex:p b:o .\n"
    )
    assert written(prefixes=EX) == "@prefix ex: <http://example.org/> .\n"
    assert written() == ""


@pytest.mark.parametrize(
    ("iri", "expected"),
    [
        *[(f"{E}{name}", f"ex:{name}") for name in ("a", "", "1", "a-b", "_", "a.b", ":", "é·")],
        *[(f"{E}{name}", f"<{E}{name}>") for name in ("a.", "-a", "a/b", "a#", "%20", "a'", "~")],
        (f"{E}long/a", "long:a"),
        (f"{E}long/", "long:"),
        (f"{E}long", "ex:long"),
        ("http://example.org", "<http://example.org>"),
        (f"{E}\\u0020", f"<{E}\\u0020>"),
        (f"{E}\U000f0000", f"<{E}\U000f0000>"),
        (TYPE[1:-1], TYPE),
    ],
)
def test_prefixed_names(iri: str, expected: str) -> None:
    text = written((CUP, PRICE, f"<{iri}>"), prefixes={**EX, "long": f"{E}long/"})
    assert text.endswith(f"ex:cup ex:price {expected} .\n")


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        *[(f'"{n}"^^<{XSD}integer>', n) for n in ("7", "-07", "+0")],
        *[(f'"{n}"^^<{XSD}decimal>', n) for n in ("8.50", "-.5")],
        *[(f'"{n}"^^<{XSD}double>', n) for n in ("1e0", "1.E-3", "+.5e1")],
        *[(f'"{n}"^^<{XSD}boolean>', n) for n in ("true", "false")],
        *[
            (f'"{n}"^^<{XSD}{kind}>', f'"{n}"^^xsd:{kind}')
            for n, kind in (
                *[("", "integer"), ("1.0", "integer"), (" 1", "integer"), ("٣", "integer")],
                *[("1", "decimal"), ("1.", "decimal"), ("1e0", "decimal"), ("1", "double")],
                *[("INF", "double"), ("1", "boolean"), ("True", "boolean"), ("7", "int")],
            )
        ],
        ('"a"', '"a"'),
        (f'"a"^^<{XSD}string>', '"a"'),
        ('"\\u0041\\t"@EN', '"A\t"@EN'),
        (f'<<( {CUP} {TYPE} "1"^^<{XSD}integer> )>>', '<<( ex:cup a "1"^^xsd:integer )>>'),
        (f"<<{CUP}{PRICE}<<( _:a {PRICE} _:b )>>>>", None),
    ],
)
def test_literals_and_triple_terms(literal: str, expected: str | None) -> None:
    expected = expected or "<<( ex:cup ex:price <<( _:a ex:price _:b )>> )>>"
    text = written((CUP, PRICE, literal), prefixes={**EX, "xsd": XSD})
    assert text.endswith(f"\n\nex:cup ex:price {expected} .\n")


def test_rows_that_turtle_cannot_hold() -> None:
    ok = '"o"'
    assert "Turtle cannot hold a graph: write TriG" in refused((CUP, PRICE, ok, POT))
    assert "a subject must be" in refused((ok, PRICE, ok))
    assert "triple term only as an object" in refused((f"<<( {CUP} {PRICE} {ok} )>>", PRICE, ok))
    nested = f"<<( <<( {CUP} {PRICE} {ok} )>> {PRICE} {ok} )>>"
    assert "triple term only as an object" in refused((CUP, PRICE, nested))
    for predicate in (ok, "_:p", f"<<( {CUP} {PRICE} {ok} )>>"):
        assert "a predicate must be an IRI" in refused((CUP, predicate, ok))
    for graph in (ok, f"<<( {CUP} {PRICE} {ok} )>>"):
        assert "a graph must be" in refused((CUP, PRICE, ok, graph), syntax="trig")
    for relative in ("<cup>", "<>", "<\\u005F:x>", '"o"^^<d>', f"<<( <s> {PRICE} {ok} )>>"):
        assert "an IRI must be absolute" in refused((CUP, PRICE, relative))
    assert "label must follow" in refused(("<_:a:b>", PRICE, ok))
    assert "a language tag must follow Turtle's" in refused((CUP, PRICE, '"a"@1'))
    assert "needs a subject, a predicate and an object" in refused(RdfRow(CUP, PRICE))
    assert "object must be a string" in refused(RdfRow(CUP, PRICE, 7))  # type: ignore[arg-type]
    assert "seq must be" in refused(RdfRow(CUP, PRICE, ok, seq="7"))  # type: ignore[arg-type]
    assert "expected an RDF term" in refused((CUP, PRICE, "o"))
    for name in ("1", "_", "a.", "a b", "-", "a:"):
        assert "a prefix in Turtle must be" in refused(RdfRow(name=name, value=f"<{E}>"))
    assert "an IRI must be absolute" in refused(RdfRow(name="a", value="<#>"))
    assert "a namespace needs a name and a value" in refused(RdfRow(name="a"))
    assert "must be an IRI" in refused(RdfRow(name="a", value="_:a"))
    assert "not both" in refused(RdfRow(CUP, PRICE, ok, name="a", value=f"<{E}>"))


def test_options() -> None:
    with pytest.raises(OptionError, match="syntax must be one of: turtle, trig; not 'rdfxml'"):
        RdfOptions(syntax="rdfxml")
    for prefixes, message in (
        ("ex", "prefixes must be a mapping of strings, not 'ex'"),
        ({"ex": 1}, "prefixes must map strings to strings, not 'ex' to 1"),
        ({"1": E}, "prefixes: a prefix in Turtle must be empty, or .*: '1' for"),
        ({"ex": "cup"}, "prefixes: an IRI must be absolute: 'ex' for 'cup'"),
        ({"ex": f"<{E}>"}, "is not an IRI: leave out brackets"),
    ):
        with pytest.raises(OptionError, match=message):
            RdfOptions(prefixes=prefixes)  # type: ignore[arg-type]
    for text, message in (("ex", "prefixes must be NAME=VALUE"), ("a=a:b a=c:d", "has 'a' twice")):
        with pytest.raises(OptionError, match=message):
            RdfOptions.from_strings({"prefixes": text})


def test_the_extension_says_the_syntax(tmp_path: Path) -> None:
    row = RdfRow(CUP, PRICE, '"1"', POT)
    for name in ("a.trig", "a.trig.gz"):
        assert codec.write(tmp_path / name, [row]) == 1
        assert [*codec.read(tmp_path / name)] == [row._replace(seq=0)]
    for name in ("a.ttl", "a.turtle", "a.ttl.zst"):
        with pytest.raises(UnwritableRowError, match="Turtle cannot hold a graph"):
            codec.write(tmp_path / name, [row])
    for name, message in (
        ("a.rdf", "RDF/XML can be read, not written: write Turtle or TriG"),
        ("a.n3", "N3 can be read, not written"),
        ("a.jsonld.gz", "JSON-LD can be read, not written"),
        ("a.hdt", "give the write option syntax, one of: turtle, trig"),
    ):
        with pytest.raises(OptionError, match=message):
            codec.write(tmp_path / name, [row])
    with pytest.raises(OptionError, match="give the write option syntax"):
        codec.write(io.BytesIO(), [row], format="rdf")
    with pytest.raises(OptionError, match="options must be RdfOptions"):
        RdfWriter(tmp_path / "a.ttl", JellyRdfOptions())  # type: ignore[arg-type]
    assert {path.name for path in tmp_path.iterdir()} == {"a.trig", "a.trig.gz"}


def test_appending_flushing_and_concatenating(tmp_path: Path) -> None:
    path, other = tmp_path / "a.ttl", tmp_path / "b.ttl"
    path.write_text(f"@prefix ex: <urn:old:> . ex:a ex:b ex:c . # {E}")
    codec.write(path, [(CUP, PRICE, '"1"')], options=RdfOptions(prefixes=EX), append=True)
    with codec.open_writer(path, format="rdf", append=True) as writer:
        writer.write(RdfRow(CUP, PRICE, '"2"'))
        writer.flush()
        writer.write(RdfRow(CUP, PRICE, '"3"'))
    found = [row.object for row in codec.read(path)]
    assert found == ["<urn:old:c>", '"1"', '"2"', '"3"']
    codec.concatenate(other, path, path)
    assert [row.object for row in codec.read(other)] == found * 2
    assert other.read_text().startswith("@prefix ex: <urn:old:> .\n\nex:a ex:b ex:c .\n\n")


def test_nothing_is_held_back() -> None:
    out = io.BytesIO()
    with RdfWriter(out, RdfOptions("trig", EX)) as writer:
        for n in range(5):
            writer.write(RdfRow(CUP, PRICE, f'"{n}"', f"<{E}{n // 2}>"))
            assert out.getvalue().endswith(f'"{n}"'.encode())


def test_prefixes_of_jelly(tmp_path: Path) -> None:
    rows = [EX_ROW, RdfRow(CUP, PRICE, '"1"', f"<{E}g>")]
    codec.write(tmp_path / "a.jelly", rows, options=JellyRdfOptions(namespaces=True))
    codec.write(tmp_path / "a.trig", codec.read(tmp_path / "a.jelly", namespaces=True))
    assert (tmp_path / "a.trig").read_text() == (
        '@prefix ex: <http://example.org/> .\n\nex:g {\n    ex:cup ex:price "1" .\n}\n'
    )
    assert [row[:6] for row in codec.read(tmp_path / "a.trig", namespaces=True)] == [
        row[:6] for row in rows
    ]


# Terms, prefixes and local names that meet each other's limits.
NAMES = st.sampled_from(["", "a", "true", "prefix", "graph", "a.b", "é-", "ex"])
NAMESPACES = st.sampled_from([E, f"{E}a", "urn:x:", "http:", f"{E}a#", f"{E}a b"])
ENDS = ["", "a", "true", "1", "a.", ".a", ":", "-", "%41", "a\\b", "_:", "#", "\t", "a·", "·a"]
IRIS = st.builds("{}{}".format, NAMESPACES, st.one_of(st.sampled_from(ENDS), st.text(max_size=4)))
LABELS = st.from_regex(r"[A-Za-z0-9_é]([A-Za-z0-9_.·-]{0,3}[A-Za-z0-9_é-])?", fullmatch=True)
NUMBERS = st.from_regex(
    r"[+-]?[0-9]{0,2}\.?[0-9]{0,2}([eE][+-]?[0-9]?)?|true|false|0x1|1_0", fullmatch=True
)
NUMERIC = st.sampled_from(["integer", "decimal", "double", "boolean", "int"]).map(XSD.__add__)
PREDICATES = st.one_of(st.just(TYPE), st.builds(Iri, IRIS).map(format_term))
SUBJECTS = st.one_of(PREDICATES, LABELS.map("_:{}".format))
ATOMS = st.one_of(
    st.builds(Literal, NUMBERS, st.none(), NUMERIC),
    atoms_of(
        iris=IRIS,
        labels=LABELS,
        texts=TEXTS,
        tags=st.sampled_from(["en", "de-at", "ar--rtl", "x-1"]),
        datatypes=IRIS,
    ),
).map(format_term)
OBJECTS = st.recursive(
    ATOMS,
    lambda inner: st.builds("<<( {} {} {} )>>".format, SUBJECTS, PREDICATES, inner),
    max_leaves=2,
)
DECLARED = st.tuples(NAMES, NAMESPACES.map(Iri).map(format_term)).map(
    lambda drawn: RdfRow(name=drawn[0], value=drawn[1])
)


@settings(max_examples=40)
@given(st.data(), st.sampled_from(["turtle", "trig"]))
def test_round_trips(data: st.DataObject, syntax: str) -> None:
    """pyoxigraph's parser returns the statements; tags are drawn in lower case, as it has them."""
    graphs = st.none() if syntax == "turtle" else st.one_of(st.none(), SUBJECTS)
    # Few of each, so that they repeat.
    subject, predicate, graph = (
        st.sampled_from(data.draw(st.lists(each, min_size=1, max_size=2)))
        for each in (SUBJECTS, PREDICATES, graphs)
    )
    row = st.tuples(subject, predicate, OBJECTS, graph).map(lambda drawn: RdfRow(*drawn))
    rows = data.draw(st.lists(st.one_of(row, row, row, DECLARED), max_size=8))
    text = written(*rows, syntax=syntax)
    assert statements(text, syntax) == [row for row in rows if row.name is None]


def test_the_w3cs_files() -> None:
    """Each statement of the suites and manifests comes back, except for what RDF 1.2 forbids."""
    folders = [SHARED / "conformance/w3c", SHARED / "conformance/rdf12"]
    files = [path for folder in folders for path in folder.rglob("*.*")]
    if not files:
        pytest.skip("the suites are not there")
    count = 0
    for path in files:
        if path.suffix not in (".nt", ".nq", ".ttl"):
            continue
        options = {"base": E} if path.suffix == ".ttl" else {"strict": True}
        try:
            rows = [RdfRow(*row[:4]) for row in codec.read(path, **options)]
        except MalformedInputError:
            continue
        expected = [row._replace(object=lower_tag(row.object)) for row in rows]
        assert statements(written(*rows, syntax="trig", prefixes=EX), "trig") == expected
        count += 1
    assert count > 100


def lower_tag(term: str | None) -> str | None:
    """Return a term with its language tag in lower case, as pyoxigraph has it."""
    parsed = None if term is None else parse_term(term)
    if not isinstance(parsed, Literal) or parsed.language is None:
        return term
    return format_term(replace(parsed, language=parsed.language.lower()))
