"""The order of patches, and what keeps them from having one."""

import random

import pytest

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.order import broken_rules, order
from jelly_spark.patches import validate
from jelly_spark.report.chain import Chain


def links(*pairs: str) -> list[Entry]:
    """Patches, each as `id` or `prev>id`, in files a, b, c and so on."""
    found = []
    for pair, file in zip(pairs, "abcdefgh", strict=False):
        prev, arrow, id = pair.rpartition(">")
        found.append(Entry(id or None, prev if arrow else None, file=file))
    return found


def test_the_order_is_that_of_the_chain() -> None:
    patches = links("0", *(f"{number}>{number + 1}" for number in range(7)))
    random.Random(15).shuffle(patches)
    found = order(patches)
    assert [version.id for version in found] == [*"01234567"]
    assert [version.position for version in found] == [*range(8)]
    assert "".join(version.file for version in found) == "abcdefgh"


def test_a_log_may_begin_after_a_patch_that_is_not_there() -> None:
    assert [version.id for version in order(links("2>3", "1>2"))] == ["2", "3"]


def test_no_patches() -> None:
    assert order([]) == []


def test_a_thousand_patches() -> None:
    numbers = range(10_000)
    patches = [Entry(str(n), str(n - 1) if n else None, file="file", patch=n) for n in numbers]
    assert [version.patch for version in order(reversed(patches))] == [*numbers]


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        (["1", "1>2", "1>3"], [("fork", "c", "c, 3, and b, 2, both follow 1")]),
        (["1", "2"], [("missing-prev", "b", "b, 2, and a, 1, both have no prev")]),
        (["1", "2>3"], [("unknown-prev", "b", "b, 3, follows 2, which is missing")]),
        (["1", "1>2", "3>1"], [("duplicate-id", "c", "c and a have the same id, 1")]),
        (
            ["1>2", "2>1"],
            [("prev-order", "a", "a, 2, is in a cycle or follows one: its prev is 1")],
        ),
        (["1", "2>2"], [("prev-order", "b", "b, 2, is in a cycle or follows one: its prev is 2")]),
        (["1", "1>"], [("missing-id", "b", "b has no header id")]),
        (
            ["0>1", "0>2", "3>4"],
            [
                ("fork", "b", "b, 2, and a, 1, both follow 0"),
                ("unknown-prev", "a", "a, 1, follows 0, which is missing"),
                ("unknown-prev", "c", "c, 4, follows 3, which is missing"),
            ],
        ),
    ],
)
def test_what_is_no_chain(pairs: list[str], found: list[tuple[str, str, str]]) -> None:
    findings = [*broken_rules(links(*pairs))]
    assert [(finding.rule, finding.file) for finding in findings] == [row[:2] for row in found]
    for finding, (_, _, message) in zip(findings, found, strict=True):
        assert finding.message.startswith(message)
    with pytest.raises(LogError) as error:
        order(links(*pairs))
    assert str(error.value) == findings[0].message


def test_a_patch_of_a_file_with_several_is_named() -> None:
    (finding,) = broken_rules([Entry("1", None, file="a"), Entry(None, None, file="a", patch=3)])
    assert finding.message.startswith("patch 3 of a has no header id")


@pytest.mark.parametrize(
    ("pairs", "in_log", "in_order", "runs"),
    [
        # Only the order of the patches differs: a log finds its own.
        (["1>2", "1"], [], ["prev-order", "missing-prev"], ["order", "root"]),
        # The first patch may follow one that is not there; another one only in a log.
        (["1>2"], [], [], ["start"]),
        (["2>3", "1>2"], [], ["prev-order", "unknown-prev"], ["order", "gap"]),
        (["1", "2>3"], ["unknown-prev"], ["unknown-prev"], ["start", "gap"]),
        (["0>1", "2>3"], ["unknown-prev"] * 2, ["unknown-prev"], ["start", "gap"]),
        (["1", "2"], ["missing-prev"], ["missing-prev"], ["start", "root"]),
        (["1", "2", "3"], ["missing-prev"] * 2, ["missing-prev"] * 2, ["start", "root", "root"]),
        (["1", "1>2", "1>3"], ["fork"], ["fork"], ["start", "fork"]),
        # Of patches that both follow a missing one, the second one is a fork, too.
        (
            ["1", "0>2", "0>3"],
            ["fork", "unknown-prev"],
            ["unknown-prev", "unknown-prev", "fork"],
            ["start", "gap", "fork"],
        ),
        (["0>1", "0>2"], ["fork", "unknown-prev"], ["unknown-prev", "fork"], ["start", "fork"]),
        # A log leaves out patches whose id is missing or taken: they have no followers, and follow
        # none. In the given order, they count.
        (["1", "1>", "1>2"], ["missing-id"], ["missing-id", "fork"], ["start", "fork"]),
        (["1", "1>2", "1>2"], ["duplicate-id"], ["duplicate-id", "fork"], ["start", "fork"]),
        (["1", "1>2", "2>1", "2>3"], ["duplicate-id"], ["duplicate-id", "fork"], ["start", "fork"]),
        (["", "1"], ["missing-id"], ["missing-id", "missing-prev"], ["unchained", "root"]),
        (["", ""], ["missing-id"] * 2, [], ["unchained"]),
        # A cycle is named once in a log, and found where it goes back in the given order.
        (["1", "2>2"], ["prev-order"], ["prev-order"], ["start", "cycle"]),
        (["1>2", "2>1"], ["prev-order"], ["prev-order"], ["cycle"]),
        (["1", "3>2", "2>3"], ["prev-order"], ["prev-order"], ["start", "cycle"]),
    ],
)
def test_where_the_rules_of_a_chain_differ(
    pairs: list[str], in_log: list[str], in_order: list[str], runs: list[str]
) -> None:
    """In a log, which has no order but that of its chain; in patches, and in a report."""
    patches = links(*pairs)
    rows: list[PatchRow] = []
    chain = Chain()
    for place, patch in enumerate(patches):
        headers = [("id", patch.id), ("prev", patch.prev)]
        rows += (
            PatchRow("H", name=key, value=f"<urn:x:{it}>", patch=place) for key, it in headers if it
        )
        rows.append(PatchRow("END", patch=place))
        chain.add(place, None, patch.id, patch.prev)
    chain.close()
    assert [finding.rule for finding in broken_rules(patches)] == in_log
    assert [finding.rule for finding in validate(rows)] == in_order
    assert [run.begin for run in chain.runs] == runs
