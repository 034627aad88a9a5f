"""The results for people: tables and a plot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from matplotlib.figure import Figure

from benchmarks.data import DATASETS, WEATHER
from benchmarks.results import Results

_LABELS = {
    "scan_all": "Spark scan, every column",
    "scan_noop": "Spark scan, noop sink",
    "scan_count": "Spark count()",
    "scan_predicate": "Spark scan, one predicate's objects",
    "scan_patch": "Spark scan of jelly_patch, every column",
    "jelly_core_decode": "jelly-core decode, cheapest nodes",
    "jena_text_read": "Jena RDF Patch text, read",
    "jena_thrift_read": "Jena RDF Patch Thrift, read",
    "parquet_scan": "Spark scan of Parquet",
    "lines_scan": "Spark scan of N-Triples / N-Quads lines",
    "write": "Spark write of cached rows",
    "write_patch": "Spark write of jelly_patch",
    "jelly_jena_encode": "jelly-jena encode of Jena nodes",
    "jena_text_write": "Jena RDF Patch text, write",
    "jena_thrift_write": "Jena RDF Patch Thrift, write",
    "python_decode": "Python codec, decode",
    "pyjelly_decode": "pyjelly generic, decode",
    "rdflib_decode": "rdflib graph (pyjelly), decode",
    "python_encode": "Python codec, encode",
    "pyjelly_encode": "pyjelly generic, encode",
    "rdflib_encode": "rdflib graph (pyjelly), encode",
    "one_core": "big file with restart points, one core",
    "two_cores": "big file with restart points, two cores",
}
_OURS = (
    *("scan_all", "scan_noop", "scan_count", "scan_predicate", "scan_patch"),
    *("write", "write_patch", "python_decode", "python_encode", "one_core", "two_cores"),
)
_IN_PYTHON = ("python_", "pyjelly_", "rdflib_")


def write_tables(results: Results, path: Path) -> None:
    """Write `results.md`."""
    options, goals = results.options, results.goals
    lines = [
        "# Results of `make bench`",
        "",
        f"{_named(results.machine)}; {_named(results.versions)}.",
        "",
        f"{options['rows']:,} statements on the JVM, {options['python_rows']:,} in Python; medians "
        f"of {options['rounds']} rounds after {options['warm_ups']} to warm up; {options['heap']} "
        "of heap. What each figure is: [README.md](README.md).",
        "",
        "## Ratios",
        "",
        *_table(
            ("ratio", "shop (triples)", "goal", "weather (quads)"),
            (
                (f"`{name}`", f"{value:.2f}", _figure(goals.get(name)), _figure(weather))
                for name, value in results.ratios.items()
                if not name.startswith(WEATHER.prefix)
                for weather in [results.ratios.get(WEATHER.prefix + name)]
            ),
        ),
        "",
        "## Rows per second",
        "",
        *_table(
            ("measure", "what", "shop (triples)", "weather (quads)"),
            (
                (f"`{name}`", label, *(_rate(results, prefix + name) for prefix in _prefixes()))
                for name, label in _LABELS.items()
            ),
        ),
        "",
        "## Sizes",
        "",
        *_table(
            ("format", "shop, MB", "weather, MB"),
            (
                (f"`{format}`", *(_size(results.file_bytes[name], format) for name in DATASETS))
                for format in dict.fromkeys(
                    f for sizes in results.file_bytes.values() for f in sizes
                )
            ),
        ),
        "",
        "## The big file",
        "",
        _big_file(results),
        "",
        "![rows per second](results.png)",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_plot(results: Results, path: Path) -> None:
    """Write `results.png`: the rows per second, ours in another colour than the peers'."""
    figure = Figure(figsize=(12, 11), layout="constrained")
    axes = figure.subplots(2, 2, gridspec_kw={"height_ratios": [15, 6]})
    for column, (dataset, prefix) in enumerate(zip(DATASETS, _prefixes(), strict=True)):
        for row, in_python in enumerate((False, True)):
            names = [
                name
                for name in _LABELS
                if name.startswith(_IN_PYTHON) is in_python and prefix + name in results.medians
            ]
            rates = [results.medians[prefix + name] / 1e6 for name in names]
            plot = axes[row, column]
            plot.barh(
                [_LABELS[name] for name in names],
                rates,
                color=["tab:green" if name in _OURS else "tab:gray" for name in names],
            )
            plot.invert_yaxis()
            plot.set_title(f"{dataset}, {'Python' if in_python else 'JVM'}")
            plot.set_xlabel("million rows per second")
    figure.savefig(path, dpi=100)


def _prefixes() -> list[str]:
    return [dataset.prefix for dataset in DATASETS.values()]


def _named(figures: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in figures.items())


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _rate(results: Results, name: str) -> str:
    return f"{results.medians[name] / 1e6:.3g} M" if name in results.medians else ""


def _size(sizes: Mapping[str, int], format: str) -> str:
    return f"{sizes[format] / 1e6:.1f}" if format in sizes else ""


def _big_file(results: Results) -> str:
    sizes, heap = results.restart_points, results.small_heap
    passed = (
        f"passed, {heap.rows_per_second / 1e6:.2f} M rows per second"
        if heap.passed
        else f"failed: {heap.error}"
    )
    return (
        f"{sizes['rows']:,.0f} statements, {sizes['bytes'] / 1e6:,.1f} MB; without restart points "
        f"{sizes['bytes_without'] / 1e6:,.1f} MB: {sizes['ratio']:.5f} of that. A scan of every "
        f"column on two cores in a heap of {heap.heap}: {passed}."
    )
