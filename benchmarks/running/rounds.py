"""Running the measures of a group in rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from benchmarks.measures import Group

PRACTICE = 4
"""The number of times that a practised measure runs before the rounds, if nothing else is said."""

T = TypeVar("T")


def run(
    ask: Callable[..., tuple[T, int]],
    group: Group,
    warm_ups: int,
    rounds: int,
    *,
    practice: int = PRACTICE,
) -> dict[str, list[T]]:
    """Run the measures of a group in turn, and return the times of each in each round, by name.

    Every other round has the reverse order (ABBA), so that no measure always has the same one
    before it, and a machine that slows down disturbs all alike.

    Args:
        ask: has a participant do a task, and returns its time and its number: a method of
            `Participants`, such as `Participants.ask`.
        group: the measures.
        warm_ups: the number of rounds before those that count. If it is 0, no measure is practised.
        rounds: the number of rounds that count.
        practice: the number of times that practised measures run before the rounds.

    Raises:
        TaskError: a task failed.
        ValueError: two measures with the same `finds` returned different numbers.
    """
    for participant, *task in group.before:
        ask(participant, *task)
    for measure in [measure for measure in group.measures if measure.practised] * (
        practice if warm_ups else 0
    ):
        participant, *task = measure.request
        ask(participant, *task)
    found = {"statements": group.rows}
    times: dict[str, list[T]] = {measure.name: [] for measure in group.measures}
    for number in range(warm_ups + rounds):
        for measure in group.measures[:: 1 if number % 2 == 0 else -1]:
            participant, *task = measure.request
            taken, count = ask(participant, *task)
            if measure.finds and count != found.setdefault(measure.finds, count):
                raise ValueError(
                    f"{measure.name} found {count} for {measure.finds}, "
                    f"others {found[measure.finds]}"
                )
            if number >= warm_ups:
                times[measure.name].append(taken)
    for participant, *task in group.after:
        ask(participant, *task)
    return times
