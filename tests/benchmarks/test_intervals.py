"""Ratios and their confidence intervals."""

from random import Random

import pytest

from benchmarks.intervals import Interval, interval


def test_equal_times() -> None:
    times = [1.0, 1.2, 0.9, 1.1, 1.0, 1.3]
    assert interval(times, times) == Interval(1, 1, 1)


def test_verdicts() -> None:
    # The machine becomes slower meanwhile, for both alike.
    random = Random(7)
    peer = [1 + 0.1 * number + random.uniform(-0.05, 0.05) for number in range(20)]
    found = interval([taken * random.uniform(0.78, 0.82) for taken in peer], peer)
    assert found.low <= found.ratio <= found.high
    assert found.ratio == pytest.approx(1.25, rel=0.1)
    assert found.verdict == "faster"
    assert interval(peer, [taken * 0.5 for taken in peer]).verdict == "slower"
    noise = [taken * random.uniform(0.9, 1.1) for taken in peer]
    assert interval(noise, peer).verdict == "no difference seen"


def test_the_same_each_time() -> None:
    random = Random(8)
    ours, peer = ([random.uniform(1, 2) for _ in range(9)] for _ in range(2))
    assert interval(ours, peer) == interval(ours, peer)
