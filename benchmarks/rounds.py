"""Rounds: all measures of a group in turn, again and again."""

from __future__ import annotations

from benchmarks.measures import Group
from benchmarks.participants import Participants

PRACTICE = 4
"""How many times a practised measure runs before the rounds."""


def run(
    participants: Participants, group: Group, warm_ups: int, rounds: int
) -> dict[str, list[float]]:
    """Return the seconds of each measure of a group, by its name, in the order of the rounds.

    Args:
        participants: who does the work.
        group: the measures.
        warm_ups: how many rounds come before those that count; without any, nothing is practised.
        rounds: how many rounds count.

    Raises:
        ValueError: two measures that find the same do not agree.
    """
    for participant, *task in group.before:
        participants.ask(participant, *task)
    practice = PRACTICE if warm_ups else 0
    for measure in [measure for measure in group.measures if measure.practised] * practice:
        participant, *task = measure.request
        participants.ask(participant, *task)
    found = {"statements": group.rows}
    seconds: dict[str, list[float]] = {measure.name: [] for measure in group.measures}
    for number in range(warm_ups + rounds):
        for measure in group.measures:
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
