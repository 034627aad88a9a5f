"""The queries on archives of versions: BEAR's three kinds."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.measures import Group, Measure


def queries(
    archives: Sequence[str], versions: int, statements: int, terms: tuple[str, str]
) -> Group:
    """Return the measures of all queries, for each participant.

    Args:
        archives: the participants.
        versions: the number of versions.
        statements: the number of statements in each version.
        terms: the subject and the predicate whose histories are queried.
    """
    subject, predicate = terms
    middle, last = versions // 2, versions - 1
    found = {
        "state_at, first": ("state_at", "0"),
        "state_at, middle": ("state_at", str(middle)),
        "state_at, last": ("state_at", str(last)),
        "between, adjacent": ("between", str(middle), str(middle + 1)),
        "between, half": ("between", "0", str(middle)),
        "between, all": ("between", "0", str(last)),
        "history, subject": ("history", "subject", subject),
        "history, predicate": ("history", "predicate", predicate),
    }
    return Group(
        statements,
        [
            Measure(f"{participant}, {name}", (participant, *task), name)
            for name, task in found.items()
            for participant in archives
        ],
    )


def medians(group: Group, seconds: dict[str, list[float]], participant: str) -> dict[str, float]:
    """Return the median seconds of each query of a participant, by the name of the query."""
    return {
        measure.finds: round(median(seconds[measure.name]), 3)
        for measure in group.measures
        if measure.finds is not None and measure.request[0] == participant
    }


def sums(group: Group, seconds: dict[str, list[float]], participant: str, kind: str) -> list[float]:
    """Return the seconds of all queries of a kind by a participant, added up, of each round."""
    asked = [
        seconds[measure.name]
        for measure in group.measures
        if measure.request[0] == participant and (measure.finds or "").startswith(kind)
    ]
    return [sum(taken) for taken in zip(*asked, strict=True)]
