"""Ratios of two measures that ran in turn, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import geometric_mean, median
from typing import TypeAlias

RESAMPLES = 2_000
CONFIDENCE = 0.95
SEED = 1

Pairs: TypeAlias = Sequence[tuple[float, float]]
"""The seconds of two measures in the same rounds: first ours, then the peer's."""


@dataclass(frozen=True)
class Interval:
    """A ratio, and the bounds of its 95 % confidence interval."""

    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Say whether the dividend is faster: only if the interval does not include 1."""
        if self.low > 1:
            return "faster"
        return "slower" if self.high < 1 else "no difference seen"


def interval(
    ours: Sequence[float],
    peer: Sequence[float],
    center: Callable[[Sequence[float]], float] = median,
) -> Interval:
    """Return how many times as fast one measure is as another.

    The interval is that of a paired bootstrap, with percentiles: rounds are drawn with replacement,
    each with the times of both measures. It is the same each time for the same arguments.

    Args:
        ours: the seconds of the first measure in each round.
        peer: the seconds of the second measure in the same rounds.
        center: the function whose quotient is the ratio, such as the median.
    """
    random = Random(SEED)
    pairs = [*zip(ours, peer, strict=True)]
    drawn = [_ratio(random.choices(pairs, k=len(pairs)), center) for _ in range(RESAMPLES)]
    return _within(_ratio(pairs, center), drawn)


def ratio_of_launches(launches: Sequence[Pairs]) -> float:
    """Return how many times as fast one measure is as another, from several launches of both.

    This is the geometric mean of the ratios of the launches, each of which is a ratio of medians.

    Args:
        launches: the rounds of each launch.
    """
    return geometric_mean(_ratio(pairs, median) for pairs in launches)


def interval_of_launches(launches: Sequence[Pairs]) -> Interval:
    """Return the ratio of two measures in several launches of both, with its interval.

    A JVM compiles the same code a little differently each time that it is launched, so the rounds
    of a launch are alike. Therefore the bootstrap has two levels: launches are drawn with
    replacement, and then rounds of each. It is the same each time for the same arguments.

    Args:
        launches: the rounds of each launch.
    """
    random = Random(SEED)
    drawn = [
        ratio_of_launches(
            [
                random.choices(pairs, k=len(pairs))
                for pairs in random.choices(launches, k=len(launches))
            ]
        )
        for _ in range(RESAMPLES)
    ]
    return _within(ratio_of_launches(launches), drawn)


def _ratio(pairs: Pairs, center: Callable[[Sequence[float]], float]) -> float:
    return center([peer for _, peer in pairs]) / center([ours for ours, _ in pairs])


def _within(ratio: float, drawn: list[float]) -> Interval:
    """Return a ratio with an interval of percentiles of those that a bootstrap has drawn."""
    drawn.sort()
    outside = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Interval(ratio, drawn[outside], drawn[-1 - outside])
