"""Measure what work costs at scale, and write the curves.

`python -m benchmarks.scale --help` lists the options. The results are written after each point. A
part that fails is named at the end, and the others run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.running.machine import machine, versions_without_peers
from benchmarks.scale.curves import ScaleResults
from benchmarks.scale.parts import PARTS, SHOP
from benchmarks.scale.processes import PartError, points_of
from benchmarks.scale.report import write_report

DISK_BYTES = 20 << 30
"""What the data take at most, times the scale."""


def main() -> None:
    """Run the parts, and end with an error if one failed."""
    options = _options()
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    results = ScaleResults(options.scale, machine(), versions_without_peers())
    start = monotonic()
    prefix = "jelly-spark-scale-"
    with TemporaryDirectory(prefix=prefix, dir=options.work, ignore_cleanup_errors=True) as work:
        folder = Path(work).resolve()
        free, needed = shutil.disk_usage(folder).free, round(DISK_BYTES * options.scale)
        if free < needed:
            raise SystemExit(
                f"{folder.parent} has {free / 1e9:.1f} GB free, and the data take up to "
                f"{needed / 1e9:.1f} GB: choose another folder with --work, or a smaller --scale"
            )
        for part in PARTS:
            print(f"{(monotonic() - start) / 60:5.1f} min  {part}", flush=True)
            begin = monotonic()
            try:
                for point in points_of(part, folder, options.scale):
                    results.points.append(point)
                    results.write(out)
            except PartError as error:
                results.failed[part] = str(error)
                print(f"{part} failed: {error}", file=sys.stderr, flush=True)
            results.seconds[part] = round(monotonic() - begin, 1)
            results.write(out)
            _clear(folder)
    print(f"{(monotonic() - start) / 60:5.1f} min  done", flush=True)
    if results.failed:
        raise SystemExit(f"these parts failed: {', '.join(results.failed)}")
    write_report(results, out)


def _clear(folder: Path) -> None:
    """Remove what a part has left, also one that failed."""
    for path in folder.iterdir():
        # A JVM that ends removes its own files meanwhile.
        if path.is_file():
            path.unlink(missing_ok=True)
        elif path.name != SHOP:
            shutil.rmtree(path, ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    add = parser.add_argument
    add("--scale", type=float, default=0.1, help="factor for the sizes: 1 is 100 million rows")
    add("--out", type=Path, default=Path(__file__).parent.parent, help="folder of the results")
    add("--work", type=Path, help="folder for the data, which is removed: 20 GB times the scale")
    return parser.parse_args()


if __name__ == "__main__":
    main()
