"""Differences that match blank nodes: `diff` with `blank_nodes="match"`."""

from __future__ import annotations

import logging
import re
from itertools import permutations
from random import Random

import pytest

from jelly_spark import patches
from jelly_spark.errors import OptionError
from jelly_spark.patches import Statement, differences
from tests.algebra.engines import Log, State, StatementTuple
from tests.algebra.texts import state

_LABEL = re.compile(r"_:[\w-]+")


def match(before: State, after: State) -> Log:
    """The patch between two states, without the rows of its transaction."""
    patch = patches.diff(before, after, blank_nodes="match")
    return [row for row in patch if row.op in ("A", "D")]


def renamed(statements: State, labels: dict[str, str]) -> set[StatementTuple]:
    """The statements with other labels."""

    def rename(term: str) -> str:
        return _LABEL.sub(lambda found: labels[found[0]], term)

    return {
        (rename(s), rename(p), rename(o), None if g is None else rename(g))
        for s, p, o, g in statements
    }


def labels_of(statements: State) -> list[str]:
    """The labels of a state, sorted."""
    return sorted(
        {label for row in statements for label in _LABEL.findall(" ".join(map(str, row)))}
    )


def shuffled(statements: State, random: Random) -> set[StatementTuple]:
    """The statements with new labels, whose order says nothing."""
    labels = labels_of(statements)
    new = [f"_:new{number}" for number in range(len(labels))]
    random.shuffle(new)
    return renamed(statements, dict(zip(labels, new, strict=True)))


def isomorphic(a: State, b: State) -> bool:
    """Whether two small states differ only in their labels: tries all ways to rename one."""
    labels, others = labels_of(a), labels_of(b)
    return len(labels) == len(others) and any(
        renamed(a, dict(zip(labels, order, strict=True))) == {*b} for order in permutations(others)
    )


CASES = {
    "equal nodes": ("_:a <p> _:b\n_:b <q> <o>", "_:x <p> _:y\n_:y <q> <o>", ""),
    "a changed description": (
        '<s> <p> _:a\n_:a <p> "1"\n_:a <q> "2"',
        '<s> <p> _:x\n_:x <p> "1"\n_:x <q> "3"',
        'D _:a <q> "2" A _:a <q> "3"',
    ),
    "a changed neighbour": (
        "<s> <p> _:a\n_:a <p> _:b\n_:b <p> _:c\n_:c <p> <o>",
        "<s> <p> _:x\n_:x <p> _:y\n_:y <p> _:z\n_:z <q> <o>",
        "D _:c <p> <o> A _:c <q> <o>",
    ),
    "another place of a node": (
        "<s> <p> _:a\n_:a <p> <o>\n_:a <q> <o>",
        "<t> <p> _:x\n_:x <p> <o>\n_:x <q> <o>",
        "D <s> <p> _:a A <t> <p> _:a",
    ),
    "one copy more": (
        "<s> <p> _:a\n_:a <q> <o>",
        "<s> <p> _:x\n_:x <q> <o>\n<s> <p> _:y\n_:y <q> <o>",
        "A <s> <p> _:n A _:n <q> <o>",
    ),
    "one copy less": (
        "_:a <q> <o>\n_:b <q> <o>\n_:c <q> <o>",
        "_:x <q> <o>\n_:y <q> <o>",
        "D _:c <q> <o>",
    ),
    "a longer list": (
        "<s> <p> _:a\n_:a <f> <1>\n_:a <r> _:b\n_:b <f> <2>\n_:b <r> <nil>",
        "<s> <p> _:x\n_:x <f> <1>\n_:x <r> _:y\n_:y <f> <3>\n_:y <r> _:z\n"
        "_:z <f> <2>\n_:z <r> <nil>",
        "D _:a <r> _:b A _:a <r> _:n A _:n <f> <3> A _:n <r> _:b",
    ),
    "labels in use": ("_:a <p> <o>\n_:b <q> <o>", "_:b <p> <o>\n_:a <q> <o>", ""),
    "a node twice in a statement": ("_:a <p> _:a", "_:x <p> _:y", "D _:a <p> _:a A _:n <p> _:n"),
    "cycles of two lengths": (
        "_:a <p> _:b\n_:b <p> _:a\n_:c <p> _:d\n_:d <p> _:e\n_:e <p> _:c",
        "_:a <p> _:b\n_:b <p> _:c\n_:c <p> _:a\n_:d <p> _:e\n_:e <p> _:d",
        "",
    ),
    "names of graphs": (
        "<s> <p> <1> _:a\n<s> <p> <2> _:a\n<s> <p> <3> _:b",
        "<s> <p> <1> _:x\n<s> <p> <2> _:x\n<s> <p> <4> _:x\n<s> <p> <3> _:y",
        "A <s> <p> <4> _:a",
    ),
    "triple terms": (
        '<<( <s> <p> <<( _:a <p> "_:b" )>> )>> <q> _:b\n_:a <p> <o>\n_:b <q> "1"',
        '<<( <s> <p> <<( _:x <p> "_:b" )>> )>> <q> _:y\n_:x <p> <r>\n_:y <q> "1"',
        "D _:a <p> <o> A _:a <p> <r>",
    ),
    "predicates": ("<s> _:a <o>\n_:a <p> <o>", "<s> _:x <o>\n_:x <p> <o>", ""),
    "other spellings": ("<_:a\\u0020b> <p> <o>", "_:x <p> <o>", ""),
    "no blank nodes": ("<s> <p> <o>", "<s> <p> <r>", "D <s> <p> <o> A <s> <p> <r>"),
}


@pytest.mark.parametrize(("before", "after", "changes"), CASES.values(), ids=CASES.keys())
def test_cases(before: str, after: str, changes: str) -> None:
    found = match(state(before), state(after))
    text = " ".join(" ".join(filter(None, row[:5])) for row in found)
    assert re.sub(r"_:n[0-9a-f]{15}-\d+", "_:n", text) == changes


def random_state(random: Random, nodes: int, size: int) -> set[StatementTuple]:
    """A state whose statements have their terms, with few kinds, by chance."""

    def node() -> str:
        return f"_:b{random.randrange(nodes)}"

    def term(ground: str) -> str:
        kind = random.randrange(8)
        return ground if kind == 0 else f"<<( {node()} <p> {node()} )>>" if kind == 1 else node()

    return {
        (term("<s>"), random.choice("pq").join("<>"), term('"o"'), random.choice([None, node()]))
        for _ in range(size)
    }


@pytest.mark.parametrize("seed", range(60))
def test_random_states(seed: int) -> None:
    """Symmetric nodes, copies and cycles are frequent in states with so few terms."""
    random = Random(seed)
    before = random_state(random, 5, random.randrange(12))
    kept = random.sample(sorted(before, key=str), random.randrange(len(before) + 1))
    after = {*kept, *random_state(random, 5, random.randrange(6))}
    patch = patches.diff(before, after, blank_nodes="match")
    found, _ = patches.apply(before, patch)
    assert isomorphic(found, after)
    assert {row.subject for row in patch if row.op == "D"} <= {row[0] for row in before}
    for _ in range(3):
        other = shuffled(after, random)
        assert len(patches.diff(before, other, blank_nodes="match")) == len(patch)
        assert match(before, shuffled(before, random)) == []
    rows = sorted(after, key=str)
    assert patches.diff(sorted(before, key=str), rows[::-1], blank_nodes="match") == patch


def edge(a: object, b: object) -> StatementTuple:
    return f"_:{a}", "<p>", f"_:{b}", None


LARGE: dict[str, set[StatementTuple]] = {
    "a complete graph": {edge(a, b) for a in range(60) for b in range(60)},
    "a cycle": {edge(a, (a + 1) % 3000) for a in range(3000)},
    "a list": {edge(a, a + 1) for a in range(3000)},
    "copies": {(f"_:{a}", "<p>", "<o>", None) for a in range(3000)},
    "a node with many statements": {("_:a", "<p>", f'"{a}"', None) for a in range(3000)},
    "a node with many neighbours": {edge("a", b) for b in range(3000)},
    "two nodes with many neighbours": {edge(a, b) for a in "ab" for b in range(1500)},
    "a graph with a blank name": {(*edge(a, a + 1)[:3], "_:g") for a in range(2000)},
    "layers": {
        edge(f"{a}_{b}", f"{a + 1}_{c}") for a in range(100) for b in "abcde" for c in "abcde"
    },
}


@pytest.mark.parametrize("before", LARGE.values(), ids=LARGE.keys())
def test_large_symmetric_states(before: set[StatementTuple]) -> None:
    """A matching that compared all pairs, or undid choices, would not end."""
    random = Random(1)
    assert match(before, shuffled(before, random)) == []
    less = random.sample(sorted(before), len(before) - 3)
    found, _ = patches.apply(before, match(before, shuffled(less, random)))
    assert len(found) == len(less)


def test_what_refinement_cannot_tell_apart_is_only_a_longer_patch() -> None:
    random = Random(1)
    torus = {
        edge(f"{a}_{b}", f"{c % 20}_{d % 20}")
        for a in range(20)
        for b in range(20)
        for c, d in ((a + 1, b), (a + 19, b), (a, b + 1), (a, b + 19))
    }
    patch = patches.diff(torus, shuffled(torus, random), blank_nodes="match")
    after, _ = patches.apply(torus, patch)
    assert len(after) == len(torus)


def test_an_unknown_value() -> None:
    with pytest.raises(OptionError, match="blank_nodes must be one of: label, match; not 'labels'"):
        patches.diff([], [], blank_nodes="labels")  # type: ignore[arg-type]


def test_advice(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged once, and not if blank nodes only come or go."""
    differences._advise.cache_clear()
    before = {Statement(f"_:a{number}", "<p>", "<o>") for number in range(60)}
    after = shuffled(before, Random(1))
    with caplog.at_level(logging.WARNING, "jelly_spark.patches"):
        patches.diff([], after)
        patches.diff(list(before)[:20], after)
        patches.diff(before, after, blank_nodes="match")
        assert caplog.messages == []
        patches.diff(before, after)
        patches.diff(before, after)
    (message,) = caplog.messages
    assert 'diff with blank_nodes="match"' in message
