"""The figures of a report, compared with counting everything."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.report.chain import Chain
from jelly_spark.report.charts import describe_begin
from jelly_spark.report.contents import Selection, read_excerpts
from jelly_spark.report.figures import Figures, Timeline
from jelly_spark.report.top_terms import Change, TopTerms

P, Q = "<urn:x:p>", "<urn:x:q>"


def add(subject: str, predicate: str = P, graph: str | None = None) -> PatchRow:
    return PatchRow("A", subject, predicate, '"o"', graph)


def delete(subject: str, predicate: str = P, graph: str | None = None) -> PatchRow:
    return PatchRow("D", subject, predicate, '"o"', graph)


def figures_of(rows: list[PatchRow]) -> Figures:
    found = Figures()
    found.add_patches(rows)
    return found


@pytest.mark.parametrize("capacity", [3, 10, 500])
def test_top_terms_are_within_their_bounds(capacity: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after tables were merged, as those of committed transactions are."""
    monkeypatch.setattr("jelly_spark.report.top_terms.CAPACITY", capacity)
    source = random.Random(capacity)
    true: Counter[str] = Counter()
    counts = TopTerms()
    for _ in range(40):
        part = TopTerms()
        for _ in range(source.randrange(200)):
            term = f"<urn:x:{int(source.paretovariate(0.6))}>"
            change: Change = source.choice(("A", "D"))
            part.add(change, term)
            true[term] += 1
        counts.update(part)
        assert len(counts) <= 2 * capacity
    found = {count.term: count for count in counts.top(len(counts))}
    for term, number in true.items():
        if term in found:
            assert found[term].changes <= number <= found[term].changes + found[term].missed
        else:
            assert number <= counts.dropped
    if len(true) <= 2 * capacity:
        assert counts.dropped == 0
        assert {term: count.changes for term, count in found.items()} == dict(true)


def test_timeline_joins_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jelly_spark.report.figures.STEPS", 4)
    timeline = Timeline()
    for number in range(11):
        timeline.add(number, 1, aborted=number == 3)
    assert timeline.width == 4
    found = [(step.patches, step.adds, step.deletes, step.aborted) for step in timeline.steps]
    assert found == [(4, 6, 4, 1), (4, 22, 4, 0), (3, 27, 3, 0)]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([("1", None), ("2", "1"), ("3", "2")], [("start", 0, 2)]),
        ([("2", "1"), ("3", "2")], [("start", 0, 1)]),
        ([("1", None), ("2", "1"), ("4", "3")], [("start", 0, 1), ("gap", 2, 2)]),
        ([("1", None), ("2", "1"), ("3", "1")], [("start", 0, 1), ("fork", 2, 2)]),
        ([("1", None), ("2", None)], [("start", 0, 0), ("root", 1, 1)]),
        (
            [("1", None), ("3", "2"), ("2", "1")],
            [("start", 0, 0), ("order", 1, 1), ("order", 2, 2)],
        ),
        ([("2", "1"), ("1", None)], [("order", 0, 0), ("root", 1, 1)]),
        ([("1", "1")], [("cycle", 0, 0)]),
        ([("1", None), ("2", "2")], [("start", 0, 0), ("cycle", 1, 1)]),
        ([("1", "3"), ("2", "1"), ("3", "2")], [("cycle", 0, 2)]),
        (
            [("1", "3"), ("0", None), ("2", "1"), ("3", "2"), ("4", "0")],
            [("cycle", 0, 0), ("root", 1, 1), ("cycle", 2, 3), ("order", 4, 4)],
        ),
        ([(None, None), (None, None), ("1", None)], [("unchained", 0, 1), ("root", 2, 2)]),
    ],
)
def test_chain(
    headers: list[tuple[str | None, str | None]], expected: list[tuple[str, int, int]]
) -> None:
    chain = Chain()
    for place, (id, prev) in enumerate(headers):
        chain.add(place, 0, id, prev)
    chain.close()
    assert [(run.begin, run.first, run.last) for run in chain.runs] == expected


def test_a_cycle_is_described() -> None:
    chain = Chain()
    for place, (id, prev) in enumerate([("1", "3"), ("2", "1"), ("3", "2"), ("4", "4")]):
        chain.add(place, 0, id, prev)
    chain.close()
    assert [describe_begin(run) for run in chain.runs] == [
        "a cycle: prev names patch 2, which follows it in the chain",
        "a cycle: prev names patch 3, the patch itself",
    ]


def test_chain_keeps_few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jelly_spark.report.chain.RUNS", 2)
    chain = Chain()
    for place in range(5):
        chain.add(place, 0, str(place), None)
    assert (len(chain.runs), chain.left_out) == (2, 3)


def test_changes_without_commit_are_counted_apart() -> None:
    found = figures_of(
        [
            *(PatchRow("TX"), add("<urn:x:1>"), PatchRow("TA"), delete("<urn:x:2>", Q)),
            *(PatchRow("TX"), add("<urn:x:3>", graph="<urn:x:g>"), PatchRow("TC")),
            *(PatchRow("TX"), add("<urn:x:4>"), PatchRow("END")),
            *(add("<urn:x:5>"), PatchRow("END")),
        ]
    )
    assert (found.patches, found.adds, found.deletes) == (2, 2, 1)
    assert (found.aborted, found.not_effective, found.aborted_patch_count) == (1, 2, 1)
    assert [(patch.place, patch.changes) for patch in found.largest] == [(0, 2), (1, 1)]
    assert [(count.term, count.changes) for count in found.predicates.top(9)] == [(P, 2), (Q, 1)]
    assert [count.term for count in found.graphs.top(9)] == [None, "<urn:x:g>"]
    assert {count.term for count in found.subjects.top(9)} == {f"<urn:x:{n}>" for n in (2, 3, 5)}


def test_excerpts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jelly_spark.report.contents.ROWS", 10)
    selection = Selection()
    selection.add(0, -2, 4)
    selection.add(0, 3, 6)
    selection.add(1, 0, 5)
    selection.add(1, 0, 4)
    assert selection.ranges(0) == [range(0, 6)]
    assert selection.ranges(1) == [range(0, 4)]
    assert selection.left_out == 1
    rows = [add(f"<urn:x:{n}>")._replace(seq=n) for n in range(9)]
    (found,) = read_excerpts(rows, [range(2, 4)])
    assert [row.text for row in found] == [f'<urn:x:{n}> {P} "o"' for n in (2, 3)]
