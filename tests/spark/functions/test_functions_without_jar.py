"""The column functions without the jar: the same results as with it, in real sessions too."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from jelly_spark import functions as jf
from jelly_spark.codec import JellyPatchOptions, PatchRow
from jelly_spark.core.terms import RDF_DIR_LANG_STRING, RDF_LANG_STRING
from jelly_spark.core.terms.text import XSD_STRING
from jelly_spark.errors import OptionError, UnwritableRowError
from jelly_spark.python_functions.message_options import parse_options
from jelly_spark.python_functions.messages import encode
from tests.codecs import PythonCodec
from tests.differential.strategies import odd_spellings, spellings
from tests.examples import examples
from tests.spark.engines import without_jar
from tests.spark.plans import plan_of
from tests.spark.programs import run

KINDS = ("is_iri", "is_bnode", "is_literal", "is_triple")
PARSERS = (
    *("term_kind", "term_value", "term_datatype", "term_lang", "term_direction", *KINDS),
    *("triple_subject", "triple_predicate", "triple_object", "canonical_term", "term_canonical"),
)
"""The functions of one term that have a string or a boolean as result."""

TRIPLE = b'<<( <a:s> <a:p> "o" )>>'

HOSTILE = [
    *(b"", b"<", b'"', b"_", b"_:", b"<<", b"<_", b"<_:", b"<>", b'""', b"<_:>", b"<<>>", b" <a>"),
    *(b"_x", b"oops", b"<a> ", b"\\", b'"\\', b'"\\"', b'"\\u00e', b'"\\ud800"', b"<\\u005F:x>"),
    *(b"<_:a b>", b"<_:a\\u0020b>", b"_:a.", b"_:a.b", b"_:a:b", b"_:-a", b"_:\xc2\xb7", b"_:0"),
    *(b'"a"@', b'"a"@en', b'"a"@en-', b'"a"@en_US', b'"a"@\\u0065n', b'"a"@en--ltr', b'"a"^^a'),
    *(b'"a"@en--up', b'"a"@--ltr', b'"a"@en--', b'"a"@en-\\u002Drtl', b"ar--rtl", b"ar--", b"ltr"),
    *(b"en--" + b"a" * 50, b"--rtl", b"en--a\0b", b"en_--ltr", b"rtl", b'"a"@en-GB--rtl'),
    *(b'"a"^^<a>', b'"a"^^<_:a>', b'"a"^^<>', b'"a"^^<%b>' % XSD_STRING.encode(), b'"a"^^"b"'),
    *(
        b'"a"^^<%b>' % RDF_LANG_STRING.encode(),
        b'"\n"',
        b'"\\n"',
        b'"\t"',
        b'"\\t"',
        b"<a\nb>",
        b"\0",
    ),
    *(b"a\0b", b'"\0"', b'"\xc3\xa9\xf0\x9f\x98\x80"', b"\xf0\x9f\x98\x80", b"\xef\xbf\xbd"),
    *(b"\xff", b"<\xff>", b'"\xff"', b"_:\xff", b'"a"@\xff', b'"a"^^<\xff>', b"<_:\xff>", b"<\xc3"),
    *(b"\xed\xa0\x80", b"<\xed\xa0\x80>", b'"\xc0\x80"', b'"\xf4\x90\x80\x80"', b"\xc3"),
    *(TRIPLE, b"<<<a:s><a:p>" + TRIPLE + b">>", b"<<( <a> <b> )>>", b"<<( <a> <b> <c> )>> "),
    *(b"<< <a> <b> <c> >>", b"<<( <a> <b> <c> >>", b"<< <a> <b> <c> )>>", b"<<(<a><b><c>)>>"),
    *(b"<< <a> <b> <\xff> >>", b"<<", b"<< " * 63 + b"<a>" + b" <b> <c> >>" * 63),
    *(b"<< " * 64 + b"<a>" + b" <b> <c> >>" * 64, b"_:" + b"a" * 5000, b"\xf0\x90\x80\x80x" * 3000),
    *(b'"' + b"\\n" * 500 + b'"', b"en", b"en-GB", b'x:y z<>"{}|^`\\\x01', b"\xe2\x80\x8b", b"[a]"),
    *(b'"a"@EN', b'"a"@abcdefghi', b'"a"@Ar--rtl', b'"\x07\x7f\xef\xbf\xbe\xef\xbf\xbf"', b"<a:b>"),
    *(b'<<( <a> "b" <c> )>>', b'<<( <a:s> "b" <c> )>>', b"<<( " + TRIPLE + b" <a:p> _:o )>>"),
    *(b'<<( _:a <a:p> "\b"@EN )>>', b'"a"^^<' + RDF_DIR_LANG_STRING.encode() + b">"),
    *(b"iri", b"literal", b"triple", b"bnode", XSD_STRING.encode(), RDF_LANG_STRING.encode()),
]
"""Strings, and bytes that are not UTF-8, at the edges of the functions' rules."""


def strings(spark: SparkSession, values: list[bytes | None]) -> DataFrame:
    """Return a column `t` of strings, which may not be UTF-8."""
    rows = [(value and bytearray(value),) for value in values]
    return spark.createDataFrame(rows, "b binary").selectExpr("CAST(b AS string) AS t")


def results(frame: DataFrame, columns: list[Column]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in frame.select(*columns).collect()]


def parsed() -> list[Column]:
    """Return all functions of one string that return null instead of an error."""
    return [
        *(getattr(jf, f"try_{name}")("t") for name in PARSERS),
        *(jf.is_term("t"), jf.try_term_to_struct("t")),
        *(jf.try_iri("t"), jf.try_bnode("t"), jf.try_literal("t")),
    ]


def combined() -> list[Column]:
    """Return all functions of several strings that return null instead of an error."""
    struct = F.struct(
        *(F.col(name).alias(part) for name, part in zip("abcde", STRUCT, strict=True))
    )
    return [
        jf.try_literal("a", F.col("b")),
        jf.try_lang_literal("a", F.col("b")),
        jf.try_lang_literal("a", F.col("b"), F.col("e")),
        jf.try_literal("a", F.col("b"), F.col("e")),
        jf.try_literal("a", lang=F.col("b"), direction="rtl"),
        jf.try_triple("a", "b", "c"),
        jf.try_struct_to_term(struct),
    ]


STRUCT = ("kind", "value", "datatype", "lang", "direction")


def assert_same(frame: DataFrame, columns: Any) -> None:
    with_jar = results(frame, columns())
    with without_jar():
        found = results(frame, columns())
    for row, ours, jars in zip(frame.collect(), found, with_jar, strict=True):
        assert ours == jars, row


def test_strings_at_the_edges(spark: SparkSession) -> None:
    assert_same(strings(spark, [*HOSTILE, None]), parsed)


def test_random_strings(spark: SparkSession) -> None:
    texts = examples(st.one_of(spellings(), odd_spellings(), st.text()), 1000)
    utf8 = [text.encode("utf-8", "surrogatepass") for text in texts]
    damaged = [text[: len(text) // 2] + b"\xe9" + text[len(text) // 2 :] for text in utf8[::10]]
    assert_same(strings(spark, [*utf8, *damaged]), parsed)


def test_combinations(spark: SparkSession) -> None:
    short: list[bytes | None] = [None, *(value for value in HOSTILE if len(value) < 60)]
    some = short[:: 7 if len(short) % 7 else 5]
    pairs = strings(spark, short).selectExpr("t AS a")
    pairs = pairs.crossJoin(strings(spark, some).selectExpr("t AS b"))
    pairs = pairs.selectExpr("a", "b", "a AS c", "b AS d", "a AS e").orderBy(F.hex("a"), F.hex("b"))
    assert_same(pairs, combined)
    fields: list[list[str | None]] = [
        ["iri", "bnode", "literal", "triple", "oops", None],
        ["a b", "_:x", "", '<<( <a> <b> "\\u0063" )>>', "<a>", None],
        [XSD_STRING, RDF_LANG_STRING, RDF_DIR_LANG_STRING, "", "_:x", None],
        ["en", "", "a b😀", "ar--rtl", None],
        ["rtl", "up", None],
    ]
    structs = spark.createDataFrame(
        [*itertools.product(*fields)], "a string, b string, c string, d string, e string"
    )
    assert_same(structs.coalesce(1), combined)


def test_arguments_of_other_types(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 7 AS n, true AS yes, DATE '2026-01-02' AS day, 1.50 AS price")
    names = ("n", "yes", "day", "price")

    def columns() -> list[Column]:
        made = [function(name) for function in (jf.literal, jf.iri, jf.bnode) for name in names]
        return [*made, *map(jf.is_term, names), *map(jf.try_term_kind, names)]

    assert_same(frame, columns)
    with without_jar(), pytest.raises(PySparkException, match="DATATYPE_MISMATCH"):
        frame.select(jf.try_term_value(F.array("n"))).collect()


@pytest.mark.parametrize(
    "name", ["term_kind", "is_literal", "iri", "bnode", "lang_literal", "term_value", "triple"]
)
@pytest.mark.usefixtures("engine")
def test_errors_of_terms(spark: SparkSession, name: str) -> None:
    argument = {"iri": "<a>", "bnode": "_:a"}.get(name, "oops")
    rest: tuple[Any, ...] = {"lang_literal": ("en_US",), "triple": ("t", "t")}.get(name, ())
    frame = spark.createDataFrame([(argument,)], "t string")
    with pytest.raises(PySparkException) as caught:
        frame.select(getattr(jf, name)("t", *rest)).collect()
    assert f"{name}: expected " in str(caught.value)
    assert f"'{argument}'" in str(caught.value)
    assert f"(try_{name} returns null instead)" in str(caught.value)
    assert frame.select(getattr(jf, f"try_{name}")("t", *rest)).first() == (None,)


def test_simple_functions_have_no_python(spark: SparkSession) -> None:
    """Those that filters use most."""
    frame = strings(spark, [b"<a>"])
    with without_jar():
        literals = frame.where(jf.is_literal("t") & (jf.term_kind("t") != jf.iri(F.lit("a b"))))
        made = literals.select(jf.bnode("t"), jf.literal("t", "urn:x"), jf.lang_literal("t", "en"))
        assert "Python" not in plan_of(made)
        assert "Python" in plan_of(frame.select(jf.term_value("t")))
        terms = F.array("t")
        assert frame.select(F.transform(terms, jf.is_literal)).first() == ([False],)
        with pytest.raises(PySparkException, match="LAMBDA_FUNCTION_WITH_PYTHON_UDF"):
            frame.select(F.transform(terms, jf.term_value)).collect()


CODEC = PythonCodec()
MESSAGE = CODEC.encode([PatchRow("TX", seq=0)], JellyPatchOptions(delimited=False))


@pytest.mark.usefixtures("engine")
def test_malformed_messages(spark: SparkSession) -> None:
    values = [(bytearray(value),) for value in (MESSAGE, MESSAGE[:-1], b"<html>")]
    frame = spark.createDataFrame([*values, (None,)], "v binary")
    with pytest.raises(PySparkException, match=r"from_jelly_patch: frame at byte 0.*expected"):
        frame.select(jf.from_jelly_patch("v")).collect()
    permissive = frame.select(jf.from_jelly_patch("v", {"mode": "permissive"}).alias("rows"))
    assert [row.rows and len(row.rows) for row in permissive.collect()] == [1, None, None, None]
    text = frame.selectExpr("CAST('TX .\\nTC .\\n' AS binary) AS v")
    with pytest.raises(PySparkException, match="read it with the format rdf_patch"):
        text.select(jf.from_jelly_patch("v")).collect()
    assert len(text.select(jf.from_rdf_patch("v")).first()[0]) == 2  # type: ignore[index]


@pytest.mark.usefixtures("engine")
def test_unwritable_rows(spark: SparkSession) -> None:
    frame = spark.range(1).selectExpr("array(struct('A' AS op, '<a:s>' AS subject)) AS rows")
    message = r"to_jelly_patch: A and D need.*; in row {\"op\":\"A\",\"subject\":\"<a:s>\"}"
    with pytest.raises(PySparkException, match=message):
        frame.select(jf.to_jelly_patch("rows")).collect()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([Row(op="X")], "to_jelly_patch: op must be"),
        ([Row(op="TX"), None], "to_jelly_patch: element 1 must not be null"),
        ([Row(op="A", more=1)], "to_jelly_patch: no column 'more'; the columns are op, subject"),
        ([Row(op="A", OP="D")], "to_jelly_patch: the column 'op' is there twice"),
        ([Row(subject="<a:s>")], "to_jelly_patch: jelly_patch needs the column 'op'"),
        ([Row(op=1)], "to_jelly_patch: op must be"),
        ([1], "to_jelly_patch: the rows must be an ARRAY of STRUCTs"),
        (
            [
                Row(
                    op="A",
                    subject=Row(kind="x", value="a", datatype=None, lang=None, direction=None),
                )
            ],
            "to_jelly_patch: subject: expected one of the kinds .* found x; in row",
        ),
    ],
)
def test_rows_that_cannot_be_written(rows: list[Any], message: str) -> None:
    options = parse_options("to_jelly_patch", "jelly_patch", {})
    with pytest.raises((OptionError, UnwritableRowError), match=message):
        encode(options, PatchRow._fields, rows)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("from_jelly_patch", {"mode": "x"}, "mode must be one of: FAILFAST, PERMISSIVE; not 'x'"),
        ("from_jelly_patch", {"mode": "DROPMALFORMED"}, "mode must be one of: FAILFAST, PER"),
        ("from_jelly_patch", {"max_row_sise": 1}, r".*did you mean maxRowSize\?"),
        ("from_jelly_patch", {"wrong": 1}, "unknown option 'wrong'.*: .*terms, mode"),
        ("from_jelly_patch", {"terms": "both"}, "terms must be one of: string, struct; not 'both'"),
        ("from_jelly_patch", {"strict": 1}, "strict must be one of: true, false; not '1'"),
        ("from_jelly_patch", {"check_all_columns": 1}, "checkAllColumns must be one of: true, fa"),
        ("from_jelly_patch", {"max_name_table_size": 7}, "maxNameTableSize must be a whole number"),
        ("from_jelly_patch", {"frame_size": 0}, "frameSize must be a whole number"),
        ("to_jelly_patch", {"max_row_size": 0}, "maxRowSize must be a whole number"),
        ("to_jelly_patch", {"Compression": "x"}, "compression is an option of files"),
        ("to_jelly_rdf", {"restart_interval": 9}, ".*: a message has no restart points"),
        ("from_rdf_patch", {"columnNameOfCorruptRecord": "c"}, ".* is an option of files"),
        ("from_rdf_patch", {"namespaces": True}, "unknown option 'namespaces'"),
        ("to_rdf_patch", {"style": "v2"}, "style must be one of: "),
    ],
)
def test_options(spark: SparkSession, name: str, options: Any, message: str) -> None:
    function = getattr(jf, name)
    kind = "array<struct<op: string, subject: string, predicate: string, object: string>>"
    argument = F.lit(None).cast("binary" if name.startswith("from") else kind)
    with pytest.raises(PySparkException, match=f"{name}: {message}"):
        spark.range(1).select(function(argument, options)).collect()
    with without_jar(), pytest.raises(OptionError, match=f"{name}: {message}"):
        function(argument, options)


def test_types_of_messages(spark: SparkSession) -> None:
    frame = spark.range(1).selectExpr("id", "string(id) AS text", "NULL AS nothing")
    with without_jar():
        with pytest.raises(PySparkException, match="the message must be BINARY, not str"):
            frame.select(jf.from_jelly_patch("text")).collect()
        with pytest.raises(PySparkException, match="DATATYPE_MISMATCH"):
            frame.select(jf.from_rdf_patch("id"))
        found = frame.select(jf.from_jelly_patch("nothing"), jf.to_jelly_patch("nothing")).first()
    assert found == (None, None)


def test_session_without_the_jar(tmp_path: Path) -> None:
    program = """
        import jelly_spark
        import jelly_spark.functions as jf
        from jelly_spark import algebra, configure
        from jelly_spark.codec import PatchRow
        from jelly_spark.errors import MissingPackageError
        from pyspark.errors import AnalysisException
        from pyspark.sql import functions as F

        spark = builder().getOrCreate()
        frame = spark.sql("SELECT '<a>' AS term, concat(char(34), 'b', char(34), '@en') AS object")
        lang = jf.term_lang("object")
        print(*frame.select(jf.term_value("term"), lang, jf.is_iri("term")).first())
        try:
            frame.selectExpr("term_value(term)")
        except AnalysisException as error:
            print(error.getCondition())
        rows = [PatchRow("TX", tx=0), PatchRow("D", "<urn:s>", "<urn:p>", '"a"', tx=0),
                PatchRow("A", "<urn:s>", "<urn:p>", '"c"', tx=0), PatchRow("TC", tx=0)]
        rows = [row._replace(patch=0, seq=i) for i, row in enumerate(rows)]
        schema = jelly_spark.schema("jelly_patch")
        spark.createDataFrame(rows, schema).write.parquet(sys.argv[1])
        log = spark.read.parquet(sys.argv[1])

        def state(*objects):
            statements = [("<urn:s>", "<urn:p>", o) for o in objects]
            columns = "subject string, predicate string, object string"
            return spark.createDataFrame(statements, columns)

        def plan(frame):
            return frame._jdf.queryExecution().executedPlan().toString()

        before, after = state('"a"', '"b"'), state('"b"', '"c"')
        patch = algebra.diff(before, after)
        applied = algebra.apply(before, log)[0]
        print([row.op for row in patch.collect()], sorted(row.object for row in applied.collect()))
        print("Python" in plan(patch), "Python" in plan(applied))
        structs = before.select(*(jf.term_to_struct(name).alias(name) for name in before.columns))
        patch = algebra.diff(structs, after)
        print([row.object for row in patch.collect()], "Python" in plan(patch))
        print(algebra.validate(log, before).count(), algebra.squash(log).count())

        row = F.struct("seq", "op", "subject", "predicate", "object")
        message = log.groupBy("patch").agg(
            jf.to_jelly_patch(F.array_sort(F.collect_list(row))).alias("value"))
        decoded = message.select(F.inline(jf.from_jelly_patch("value"))).orderBy("seq")
        print(decoded.schema == schema, [tuple(row) for row in decoded.collect()] == rows)

        pyarrow = sys.modules["pyarrow"]
        sys.modules["pyarrow"] = None  # importing it fails
        print(frame.select(jf.term_kind("term")).first()[0])
        try:
            jf.term_value("term")
        except MissingPackageError as error:
            print("term_value needs the jar" in str(error), "pyspark[sql]" in str(error))
        sys.modules["pyarrow"] = pyarrow

        # With the jar, the session gets the functions on the JVM; so do those that come after it.
        configure(builder()).getOrCreate()
        print("Python" in plan(frame.select(jf.term_value("term"))))
        print(spark.newSession().sql("SELECT term_kind('<a>')").first()[0])
        spark.stop()
    """
    assert run(program, tmp_path / "log") == [
        "a en True",
        "UNRESOLVED_ROUTINE",
        """['TX', 'D', 'A', 'TC'] ['"b"', '"c"']""",
        "False False",
        """[None, '"a"', '"c"', None] True""",
        "0 4",
        "True True",
        "iri",
        "True True",
        "False",
        "iri",
    ]
