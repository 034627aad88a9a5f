"""What only `jelly_spark.patches` has: states of several kinds, and rows from iterators."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, repeat
from typing import Any

import pytest

from jelly_spark import patches
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.errors import OptionError
from jelly_spark.patches import Statement
from tests.algebra.engines import Prefixes
from tests.algebra.texts import log

A = Statement("<s>", "<p>", "<a>")
B = Statement("<s>", "<p>", "<b>", "<g>")
C = Statement("<urn:s>", "<urn:p>", "_:a")


@pytest.mark.parametrize(
    "state",
    [
        pytest.param([A, B], id="statements"),
        pytest.param({A, B}, id="a set"),
        pytest.param(frozenset([tuple(A), B]), id="a mixed set"),
        pytest.param([A[:3], tuple(B)], id="tuples"),
        pytest.param([RdfRow(*A), RdfRow(*B, seq=7), RdfRow(name="a", value="<a>")], id="rows"),
        pytest.param(iter([A, B, A]), id="an iterator"),
    ],
)
def test_states(state: Any) -> None:
    statements, _ = patches.apply(state, [])
    assert statements == {A, B}
    assert {type(statement) for statement in statements} == {Statement}


@pytest.mark.parametrize(
    "item", [PatchRow("A", "<s>", "<p>", "<o>"), ("<s>", "<p>"), "<s>", [*A], None]
)
def test_what_is_not_a_statement(item: Any) -> None:
    for function in (patches.apply, patches.diff):
        with pytest.raises(OptionError, match="a state must have statements, as"):
            function([item], [])


class Term(str):
    """A string that is more, as the terms of rdflib are."""


class Row:
    """An object with some of the attributes of a statement."""

    def __init__(self, **columns: object) -> None:
        self.__dict__.update(columns)


@pytest.mark.parametrize(
    "item",
    [Row(subject="<s>"), Row(subject="<s>", predicate="<p>"), Row(**A._asdict(), op="A"), {}],
)
def test_columns_of_other_objects(item: Any) -> None:
    assert patches.apply([Row(**A._asdict(), other=1)], [])[0] == {A}
    for function in (patches.apply, patches.diff):
        with pytest.raises(OptionError, match="a state must have statements, as"):
            function([item], [])


@pytest.mark.parametrize("state", ["monday.nt", b"monday.nt", 5, None])
def test_what_is_not_a_state(state: Any) -> None:
    for function in (patches.apply, patches.diff):
        with pytest.raises(OptionError, match="a state must be an iterable of statements, as"):
            function(state, [])


@pytest.mark.parametrize(
    "item",
    [
        (*A[:2], 5),
        (*A[:2], None),
        (*A[:3], 5),
        (*A[:2], Term("<a>")),
        Statement("<s>", "<p>", Term("<a>")),
        RdfRow("<s>", None, "<o>"),
        RdfRow("<s>", "<p>", Term("<a>")),
        Row(subject="<s>", predicate="<p>", object=5),
    ],
)
def test_what_is_not_a_term(item: Any) -> None:
    for function in (patches.apply, patches.diff):
        with pytest.raises(
            OptionError, match="the terms of a statement must be of type str, such as"
        ):
            function([item], [])


@pytest.mark.parametrize("rows", ["1.rdfp", [RdfRow(*A)], [tuple(A)], [None]])
def test_what_is_no_row_of_a_patch(rows: Any) -> None:
    with pytest.raises(OptionError, match="patches must be rows of type PatchRow, not "):
        patches.state(rows)


@pytest.mark.parametrize("key", ["ex", ("ex",), None])
def test_what_is_no_key_of_a_prefix(key: Any) -> None:
    names: Any = {key: "<urn:x:>"}
    error = "prefixes must have keys of graph and name"
    with pytest.raises(OptionError, match=error):
        patches.apply([], [], prefixes=names)
    with pytest.raises(OptionError, match=error):
        patches.diff([], [], prefixes=({}, names))


def test_a_filter_that_is_no_function() -> None:
    what: Any = "<s>"
    with pytest.raises(OptionError, match="statement_filter must be a function of a Statement"):
        patches.history([], what)


def test_states_stay_as_they_are() -> None:
    state = {A}
    prefixes: Prefixes = {(None, "a"): "<urn:a>"}
    patches.apply(state, log("D <s> <p> <a> . PD a ."), prefixes=prefixes)
    [*patches.changes(log("D <s> <p> <a> ."), state)]
    patches.validate(log("D <s> <p> <a> ."), state)
    patches.history(log("D <s> <p> <a> ."), None, state)
    assert (state, prefixes) == ({A}, {(None, "a"): "<urn:a>"})


def test_an_empty_name_of_a_prefix() -> None:
    assert patches.state([PatchRow("PA", name="", value="<urn:a>")])[1] == {(None, ""): "<urn:a>"}


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([PatchRow("A", *A), PatchRow("END"), PatchRow("D", *A)], id="END"),
        pytest.param([PatchRow("A", *A, patch=0), PatchRow("D", *A, patch=5)], id="patch"),
        pytest.param([*log("A <s> <p> <a> ."), *log("D <s> <p> <a> .")], id="files"),
        pytest.param(
            [*log("Z . A <s> <p> <a> . Z ."), *log("Z . D <s> <p> <a> .")], id="files that end"
        ),
    ],
)
def test_where_patches_end(rows: list[PatchRow]) -> None:
    changes = [*patches.changes(rows)]
    assert [change.change for change in changes] == ["A", "D"]
    assert changes[0].log_seq < changes[1].log_seq


def test_rows_without_ordinals_are_one_patch() -> None:
    assert [*patches.changes([PatchRow("A", *A), PatchRow("D", *A)])] == []
    assert [*patches.changes([PatchRow("A", *A, seq=3), PatchRow("D", *A, seq=9)])] == []


def test_rows_are_taken_as_they_are_needed() -> None:
    patch = log("H id <urn:1> . TX . A <s> <p> <a> . TC .")

    def endless() -> Iterator[PatchRow]:
        return chain.from_iterable(repeat(patch))

    expected = [0] * 4 + [1] * 4
    assert [row.patch for row in islice(patches.concat(endless()), 8)] == expected
    for by in ("transaction", "patch", 1):
        assert [row.patch for row in islice(patches.split(endless(), by), 8)] == expected
    assert next(patches.changes(endless())).log_seq == 0


def test_functions_take_iterators() -> None:
    rows = log("TX . D <s> <p> <a> . A <s> <p> <b> <g> . TC .")
    assert patches.diff(iter([A]), iter([B])) == rows
    assert patches.apply([A], iter(rows)) == ({B}, {})
    assert patches.squash(iter(rows), iter([A])) == rows
    assert patches.invert(patches.invert(iter(rows))) == rows
    assert patches.validate(iter(log("D <urn:s> <urn:p> _:a .")), iter([C])) == []
