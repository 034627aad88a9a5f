"""The measures and ratios that `measures.json` declares."""

from pathlib import Path

from benchmarks.data.datasets import SHOP
from benchmarks.measures import MEASURES, SHOP_RATIOS, Files, States
from benchmarks.picture import grouped
from benchmarks.workers.python import PythonTasks
from benchmarks.workers.spark import SparkTasks


def test_names() -> None:
    names = [measure.name for measure in MEASURES]
    assert len({*names}) == len(names)
    assert {name for ratio in SHOP_RATIOS for name in (ratio.ours, ratio.peer)} <= {*names}
    assert sum(map(len, grouped(ratio.name for ratio in SHOP_RATIOS).values())) == len(SHOP_RATIOS)


def test_requests() -> None:
    values = {**Files(SHOP, Path()).values, **States(Path(), 1).values, "big": "big"}
    for measure in MEASURES:
        participant, task, *_ = [word.format_map(values) for word in measure.request]
        if participant.startswith("spark"):
            assert hasattr(SparkTasks, task), measure
        elif participant.startswith("python"):
            assert hasattr(PythonTasks, task), measure
        else:
            assert participant in ("jelly-core", "jena"), measure
