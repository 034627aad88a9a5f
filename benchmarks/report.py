"""Writing the results as tables and charts.

`python -m benchmarks.report` writes those of the checkout again from `results.json`, and also the
table in the README.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median

from benchmarks.data.datasets import DATASETS, WEATHER
from benchmarks.picture import grouped, write_picture
from benchmarks.results import Cost, Results
from benchmarks.running.participants import (
    ARCHIVE_COPIES,
    ARCHIVE_DELTA,
    ARCHIVE_LOG,
    ARCHIVE_UNCOMPACTED,
    ARCHIVE_VECTORS,
    ROOT,
)

_LABELS = {
    "scan_all": "Spark scan, every column",
    "scan_noop": "Spark scan, noop sink",
    "scan_count": "Spark count()",
    "scan_predicate": "Spark scan, one predicate's objects",
    "scan_patch_all": "Spark scan of jelly_patch, every column",
    "scan_patch_noop": "the same, noop sink",
    "scan_patch_count": "the same, count()",
    "scan_patch_predicate": "the same, one predicate's objects",
    "text_scan": "Spark scan of rdf_patch, every column",
    "thrift_scan": "Spark scan of rdf_patch_thrift, every column",
    "jelly_core_decode": "jelly-core decode, cheapest nodes",
    "jena_text_read": "Jena RDF Patch text, read",
    "jena_thrift_read": "Jena RDF Patch Thrift, read",
    "parquet_scan": "Spark scan of Parquet",
    "ntriples_scan": "Spark scan of ntriples / nquads, every column",
    "lines_scan": "Spark scan of N-Triples / N-Quads lines",
    "pyoxigraph_parse": "pyoxigraph's parse of N-Triples / N-Quads",
    "serdi": "serdi, from N-Triples / N-Quads to the same",
    "write": "Spark write of cached rows",
    "write_patch": "Spark write of jelly_patch",
    "jelly_jena_encode": "jelly-jena encode of Jena nodes",
    "jena_text_write": "Jena RDF Patch text, write",
    "jena_thrift_write": "Jena RDF Patch Thrift, write",
    "python_decode": "Python codec, decode",
    "python_decode_compiled": "the same, compiled",
    "pyjelly_decode": "pyjelly generic, decode",
    "python_to_arrow": "Python codec, Arrow batches",
    "python_to_arrow_compiled": "the same, compiled",
    "python_encode": "Python codec, encode",
    "python_encode_compiled": "the same, compiled",
    "pyjelly_encode": "pyjelly generic, encode",
    "from_jelly_patch": "from_jelly_patch",
    "to_jelly_patch": "to_jelly_patch",
    "from_json": "Spark from_json of the same messages",
    "to_json": "Spark to_json",
    "from_python_udf": "Python UDF with the Python codec",
    "from_jelly_patch_4_0": "from_jelly_patch, Spark 4.0",
    "from_avro": "from_avro, Spark 4.0",
    "diff_quads": "diff of two states, quads",
    "diff": "diff of two states, triples",
    "diff_quads_by_sort": "GNU sort and comm on N-Quads, quads",
    "diff_by_sort": "GNU sort and comm on N-Quads, triples",
    "diff_fifth": "diff of states of a fifth of the size",
    "diff_double": "diff of states of twice the size",
    "diff_one_subject": "diff, all changes in one subject",
    "diff_one_predicate": "diff, one predicate in 80 % of the statements",
    "apply": "apply of a log that changes a fifth of the state",
    "jena_apply": "Jena, the same in memory",
    "one_core": "big file with restart points, one core",
    "two_cores": "big file with restart points, two cores",
}
_ENCODERS = {
    "jelly": "quads, Jelly",
    "kryo_fields": "quads, Kryo with the fields of the objects",
    "kryo_jena": "quads, Kryo with Jena's serialization",
    "jelly_batches": "datasets of 1,000 quads, Jelly",
    "kryo_batches_fields": "arrays of 1,000 quads, Kryo with the fields of the objects",
    "kryo_batches_jena": "arrays of 1,000 quads, Kryo with Jena's serialization",
}
_ARCHIVES = {
    ARCHIVE_LOG: "`Log`",
    ARCHIVE_UNCOMPACTED: "`Log`, not compacted",
    ARCHIVE_DELTA: "Delta",
    ARCHIVE_VECTORS: "Delta, deletion vectors",
    ARCHIVE_COPIES: "copies in Parquet",
}
_BEAR_BYTES = {
    "ntriples": "all versions as N-Triples",
    "log": "log",
    "patches": "its patches",
    "index": "its index",
    "snapshots": "its snapshots",
}
_PUBLISHED = (
    ("all versions as N-Triples", "8,315", ""),
    ("the same in gzip", "466", ""),
    ("OSTRICH", "451", "4,497"),
    ("COBRA*", "217", "338"),
    ("Jena-CB", "53.8", "0.65"),
    ("HDT-CB", "25.1", "0.07"),
)
README_TABLE = re.compile("(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)
"""The pattern of the table in the README, between its two comments."""

_README_RATIOS = {
    "scan_all": ("read `jelly_rdf`, every column", "Jelly-JVM's decoder, without Spark"),
    "scan_vs_parquet": ("read `jelly_rdf`, every column", "Spark reads Parquet"),
    "scan_vs_text": ("read `jelly_patch`, every column", "Jena reads RDF Patch text"),
    "scan_vs_thrift": ("read `jelly_patch`, every column", "Jena reads RDF Patch binary"),
    "write": ("write `jelly_rdf`", "Jelly-JVM's writer for Jena, without Spark"),
    "python_decode": ("read `jelly_rdf` in plain Python", "pyjelly, compiled"),
    "python_decode_compiled": ("the same, compiled", "pyjelly, compiled"),
    "python_encode": ("write `jelly_rdf` in plain Python", "pyjelly, compiled"),
    "python_encode_compiled": ("the same, compiled", "pyjelly, compiled"),
    "two_cores": ("read one file of half a gigabyte with two cores", "the same with one core"),
}


def main() -> None:
    """Write the tables and charts of the checkout again."""
    folder = Path(__file__).parent
    results = Results.from_json(json.loads((folder / "results.json").read_text("utf-8")))
    write_report(results, folder)
    readme = ROOT / "README.md"
    text = README_TABLE.sub(lambda _: readme_table(results), readme.read_text("utf-8"))
    readme.write_text(text, encoding="utf-8")


def write_report(results: Results, folder: Path) -> None:
    """Write `results.md` and `speed.svg`."""
    write_tables(results, folder / "results.md")
    write_picture(results, folder / "speed.svg")


def readme_table(results: Results) -> str:
    """Return the table of the README, with the most important ratios of the shop dataset."""
    rows = (
        (what, peer, f"{results.ratios[name]:.2f}") for name, (what, peer) in _README_RATIOS.items()
    )
    return (
        "\n".join(table(("what Jelly Spark does", "compared with", "times as fast"), rows)) + "\n"
    )


def write_tables(results: Results, path: Path) -> None:
    """Write `results.md`."""
    options = results.options
    lines = [
        "# Results of `make bench`",
        "",
        "[README.md](README.md) says what each figure means.",
        "",
        # The documentation site includes the lines between these two marks.
        "<!-- --8<-- [start:figures] -->",
        "",
        f"Machine: {named(results.machine)}. Versions: {named(results.versions)}.",
        "",
        f"{options['rows']:,} statements on the JVM, {options['python_rows']:,} in Python. Medians "
        f"of {options['rounds']} rounds after up to {options['warm_ups']} warm-up rounds. Each JVM "
        f"has a heap of {options['heap']}.",
        "",
        "## Ratios",
        "",
        "How many times as fast Jelly Spark is. After a ratio of times is its 95 % confidence "
        "interval.",
        "",
        *_ratios(results),
        "## Rows per second",
        "",
        *table(
            ("measure", "what", "shop (triples)", "weather (quads)"),
            (
                (f"`{name}`", label, *(_rate(results, prefix + name) for prefix in _prefixes()))
                for name, label in _LABELS.items()
                if any(prefix + name in results.medians for prefix in _prefixes())
            ),
        ),
        "",
        "## Sizes",
        "",
        *table(
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
        "## Jena's quads in a shuffle",
        "",
        *table(
            ("objects and encoder", "bytes a quad", "shuffled bytes a quad", "quads per second"),
            (
                (
                    _ENCODERS[name],
                    f"{found.bytes:.0f}",
                    f"{found.shuffled_bytes:.0f}",
                    f"{found.per_second:,.0f}",
                )
                for name, found in results.encoders.items()
            ),
        ),
        "",
        "## An archive of versions",
        "",
        *_archives(results),
        "",
        "## Archives in the shape of BEAR's",
        "",
        *_bear(results),
        "",
        "## A log that grows",
        "",
        *_growth(results),
        "",
        "## Looking for one subject",
        "",
        *_skipping(results),
        "",
        "## Blank nodes in a difference",
        "",
        *_blank_nodes(results),
        "",
        "<!-- --8<-- [end:figures] -->",
        "",
        "## Goals that are not reached",
        "",
        *_missed_goals(results),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _ratios(results: Results) -> Iterator[str]:
    """Yield a table for each group of ratios."""
    head = ("ratio", "shop (triples)", "weather (quads)")
    shop = [name for name in results.ratios if not name.startswith(WEATHER.prefix)]
    for title, names in grouped(shop).items():
        yield from ["### " + title, ""]
        yield from table(head, (_ratio_row(results, name) for name in names))
        yield ""


def _ratio_row(results: Results, name: str) -> tuple[str, ...]:
    return (f"`{name}`", *(_with_interval(results, prefix + name) for prefix in _prefixes()))


def _missed_goals(results: Results) -> list[str]:
    missed = [name for name, goal in results.goals.items() if results.ratios[name] < goal]
    return [
        f"{len(missed)} of {len(results.goals)}:",
        "",
        *table(
            ("ratio", "found", "goal"),
            (
                (f"`{name}`", _with_interval(results, name), f"{results.goals[name]:.2f}")
                for name in missed
            ),
        ),
    ]


def _with_interval(results: Results, name: str) -> str:
    if name not in results.ratios:
        return ""
    found = f"{results.ratios[name]:.2f}"
    if name in results.intervals:
        low, high = results.intervals[name]
        found += f" ({low:.2f} to {high:.2f})"
    return found


def _prefixes() -> list[str]:
    return [dataset.prefix for dataset in DATASETS.values()]


def named(figures: Mapping[str, str]) -> str:
    """Return names and values as text."""
    return ", ".join(f"{name} {value}" for name, value in figures.items())


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the lines of a table in Markdown."""
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]


def _rate(results: Results, name: str) -> str:
    return f"{results.medians[name] / 1e6:.3g} M" if name in results.medians else ""


def _size(sizes: Mapping[str, int], format: str) -> str:
    return f"{sizes[format] / 1e6:.1f}" if format in sizes else ""


def _archives(results: Results) -> list[str]:
    sizes, archives = results.archive_sizes, results.archives
    if not archives:
        return ["Not run."]
    rows = {
        "MB on disk": [found.bytes / 1e6 for found in archives.values()],
        "ingest, s a version": [found.ingest for found in archives.values()],
        **{
            f"{query}, s": [found.queries[query] for found in archives.values()]
            for query in archives[ARCHIVE_LOG].queries
        },
    }
    return [
        f"{sizes['versions']:,} versions of {sizes['statements']:,} statements, of which one "
        "percent changes from each to the next.",
        "",
        *table(
            ("", *(_ARCHIVES[name] for name in archives)),
            ((what, *(f"{figure:.2f}" for figure in found)) for what, found in rows.items()),
        ),
    ]


def _bear(results: Results) -> list[str]:
    if not results.bear:
        return ["Not run."]
    figures = results.bear.values()
    first = next(iter(figures))
    sizes = {
        "versions": [f"{found.versions:,}" for found in figures],
        "changes": [f"{found.changes:,}" for found in figures],
        **{
            f"{_BEAR_BYTES.get(what, f'patches, {what}')}, MB": [
                f"{found.bytes[what] / 1e6:,.2f}" for found in figures
            ]
            for what in first.bytes
        },
        "ingestion in plain Python, s": [f"{found.ingest:.2f}" for found in figures],
        **{
            f"{query}, plain Python / Spark, s": [
                f"{found.queries['python'][query]:.2f} / {found.queries['spark'][query]:.2f}"
                for found in figures
            ]
            for query in first.queries["python"]
        },
    }
    return [
        *table(("", *results.bear), ((what, *found) for what, found in sizes.items())),
        "",
        "Published for BEAR's hourly archive, on other machines:",
        "",
        *table(("", "MB", "ingestion, min"), _PUBLISHED),
    ]


def _growth(results: Results) -> Iterator[str]:
    if not results.growth:
        yield "Not run."
    for place, found in results.growth.items():
        calls = next(iter(found.values()))
        yield f"What a call costs, {place}, by the number of patches of the log:"
        yield ""
        yield from table(
            ("", *found),
            ((call, *(_cost(costs[call]) for costs in found.values())) for call in calls),
        )
        yield ""


def _cost(cost: Cost) -> str:
    if not cost.requests:
        return f"{cost.millis:.1f} ms"
    lists = f" ({cost.lists:.0f} LIST)" if cost.lists else ""
    sent = f", {cost.sent / 1e3:,.1f} kB sent" if cost.sent else ""
    return (
        f"{cost.millis:.1f} ms, {cost.requests:.0f} requests{lists}, "
        f"{cost.received / 1e3:,.1f} kB received{sent}"
    )


def _skipping(results: Results) -> list[str]:
    if not results.skipping:
        return ["Not run."]
    first, without, *_ = results.skipping.values()
    return [
        f"The filters are {(first.size - without.size) / first.size:.2%} of the file.",
        "",
        *table(
            ("", "MB", *first.seconds, "times as long"),
            (
                (
                    name,
                    f"{found.size / 1e6:.1f}",
                    *(f"{seconds:.2f} s" for seconds in found.seconds.values()),
                    ", ".join(
                        f"{seconds / first.seconds[query]:.1f}"
                        for query, seconds in found.seconds.items()
                    ),
                )
                for name, found in results.skipping.items()
            ),
        ),
    ]


def _blank_nodes(results: Results) -> list[str]:
    if not results.blank_nodes:
        return ["Not run."]
    rows = results.options["blank_states"]
    return [
        f"`diff` of two states of {rows:,} statements, a fifth of them with blank nodes:",
        "",
        *table(
            ("`blank_nodes`", "seconds"),
            ((f"`{name}`", f"{median(taken):.1f}") for name, taken in results.blank_nodes.items()),
        ),
    ]


def _big_file(results: Results) -> str:
    sizes, heap = results.restart_points, results.small_heap
    passed = (
        f"passed, {heap.rows_per_second / 1e6:.2f} M rows per second"
        if heap.passed
        else f"failed: {heap.error}"
    )
    return (
        f"{sizes['rows']:,.0f} statements in a file with restart points: "
        f"{sizes['bytes'] / 1e6:,.1f} MB, {sizes['ratio']:.5f} times the "
        f"{sizes['bytes_without'] / 1e6:,.1f} MB without restart points. A scan of every "
        f"column on two cores in a heap of {heap.heap}: {passed}."
    )


if __name__ == "__main__":
    main()
