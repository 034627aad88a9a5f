"""Ratios of two measures that ran in turn, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    launches: Sequence[Pairs], center: Callable[[Sequence[float]], float] = median
) -> Interval:
    """Return how many times as fast one measure is as another.

    The ratio is the geometric mean of those of the launches. The interval is that of a bootstrap of
    two levels, with percentiles: launches are drawn with replacement, and then rounds of each,
    always with the times of both measures. A JVM compiles the same code a little differently each
    time that it is launched, so the rounds of a launch are alike. The interval is always the same
    for the same arguments.

    Args:
        launches: the rounds of each launch of both.
        center: the function whose quotient is the ratio of a launch, such as the median.
    """

    def ratio(drawn: Iterable[Pairs]) -> float:
        return geometric_mean(
            center([peer for _, peer in pairs]) / center([ours for ours, _ in pairs])
            for pairs in drawn
        )

    random = Random(SEED)
    drawn = sorted(
        ratio(
            random.choices(pairs, k=len(pairs))
            for pairs in random.choices(launches, k=len(launches))
        )
        for _ in range(RESAMPLES)
    )
    outside = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Interval(ratio(launches), drawn[outside], drawn[-1 - outside])
