"""The queries on archives of versions: BEAR's three kinds."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measures import Group, Measure
from benchmarks.running.participants import Participants
from benchmarks.running.rounds import run


def ask_queries(
    participants: Participants,
    archives: Sequence[str],
    versions: int,
    terms: tuple[str, str],
    rounds: tuple[int, int],
) -> dict[str, dict[str, list[float]]]:
    """Return the seconds of each round, by participant and query, whose name begins with its kind.

    Args:
        participants: the participants.
        archives: the names of those with an archive.
        versions: the number of versions.
        terms: the subject and the predicate whose histories are queried.
        rounds: the number of rounds before those that count, and of these.
    """
    subject, predicate = terms
    middle, last = versions // 2, versions - 1
    queries = {
        "state_at, first": ("state_at", "0"),
        "state_at, middle": ("state_at", str(middle)),
        "state_at, last": ("state_at", str(last)),
        "between, adjacent": ("between", str(middle), str(middle + 1)),
        "between, half": ("between", "0", str(middle)),
        "between, all": ("between", "0", str(last)),
        "history, subject": ("history", "subject", subject),
        "history, predicate": ("history", "predicate", predicate),
    }
    measures = [
        Measure(f"{archive}, {name}", (archive, *task), name)
        for name, task in queries.items()
        for archive in archives
    ]
    seconds = run(participants.ask, Group(0, measures), *rounds)
    return {
        archive: {name: seconds[f"{archive}, {name}"] for name in queries} for archive in archives
    }
