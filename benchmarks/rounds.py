"""Running the measures of a group in rounds."""

from __future__ import annotations

from benchmarks.measures import Group
from benchmarks.participants import Participants

PRACTICE = 4
"""The number of times that a practised measure runs before the rounds."""


def run(
    participants: Participants, group: Group, warm_ups: int, rounds: int
) -> dict[str, list[float]]:
    """Run the measures of a group in turn, and return the seconds of each in each round, by name.

    Args:
        participants: the processes that do the work.
        group: the measures.
        warm_ups: the number of rounds before those that count. If it is 0, no measure is practised.
        rounds: the number of rounds that count.

    Raises:
        TaskError: a task failed.
        ValueError: two measures with the same `finds` returned different numbers.
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
