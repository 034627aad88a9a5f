"""Cases of the functions that make patches: `diff`, `squash`, `invert`, `concat` and `split`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.errors import InvalidTermError, OptionError
from tests.algebra.engines import Engine, Log, Prefixes, PythonEngine, State
from tests.algebra.texts import body, log, prefix, state
from tests.algebra.together import canonical, each_case, log_after_log, one_log, state_of_cases
from tests.numbering import numbered

DIFFERENCES = {
    "deletes are before adds": ("<s> <p> <a>", "<s> <p> <b>", "D <s> <p> <a> . A <s> <p> <b> ."),
    "only what changes": ("<s> <p> <a>\n<s> <p> <b>", "<s> <p> <b>", "D <s> <p> <a> ."),
    "duplicates": ("<s> <p> <a>\n<s> <p> <a>", "<s> <p> <b>", "D <s> <p> <a> . A <s> <p> <b> ."),
    "code points": (
        "",
        '<s> <p> "\U0001d11e"\n<s> <p> "\uff5e"\n<s> <p> "a"',
        'A <s> <p> "a" . A <s> <p> "\uff5e" . A <s> <p> "\U0001d11e" .',
    ),
    "subject, predicate, object, graph": (
        "",
        "<s> <p> <o> <g>\n<s> <p> <o>\n<s> <o> <p>\n<r> <p> <p>\n_:s <p> <o>",
        "A <r> <p> <p> . A <s> <o> <p> . A <s> <p> <o> . A <s> <p> <o> <g> . A _:s <p> <o> .",
    ),
    "graphs": ("<s> <p> <o> <g>", "<s> <p> <o>", "D <s> <p> <o> <g> . A <s> <p> <o> ."),
    "labels of blank nodes": (
        "_:a <p> <o>",
        "<_:a\\u0020b> <p> <o>",
        "D _:a <p> <o> . A <_:a\\u0020b> <p> <o> .",
    ),
    "triple terms": (
        "<<( <s> <p> _:b )>> <p> <o>",
        "<<( <s> <p> _:c )>> <p> <o>",
        "D <<( <s> <p> _:b )>> <p> <o> . A <<( <s> <p> _:c )>> <p> <o> .",
    ),
    "language tags are compared as they are": (
        '<s> <p> "a"@EN',
        '<s> <p> "a"@en',
        'D <s> <p> "a"@EN . A <s> <p> "a"@en .',
    ),
}


_differences = {
    name: (state(before), state(after), log(f"TX . {changes} TC ."))
    for name, (before, after, changes) in DIFFERENCES.items()
}
_befores, _afters, _changes = zip(*_differences.values(), strict=True)


@each_case(
    "before after patch",
    _differences,
    (state_of_cases(_befores), state_of_cases(_afters), canonical(log_after_log(_changes))),
)
def test_diff(engine: Engine, before: State, after: State, patch: Log) -> None:
    assert engine.diff(before, after) == patch


def test_diff_with_headers_and_prefixes(engine: Engine) -> None:
    before: Prefixes = {(None, "a"): "<urn:a>", (None, "b"): "<urn:b>", ("<g>", "a"): "<urn:a>"}
    after: Prefixes = {(None, "a"): "<urn:c>", (None, "b"): "<urn:b>", (None, ""): "<urn:d>"}
    patch = engine.diff([], [], id="<urn:1>", prev="<urn:0>", prefixes=(before, after))
    assert patch == numbered(
        [
            *log("H id <urn:1> . H prev <urn:0> . TX ."),
            prefix("PD", "a", "<urn:a>"),
            prefix("PD", "a", "<urn:a>", "<g>"),
            prefix("PA", "", "<urn:d>"),
            prefix("PA", "a", "<urn:c>"),
            PatchRow("TC"),
        ]
    )
    assert engine.diff([], [], id="<urn:1>") == log("H id <urn:1> .")


def test_diff_refuses_headers_that_are_not_terms(engine: Engine) -> None:
    with pytest.raises(InvalidTermError, match="id must be a term, such as <urn:uuid:1>: "):
        engine.diff([], [], id="urn:uuid:1")


def test_squash_with_an_id(engine: Engine) -> None:
    named = log("H id <1> . H prev <0> . Z . H id <2> . H prev <1> .")
    assert engine.squash(named, id="<3>") == log("H id <3> . H prev <0> .")
    assert engine.squash(log("PA a <urn:a> . Z . PD a ."), id="<3>")[0] == log("H id <3> .")[0]
    with pytest.raises(InvalidTermError, match="id must be a term, such as <urn:uuid:1>: "):
        engine.squash(named, id="3")


SQUASHED = {
    "nothing": ("", ""),
    "headers of the first and the last patch": (
        "H id <1> . H prev <0> . Z . H id <2> . H prev <1> . Z . H id <3> . H prev <2> .",
        "H id <3> . H prev <0> .",
    ),
    "of several headers the last one": ("H id <1> . H x <y> . H id <2> .", "H id <2> ."),
    "a header that is missing": (
        "H prev <0> . H id <1> . Z . A <s> <p> <o> .",
        "H prev <0> . TX . A <s> <p> <o> . TC .",
    ),
    "the last change": ("A <s> <p> <o> . D <s> <p> <o> .", "TX . D <s> <p> <o> . TC ."),
    "the last change of all patches": (
        "D <s> <p> <o> . Z . TX . A <s> <p> <o> . TC . Z .",
        "TX . A <s> <p> <o> . TC .",
    ),
    "an aborted transaction": (
        "A <s> <p> <o> . TX . D <s> <p> <o> . PA a <urn:a> . TA .",
        "TX . A <s> <p> <o> . TC .",
    ),
    "prefixes": (
        "PA b <urn:b> . PA a <urn:a> . PA b <urn:c> .",
        "TX . PA a <urn:a> . PA b <urn:c> . TC .",
    ),
}


_squashed = {name: (log(patches), log(squashed)) for name, (patches, squashed) in SQUASHED.items()}
_headed = [name for name, (patches, _) in SQUASHED.items() if "H" in patches]
_logs, _patches = zip(
    *(case for name, case in _squashed.items() if name not in _headed), strict=True
)


@each_case(
    "patches squashed",
    _squashed,
    (log_after_log(_logs), canonical(log_after_log(_patches))),
    *("nothing", *_headed),
)
def test_squash(engine: Engine, patches: Log, squashed: Log) -> None:
    assert engine.squash(patches) == squashed


def test_squash_for_a_state(engine: Engine) -> None:
    patches = log("A <s> <p> <a> . A <s> <p> <b> . D <s> <p> <c> . D <s> <p> <d> .")
    there = state("<s> <p> <a>\n<s> <p> <c>")
    assert engine.squash(patches, there) == log("TX . D <s> <p> <c> . A <s> <p> <b> . TC .")
    assert engine.squash(patches, []) == log("TX . A <s> <p> <a> . A <s> <p> <b> . TC .")
    assert engine.squash(log("A <s> <p> <a> ."), there) == []


SQUASHED_PREFIXES = {
    "the IRI before the patches": (
        [prefix("PD", "a", "<urn:1>"), prefix("PA", "a", "<urn:2>"), prefix("PA", "a", "<urn:3>")],
        [prefix("PD", "a", "<urn:1>"), prefix("PA", "a", "<urn:3>")],
    ),
    "the same IRI again": (
        [prefix("PD", "a", "<urn:1>"), prefix("PA", "a", "<urn:1>")],
        [prefix("PA", "a", "<urn:1>")],
    ),
    "deleted for good": (
        [prefix("PD", "a", "<urn:1>"), prefix("PA", "a", "<urn:2>"), prefix("PD", "a", "<urn:2>")],
        [prefix("PD", "a", "<urn:1>")],
    ),
    "deleted after it was added": (
        [prefix("PA", "a", "<urn:2>"), prefix("PD", "a", "<urn:2>")],
        [prefix("PD", "a", "<urn:2>")],
    ),
    "without an IRI": ([prefix("PD", "a")], [prefix("PD", "a")]),
}
_prefix_logs, _prefix_patches = zip(*SQUASHED_PREFIXES.values(), strict=True)


@each_case(
    "rows squashed",
    SQUASHED_PREFIXES,
    (log_after_log(_prefix_logs), canonical(log_after_log(_prefix_patches))),
)
def test_squash_prefixes(engine: Engine, rows: Log, squashed: Log) -> None:
    assert engine.squash(numbered(rows)) == canonical(squashed)


def test_invert(engine: Engine) -> None:
    patch = numbered(
        [
            *log("H id <1> . H prev <0> . H x <y> . TX ."),
            prefix("PD", "a", "<urn:1>"),
            prefix("PA", "a", "<urn:2>"),
            *log("D <s> <p> <a> . A <s> <p> <b> <g> . TC . A <s> <p> <c> ."),
        ]
    )
    assert engine.invert(patch) == numbered(
        [
            *log("H id <0> . H prev <1> . H x <y> . D <s> <p> <c> . TX . D <s> <p> <b> <g> ."),
            *log("A <s> <p> <a> ."),
            prefix("PD", "a", "<urn:2>"),
            prefix("PA", "a", "<urn:1>"),
            PatchRow("TC"),
        ]
    )
    assert engine.invert(log("H id <1> . Z .")) == log("H prev <1> .")
    assert engine.invert([]) == []


REFUSED = {
    "a statement that changes twice": ("A <s> <p> <o> . A <s> <p> <o> <g> . D <s> <p> <o> .", 2),
    "a prefix that changes twice": ("PA a <urn:1> . PA b <urn:1> . PA a <urn:2> .", 2),
    "an aborted transaction": ("TX . A <s> <p> <o> . TA .", 2),
    "a TC without a TX": ("A <s> <p> <o> . TC .", 1),
    "a PD without its IRI": ("PA a <urn:1> . PD b .", 1),
    "only one patch at a time": ("A <s> <p> <o> . Z . A <s> <p> <a> .", 2),
    "a transaction must be closed": ("TX . A <s> <p> <o> .", 0),
}


@pytest.mark.parametrize(("rule", "case"), REFUSED.items(), ids=[*REFUSED])
def test_invert_refuses(engine: Engine, rule: str, case: tuple[str, int]) -> None:
    text, seq = case
    with pytest.raises(engine.error, match=re.escape(rule)) as error:
        engine.invert(log(text))
    assert f'"seq":{seq}}}' in str(error.value)


def test_invert_without_checks(engine: Engine) -> None:
    patch = log("A <s> <p> <o> . D <s> <p> <o> .")
    assert engine.invert(patch, assume_canonical=True) == log("A <s> <p> <o> . D <s> <p> <o> .")


def test_concat(engine: Engine) -> None:
    first = log("H id <1> . TX . A <s> <p> <o> . TC . Z . TX . TC .")
    both = engine.concat(first, log("A <s> <p> <o> ."), [], log("TX . TA . Z ."))
    assert [row[:7] for row in both] == body(
        log("H id <1> . TX . A <s> <p> <o> . TC . Z . TX . TC . A <s> <p> <o> . TX . TA . Z .")
    )
    assert [row.patch for row in both] == [0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 3]
    assert [row.tx for row in both] == [None, 0, 0, 0, None, 1, 1, None, 2, 2, None]
    assert [row.seq for row in both] == [*range(11)]
    assert engine.concat() == []


PARTS = {
    "transactions": (
        "transaction",
        "H id <1> . H prev <0> . A <s> <p> <1> . D <s> <p> <2> . TX . TC . TX . TA . "
        "D <s> <p> <1> . Z .",
        "H prev <0> . A <s> <p> <1> . D <s> <p> <2> .|TX . TC .|TX . TA ."
        "|H id <1> . D <s> <p> <1> .",
    ),
    "one transaction": ("transaction", "H id <1> . TX . TC .", "H id <1> . TX . TC ."),
    "only headers": ("transaction", "H id <1> .", "H id <1> ."),
    "a header between": (
        "transaction",
        "H prev <0> . TX . TC . H id <1> . TX . TC . H x <y> . TX . TC .",
        "H prev <0> . TX . TC .|H x <y> . TX . TC .|H id <1> . TX . TC .",
    ),
    "headers in transactions": (
        "transaction",
        "H prev <0> . TX . H y <1> . A <s> <p> <1> . TC . TX . D <s> <p> <1> . H id <1> . "
        "H y <2> . TA . H y <3> . TX . H y <4> . TC .",
        "H prev <0> . H y <1> . TX . A <s> <p> <1> . TC .|H y <2> . H y <3> . "
        "TX . D <s> <p> <1> . TA .|H id <1> . H y <4> . TX . TC .",
    ),
    "headers in runs": (
        2,
        "TX . H y <1> . A <s> <p> <1> . H id <1> . A <s> <p> <2> . H y <2> . A <s> <p> <3> . TC . "
        "TX . H y <3> . D <s> <p> <1> . TA .",
        "H y <1> . H y <2> . TX . A <s> <p> <1> . A <s> <p> <2> . TC ."
        "|H id <1> . H y <3> . TX . A <s> <p> <3> . TC .",
    ),
    "only headers in an aborted transaction": (
        1,
        "TX . H id <1> . H y <1> . D <s> <p> <1> . TA .",
        "H id <1> . H y <1> .",
    ),
    "patches": (
        "patch",
        "H id <1> . TX . TC . TX . TC . Z . H id <2> . Z .",
        "H id <1> . TX . TC . TX . TC .|H id <2> .",
    ),
    "runs": (
        2,
        "H id <1> . H prev <0> . A <s> <p> <1> . TX . A <s> <p> <2> . PA a <urn:a> . TC . "
        "TX . A <s> <p> <3> . TA . Z . H id <2> . D <s> <p> <1> .",
        "H prev <0> . TX . A <s> <p> <1> . A <s> <p> <2> . TC .|H id <1> . TX . PA a <urn:a> . TC ."
        "|H id <2> . TX . D <s> <p> <1> . TC .",
    ),
}


_WAYS = dict.fromkeys(by for by, _, _ in PARTS.values())


@pytest.mark.parametrize(
    ("engine", "by", "patches", "parts"),
    [
        *(
            pytest.param("python", by, [patch], parts.split("|"), id=f"python-{name}")
            for name, (by, patch, parts) in PARTS.items()
        ),
        *(
            pytest.param(
                *("spark", way, [patch for by, patch, _ in PARTS.values() if by == way]),
                [part for by, _, parts in PARTS.values() if by == way for part in parts.split("|")],
                id=f"spark-{way}",
            )
            for way in _WAYS
        ),
    ],
    indirect=["engine"],
)
def test_split(engine: Engine, by: Any, patches: list[str], parts: list[str]) -> None:
    found = engine.split(one_log(map(log, patches)), by)
    assert found == PythonEngine().concat(*map(log, parts))
    assert "header-order" not in {finding.rule for finding in PythonEngine().validate(found)}


@pytest.mark.parametrize(
    ("by", "parts"),
    [
        ("transaction", "H y <0> .|H y <1> . A <s> <p> <b> .|TX . TC ."),
        (1, "H y <0> .|H y <1> . TX . A <s> <p> <b> . TC .|"),
    ],
)
def test_split_behind_an_open_transaction(engine: Engine, by: Any, parts: str) -> None:
    rows = log("TX . H y <0> . A <s> <p> <a> . Z . A <s> <p> <b> . H y <1> . Z . TX . TC .")
    with pytest.raises(engine.error, match="a transaction must be closed by TC or TA before"):
        engine.split(rows, by)
    assert engine.split(rows, by, on_open="ignore") == engine.concat(*map(log, parts.split("|")))


def test_a_transaction_ends_in_its_patch(engine: Engine) -> None:
    rows = log("TX . A <s> <p> <a> . Z . A <s> <p> <b> . TX . TC .")
    for found in (engine.concat(rows), engine.split(rows, "patch")):
        assert [row.tx for row in found if row.op != "END"] == [0, 0, None, 1, 1]


@pytest.mark.parametrize("by", [0, -1, True, "transactions", 1.5, None])
def test_split_by_something_else(engine: Engine, by: Any) -> None:
    with pytest.raises(OptionError, match="by must be one of: transaction, patch, an integer >= 1"):
        engine.split([], by)
