"""Ratios and their confidence intervals."""

from random import Random

import pytest

from benchmarks.running.intervals import Interval, interval


def test_equal_times() -> None:
    times = [1.0, 1.2, 0.9, 1.1, 1.0, 1.3]
    assert interval([[*zip(times, times, strict=True)]]) == Interval(1, 1, 1)


def test_verdicts() -> None:
    # The machine becomes slower meanwhile, for both alike.
    random = Random(7)
    peer = [1 + 0.1 * number + random.uniform(-0.05, 0.05) for number in range(20)]
    found = interval([[(taken * random.uniform(0.78, 0.82), taken) for taken in peer]])
    assert found.low <= found.ratio <= found.high
    assert found.ratio == pytest.approx(1.25, rel=0.1)
    assert found.verdict == "faster"
    assert interval([[(taken, taken * 0.5) for taken in peer]]).verdict == "slower"
    noise = [(taken * random.uniform(0.9, 1.1), taken) for taken in peer]
    assert interval([noise]).verdict == "no difference seen"


def test_launches() -> None:
    random = Random(9)

    def launch(ratio: float) -> list[tuple[float, float]]:
        return [(1.0, ratio * random.uniform(0.99, 1.01)) for _ in range(6)]

    found = interval([launch(1.25) for _ in range(3)])
    assert found.low <= found.ratio <= found.high
    assert found.ratio == pytest.approx(1.25, rel=0.01)
    assert found.verdict == "faster"
    # Each launch differs from 1, but one is faster and two are slower.
    launches = [launch(ratio) for ratio in (1.05, 0.95, 0.96)]
    found = interval(launches)
    assert found.verdict == "no difference seen"
    assert found.high - found.low > 0.05
    assert found == interval(launches)
    assert interval([[(2, 2), (3, 3)], [(1, 1)]]) == Interval(1, 1, 1)
