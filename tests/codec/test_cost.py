"""Estimates for a cluster."""

import pytest

from jelly_spark.cost import Cluster, Job, Rates, estimate
from jelly_spark.errors import OptionError

RATES = Rates(
    scan_seconds=0.5,
    diff_seconds=4,
    change_seconds=20,
    append_seconds=6,
    state_seconds=5,
    compact_seconds=8,
    statement_bytes=40,
    change_bytes=30,
    snapshot_bytes=10,
    diff_shuffled_bytes=80,
    state_shuffled_bytes=50,
    compact_shuffled_bytes=90,
)


def test_estimate() -> None:
    cluster = Cluster(executors=5, cores=2, bytes_per_second=8_000_000)
    cost = estimate(100_000_000, 1_000_000, cluster, RATES)
    # 50 core-seconds on ten cores, and 4 GB with 40 MB in a second.
    assert cost.scan == Job(5 + 100, 4_000_000_000, 0)
    # Sorting a million changes takes as long on any cluster.
    assert cost.diff == Job(40 + 200 + 20, 8_000_000_000, 8_000_000_000)
    assert cost.append == Job(6, 0, 0)
    assert cost.patch_bytes == 30_000_000
    assert cost.snapshot_bytes == 1_000_000_000
    assert cost.year_bytes == 1_000_000_000 + 365 * 30_000_000
    # The state of 100 million statements, and 365 million changes.
    reading = cost.year_bytes / 40_000_000
    for job, seconds, shuffled in ((cost.state, 232.5, 50), (cost.compact, 372, 90)):
        expected = (seconds + reading, cost.year_bytes, 465_000_000 * shuffled)
        assert job == pytest.approx(expected)
    # Patches of 67 days are larger than two snapshots.
    assert 66 < cost.days_to_snapshot < 67


def test_more_executors_take_less_time() -> None:
    one, ten = (estimate(10**9, 10**5, Cluster(count, 4)) for count in (1, 10))
    assert one.scan.seconds == pytest.approx(10 * ten.scan.seconds)
    assert one.diff.seconds > ten.diff.seconds > one.diff.seconds / 10
    assert one.append == ten.append


@pytest.mark.parametrize(
    ("statements", "changes", "cluster"),
    [
        (0, 1, Cluster(1, 1)),
        (1, 0, Cluster(1, 1)),
        (1, 1, Cluster(0, 1)),
        (1, 1, Cluster(1, -1)),
        (1, 1, Cluster(1, 1, bytes_per_second=0)),
    ],
)
def test_numbers_that_make_no_sense(statements: int, changes: int, cluster: Cluster) -> None:
    with pytest.raises(OptionError, match="must be at least 1"):
        estimate(statements, changes, cluster)
