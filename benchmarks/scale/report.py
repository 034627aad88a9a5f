"""Writing the curves as tables, and the rates of `jelly_spark.cost`.

`python -m benchmarks.scale.report` writes those of the checkout again from `scale.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import median

from benchmarks.running.participants import ROOT
from benchmarks.scale.curves import Curve, Point, ScaleResults
from benchmarks.scale.measuring import CORES, HEAP
from benchmarks.scale.parts import CHANGED, PARTS, rows_of_file
from benchmarks.scale.picture import picture
from benchmarks.tables import named, table
from jelly_spark.cost import Cluster, Cost, Rates, estimate

FOLDER = ROOT / "benchmarks"
RATES = ROOT / "python" / "jelly_spark" / "rates.json"

WIKIDATA = (20_000_000_000, 500_000)
"""The statements of Wikidata, and its changes of a day, in round numbers."""

CLUSTERS = (Cluster(1, 2), Cluster(4, 4), Cluster(10, 8), Cluster(50, 8))

SIZES = {
    "rows": "statements",
    "files": "files",
    "splits": "splits",
    "predicates": "different predicates",
    "literals": "characters of a literal",
    "lookups": "entries of the name table",
    "states": "statements of a state",
    "logs": "changes in the log",
}
"""What the size of each part is."""

_MILLION = 1_000_000


def main() -> None:
    """Write the tables and rates of the checkout again."""
    results = ScaleResults.read(FOLDER)
    write_report(results, FOLDER)
    rates = json.dumps(asdict(rates_of(results)), indent=2)
    RATES.write_text(rates + "\n", encoding="utf-8")


def write_report(results: ScaleResults, folder: Path) -> None:
    """Write `scale.md`."""
    (folder / "scale.md").write_text("\n".join(_page(results)) + "\n", encoding="utf-8")


def pictures() -> dict[str, str]:
    """Return a picture of each part in the results of the checkout, as an SVG."""
    results = ScaleResults.read(FOLDER)
    return {part: picture(results.curves(part), size) for part, size in SIZES.items()}


def rates_of(results: ScaleResults) -> Rates:
    """Return what one statement or change cost, to two significant digits.

    Raises:
        KeyError: the run has no such curve, because a part failed.
    """
    scan, diff = results.curves("rows")["scan"], results.curves("states")["diff"]
    append, state, compact = (
        results.curves("logs")[name] for name in ("append", "state", "compact")
    )
    # Each patch has as many changes.
    changes_of_patch = rows_of_file(results.scale) * (1 + 1 / CHANGED)
    rates = Rates(
        scan_seconds=_last(scan).parallel / _last(scan).x * _MILLION,
        diff_seconds=_last(diff).parallel / _last(diff).x * _MILLION,
        change_seconds=_last(diff).single / _last(diff).found * _MILLION,
        append_seconds=median(append.values("seconds")) / changes_of_patch * _MILLION,
        state_seconds=_last(state).parallel / _last(state).x * _MILLION,
        compact_seconds=_last(compact).parallel / _last(compact).x * _MILLION,
        statement_bytes=_last(scan).read / _last(scan).x,
        change_bytes=_last(append).found / _last(append).x,
        snapshot_bytes=_last(compact).found / _last(compact).x,
        diff_shuffled_bytes=_last(diff).shuffled / _last(diff).x,
        state_shuffled_bytes=_last(state).shuffled / _last(state).x,
        compact_shuffled_bytes=_last(compact).shuffled / _last(compact).x,
    )
    return Rates(**{name: float(f"{value:.2g}") for name, value in asdict(rates).items()})


def _last(curve: Curve) -> Point:
    return curve.points[-1]


def _page(results: ScaleResults) -> Iterator[str]:
    # The documentation site includes the lines between two marks.
    yield "# Results of `make bench-scale`"
    yield from _section("machine", _machine(results))
    for part in PARTS:
        yield from _section(part, _tables(part, results.curves(part)))
    yield from _section("wikidata", _wikidata(rates_of(results)))
    yield from _section("rates", _rates(rates_of(results)))


def _section(name: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ["", f"<!-- --8<-- [start:{name}] -->", ""]
    yield from lines
    yield from ["", f"<!-- --8<-- [end:{name}] -->"]


def _machine(results: ScaleResults) -> Iterator[str]:
    yield (
        f"Machine: {named(results.machine)}. Versions: {named(results.versions)}. Spark runs on "
        f"{CORES} cores, with a heap of {HEAP}. Scale {results.scale:g}: the largest size is "
        f"{100 * results.scale:g} million statements. The run took "
        f"{sum(results.seconds.values()) / 60:.0f} minutes."
    )


def _tables(part: str, curves: dict[str, Curve]) -> Iterator[str]:
    yield from table({f"`{name}`": _summary(curve) for name, curve in curves.items()}, "work")
    for name, curve in curves.items():
        rows = {f"{point.x:,}": _figures(point) for point in curve.points}
        yield from ["", f"`{name}`:", "", *table(rows, SIZES[part])]


def _summary(curve: Curve) -> dict[str, str]:
    line = curve.line()
    return {
        "exponent": f"{curve.exponent():.2f}",
        "line, seconds": f"{line.fixed:.2f} + {line.each:.3g} · x",
        "largest distance": f"{line.deviation:.0%}",
        "shape": curve.reason(),
    }


def _figures(point: Point) -> dict[str, object]:
    sizes = {"read": point.read, "shuffled": point.shuffled, "spilled": point.spilled}
    return {
        "seconds": point.seconds,
        "task seconds": point.parallel + point.single,
        "longest task, s": point.longest,
        "heap, MB": f"{point.heap / 1e6:,.0f}",
        **{f"{what}, MB": f"{size / 1e6:,.1f}" for what, size in sizes.items()},
    }


def _wikidata(rates: Rates) -> list[str]:
    costs = {
        f"{cluster.executors}, {cluster.cores}": estimate(*WIKIDATA, cluster, rates)
        for cluster in CLUSTERS
    }
    first, *_ = costs.values()
    rows = {}
    for job in ("scan", "diff", "append", "state", "compact"):
        sizes = {
            "read": getattr(first, job).read_bytes,
            "shuffled": getattr(first, job).shuffled_bytes,
        }
        rows[f"`{job}`"] = {
            **{name: _time(getattr(cost, job).seconds) for name, cost in costs.items()},
            **{name: f"{size / 1e9:,.0f} GB" if size else "" for name, size in sizes.items()},
        }
    return [*table(rows, "executors, cores of each"), "", *_sizes(first)]


def _sizes(cost: Cost) -> list[str]:
    return [
        f"A patch of a day has {cost.patch_bytes / 1e6:,.0f} MB, a snapshot "
        f"{cost.snapshot_bytes / 1e9:,.0f} GB, and a log with a snapshot and the patches of a year "
        f"{cost.year_bytes / 1e9:,.0f} GB. With `if_due=True`, `compact` makes the next snapshot "
        f"after {cost.days_to_snapshot / 365:,.0f} years."
    ]


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _rates(rates: Rates) -> list[str]:
    found = asdict(rates).items()
    rows = {f"`{name}`": {"measured": f"{value:g}", "unit": _unit(name)} for name, value in found}
    return table(rows, "rate")


def _unit(rate: str) -> str:
    if rate.endswith("_bytes"):
        return "bytes for each"
    one_task = rate.startswith(("change", "append"))
    return f"{'seconds' if one_task else 'core-seconds'} for a million"


if __name__ == "__main__":
    main()
