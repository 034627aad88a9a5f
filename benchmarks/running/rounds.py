"""Running work in turns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from time import perf_counter
from typing import TypeVar

from benchmarks.measures import Group

PRACTICE = 4
"""The number of times that a practised measure runs before the rounds, if nothing else is said."""

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def in_turns(
    works: Mapping[K, Callable[[], tuple[T, object]]],
    warm_ups: int,
    rounds: int,
    finds: Mapping[K, str | None],
    known: Mapping[str, object] | None = None,
) -> dict[K, list[T]]:
    """Run works in turn, and return the time of each in each round, by its name.

    Every other round has the reverse order (ABBA), so that no work always has the same one before
    it, and a machine that slows down disturbs all alike.

    Args:
        works: functions that return a time and a result, by name.
        warm_ups: the number of rounds before those that count.
        rounds: the number of rounds that count.
        finds: what the results mean, by name. Works that find the same must return equal results.
        known: results by what they mean.

    Raises:
        ValueError: two works that find the same returned different results.
    """
    results = {**(known or {})}
    times: dict[K, list[T]] = {name: [] for name in works}
    for number in range(warm_ups + rounds):
        for name in list(works)[:: 1 if number % 2 == 0 else -1]:
            taken, result = works[name]()
            what = finds.get(name)
            if what and result != results.setdefault(what, result):
                raise ValueError(f"{name} found {result} for {what}, others {results[what]}")
            if number >= warm_ups:
                times[name].append(taken)
    return times


def timed(work: Callable[[], T]) -> Callable[[], tuple[float, T]]:
    """Return a function that does the work, and returns its seconds and its result."""

    def run() -> tuple[float, T]:
        begin = perf_counter()
        result = work()
        return perf_counter() - begin, result

    return run


def run(
    ask: Callable[..., tuple[T, int]],
    group: Group,
    warm_ups: int,
    rounds: int,
    *,
    practice: int = PRACTICE,
) -> dict[str, list[T]]:
    """Run the measures of a group in turn, and return the times of each in each round, by name.

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
    for request in group.before:
        ask(*request)
    for measure in [measure for measure in group.measures if measure.practised] * (
        practice if warm_ups else 0
    ):
        ask(*measure.request)
    times = in_turns(
        {measure.name: partial(ask, *measure.request) for measure in group.measures},
        warm_ups,
        rounds,
        {measure.name: measure.finds for measure in group.measures},
        {"statements": group.rows},
    )
    for request in group.after:
        ask(*request)
    return times
