"""The laws of patch algebra, on random states and logs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from jelly_spark.errors import PatchError
from jelly_spark.patches import Statement
from jelly_spark.patches.checks.canonical import ADD_RULE, DELETE_RULE, STATEMENT_TWICE_RULE
from jelly_spark.patches.checks.rules import ADD_WITHOUT_EFFECT, DELETE_WITHOUT_EFFECT
from tests.algebra.engines import Applied, Log, Prefixes, PythonEngine, StatementTuple
from tests.algebra.strategies import logs, prefixes, states
from tests.algebra.together import place_in_patch
from tests.numbering import numbered

State = list[StatementTuple]

ids = st.none() | st.sampled_from(["<urn:uuid:1>", "<urn:uuid:2>"])

engine = PythonEngine()
"""Spark's gives the same: see `test_on_spark.py`."""


def is_canonical(patch: Log) -> bool:
    """Whether a patch is as `jelly_spark.patches` describes a canonical one."""
    headers = [row for row in patch if row.op == "H"]
    changes = patch[len(headers) + 1 : -1]
    keys = [place_in_patch(row) for row in changes]
    statements = [row[1:5] for row in changes if row.subject]
    return (
        patch == numbered(patch)
        and [row.name for row in headers] in ([], ["id"], ["prev"], ["id", "prev"])
        and patch[: len(headers)] == headers
        and keys == sorted(keys)
        and len({*statements}) == len(statements)
        and len({*keys}) == len(keys)
        and (
            len(patch) == len(headers)
            or (bool(changes) and patch[len(headers)].op == "TX" and patch[-1].op == "TC")
        )
    )


def patches_of(log: Log) -> list[Log]:
    """The patches of a log, each as a file of its own, without its `END`."""
    places = sorted({row.patch for row in log if row.patch is not None})
    return [
        numbered(row for row in log if row.patch == place and row.op != "END") for place in places
    ]


@given(states, states, prefixes, prefixes, ids, ids)
def test_a_difference_leads_from_one_state_to_the_other(
    a: State, b: State, names: Prefixes, others: Prefixes, id: str | None, prev: str | None
) -> None:
    patch = engine.diff(a, b, id=id, prev=prev, prefixes=(names, others))
    assert is_canonical(patch)
    assert engine.apply(a, patch, prefixes=names) == ({*b}, others)
    assert sum(row.op in ("A", "D") for row in patch) == len({*a} ^ {*b})
    assert engine.check_canonical(patch, a) == patch


@given(states, prefixes)
def test_equal_states_have_no_difference(a: State, names: Prefixes) -> None:
    assert engine.diff(a, [*reversed(a), *a], prefixes=(names, names)) == []


@given(states, states, prefixes, prefixes, ids, ids)
def test_the_inverse_takes_a_patch_back(
    a: State, b: State, names: Prefixes, others: Prefixes, id: str | None, prev: str | None
) -> None:
    patch = engine.diff(a, b, id=id, prev=prev, prefixes=(names, others))
    inverse = engine.invert(patch)
    after = engine.apply(a, patch, prefixes=names)
    assert engine.apply(after.statements, inverse, prefixes=after.prefixes) == ({*a}, names)
    assert engine.invert(inverse) == patch
    assert engine.invert(patch, assume_canonical=True) == inverse
    assert engine.squash(inverse) == engine.diff(b, a, id=prev, prev=id, prefixes=(others, names))


@given(states, prefixes, logs())
def test_a_squashed_log_has_the_effect_of_the_log(a: State, names: Prefixes, log: Log) -> None:
    squashed = engine.squash(log)
    assert is_canonical(squashed)
    assert engine.apply(a, squashed, prefixes=names) == engine.apply(a, log, prefixes=names)
    assert engine.squash(squashed) == squashed


@given(states, logs())
def test_a_log_squashed_for_a_state_is_minimal(a: State, log: Log) -> None:
    squashed = engine.squash(log, a)
    after = engine.apply(a, log)
    assert engine.apply(a, squashed) == after
    changes = [row[:7] for row in squashed if row.op in ("A", "D")]
    assert changes == [row[:7] for row in engine.diff(a, after.statements) if row.subject]
    assert engine.squash(squashed, a) == squashed


@given(states, logs(), st.lists(st.integers(0, 4), max_size=2))
def test_a_log_may_be_cut_into_files(a: State, log: Log, cuts: list[int]) -> None:
    patches = patches_of(log)
    bounds = [0, *sorted(min(cut, len(patches)) for cut in cuts), len(patches)]
    files = [engine.concat(*patches[start:end]) for start, end in pairwise(bounds)]
    after = engine.apply(a, log)
    assert engine.apply_files(a, files) == after
    found = Applied({Statement(*statement) for statement in a}, {})
    for file in files:
        found = engine.apply(found.statements, file, prefixes=found.prefixes)
    assert found == after


@given(logs())
def test_the_state_is_what_the_last_changes_say(log: Log) -> None:
    last = {change[:4]: change.change for change in engine.changes(log)}
    there = {statement for statement, change in last.items() if change == "A"}
    assert engine.state(log).statements == there
    assert engine.state(log) == engine.apply([], log)


@given(states, logs(max_patches=2))
def test_the_changes_of_a_patch_are_the_difference_that_it_makes(a: State, log: Log) -> None:
    changes = engine.changes(log, a)
    before = {*a}
    for place, patch in enumerate(patches_of(log)):
        after = engine.apply(before, patch).statements
        found = {(change.change, *change[:4]) for change in changes if change.log_seq == place}
        assert found == {row[:5] for row in engine.diff(before, after) if row.subject}
        before = {*after}


@given(states, logs())
def test_the_rows_of_canonical_patches_are_their_changes(a: State, log: Log) -> None:
    changes, rows = engine.changes(log, a), engine.changes(log, assume_canonical=True)
    try:
        engine.check_canonical(log, a)
    except PatchError as error:
        if error.rule in (ADD_RULE, DELETE_RULE, STATEMENT_TWICE_RULE):
            assert len(rows) > len(changes)
    else:
        assert rows == changes


@given(states, logs())
def test_the_intervals_of_the_history_are_the_states(a: State, log: Log) -> None:
    intervals = engine.history(log, None, a)
    for place in {row.patch for row in log if row.patch is not None}:
        there = {
            interval[:4]
            for interval in intervals
            if (interval.added_log_seq is None or interval.added_log_seq <= place)
            and (interval.removed_log_seq is None or interval.removed_log_seq > place)
        }
        until = [row for row in log if row.patch is not None and row.patch <= place]
        assert there == engine.apply(a, until).statements


@given(states, logs(), logs(), st.sampled_from(["transaction", "patch", 1, 2, 100]))
def test_putting_patches_together_and_taking_them_apart_keeps_the_effect(
    a: State, log: Log, other: Log, by: Any
) -> None:
    both = engine.concat(log, other)
    assert [row.seq for row in both] == [*range(len(both))]
    first = engine.apply(a, log)
    after = engine.apply(first.statements, other, prefixes=first.prefixes)
    assert engine.apply(a, both) == after
    parts = engine.split(both, by)
    assert [row.seq for row in parts] == [*range(len(parts))]
    assert engine.apply(a, parts) == after


@given(states, logs())
def test_changes_without_effect_are_findings(a: State, log: Log) -> None:
    found = engine.apply_strict(a, log)
    effects = (ADD_WITHOUT_EFFECT.name, DELETE_WITHOUT_EFFECT.name)
    assert found == [f for f in engine.validate(log, a) if f.rule in effects]


@given(states, states)
def test_a_difference_has_no_findings_about_its_effect(a: State, b: State) -> None:
    assert engine.apply_strict(a, engine.diff(a, b)) == []


def test_canonical_patches_are_told_from_others() -> None:
    row = PatchRow("A", "<urn:x:a>", "<urn:x:p>", "_:b")
    assert is_canonical([])
    assert is_canonical(numbered([PatchRow("TX"), row, PatchRow("TC")]))
    assert not is_canonical(numbered([row]))
    assert not is_canonical(numbered([PatchRow("TX"), PatchRow("TC")]))
    assert not is_canonical(numbered([PatchRow("TX"), row, row, PatchRow("TC")]))
    assert not is_canonical(numbered([PatchRow("TX"), row, row._replace(op="D"), PatchRow("TC")]))
