"""Compare two versions of this project, or this project with its peers, in five minutes.

    make bench-quick BASE=main
    make bench-quick MEASURES='scan_*'

The program prints a table of ratios with 95 % confidence intervals, and says that something is
faster or slower only if the interval does not include 1. It needs Linux.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from benchmarks.base_version import base_version
from benchmarks.data import DATASETS, SHOP
from benchmarks.intervals import interval
from benchmarks.made_files import PATCH, MadeFile, in_formats, make_missing
from benchmarks.measures import (
    MESSAGES,
    Files,
    Group,
    Measure,
    Request,
    States,
    decoding,
    difference,
    encoding,
    in_python,
    ratios,
    reading,
    reading_text,
    writing,
)
from benchmarks.messages import ROWS as ROWS_OF_MESSAGE
from benchmarks.participants import (
    PYTHON,
    PYTHON_BASE,
    ROOT,
    SPARK,
    SPARK_BASE,
    Participants,
    pin_to_other_cores,
)
from benchmarks.rounds import run

MINUTES = 5
WARM_UPS = 2
MOST_ROUNDS = 200

PEERS_IN_SPARK = ("parquet_scan", "lines_scan", "from_json", "to_json")
"""The measures of Spark that do not use this project."""

PEERS_IN_PYTHON = ("pyjelly_", "pyoxigraph_", "serdi")
"""The beginnings of the names of the measures in Python that do not use this project."""

_BASES = {SPARK: SPARK_BASE, PYTHON: PYTHON_BASE}
_BASE = "_base"


class Sizes(NamedTuple):
    """How much the measures read and write: each takes some tenths of a second.

    Attributes:
        fast: the statements of the Jelly files that Spark reads.
        slow: the statements of other files, and those that Spark writes.
        states: the statements of the states that are compared.
        python: the statements of the files for Python.
    """

    fast: int
    slow: int
    states: int
    python: int

    def scaled(self, scale: float) -> Sizes:
        """Return the sizes, multiplied by a factor."""
        return Sizes(*(max(int(size * scale), 1000) for size in self))


SIZES = Sizes(fast=2_000_000, slow=400_000, states=100_000, python=30_000)


class Pair(NamedTuple):
    """Two measures of a group that are compared.

    Attributes:
        name: the name of the comparison.
        ours: the name of the measure of this version.
        other: the name of the measure of the base, or of the peer.
    """

    name: str
    ours: str
    other: str


def main() -> None:
    """Run the comparison."""
    options = _options()
    pin_to_other_cores()
    base = base_version(options.base) if options.base else None
    sizes = SIZES.scaled(options.scale)
    with (
        TemporaryDirectory(prefix="jelly-spark-bench-") as made,
        Participants("2g", Path(made).resolve(), base, pinned=True) as participants,
    ):
        has_base = base is not None
        chosen = [
            (group, pairs, files)
            for group, files in _groups(sizes, has_base=has_base)
            for group, pairs in [_chosen(group, options.measures, has_base=has_base)]
            if pairs
        ]
        for _, _, files in chosen:
            make_missing(participants, files)
        participants.end_all()
        compared = [(group, pairs) for group, pairs, _ in chosen]
        if not compared:
            raise SystemExit(f"no measure is named like {options.measures}")
        _compare(participants, compared, options.minutes * 60)


def _compare(
    participants: Participants, compared: list[tuple[Group, list[Pair]]], seconds: float
) -> None:
    """Run the measures, and print a line for each comparison."""
    begin = monotonic()
    left = sum(len(group.measures) for group, _ in compared)
    print(f"{'':30}{'M rows/s':>9}{'other':>9}{'ratio':>8}  {'95 % interval':15}{'rounds':>6}")
    for group, pairs in compared:
        # What a group does not use, the others get.
        share = (begin + seconds - monotonic()) * len(group.measures) / left
        taken = run(participants, group, WARM_UPS, MOST_ROUNDS, share)
        left -= len(group.measures)
        for name, ours, other in pairs:
            found = interval(taken[ours], taken[other])
            speeds = (group.rows / median(taken[measure]) / 1e6 for measure in (ours, other))
            print(
                f"{name:30}{''.join(f'{speed:9.3f}' for speed in speeds)}{found.ratio:8.3f}"
                f"  {found.low:.3f} to {found.high:.3f}{len(taken[ours]):8}  {found.verdict}",
                flush=True,
            )


def _chosen(group: Group, pattern: str, *, has_base: bool) -> tuple[Group, list[Pair]]:
    """Return a group with the measures of the comparisons that a pattern chooses, and these."""
    measures = {measure.name: measure for measure in group.measures}
    if has_base:
        ours = [m for m in group.measures if _is_ours(m) and fnmatchcase(m.name, pattern)]
        pairs = [Pair(m.name, m.name, m.name + _BASE) for m in ours]
        chosen = [
            found
            for m in ours
            for found in (m, replace(m, name=m.name + _BASE, request=_of_base(m.request)))
        ]
    else:
        known = [*ratios(SHOP), *ratios(DATASETS["weather"]), *MESSAGES]
        pairs = [
            Pair(ratio.name, ratio.ours, ratio.peer)
            for ratio in known
            if {ratio.ours, ratio.peer} <= {*measures} and fnmatchcase(ratio.name, pattern)
        ]
        names = dict.fromkeys(name for pair in pairs for name in (pair.ours, pair.other))
        chosen = [measures[name] for name in names]
    working = {measure.request[0] for measure in chosen}
    before, after = (
        tuple(
            request
            for known in requests
            for request in (known, _of_base(known))
            if request[0] in working
        )
        for requests in (group.before, group.after)
    )
    # A request that has no base is there twice.
    before, after = (tuple(dict.fromkeys(requests)) for requests in (before, after))
    return Group(group.rows, chosen, before, after), pairs


def _is_ours(measure: Measure) -> bool:
    name = measure.name.removeprefix("weather_")
    return (
        measure.request[0] in _BASES
        and name not in PEERS_IN_SPARK
        and not name.startswith(PEERS_IN_PYTHON)
    )


def _of_base(request: Request) -> Request:
    participant, *task = request
    return _BASES.get(participant, participant), *task


def _groups(sizes: Sizes, *, has_base: bool) -> Iterator[tuple[Group, list[MadeFile]]]:
    """Yield groups of measures, each with its files, which stay for later runs."""
    sources = [ROOT / "benchmarks" / name for name in ("data.py", "states.py", "messages.py")]
    content = repr(sizes).encode() + b"".join(source.read_bytes() for source in sources)
    folder = ROOT / ".build" / "bench" / f"quick-{hashlib.sha256(content).hexdigest()[:16]}"
    for dataset in DATASETS.values():
        fast = Files(dataset, folder / "fast")
        yield reading(fast, sizes.fast), in_formats(fast, sizes.fast, [PATCH, "parquet"])
        slow = Files(dataset, folder / "slow")
        formats = ("rdf_patch", "rdf_patch_thrift", slow.lines)
        yield reading_text(slow, sizes.slow), in_formats(slow, sizes.slow, formats)
        yield writing(slow, sizes.slow), in_formats(slow, sizes.slow, ())
        python = Files(dataset, folder / "python")
        made = MadeFile(python.path("python"), python.make("python", sizes.python))
        yield in_python(python, sizes.python), [made]
    shop = Files(SHOP, folder / "slow")
    count, path = sizes.slow // ROWS_OF_MESSAGE, str(folder / "messages")
    request = (SPARK, "make_messages", shop.path("jelly_rdf"), str(count), path)
    messages = [*in_formats(shop, sizes.slow, ()), MadeFile(path, request)]
    yield decoding(path, count, {"jelly_patch": "from_jelly_patch", "json": "from_json"}), messages
    yield encoding(path, count, {"jelly_patch": "to_jelly_patch", "json": "to_json"}), messages
    # The time of sort is not that of its participant, which only starts it.
    if has_base:
        states = States(folder, sizes.states)
        paths = states.before, states.after
        yield difference("diff", states, SPARK), [*map(MadeFile, paths, states.make())]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quick", description=__doc__)
    add = parser.add_argument
    add("--base", help="another version: a commit, or the path of a jar; by default, the peers")
    add("--measures", default="*", help="which measures or, without a base, ratios: a glob")
    add("--minutes", type=float, default=MINUTES, help="time for all rounds")
    add("--scale", type=float, default=1, help="factor for the sizes of the files")
    return parser.parse_args()


if __name__ == "__main__":
    main()
