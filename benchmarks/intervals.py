"""Ratios of two measures that ran in turn, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

RESAMPLES = 2_000
CONFIDENCE = 0.95
SEED = 1


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
    ratios = []
    for _ in range(RESAMPLES):
        drawn = random.choices(pairs, k=len(pairs))
        ratios.append(center([b for _, b in drawn]) / center([a for a, _ in drawn]))
    ratios.sort()
    outside = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Interval(center(peer) / center(ours), ratios[outside], ratios[-1 - outside])
