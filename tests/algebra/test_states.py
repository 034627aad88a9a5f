"""Cases of the functions that tell what patches do: `apply`, `state`, `changes`, `history`."""

from __future__ import annotations

from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.errors import OptionError
from jelly_spark.patches.statements import read_statements
from tests.algebra.engines import Engine, Log, State
from tests.algebra.texts import log, prefix, state
from tests.algebra.together import each_case, log_after_log, state_of_cases
from tests.numbering import numbered

APPLIED = {
    "nothing": ("<s> <p> <o>", "", "<s> <p> <o>"),
    "adds and deletes": ("<s> <p> <a>", "TX . D <s> <p> <a> . A <s> <p> <b> . TC .", "<s> <p> <b>"),
    "the last change": (
        "",
        "A <s> <p> <a> . D <s> <p> <a> . D <s> <p> <b> . A <s> <p> <b> .",
        "<s> <p> <b>",
    ),
    "changes without effect": ("<s> <p> <a>", "A <s> <p> <a> . D <s> <p> <b> .", "<s> <p> <a>"),
    "patch by patch": (
        "",
        "A <s> <p> <a> . Z . D <s> <p> <a> . Z . A <s> <p> <a> .",
        "<s> <p> <a>",
    ),
    "an aborted transaction": (
        "<s> <p> <a>",
        "TX . D <s> <p> <a> . A <s> <p> <b> . TA .",
        "<s> <p> <a>",
    ),
    "aborted, then committed": (
        "",
        "TX . A <s> <p> <a> . TA . TX . A <s> <p> <b> . TC .",
        "<s> <p> <b>",
    ),
    "outside transactions": (
        "",
        "A <s> <p> <a> . TX . D <s> <p> <a> . TA . A <s> <p> <b> .",
        "<s> <p> <a>\n<s> <p> <b>",
    ),
    "TC and TA without TX": ("", "TC . A <s> <p> <a> . TA .", "<s> <p> <a>"),
    "a set per graph": (
        "<s> <p> <o>\n<s> <p> <o> <g>",
        "D <s> <p> <o> . A <s> <p> <o> _:g .",
        "<s> <p> <o> <g>\n<s> <p> <o> _:g",
    ),
    "labels": ("_:a <p> _:b\n<_:a\\u0020b> <p> _:b", "D _:a <p> _:b .", "<_:a\\u0020b> <p> _:b"),
    "beyond the BMP": (
        '<s> <p> "\U0001d11e"',
        'D <s> <p> "\U0001d11e" . A <s> <p> "\U0001d11f" .',
        '<s> <p> "\U0001d11f"',
    ),
    "triple terms": (
        "<<( <s> <p> _:b )>> <p> <o>",
        "A <s> <p> <<( <s> <p> _:b )>> . D <<( <s> <p> _:b )>> <p> <o> .",
        "<s> <p> <<( <s> <p> _:b )>>",
    ),
    "literals": (
        '<s> <p> "a"',
        'A <s> <p> "a"@en . D <s> <p> "a"^^<urn:t> .',
        '<s> <p> "a"\n<s> <p> "a"@en',
    ),
    "duplicates": ("<s> <p> <a>\n<s> <p> <a>", "D <s> <p> <a> .", ""),
}


_applied = {
    name: (state(before), log(patches), state(after))
    for name, (before, patches, after) in APPLIED.items()
}
_befores, _patches, _afters = zip(*_applied.values(), strict=True)


@each_case(
    "before patches after",
    _applied,
    (state_of_cases(_befores), log_after_log(_patches), {*state_of_cases(_afters)}),
    "nothing",
)
def test_apply(engine: Engine, before: State, patches: Log, after: State) -> None:
    assert engine.apply(before, patches) == (after, {})


OPEN = {
    "at the end": ("A <s> <p> <a> . TX . D <s> <p> <a> .", "<s> <p> <a>"),
    "at the end of a patch": ("TX . A <s> <p> <a> . Z . TX . A <s> <p> <b> . TC .", "<s> <p> <b>"),
    "before TX": ("TX . A <s> <p> <a> . TX . A <s> <p> <b> . TC .", "<s> <p> <b>"),
    "empty": ("A <s> <p> <a> . TX .", "<s> <p> <a>"),
    "behind END": ("TX . A <s> <p> <a> . Z . A <s> <p> <b> . Z . TX . TC .", "<s> <p> <b>"),
    "TC behind END": ("TX . A <s> <p> <a> . Z . A <s> <p> <b> . TC .", "<s> <p> <b>"),
    "TA behind END": ("TX . A <s> <p> <a> . Z . A <s> <p> <b> . TA .", "<s> <p> <b>"),
}


@pytest.mark.parametrize("patches", [patches for patches, _ in OPEN.values()], ids=[*OPEN])
def test_open_transactions(engine: Engine, patches: str) -> None:
    with pytest.raises(engine.error, match="a transaction must be closed by TC or TA before"):
        engine.apply([], log(patches))


_open = {name: (log(patches), state(after)) for name, (patches, after) in OPEN.items()}
_open_logs, _open_afters = zip(*_open.values(), strict=True)


@each_case("patches after", _open, (log_after_log(_open_logs), {*state_of_cases(_open_afters)}))
def test_open_transactions_that_are_ignored(engine: Engine, patches: Log, after: State) -> None:
    assert engine.apply([], patches, on_open="ignore").statements == after
    assert engine.squash(patches, on_open="ignore") == engine.diff([], after)


def test_changes_behind_an_open_transaction(engine: Engine) -> None:
    rows = log("TX . A <s> <p> <a> . Z . A <s> <p> <b> . Z . TX . D <s> <p> <b> . TC .")
    assert [row.tx for row in rows] == [0, 0, 0, None, None, 1, 1, 1]
    b = ("<s>", "<p>", "<b>", None)
    assert engine.changes(rows, on_open="ignore") == [
        (*b, "A", None, None, 1, None, 3),
        (*b, "D", None, None, 2, 1, 6),
    ]


def test_an_open_transaction_of_statements_that_nobody_asks_for(engine: Engine) -> None:
    rows = log("A <s> <p> <a> . TX . A <t> <p> <b> .")
    with pytest.raises(engine.error, match="a transaction must be closed by TC or TA before"):
        engine.history(rows, "<s>")


def test_on_open_must_be_known(engine: Engine) -> None:
    unknown: Any = "commit"
    with pytest.raises(OptionError, match="on_open must be one of: error, ignore; not 'commit'"):
        engine.apply([], [], on_open=unknown)


def test_prefixes(engine: Engine) -> None:
    before = {(None, "a"): "<urn:1>", ("<g>", "a"): "<urn:1>", (None, "z"): "<urn:z>"}
    rows = [
        prefix("PA", "a", "<urn:2>"),
        prefix("PD", "a", "<urn:another>", "<g>"),
        prefix("PA", "", "<urn:3>", "<g>"),
        *log("PD b . TX . PD z . PA c <urn:c> . TA . TX . PA d <urn:d> . TC ."),
    ]
    assert engine.apply([], numbered(rows), prefixes=before).prefixes == {
        (None, "a"): "<urn:2>",
        ("<g>", ""): "<urn:3>",
        (None, "z"): "<urn:z>",
        (None, "d"): "<urn:d>",
    }


def test_findings_of_apply(engine: Engine) -> None:
    patches = log(
        "A <s> <p> <a> . TX . A <s> <p> <b> . D <s> <p> <c> <g> . TC . TX . A <s> <p> <b> . TA ."
    )
    found = engine.apply_strict(state("<s> <p> <a>"), patches)
    assert [(*finding[:2], *finding[3:]) for finding in found] == [
        (
            "add-without-effect",
            "warning",
            0,
            0,
            None,
            0,
            "the statement is already present: <s> <p> <a>",
        ),
        (
            "delete-without-effect",
            "warning",
            0,
            0,
            0,
            3,
            "the statement is absent: <s> <p> <c> <g>",
        ),
    ]


LOG = """
H id <1> . TX . A <s> <p> <a> . A <s> <p> <b> <g> . A <s> <p> <a> . TC . Z .
H id <2> . H prev <1> . TX . D <s> <p> <a> . A <s> <p> <a> . TC . TX . D <s> <p> <b> <g> . TA . Z .
TX . D <s> <p> <a> . A <r> <p> <o> . TC . Z .
H id <4> . H prev <3> . A <s> <p> <a> . TX . D <r> <p> <o> . D <s> <p> <a> . TC .
"""


def test_changes(engine: Engine) -> None:
    a, b, r = ("<s>", "<p>", "<a>", None), ("<s>", "<p>", "<b>", "<g>"), ("<r>", "<p>", "<o>", None)
    assert engine.changes(log(LOG)) == [
        (*b, "A", "<1>", None, 0, 0, 3),
        (*a, "A", "<1>", None, 0, 0, 4),
        (*a, "D", None, None, 2, 3, 18),
        (*r, "A", None, None, 2, 3, 19),
        (*r, "D", "<4>", "<3>", 3, 4, 26),
    ]
    assert engine.changes(log(LOG), [a, r]) == [
        (*b, "A", "<1>", None, 0, 0, 3),
        (*a, "D", None, None, 2, 3, 18),
        (*r, "D", "<4>", "<3>", 3, 4, 26),
    ]


CANONICAL = {
    "a difference": "H id <2> . H prev <1> . TX . D <s> <p> <a> . A <s> <p> <b> . TC .",
    "patches": "D <s> <p> <a> . A <s> <p> <a> <g> . Z . A <s> <p> <a> . PA a <urn:1> . Z . PD a .",
    "nothing": "TX . TC . TC .",
}


@each_case(
    "patches before",
    {name: (log(text), state("<s> <p> <a>")) for name, text in CANONICAL.items()},
    (
        log_after_log(map(log, CANONICAL.values())),
        state_of_cases([state("<s> <p> <a>")] * len(CANONICAL)),
    ),
)
def test_canonical_patches(engine: Engine, patches: Log, before: State) -> None:
    assert engine.check_canonical(patches, before) == patches
    assert engine.changes(patches, assume_canonical=True) == engine.changes(patches, before)


NOT_CANONICAL = {
    "adds only statements that are absent": ("TX . A <s> <p> <b> . A <s> <p> <a> . TC .", 2),
    "deletes only statements that are present": ("D <s> <p> <a> . Z . D <s> <p> <a> .", 2),
    "changes a statement once": ("A <s> <p> <b> . D <s> <p> <b> . A <s> <p> <b> .", 1),
    "has no aborted transaction": ("TX . A <s> <p> <b> . TA .", 2),
    "headers id and prev once": ("H id <1> . H prev <0> . H id <2> . A <s> <p> <b> .", 2),
    "a transaction must be closed": ("A <s> <p> <b> . TX . Z . TX . TC .", 1),
}


@pytest.mark.parametrize(("rule", "case"), NOT_CANONICAL.items(), ids=[*NOT_CANONICAL])
def test_patches_that_are_not_canonical(engine: Engine, rule: str, case: tuple[str, int]) -> None:
    text, seq = case
    with pytest.raises(engine.error, match=rule) as error:
        engine.check_canonical(log(text), state("<s> <p> <a>"))
    assert f'"seq":{seq}}}' in str(error.value)


def test_history(engine: Engine) -> None:
    a, b, r = ("<s>", "<p>", "<a>", None), ("<s>", "<p>", "<b>", "<g>"), ("<r>", "<p>", "<o>", None)
    assert engine.history(log(LOG)) == [
        (*r, None, "<4>", 2, 3),
        (*a, "<1>", None, 0, 2),
        (*b, "<1>", None, 0, None),
    ]
    there = ("<r>", "<p>", "<z>", None)
    assert engine.history(log(LOG), "<r>", [r, there]) == [
        (*r, None, "<4>", None, 3),
        (*there, None, None, None, None),
    ]
    again = log("A <s> <p> <a> . Z . D <s> <p> <a> . Z . A <s> <p> <a> .")
    assert engine.history(again) == [(*a, None, None, 0, 1), (*a, None, None, 2, None)]


def test_each_term_of_a_state_is_in_memory_once() -> None:
    lines = b"<urn:s> <urn:p> <urn:a> <urn:g> .\n<urn:s> <urn:p> <urn:b> <urn:g> .\n"
    a, b = read_statements(codec.read(lines, format="nquads"))
    assert a.subject is b.subject and a.predicate is b.predicate and a.graph is b.graph
