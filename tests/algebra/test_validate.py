"""What `validate` finds, rule by rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.core.terms.text import XSD
from jelly_spark.patches import RULES, Finding
from jelly_spark.patches.checks.lexical_forms import LEXICAL_FORMS
from tests.algebra.engines import Engine, PythonEngine
from tests.algebra.texts import log
from tests.algebra.together import one_log
from tests.numbering import numbered

engine = PythonEngine()

FINDINGS: dict[str, tuple[str, list[tuple[str, int]]]] = {
    "nothing": ("", []),
    "a log in order": (
        "H id <urn:1> . TX . PA a <urn:a> . A <urn:s> <urn:p> _:o . TC . Z . "
        "H id <urn:2> . H prev <urn:1> . H x <urn:y> . H x <urn:z> . "
        "TX . D <urn:s> <urn:p> _:o . TA .",
        [],
    ),
    "the tail of a log": (
        "H id <urn:2> . H prev <urn:1> . Z . H id <urn:3> . H prev <urn:2> .",
        [],
    ),
    "patches without headers": ("TX . TC . Z . TX . TC . Z . Z .", []),
    "TX in TX": ("TX . TX . TC .", [("nested-transaction", 1)]),
    "TX in TX in TX": (
        "TX . TX . TX .",
        [("nested-transaction", 1), ("nested-transaction", 2), ("open-transaction", 2)],
    ),
    "TC and TA without TX": (
        "TC . TX . TA . TA . TC .",
        [("end-without-begin", 0), ("end-without-begin", 3), ("end-without-begin", 4)],
    ),
    "open at the end of a patch": (
        "TX . Z . TC . Z . TX .",
        [("open-transaction", 0), ("end-without-begin", 2), ("open-transaction", 4)],
    ),
    "headers after other rows": (
        "H x <urn:1> . PA a <urn:a> . H x <urn:1> . TX . H y <urn:2> . TC . Z . H x <urn:1> .",
        [("header-order", 2), ("header-order", 4)],
    ),
    "repeated headers": (
        "H id <urn:1> . H prev <urn:0> . H id <urn:2> . H prev <urn:0> . TX . H id <urn:1> . TC .",
        [
            ("repeated-header", 2),
            ("repeated-header", 3),
            ("header-order", 5),
            ("repeated-header", 5),
        ],
    ),
    "patches without an id": (
        "H id <urn:1> . Z . H prev <urn:1> . TX . TC . Z . TX . TC .",
        [("missing-id", 2), ("missing-id", 6), ("missing-prev", 6)],
    ),
    "two patches with the same id": (
        "H id <urn:1> . Z . H id <urn:1> . H prev <urn:1> . Z . H id <urn:2> . H prev <urn:1> .",
        [("duplicate-id", 2), ("fork", 6)],
    ),
    "two roots": ("H id <urn:1> . Z . H id <urn:2> .", [("missing-prev", 2)]),
    "a gap": (
        "H id <urn:1> . Z . H id <urn:3> . H prev <urn:2> .",
        [("unknown-prev", 3)],
    ),
    "a fork": (
        "H id <urn:1> . Z . H id <urn:2> . H prev <urn:1> . Z . H id <urn:3> . H prev <urn:1> .",
        [("fork", 6)],
    ),
    "a cycle": (
        "H id <urn:1> . H prev <urn:2> . Z . H id <urn:2> . H prev <urn:1> .",
        [("prev-order", 1)],
    ),
    "a patch after itself": ("H id <urn:1> . H prev <urn:1> .", [("prev-order", 1)]),
    "patches out of order": (
        "H id <urn:1> . Z . H id <urn:3> . H prev <urn:2> . Z . H id <urn:2> . H prev <urn:1> .",
        [("prev-order", 3)],
    ),
    "changes without effect": (
        "D <urn:s> <urn:p> _:o . TX . A <urn:s> <urn:p> _:o . TA . A <urn:s> <urn:p> _:o . "
        "TX . A <urn:s> <urn:p> _:o . D <urn:s> <urn:p> _:o . TC . TX . D <urn:s> <urn:p> _:o .",
        [("delete-without-effect", 0), ("add-without-effect", 6), ("open-transaction", 9)],
    ),
    "behind an open transaction": (
        "TX . A <urn:s> <urn:p> _:o . Z . D <urn:s> <urn:p> _:o . A <urn:s> <urn:p> _:o . TA . Z . "
        "A <urn:s> <urn:p> _:o .",
        [
            ("open-transaction", 0),
            ("delete-without-effect", 3),
            ("end-without-begin", 5),
            ("add-without-effect", 7),
        ],
    ),
    "graphs in triples": (
        "A <urn:s> <urn:p> _:a . Z . TX . A <urn:s> <urn:p> _:b . A <urn:s> <urn:p> _:b <urn:g> . "
        "TA . A <urn:s> <urn:p> _:c <urn:g> .",
        [("graph-in-triples", 4)],
    ),
    "quads": ("A <urn:s> <urn:p> _:a <urn:g> . A <urn:s> <urn:p> _:a .", []),
}


@pytest.mark.parametrize(("text", "expected"), FINDINGS.values(), ids=[*FINDINGS])
def test_findings(text: str, expected: list[tuple[str, int]]) -> None:
    found = engine.validate(log(text))
    assert [(finding.rule, finding.seq) for finding in found] == expected


def test_findings_with_a_state() -> None:
    rows = log("A <urn:s> <urn:p> _:a . D <urn:s> <urn:p> _:b .")
    there = [("<urn:s>", "<urn:p>", "_:a", None), ("<urn:s>", "<urn:p>", "_:b", None)]
    assert [finding.rule for finding in engine.validate(rows, there)] == ["add-without-effect"]


def test_the_columns_of_a_finding() -> None:
    found = engine.validate(
        log("H id <urn:1> . Z . TX . H id <urn:1> . A <s> <urn:p> <urn:o> . TC .")
    )
    assert [finding._replace(file=None) for finding in found] == [
        Finding(
            *("missing-prev", "error", None, 1, 1, 0, 2),
            "the patch is not the first, but has no prev: the log has two roots",
        ),
        Finding(
            *("header-order", "error", None, 1, 1, 0, 3),
            "a header after rows that are not headers: id",
        ),
        Finding(
            *("duplicate-id", "error", None, 1, 1, 0, 3),
            "an earlier patch has the same id: <urn:1>",
        ),
        Finding(
            *("relative-iri", "error", None, 1, 1, 0, 4),
            "the subject has a relative IRI: <s>",
        ),
    ]


TERMS: dict[str, dict[str, list[str]]] = {
    "subject": {
        "": ["<urn:s>", "_:b", "<_:b c>"],
        "invalid-subject": ['"s"', '"s"@en_'],
        "triple-term-subject": ['<<( <urn:s> <urn:p> "x" )>>'],
        "relative-iri": ["<s>", "<>", "<#x>", "<1:x>", "<_x:y>"],
        "iri-characters": [
            *(
                r"<urn:a\u0020b>",
                r"<http://a.example/\u007Bx\u007D>",
                "<http://[bad/x>",
                "<a:b#c#d>",
            ),
            *("<http://a.example/%zz>", "<a:[b]>", "<a://b:c/>", "<a:\ufffe>"),
        ],
        "relative-iri iri-characters": [r"<\u005F:b>"],
    },
    "predicate": {
        "": ["<urn:p>", "<h+t-t.p1://\U0001d11e/>", "<a://[::1]:80/%41?\ue000#é>"],
        "invalid-predicate": ["_:b", "<_:b c>", '"p"', '<<( <urn:s> <urn:p> "x" )>>'],
        "relative-iri": ["<p>", "</p>", "<?p>"],
    },
    "object": {
        "": [
            *("<urn:o>", "_:o", '"o"', '"o"@en', r'"\"@_"', '"\u2028\\n\\r\\\\"', '"^^<x>"'),
            *('"o"@ar--rtl', '"o"@de-CH--ltr', '"<<( <<( "', '<<( <s> _:p "x"@en_ )>>'),
            '<<( <s> <p> <<( <s> <p> "<<( <<( " )>> )>>',
            *('"o"@de-CH-1901-x-12345678', '"o"@x-y', r'"o\"@_\""@en', '"o"^^<urn:t>', '"@"'),
        ],
        "triple-term-subject": [
            "<<( <<( _:a _:a _:a )>> _:a _:a )>>",
            '<<( <s> <p> <<( <s> <p> <<( <<( <s> <p> "x" )>> <p> "y" )>> )>> )>>',
        ],
        "relative-iri": ["<o>", '"o"^^<t>', '"o"^^<XMLSchema#int>'],
        "iri-characters": [r"<urn:a\u000Ab>", r'"o"^^<urn:t\u0020>', '"o"^^<urn:[>', '"<"^^<a:%>'],
        "language-tag": [
            *('"o"@123', '"o"@en-', '"o"@-en', '"o"@en--LTR', '"o"@a-123456789'),
            *('"o"@en--', '"o"@--ltr', '"o"@en--ltr--rtl', '"o"@en---ltr', '"o"@en-a--ltr-x'),
            '"o"@abcdefghi--ltr',
            *('"o"@abcdefghi', r'"o"@en\u005F', '"\\\\"@en-\u2028'),
        ],
        "missing-language-tag": [
            '"o"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>',
        ],
        "missing-direction": [
            '"o"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString>',
        ],
        "lexical-form": ['"\x00"', '"a\ufffeb"'],
    },
    "graph": {
        "": ["<urn:g>", "_:g", "<_:b c>"],
        "invalid-graph": ['"g"', "<<( <urn:s> <urn:p> <urn:o> )>>"],
        "relative-iri": ["<g>"],
    },
}


def rows_of_terms() -> tuple[list[PatchRow], list[tuple[str, int, str]]]:
    """Rows that have one term to check each, and the findings about them."""
    plain = PatchRow("A", "<urn:s>", "<urn:p>", "<urn:o>", "<urn:g>")
    rows: list[PatchRow] = []
    expected = []
    for column, terms in TERMS.items():
        for rules, texts in terms.items():
            for text in texts:
                expected += [(rule, len(rows), text) for rule in rules.split()]
                terms_of_row: dict[str, Any] = {column: text}
                rows.append(plain._replace(**terms_of_row))
    return rows, expected


def test_terms() -> None:
    rows, expected = rows_of_terms()
    assert findings_of(rows) == expected


HEADERS_AND_PREFIXES = [
    PatchRow("H", name="x", value='"o"@en_'),
    PatchRow("PA", name="a", value="<a>"),
    PatchRow("PD", name="a", graph="<g>"),
    # Columns that an operation does not have are ignored.
    PatchRow("TX", subject='"s"', value="<a>"),
    PatchRow("TC", graph='"g"'),
]


def test_terms_of_headers_and_prefixes() -> None:
    assert findings_of(HEADERS_AND_PREFIXES) == [
        ("language-tag", 0, '"o"@en_'),
        ("relative-iri", 1, "<a>"),
        ("relative-iri", 2, "<g>"),
    ]


FORMS = {
    "boolean": ("true false 1 0", "True TRUE yes 2 01"),
    "decimal": ("0 -1. +.5 00.50 1", ". 1e0 1,5 INF -"),
    "integer": ("0 -0 +1 0001 123456789012345678901234567890", "1.0 1. +-1 \u0661 1_0 0x1"),
    "double": ("1 1.5e3 -1E-10 .5 5. INF -INF +INF NaN", "inf -NaN e5 1e . 1e1.5 Infinity"),
    "float": ("1e0 NaN", "1f nan"),
    "byte": ("127 -128 +5 -0 00127", "128 -129 1000 --1"),
    "short": ("32767 -32768 9999", "32768 -32769 100000"),
    "int": ("2147483647 -2147483648 1999999999", "2147483648 -2147483649 3000000000"),
    "long": (
        "9223372036854775807 -9223372036854775808 999999999999999999",
        "9223372036854775808 -9223372036854775809 10000000000000000000",
    ),
    "unsignedByte": ("255 +0 -0 199", "256 -1 300"),
    "unsignedShort": ("65535", "65536 -1"),
    "unsignedInt": ("4294967295", "4294967296 -1"),
    "unsignedLong": ("18446744073709551615", "18446744073709551616 -1"),
    "positiveInteger": ("1 +10 001", "0 -1 +0"),
    "nonNegativeInteger": ("0 1 +1 -0", "-1"),
    "negativeInteger": ("-1 -01", "0 -0 1"),
    "nonPositiveInteger": ("0 -0 +0 -1", "1 +1"),
    "date": (
        "2024-02-29 2000-02-29 0000-02-29 -0004-02-29 12024-02-29 2023-12-31Z 2023-01-01+14:00 "
        "2023-04-30-13:59 2400-02-29",
        "2023-02-29 1900-02-29 12023-02-29 2023-02-30 2023-13-01 2023-00-01 2023-04-31 2023-01-00 "
        "02023-01-01 23-01-01 2023-1-1 2023-01-01+14:01 2023-01-01+1:00 +2023-01-01 2023-01-32",
    ),
    "time": (
        "00:00:00 23:59:59.999Z 24:00:00 24:00:00.0 12:00:00-05:00",
        "24:00:01 25:00:00 23:60:00 23:59:60 1:00:00 12:00 12:00:00. 24:00:00.01",
    ),
    "dateTime": (
        "2024-02-29T00:00:00 2023-12-31T24:00:00Z -0001-01-01T12:00:00.5+01:00",
        "2023-02-29T00:00:00 2023-01-01 2023-01-01t00:00:00 2023-01-01T00:00 2023-01-01T00:00:00z",
    ),
    "dateTimeStamp": ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00 2023-02-29T00:00:00Z"),
    "gYear": ("2024 -0001 0000 12345 2024Z", "24 012345 +2024 -024"),
    "gYearMonth": ("2024-12 2024-01Z", "2024-13 2024-1 2024"),
    "gMonth": ("--12 --01Z", "--13 --00 12 --1 --12--"),
    "gDay": ("---31 ---01Z", "---32 ---00 --01"),
    "gMonthDay": ("--02-29 --12-31Z --04-30", "--02-30 --04-31 --13-01 02-29"),
    "duration": (
        "P1Y P1Y2M3DT4H5M6.7S PT0S -P1D P0Y P1MT1M P10M",
        "P PT P1S 1Y P1YT P1.5Y PT1.S PT.5S P1M1Y P-1D +P1D PT1D",
    ),
    "yearMonthDuration": ("P1Y P1M -P1Y2M", "P P1D PT1M P1YT"),
    "dayTimeDuration": ("P1D PT1H -P1DT1.5S", "P PT P1Y P1DT P1M"),
    "hexBinary": ("00 0aFf 1234", "0 0g 0x00 123"),
    "base64Binary": (
        "YQ== YWI= YWJj YWJjYQ== +/+/",
        "YQ= Y YR== YQ YWJ= ==== YQ=== YWJj= YWI=YWJj",
    ),
    "language": (
        "en de-CH x-12345678 a",
        "english-uk123456789 en_US 1 en- -en en--US toolonglanguage",
    ),
    "Name": ("a :a _a-b.c:d \u00e9 \U00010000", "-a 1a .a a$ \u00d7"),
    "NCName": ("a _a-b.c", "a:b :a 1a -a"),
    "NMTOKEN": ("a 1a -a .a:b", "a$ a,b"),
    "string": (r"a \n\r\"\\", "\x00 a\ufffe"),
    "anyURI": ("a %%", "\uffff"),
    "normalizedString": (r"a \\n \\\\r \"", r"\n a\r \\\n" + " a\tb"),
    "token": (r"a \\n", r"a\n \\\r" + " a\tb"),
}
"""For each datatype, lexical forms that it allows, and such that it does not."""

SPACED_FORMS = {
    "string": (["", " ", " a  b "], []),
    "anyURI": (["", "a b"], []),
    "normalizedString": (["", " a  b "], []),
    "token": (["", "a b c", r"a \" b"], [" ", " a", "a ", "a  b", r"a\" "]),
    "base64Binary": (
        ["", "YW Jj", "Y W J j", "Y Q = =", "Y Q=="],
        ["YW  Jj", " YWJj", "YWJj ", " ", "YQ= = "],
    ),
    "hexBinary": ([""], [" ", "00 00"]),
    "integer": ([], ["", " 1", "1 ", "1\\n", "1\u2028"]),
    "NMTOKEN": ([], ["", "a b"]),
}


def test_every_datatype_has_forms() -> None:
    assert {*FORMS} == {*LEXICAL_FORMS}


def rows_of_lexical_forms() -> tuple[list[PatchRow], list[tuple[str, int, str]]]:
    """Rows with a literal each, and the findings about them."""
    rows: list[PatchRow] = []
    expected = []
    split_forms = {datatype: (a.split(" "), b.split(" ")) for datatype, (a, b) in FORMS.items()}
    for forms in (split_forms, SPACED_FORMS):
        for datatype, (allowed, others) in forms.items():
            for form in [*allowed, *others]:
                suffix = "" if datatype == "string" else f"^^<{XSD}{datatype}>"
                term = f'"{form}"{suffix}'
                if form not in allowed:
                    expected.append(("lexical-form", len(rows), term))
                rows.append(PatchRow("A", "<urn:s>", "<urn:p>", term, "<urn:g>"))
    return rows, expected


def test_lexical_forms() -> None:
    rows, expected = rows_of_lexical_forms()
    assert findings_of(rows) == expected


def rows_of_long_literals() -> list[PatchRow]:
    """Rows with literals of up to 350 kB."""
    units = ["AAAA", "a-", "0", r"\\", r"\n", "a b ", "A A "]
    terms = [
        f'"{unit * 50_000}"^^<{XSD}{datatype}>'
        for datatype in ("base64Binary", "hexBinary", "token", "language", "int", "Name")
        for unit in units
    ]
    terms += [f'"{unit * 50_000}"@{"en-" * 10_000}en' for unit in units]
    return [PatchRow("A", "<urn:s>", "<urn:p>", term) for term in terms]


def test_long_literals() -> None:
    """No pattern needs memory or stack that grows with its text."""
    engine.validate(numbered(rows_of_long_literals()))


def findings_of(rows: list[PatchRow]) -> list[tuple[str, int | None, str]]:
    """The rule, row and term of each finding about a term."""
    about_terms = {rule.name: rule for rule in RULES if "{column}" in rule.message}
    found = [f for f in engine.validate(numbered(rows)) if f.rule in about_terms]
    terms = []
    for finding in found:
        rule = about_terms[finding.rule]
        before = rule.message.partition("{column}")[2]
        terms.append((finding.rule, finding.seq, finding.message.partition(f"{before}: ")[2]))
        assert finding.severity == rule.severity
    return terms


def test_every_rule_has_a_case() -> None:
    found = {rule for _, expected in FINDINGS.values() for rule, _ in expected}
    found |= {rule for terms in TERMS.values() for rules in terms for rule in rules.split()}
    assert found == {rule.name for rule in RULES}


CHAINS = [name for name, (text, _) in FINDINGS.items() if "H id" in text or "H prev" in text]
"""The cases about which patch follows which. Each has ids of its own in a log of all of them."""

OTHERS = [name for name in FINDINGS if name not in CHAINS]


def cases_of_rows(names: list[str]) -> list[list[PatchRow]]:
    """The logs of the cases, each with IRIs of its own."""
    texts = (FINDINGS[name][0].replace("<urn:", f"<urn:{n}:") for n, name in enumerate(names))
    return [log(text) for text in texts]


@pytest.mark.parametrize(
    "logs",
    [
        pytest.param(
            lambda: [
                *cases_of_rows(OTHERS),
                rows_of_terms()[0],
                HEADERS_AND_PREFIXES,
                rows_of_lexical_forms()[0],
                rows_of_long_literals(),
            ],
            id="without chains",
        ),
        # The first patch of a log is a case of its own.
        pytest.param(lambda: cases_of_rows(CHAINS), id="chains"),
        pytest.param(lambda: cases_of_rows([*CHAINS[1:], CHAINS[0]]), id="the tail of a log"),
    ],
)
def test_spark_finds_the_same(
    spark_engine: Engine, logs: Callable[[], list[list[PatchRow]]]
) -> None:
    rows = one_log(logs())
    expected = engine.validate(rows)
    assert len({finding.rule for finding in expected}) > 5
    assert spark_engine.validate(rows) == expected
