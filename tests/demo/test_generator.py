"""The log that the demonstration makes."""

import pytest

from examples.demo.generator import Statement, shop_log
from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import format_term, parse_term

PATCHES = 40
ABORTED = PATCHES // 2

Log = tuple[list[PatchRow], set[Statement]]


@pytest.fixture(scope="module")
def log() -> Log:
    return shop_log(PATCHES)


def statement(row: PatchRow) -> Statement:
    assert row.subject is not None and row.predicate is not None and row.object is not None
    return row.subject, row.predicate, row.object, row.graph


def test_it_is_the_same_at_every_run(log: Log) -> None:
    assert shop_log(PATCHES) == log


def test_a_shorter_log_is_a_log_too() -> None:
    rows, state = shop_log(1)
    assert rows[-2].op == "TC"
    assert {statement(row) for row in rows if row.op == "A"} == state


def test_the_patches_have_one_form(log: Log) -> None:
    rows, _ = log
    for patch in range(PATCHES):
        own = [row for row in rows if row.patch == patch]
        ops = [row.op for row in own]
        headers = [row.name for row in own if row.op == "H"]
        prefixes = ["PA"] * ops.count("PA")
        changes = ["D"] * ops.count("D") + ["A"] * ops.count("A")
        end = "TA" if patch == ABORTED else "TC"
        assert headers == (["id", "prev"] if patch else ["id"])
        assert ops == ["H"] * len(headers) + ["TX", *prefixes, *changes, end, "END"]
        assert {row.tx for row in own[len(headers) : -1]} == {patch}
    assert [row.seq for row in rows] == list(range(len(rows)))


def test_each_patch_names_the_one_before(log: Log) -> None:
    rows, _ = log
    ids = [row.value for row in rows if row.name == "id"]
    assert len(set(ids)) == PATCHES
    assert [row.value for row in rows if row.name == "prev"] == ids[:-1]
    assert all(str(value).startswith("<urn:uuid:") for value in ids)


def test_deletions_exist_and_additions_are_new(log: Log) -> None:
    rows, expected = log
    state: set[Statement] = set()
    for row in rows:
        if row.op == "TX":
            before = state.copy()
        elif row.op == "D":
            state.remove(statement(row))
        elif row.op == "A":
            assert statement(row) not in state
            state.add(statement(row))
        elif row.op == "TA":
            state = before
    assert state == expected


def test_the_aborted_transaction_would_change_the_state(log: Log) -> None:
    rows, expected = log
    state: set[Statement] = set()
    for row in rows:
        if row.op == "A":
            state.add(statement(row))
        elif row.op == "D":
            state.discard(statement(row))
    assert state != expected


def test_some_deleted_statements_are_added_again(log: Log) -> None:
    rows, expected = log
    deleted: set[Statement] = set()
    back: set[Statement] = set()
    for row in rows:
        if row.op == "D" and row.patch != ABORTED:
            deleted.add(statement(row))
        elif row.op == "A" and row.patch != ABORTED and statement(row) in deleted:
            back.add(statement(row))
    assert back & expected


def test_it_has_terms_of_all_sorts_in_their_canonical_form(log: Log) -> None:
    rows, state = log
    terms = {term for row in rows for term in row[1:5] if term is not None}
    assert {format_term(parse_term(term)) for term in terms} == terms
    assert {graph is None for *_, graph in state} == {True, False}
    for part in ("@de", "^^<http://www.w3.org/2001/XMLSchema#decimal>", "\\n", "\\"):
        assert any(part in term for term in terms)
    assert any(term.startswith("_:") for term in terms)
