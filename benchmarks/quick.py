"""Compare two versions of this project, or this project with its peers, in six minutes.

    make bench-quick BASE=main
    make bench-quick MEASURES='scan_* write'

The program prints a table of ratios with 95 % confidence intervals, and says that something is
faster or slower only if the interval does not include 1. It needs Linux.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from benchmarks.data.datasets import DATASETS, SHOP
from benchmarks.data.messages import ROWS as ROWS_OF_MESSAGE
from benchmarks.measures import (
    RATIOS,
    Files,
    Group,
    Request,
    States,
    messages,
)
from benchmarks.running import who
from benchmarks.running.base_version import base_version
from benchmarks.running.intervals import Pairs, interval
from benchmarks.running.made_files import in_formats, make_missing
from benchmarks.running.participants import ROOT, SHORT_QUERIES, Participants, Times
from benchmarks.running.processor_times import pin_to_other_cores
from benchmarks.running.rounds import run

MINUTES = 5
LAUNCHES = 3
ROUNDS = 4
"""The rounds of a launch that count. One launch differs from the next more than its rounds do."""

WARM_UPS = 6
"""The rounds before them. Until the JVM has compiled the code, tasks run slower, and on a machine
with other work that takes up to six rounds."""

DEFAULT_MEASURES = (
    *("scan_all", "scan_count", "scan_predicate", "scan_patch_all", "text_scan", "ntriples_scan"),
    *("write", "python_decode", "python_encode", "from_jelly_patch", "to_jelly_patch"),
    "weather_scan_all",
)
"""The measures that are compared with a base by default: what fits into `MINUTES`."""

DEFAULT_RATIOS = (
    *("scan_all", "scan_count", "scan_predicate", "scan_vs_parquet"),
    *("text_vs_jena", "ntriples_vs_lines", "write", "python_decode", "python_encode"),
    *("from_jelly_patch_vs_json", "to_jelly_patch_vs_json"),
)
"""The ratios to the peers that are shown by default."""

_BASES = {who.SPARK: who.SPARK_BASE, who.PYTHON: who.PYTHON_BASE}
_BASE = "_base"
_IN_SPARK = {who.SPARK, who.SPARK_BASE}


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
        in_spark: whether both are of Spark, so that the times of its tasks are compared.
    """

    name: str
    ours: str
    other: str
    in_spark: bool


def main() -> None:
    """Run the comparison."""
    options = _options()
    pin_to_other_cores()
    base = base_version(options.base) if options.base else None
    sizes = SIZES.scaled(options.scale)
    with (
        TemporaryDirectory(prefix="jelly-spark-bench-") as made,
        Participants(
            "2g",
            Path(made).resolve(),
            base,
            pinned=True,
            # The planning of queries, which they make faster, is only compared with peers.
            short_queries=SHORT_QUERIES if base is None else 0,
        ) as participants,
    ):
        has_base = base is not None
        patterns = options.measures or (DEFAULT_MEASURES if has_base else DEFAULT_RATIOS)
        known = [*_groups(sizes, has_base=has_base)]
        _check(patterns, [group for group, _ in known], has_base=has_base)
        chosen = [
            (group, pairs, files)
            for group, files in known
            for group, pairs in [_chosen(group, patterns, has_base=has_base)]
            if pairs
        ]
        end = monotonic() + options.minutes * 60
        for _, _, files in chosen:
            make_missing(participants, files)
        participants.end_all()
        groups = [group for group, _, _ in chosen]
        launches = _launches(participants, groups, options.launches, end)
        _show(launches, [(group.rows, pairs) for group, pairs, _ in chosen])


def _check(patterns: Sequence[str], groups: list[Group], *, has_base: bool) -> None:
    every = [_chosen(group, ["*"], has_base=has_base)[1] for group in groups]
    names = [pair.name for pairs in every for pair in pairs]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise SystemExit(f"no measure is named like {pattern}; there are {' '.join(names)}")


def _launches(
    participants: Participants, groups: list[Group], fewest: int, end: float
) -> list[dict[str, list[Times]]]:
    """Launch the participants again and again, and return the times of each launch, by measure.

    Args:
        participants: the participants, none of which is started.
        groups: what they measure in each launch.
        fewest: the fewest launches.
        end: when to end, if there were so many; a time of `monotonic`.
    """
    launches: list[dict[str, list[Times]]] = []
    taken = 0.0
    while len(launches) < fewest or monotonic() + taken < end:
        begin = monotonic()
        launches.append({})
        for group in groups:
            launches[-1] |= run(participants.measure, group, WARM_UPS, ROUNDS, practice=0)
        # Whoever starts first may have it easier, so that the other does next time.
        groups = [replace(group, measures=group.measures[::-1]) for group in groups]
        participants.end_all()
        taken = monotonic() - begin
        print(f"launch {len(launches)}: {taken:.0f} s", flush=True)
    return launches


def _show(launches: list[dict[str, list[Times]]], compared: list[tuple[int, list[Pair]]]) -> None:
    """Print a line for each comparison, given those of each group with the group's rows."""
    print(
        f"{'':30}{'time':9}{'M rows/s':>9}{'other':>9}{'ratio':>8}  {'95 % interval':16}"
        f"{'elapsed':>7}"
    )
    for rows, pairs in compared:
        for pair in pairs:
            kind = "tasks" if pair.in_spark else "processor"
            times = [_pairs(launch, pair, kind) for launch in launches]
            found = interval(times)
            elapsed = interval([_pairs(launch, pair, "elapsed") for launch in launches]).ratio
            seconds = zip(*(round for launch in times for round in launch), strict=True)
            speeds = (rows / median(taken) / 1e6 for taken in seconds)
            print(
                f"{pair.name:30}{kind:9}{''.join(f'{speed:9.3f}' for speed in speeds)}"
                f"{found.ratio:8.3f}  {found.low:.3f} to {found.high:.3f}{elapsed:9.3f}"
                f"  {found.verdict}",
                flush=True,
            )


def _pairs(launch: dict[str, list[Times]], pair: Pair, kind: str) -> Pairs:
    """Return a kind of times, an attribute of `Times`, of both measures of a comparison."""
    ours, other = ([getattr(times, kind) for times in launch[name]] for name in pair[1:3])
    return [*zip(ours, other, strict=True)]


def _chosen(group: Group, patterns: Sequence[str], *, has_base: bool) -> tuple[Group, list[Pair]]:
    """Return a group with the measures of the comparisons that patterns choose, and these."""
    measures = {measure.name: measure for measure in group.measures}
    if has_base:
        ours = [m for m in measures.values() if m.request[0] in _BASES and not m.is_peer]
        measures |= {
            m.name + _BASE: replace(m, name=m.name + _BASE, request=_of_base(m.request))
            for m in ours
        }
        names = [(m.name, m.name, m.name + _BASE) for m in ours]
    else:
        names = [(r.name, r.ours, r.peer) for r in RATIOS if {r.ours, r.peer} <= {*measures}]
    pairs = [
        Pair(name, ours, other, {measures[m].request[0] for m in (ours, other)} <= _IN_SPARK)
        for name, ours, other in names
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    ]
    used = dict.fromkeys(name for pair in pairs for name in (pair.ours, pair.other))
    chosen = [measures[name] for name in used]
    working = {measure.request[0] for measure in chosen}
    before, after = (
        # A request of a participant without a base is there twice.
        tuple(
            dict.fromkeys(
                request
                for known in requests
                for request in (known, _of_base(known))
                if request[0] in working
            )
        )
        for requests in (group.before, group.after)
    )
    return Group(group.rows, chosen, before, after), pairs


def _of_base(request: Request) -> Request:
    participant, *task = request
    return _BASES.get(participant, participant), *task


def _groups(sizes: Sizes, *, has_base: bool) -> Iterator[tuple[Group, dict[str, Request]]]:
    """Yield groups of measures, each with its files, which stay for later runs."""
    sources = [
        ROOT / "benchmarks" / "data" / name for name in ("datasets.py", "states.py", "messages.py")
    ]
    content = repr(sizes).encode() + b"".join(source.read_bytes() for source in sources)
    folder = ROOT / ".build" / "bench" / f"quick-{hashlib.sha256(content).hexdigest()[:16]}"
    for dataset in DATASETS.values():
        fast = Files(dataset, folder / "fast")
        formats: tuple[str, ...] = ("jelly_patch", "parquet")
        yield fast.group("reading", sizes.fast), in_formats(fast, sizes.fast, formats)
        slow = Files(dataset, folder / "slow")
        formats = ("rdf_patch", "rdf_patch_thrift", slow.lines)
        yield slow.group("text", sizes.slow), in_formats(slow, sizes.slow, formats)
        yield slow.writing(sizes.slow), in_formats(slow, sizes.slow, ())
        python = Files(dataset, folder / "python")
        made = {python.path("python"): python.make("python", sizes.python)}
        yield python.in_python(sizes.python, compiled=False), made
    shop = Files(SHOP, folder / "slow")
    count, path = sizes.slow // ROWS_OF_MESSAGE, str(folder / "messages")
    request = (who.SPARK, "make_messages", shop.path("jelly_rdf"), str(count), path)
    made_messages = in_formats(shop, sizes.slow, ()) | {path: request}
    for name in ("decoding", "encoding"):
        yield messages(name, path, count), made_messages
    # The time of sort is not that of its participant, which only starts it.
    if has_base:
        states = States(folder, sizes.states)
        diff, *_ = states.group("diff").measures
        on_one_core = replace(diff, request=(who.SPARK, *diff.request[1:]))
        made = {request[-1]: request for request in states.make()}
        yield Group(states.rows, [on_one_core]), made


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quick", description=__doc__)
    add = parser.add_argument
    add("--base", help="another version: a commit, or the path of a jar; by default, the peers")
    add("--measures", nargs="+", help="which measures or, without a base, ratios: globs")
    add("--minutes", type=float, default=MINUTES, help="time for all launches")
    add("--launches", type=int, default=LAUNCHES, help="fewest launches, if they take longer")
    add("--scale", type=float, default=1, help="factor for the sizes of the files")
    return parser.parse_args()


if __name__ == "__main__":
    main()
