"""Patch algebra on schema.org's releases: every pair of them, and the log of them all."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from jelly_spark import patches
from jelly_spark.codec import PatchRow
from jelly_spark.patches import Statement
from tests.real.schemaorg import Statement as Triple
from tests.real.schemaorg import as_quads

Releases = dict[str, set[Statement]]


@pytest.fixture(scope="module")
def releases(triples: dict[str, set[Triple]]) -> Releases:
    """The releases as quads, oldest first."""
    return {
        name: {Statement(*quad) for quad in release} for name, release in as_quads(triples).items()
    }


@pytest.fixture(scope="module")
def log(releases: Releases) -> list[PatchRow]:
    """The patches that lead from nothing to the first release, and from each to the next."""
    states = [set[Statement](), *releases.values()]
    ids = [None, *(f"<urn:x-schemaorg:{name}>" for name in releases)]
    return [
        *patches.concat(
            *(
                patches.diff(before, after, id=id, prev=prev)
                for (before, after), (prev, id) in zip(pairwise(states), pairwise(ids), strict=True)
            )
        )
    ]


def test_every_pair_of_releases(releases: Releases) -> None:
    for (old, before), (new, after) in combinations(releases.items(), 2):
        patch = patches.diff(before, after)
        changes = len(before ^ after)
        assert len(patch) == (changes + 2 if changes else 0)
        assert patches.apply(before, patch) == (after, {}), (old, new)


def test_every_release_and_back(releases: Releases) -> None:
    for (old, before), (new, after) in pairwise(releases.items()):
        inverse = patches.invert(patches.diff(before, after))
        assert patches.apply(after, inverse) == (before, {}), (old, new)


def test_the_log_leads_to_each_release(releases: Releases, log: list[PatchRow]) -> None:
    *_, last = releases.values()
    assert patches.state(log) == (last, {})
    there: set[Statement] = set()
    changes = [*patches.changes(log)]
    for place, (name, release) in enumerate(releases.items()):
        for change in changes:
            if change.log_seq == place:
                (there.add if change.change == "A" else there.remove)(Statement(*change[:4]))
        assert there == release, name


def test_the_squashed_log_is_the_difference(releases: Releases, log: list[PatchRow]) -> None:
    (first, before), *_, (last, after) = releases.items()
    start = next(at for at, row in enumerate(log) if row.patch == 1)
    expected = patches.diff(
        before, after, id=f"<urn:x-schemaorg:{last}>", prev=f"<urn:x-schemaorg:{first}>"
    )
    assert patches.squash(log[start:], before) == expected
    from_nothing = patches.diff([], after, id=f"<urn:x-schemaorg:{last}>")
    assert patches.squash(log, []) == from_nothing


def test_the_history_has_each_release(releases: Releases, log: list[PatchRow]) -> None:
    intervals = patches.history(log)
    for place, (name, release) in enumerate(releases.items()):
        there = {
            interval[:4]
            for interval in intervals
            if interval.added_log_seq is not None
            and interval.added_log_seq <= place
            and (interval.removed_log_seq is None or interval.removed_log_seq > place)
        }
        assert there == release, name


def test_the_log_is_valid(log: list[PatchRow]) -> None:
    """The first release begins with statements in the default graph."""
    assert [finding.rule for finding in patches.validate(log)] == ["graph-in-triples"]
