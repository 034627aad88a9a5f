"""Reads mutated files with both codecs: `python -m tests.fuzz --help` lists the arguments.

Each file is read by the Python codec and, on the JVM, as rows, as columns, with a filter and in
parts. All must give the same rows and the same end. The files of a seed are the same in every run,
as long as the corpus is.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

from tests.fuzz.cases import Case, make_cases
from tests.fuzz.corpus import Corpus, make_corpus
from tests.fuzz.findings import Finding, find, load, reduced, save
from tests.fuzz.jvm_reader import JvmReader
from tests.fuzz.python_reader import limit
from tests.shared import ROOT

SAVED = ROOT / ".build/fuzz"
"""Where the files of findings are saved."""

BATCH = 500
_MEMORY = 1 << 30
_SHOWN = 10


class _Worker:
    """What a process has while it runs: set by `start`."""

    corpus: Corpus
    folder: Path
    jvm: JvmReader
    temporary: tempfile.TemporaryDirectory[str]

    @classmethod
    def start(cls, corpus: Corpus) -> None:
        limit(_MEMORY)
        cls.corpus = corpus
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.jvm = JvmReader(cls.folder)

    @classmethod
    def run(cls, batch: tuple[int, int, int]) -> list[tuple[str, Case, Finding]]:
        seed, number, size = batch
        cases = make_cases(cls.corpus, size, Random(f"{seed} {number}"))
        found = find(cases, cls.jvm, cls.folder)
        return [
            (f"{seed}-{number}-{at}", case, finding)
            for at, (case, finding) in enumerate(zip(cases, found, strict=True))
            if finding is not None
        ]


def fuzz(files: int, seed: int, workers: int) -> int:
    """Read this many mutated files, print what is wrong with them, and return how many are."""
    begin = time.monotonic()
    corpus = make_corpus()
    digest = sha256(repr(corpus).encode()).hexdigest()[:8]
    sizes = ", ".join(f"{len(found)} {format}" for format, found in corpus.items())
    print(f"corpus {digest}: {sizes}", flush=True)
    batches = [
        (seed, number, min(BATCH, files - at)) for number, at in enumerate(range(0, files, BATCH))
    ]
    kinds: Counter[str] = Counter()
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, _Worker.start, (corpus,)) as pool:
        for found in pool.imap_unordered(_Worker.run, batches):
            for name, case, finding in found:
                kinds[finding.kind] += 1
                if kinds[finding.kind] <= _SHOWN:
                    _report(name, case, finding)
    print(
        f"{files} files, seed {seed}, {time.monotonic() - begin:.0f} s: "
        + (", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing found")
    )
    return kinds.total()


def _report(name: str, case: Case, finding: Finding) -> None:
    """Save the file as it is, and reduced, and print what is wrong with it."""
    path = SAVED / f"{case.format}-{finding.kind}-{name}.json"
    save(case, path)
    with tempfile.TemporaryDirectory() as folder, JvmReader(Path(folder)) as jvm:
        short = reduced(case, finding.kind, jvm, Path(folder))
        (still,) = find([short], jvm, Path(folder))
    save(short, path.with_suffix(".short.json"))
    print(f"\n{finding.kind}: {path.relative_to(ROOT)}, {len(case.data)} bytes\n{finding.text}")
    if still is not None:
        print(f"reduced to {len(short.data)} bytes: {short}\n{still.text}", flush=True)


def again(paths: list[Path]) -> int:
    """Read saved files, print what is wrong with them, and return how many are."""
    count = 0
    with tempfile.TemporaryDirectory() as folder, JvmReader(Path(folder)) as jvm:
        for path in paths:
            case = load(path)
            (finding,) = find([case], jvm, Path(folder))
            count += finding is not None
            print(f"{path}: {case}\n{'nothing found' if finding is None else finding.text}")
    return count


def main() -> int:
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="how many mutated files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes, each with a JVM")
    parser.add_argument("saved", type=Path, nargs="*", help=f"read these, of {SAVED.name}, again")
    options = parser.parse_args()
    if options.saved:
        return 1 if again(options.saved) else 0
    return 1 if fuzz(options.files, options.seed, options.workers) else 0


if __name__ == "__main__":
    sys.exit(main())
