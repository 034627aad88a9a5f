"""The column functions of terms, in SQL and from Python."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from pyspark.errors import AnalysisException, IllegalArgumentException
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

import jelly_spark.functions as jf
from jelly_spark.core.terms import RDF_DIR_LANG_STRING, RDF_LANG_STRING
from jelly_spark.core.terms.text import XSD_STRING
from jelly_spark.errors import OptionError
from jelly_spark.terms import (
    BlankNode,
    InvalidTermError,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    parse_term,
)
from tests.codec.strategies import terms
from tests.differential.strategies import odd_spellings, spellings
from tests.examples import examples
from tests.spark.patches import EX, SAMPLE, XSD, read, write_file
from tests.spark.plans import plan_of

TERMS = [
    f"<{EX}cup>",
    "<urn:a\\u0020b>",
    "_:b1",
    "<_:b\\u00201>",
    '"x"',
    '"a \\"b\\"\\n"',
    '"chat"@fr-BE',
    '"قط"@ar--rtl',
    f'"1"^^<{XSD}integer>',
    '<<( _:a <a:p> <<( <a:s> <a:p> "x"@en )>> )>>',
    None,
]


def frame_of(spark: SparkSession, terms: list[str | None]) -> DataFrame:
    return spark.createDataFrame([(term,) for term in terms], "term string")


def parts_of(term: Term) -> tuple[str | None, ...]:
    """The kind, value, datatype, language and base direction of a term."""
    match term:
        case Iri(value):
            return "iri", value, None, None, None
        case BlankNode(label):
            return "bnode", label, None, None, None
        case Literal(lexical, None, datatype):
            return "literal", lexical, XSD_STRING if datatype is None else datatype, None, None
        case Literal(lexical, language, _, None):
            return "literal", lexical, RDF_LANG_STRING, language, None
        case Literal(lexical, language, _, direction):
            return "literal", lexical, RDF_DIR_LANG_STRING, language, direction
    return "triple", format_term(term), None, None, None


def parsed(text: str | None) -> Term | None:
    try:
        return None if text is None else parse_term(text)
    except InvalidTermError:
        return None


def expected(text: str | None) -> tuple[Any, ...]:
    """What `try_all` gives for a string."""
    term = parsed(text)
    if term is None:
        return (None,) * 13
    parts = parts_of(term)
    triple: tuple[str | None, ...] = (None, None, None)
    if isinstance(term, TripleTerm):
        triple = tuple(format_term(part) for part in (term.subject, term.predicate, term.object))
    canonical = format_term(term)
    kinds = tuple(parts[0] == kind for kind in ("iri", "bnode", "literal", "triple"))
    return *parts[1:], *kinds, *triple, canonical, canonical


def without_kinds(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values without those of `is_iri` and so on, which look only at the beginning."""
    return *values[:4], *values[8:]


def columns_of(frame: DataFrame, prefix: str) -> DataFrame:
    """All functions of a term: those that fail, or those that give null."""

    def of(name: str) -> Any:
        return getattr(jf, prefix + name)

    struct = of("term_to_struct")("term")
    return frame.select(
        *(of(name)("term") for name in ("term_value", "term_datatype", "term_lang")),
        of("term_direction")("term"),
        *(of(name)("term") for name in ("is_iri", "is_bnode", "is_literal", "is_triple")),
        *(of(name)("term") for name in ("triple_subject", "triple_predicate", "triple_object")),
        of("canonical_term")("term"),
        of("struct_to_term")(struct),
    )


@pytest.fixture(params=["true", "false"], ids=["codegen", "interpreted"])
def codegen(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[None]:
    """Whole-stage code generation on and off; without it, projections are interpreted too."""
    settings = {
        "spark.sql.codegen.wholeStage": request.param,
        "spark.sql.codegen.factoryMode": "CODEGEN_ONLY"
        if request.param == "true"
        else "NO_CODEGEN",
    }
    for key, value in settings.items():
        spark.conf.set(key, value)
    yield
    for key in settings:
        spark.conf.unset(key)


@pytest.mark.usefixtures("engine", "codegen")
def test_all_kinds_of_terms(spark: SparkSession) -> None:
    frame = frame_of(spark, TERMS)
    for prefix in ("", "try_"):
        found = columns_of(frame, prefix).collect()
        assert [tuple(row) for row in found] == [expected(term) for term in TERMS], prefix
    kinds = [row[0] for row in frame.select(jf.term_kind("term")).collect()]
    assert kinds == ["iri", "iri", "bnode", "bnode", *["literal"] * 5, "triple", None]
    # In a filter, and behind a shuffle.
    assert frame.where(jf.is_literal("term")).count() == 5
    counts = frame.groupBy(jf.term_kind("term").alias("kind")).count().orderBy("kind").collect()
    assert [tuple(row) for row in counts] == [
        (None, 1),
        ("bnode", 2),
        ("iri", 2),
        ("literal", 5),
        ("triple", 1),
    ]


@pytest.mark.usefixtures("engine", "codegen")
def test_values_outlive_their_rows(spark: SparkSession) -> None:
    """A value shares the memory of its row: what keeps it must copy it, as it copies columns."""
    count = 1000
    frame = spark.range(0, count, 1, 3).selectExpr("id", "concat('<urn:x:', id, '>') AS term")
    value = jf.term_value("term")
    row = (
        frame.orderBy("id")
        .agg(F.min(value), F.max(value), F.first(value), F.last(value), F.collect_list(value))
        .first()
    )
    values = [f"urn:x:{n}" for n in range(count)]
    assert row is not None
    assert row[:4] == (min(values), max(values), values[0], values[-1])
    assert sorted(row[4]) == sorted(values)
    lagged = F.lag(value).over(Window.orderBy("id"))
    assert [row[0] for row in frame.select(lagged).collect()] == [None, *values[:-1]]


@pytest.fixture(scope="module")
def random_terms() -> list[str]:
    return examples(terms().map(format_term), 600)


@pytest.mark.usefixtures("engine")
def test_random_terms(spark: SparkSession, random_terms: list[str]) -> None:
    found = columns_of(frame_of(spark, [*random_terms]), "").collect()
    assert [tuple(row) for row in found] == [expected(text) for text in random_terms]


@pytest.fixture(scope="module")
def random_strings() -> list[str]:
    return examples(st.one_of(spellings(), odd_spellings()), 1000)


@pytest.mark.usefixtures("engine")
def test_random_strings(spark: SparkSession, random_strings: list[str]) -> None:
    """The functions that read the whole string know those that are not terms."""
    frame = frame_of(spark, [*random_strings])
    found = [without_kinds(row) for row in columns_of(frame, "try_").collect()]
    assert found == [without_kinds(expected(text)) for text in random_strings]
    is_term = [row[0] for row in frame.select(jf.is_term("term")).collect()]
    assert is_term == [parsed(text) is not None for text in random_strings]


@pytest.mark.usefixtures("engine")
def test_terms_of_their_parts(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [('a "b"\\\n', "urn:x y", "en-GB"), (None, "urn:x", "en"), ("é😀", None, None)],
        "value string, iri string, tag string",
    )
    found = frame.select(
        jf.iri("iri"),
        jf.bnode("value"),
        jf.literal("value"),
        jf.literal("value", F.col("iri")),
        jf.literal("value", "urn:x:y"),
        jf.lang_literal("value", F.col("tag")),
        jf.lang_literal("value", "de"),
        jf.lang_literal("value", F.col("tag"), "ltr"),
        jf.literal("value", "ar", "rtl"),
        jf.literal("value", lang=F.col("tag")),
        jf.literal("value", lang="ar", direction="rtl"),
        jf.triple(jf.iri("iri"), jf.iri("iri"), jf.literal("value")),
    ).collect()
    assert [tuple(row) for row in found] == [
        (
            "<urn:x\\u0020y>",
            "<_:a\\u0020\\u0022b\\u0022\\u005C\\u000A>",
            '"a \\"b\\"\\\\\\n"',
            '"a \\"b\\"\\\\\\n"^^<urn:x\\u0020y>',
            '"a \\"b\\"\\\\\\n"^^<urn:x:y>',
            '"a \\"b\\"\\\\\\n"@en-GB',
            '"a \\"b\\"\\\\\\n"@de',
            '"a \\"b\\"\\\\\\n"@en-GB--ltr',
            '"a \\"b\\"\\\\\\n"@ar--rtl',
            '"a \\"b\\"\\\\\\n"@en-GB',
            '"a \\"b\\"\\\\\\n"@ar--rtl',
            '<<( <urn:x\\u0020y> <urn:x\\u0020y> "a \\"b\\"\\\\\\n" )>>',
        ),
        ("<urn:x>", *[None] * 11),
        (
            *(None, "_:é😀", '"é😀"', None, '"é😀"^^<urn:x:y>', None, '"é😀"@de', None),
            *('"é😀"@ar--rtl', None, '"é😀"@ar--rtl', None),
        ),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"datatype": "urn:x", "lang": "en"}, "a language tag or a datatype, not both"),
        ({"datatype": "urn:x", "lang": "en", "direction": "ltr"}, "a datatype, not both"),
        ({"direction": "ltr"}, "a literal with a base direction needs a language tag"),
    ],
)
def test_arguments_of_literal(arguments: Any, message: str) -> None:
    for function in (jf.literal, jf.try_literal):
        with pytest.raises(OptionError, match=message):
            function("value", **arguments)


def functions(spark: SparkSession) -> list[str]:
    """The names of our functions in the session."""
    return [name for name in jf.__all__ if spark.catalog.functionExists(name)]


def test_every_function_is_in_the_session(spark: SparkSession) -> None:
    assert functions(spark) == jf.__all__
    assert all(spark.catalog.functionExists(name) for name in functions(spark.newSession()))


def test_examples_of_the_descriptions(spark: SparkSession) -> None:
    messages = ("from_", "to_")  # tests/spark/functions/test_message_functions.py has theirs
    for name in (name for name in jf.__all__ if not name.startswith(messages)):
        rows = spark.sql(f"DESCRIBE FUNCTION EXTENDED {name}").collect()
        text = "\n".join(row[0] for row in rows)
        assert f"Usage: {name}(" in text
        assert "Arguments:" in text
        examples = re.findall(rf"> SELECT ({name}\(.*\));\n +(.*)", text)
        assert examples, text
        for call, result in examples:
            shown = spark.sql(f"SELECT {call} AS r").select(
                F.when(F.col("r").isNull(), "NULL").otherwise(_shown("r", spark, call))
            )
            assert shown.first() == (result,), call


def _shown(column: str, spark: SparkSession, call: str) -> Any:
    is_struct = spark.sql(f"SELECT {call}").dtypes[0][1].startswith("struct")
    options = {"ignoreNullFields": "false"}
    return F.to_json(column, options) if is_struct else F.col(column).cast("string")


@pytest.mark.usefixtures("engine")
def test_names_of_columns(spark: SparkSession) -> None:
    frame = frame_of(spark, TERMS)
    made = frame.select(jf.term_value("term"), jf.try_literal(frame.term, "a"))
    assert made.columns == ["term_value(term)", "try_literal(term, a)"]
    assert frame.selectExpr("try_literal(term, 'a')").columns == ["try_literal(term, a)"]


@pytest.mark.usefixtures("engine")
def test_constants_are_folded_and_pushed_down(spark: SparkSession, tmp_path: Path) -> None:
    frame = read(spark, write_file(tmp_path / "a.jellyp", SAMPLE))
    found = frame.where(frame.predicate == jf.iri(F.lit(f"{EX}p")))
    assert f"EqualTo(predicate,<{EX}p>)" in plan_of(found)
    assert "static_invoke" not in plan_of(found).lower()
    assert found.count() == 3


@pytest.mark.usefixtures("engine")
def test_stream(spark: SparkSession, tmp_path: Path) -> None:
    write_file(tmp_path / "in/a.jellyp", SAMPLE)
    source = spark.readStream.format("jelly_patch").schema(read(spark, tmp_path / "in").schema)
    query = (
        source.load(str(tmp_path / "in"))
        .where(jf.is_literal("object"))
        .select(jf.term_value("object").alias("value"))
        .writeStream.format("memory")
        .queryName("values_of_literals")
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(60)
    values = [row[0] for row in spark.table("values_of_literals").orderBy("value").collect()]
    assert values == ["1", "chat", "chat", "line\nbreak é"]


def test_canonical_n_triples(spark: SparkSession) -> None:
    terms = ['"x"@EN-gb', '"\\u0007\t"', "<a:b>", "oops", "<a>", '<< _:s <a:p> "x"@EN >>', None]
    frame = frame_of(spark, terms).selectExpr("try_term_canonical(term)")
    expected = ['"x"@en-gb', '"\\u0007\\t"', "<a:b>", None, None, '<<( _:s <a:p> "x"@en )>>', None]
    assert [row[0] for row in frame.collect()] == expected
    with pytest.raises(IllegalArgumentException, match="term_canonical: an IRI must be absolute"):
        frame_of(spark, ["<a>"]).selectExpr("term_canonical(term)").collect()


@pytest.mark.usefixtures("codegen")
@pytest.mark.parametrize(
    "call",
    [
        "term_kind(term)",
        "term_value(term)",
        "term_datatype(term)",
        "term_lang(term)",
        "term_direction(term)",
        "is_iri(term)",
        "canonical_term(term)",
        "triple_object(term)",
        "triple('<a>', term, '<a>')",
        "term_to_struct(term)",
    ],
)
def test_a_string_that_is_not_a_term(spark: SparkSession, call: str) -> None:
    frame = frame_of(spark, ["<a>", "oops"])
    name = call.partition("(")[0]
    with pytest.raises(IllegalArgumentException) as caught:
        frame.selectExpr(call).collect()
    text = str(caught.value).splitlines()[0]
    assert f"{name}: expected an RDF term in N-Triples syntax at character 0, found 'o'" in text
    assert "'oops'" in text
    assert f"(try_{name} returns null instead)" in text
    assert caught.value.getCondition() == "CONVERSION_INVALID_INPUT"
    assert caught.value.getSqlState() == "22018"
    assert (caught.value.getMessageParameters() or {})["suggestion"] == f"`try_{name}`"
    assert frame.selectExpr(f"try_{call} AS result").where("result IS NULL").count() >= 1


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("iri('<urn:x>')", "expected an IRI without angle brackets"),
        ("bnode('_:b')", "expected a blank node label without '_:'"),
        ("literal('1', '<urn:x>')", "expected an IRI without angle brackets"),
        ("lang_literal('x', 'en_US')", "expected a language tag"),
        ("lang_literal('x', '')", "expected a language tag"),
        ("lang_literal('x', 'en--up')", "expected a base direction, --ltr or --rtl, found"),
        ("lang_literal('x', 'en', 'up')", "expected a base direction, --ltr or --rtl, found"),
        ("lang_literal('x', '', 'rtl')", "expected a language tag, found '--rtl'"),
        ("literal('x', 'en_US', 'rtl')", "expected a language tag of letters"),
        (
            "struct_to_term(named_struct('kind', 'x', 'value', 'a', 'datatype', '', 'lang', '', "
            "'direction', ''))",
            "expected datatype, lang and direction in literals only",
        ),
    ],
)
def test_no_term_can_be_made(spark: SparkSession, call: str, problem: str) -> None:
    with pytest.raises(IllegalArgumentException, match=problem):
        spark.sql(f"SELECT {call}").collect()
    assert spark.sql(f"SELECT try_{call}").first() == (None,)


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        ("term_kind()", ("WRONG_NUM_ARGS", "`term_kind`", "requires 1 parameters")),
        ("literal('a', 'b', 'c', 'd')", ("WRONG_NUM_ARGS", "`literal`", "requires 1 or 2 or 3")),
        ("term_kind(array('a'))", ("DATATYPE_MISMATCH", "term_kind(array(a))", "STRING")),
        ("struct_to_term('a')", ("DATATYPE_MISMATCH", "STRUCT<kind: STRING")),
    ],
)
def test_arguments_that_do_not_fit(spark: SparkSession, call: str, parts: tuple[str, ...]) -> None:
    with pytest.raises(AnalysisException) as caught:
        spark.sql(f"SELECT {call}")
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.usefixtures("engine")
def test_strings_with_a_collation(spark: SparkSession) -> None:
    frame = spark.sql("SELECT * FROM VALUES ('<a>' COLLATE UNICODE) AS x(t)")
    value = jf.term_value("t")
    assert frame.select(jf.term_kind("t"), value, jf.iri(value)).first() == ("iri", "a", "<a>")
