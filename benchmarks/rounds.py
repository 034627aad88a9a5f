"""Running the measures of a group in rounds."""

from __future__ import annotations

from math import inf
from time import monotonic

from benchmarks.measures import Group
from benchmarks.participants import Participants

PRACTICE = 4
"""The number of times that a practised measure runs before the rounds."""

FEWEST = 6
"""The number of rounds that count even if the time is over."""


def run(
    participants: Participants,
    group: Group,
    warm_ups: int,
    rounds: int,
    seconds_at_most: float = inf,
) -> dict[str, list[float]]:
    """Run the measures of a group in turn, and return the seconds of each in each round, by name.

    Every other round has the reverse order (ABBA), so that no measure always has the same one
    before it, and a machine that slows down disturbs all alike.

    Args:
        participants: the processes that do the work.
        group: the measures.
        warm_ups: the number of rounds before those that count. If it is 0, no measure is practised.
        rounds: the number of rounds that count.
        seconds_at_most: no round begins after this time, with the preparations and the warm-up in
            it, but `FEWEST` rounds count in any case.

    Raises:
        TaskError: a task failed.
        ValueError: two measures with the same `finds` returned different numbers.
    """
    end = monotonic() + seconds_at_most
    for participant, *task in group.before:
        participants.ask(participant, *task)
    practice = PRACTICE if warm_ups else 0
    for measure in [measure for measure in group.measures if measure.practised] * practice:
        participant, *task = measure.request
        participants.ask(participant, *task)
    found = {"statements": group.rows}
    seconds: dict[str, list[float]] = {measure.name: [] for measure in group.measures}
    for number in range(warm_ups + rounds):
        if number >= warm_ups + FEWEST and monotonic() > end:
            break
        for measure in group.measures[:: 1 if number % 2 == 0 else -1]:
            participant, *task = measure.request
            taken, count = participants.ask(participant, *task)
            if measure.finds and count != found.setdefault(measure.finds, count):
                raise ValueError(
                    f"{measure.name} found {count} for {measure.finds}, "
                    f"others {found[measure.finds]}"
                )
            if number >= warm_ups:
                seconds[measure.name].append(taken)
    for participant, *task in group.after:
        participants.ask(participant, *task)
    return seconds
