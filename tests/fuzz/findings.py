"""What is wrong with how a mutated file is read, and the shortest file of which that is so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import jvm_reader, python_reader
from tests.fuzz.cases import Case
from tests.fuzz.jvm_reader import JvmReader
from tests.fuzz.python_reader import CRASH, OK, read_case

MAX_MILLISECONDS = 5_000
"""Of processor time, for all ways to read a file with one of the codecs: mostly it is a few."""

MAX_ALLOCATED = 256 << 20
"""Bytes of all objects that the JVM makes for a file, most of them dead at once."""

MAX_GROWTH = 64 << 10
"""Kilobytes by which one file may make the Python process grow."""

_TOO_DEEP = "expected triple terms nested at most"
_DAMAGED = "expected undamaged compressed input"
_MAX_ROUNDS = 60
# Between the results of parts.
_BETWEEN = " | "


class Finding(NamedTuple):
    """A file that something is wrong with.

    Attributes:
        kind: a word for what it is.
        text: what it is.
    """

    kind: str
    text: str


def find(cases: Sequence[Case], jvm: JvmReader, folder: Path) -> list[Finding | None]:
    """Read the files with both codecs, and return what is wrong with each, None for nothing."""
    found: list[Finding | None] = []
    python: list[python_reader.Result] = []
    while len(found) < len(cases):
        left = cases[len(found) :]
        path = jvm.send(left)
        # Meanwhile, and only once.
        python = python or [read_case(case, folder) for case in cases]
        results = jvm.receive(path)
        for case, result in zip(left, results, strict=False):
            found.append(compare(case, python[len(found)], result))
        if len(results) < len(left):
            jvm.stop()
            found.append(Finding("dead", "the JVM does not survive the file, or does not end"))
    return found


def compare(case: Case, python: python_reader.Result, jvm: jvm_reader.Result) -> Finding | None:
    """Return what is wrong with what the codecs made of a file."""
    both = f"Python: {python.whole}\nJVM:    {jvm.whole}"
    pythons = python.whole + python.parts + python.found
    if CRASH in pythons + jvm.whole + jvm.parts + jvm.found + jvm.disagreements:
        parts = f"\nparts in Python: {python.parts}\nparts on the JVM: {jvm.parts}"
        parts += f"\nfound in Python: {python.found}\nfound on the JVM: {jvm.found}"
        return Finding("crash", f"{both}{parts}\n{jvm.disagreements}")
    if not _alike(python.whole, jvm.whole) and not _is_padded(case):
        return Finding("codecs", both)
    if case.format != "rdf_patch" and not all(
        map(_alike, python.parts.split(_BETWEEN), jvm.parts.split(_BETWEEN))
    ):
        return Finding("codecs", f"parts in Python:  {python.parts}\nparts on the JVM: {jvm.parts}")
    # With a filter, the JVM may pass over errors.
    if case.where and ended_well(python.found) and python.found != jvm.found:
        return Finding("codecs", f"found in Python:  {python.found}\non the JVM: {jvm.found}")
    if python.lost:
        return Finding("lost", f"{case.where} does not find {python.lost}")
    if jvm.disagreements:
        return Finding("ways", jvm.disagreements)
    if max(python.milliseconds, jvm.milliseconds) > MAX_MILLISECONDS:
        return Finding("time", f"{python.milliseconds} ms in Python, {jvm.milliseconds} on the JVM")
    if jvm.allocated > MAX_ALLOCATED:
        return Finding("memory", f"{jvm.allocated >> 20} MB allocated on the JVM")
    if python.kilobytes > MAX_GROWTH:
        return Finding("memory", f"Python grew by {python.kilobytes >> 10} MB")
    return None


def _alike(python: str, jvm: str) -> bool:
    """Whether both ends are the same.

    Damage in compressed bytes is found by libraries, which pass on more or less of what is before
    it: the other codec may come to an error in that first.
    """
    if python == jvm:
        return True
    both = python + jvm
    if _DAMAGED in both:
        return not ended_well(python) and not ended_well(jvm)
    if _TOO_DEEP in both:
        # Protobuf's own limit, or another fault of the row, may come first.
        return _place(python) == _place(jvm)
    return False


def _is_padded(case: Case) -> bool:
    """Whether zero bytes follow a gzip member: Python skips them, for Hadoop they are damage."""
    return case.extension == ".gz" and case.data.endswith(b"\0")


def _place(result: str) -> str:
    """Return the rows before an error, and where it is."""
    return result.partition(": expected")[0]


def reduced(case: Case, kind: str, jvm: JvmReader, folder: Path) -> Case:
    """Return the file with as much left out as can be, so that a finding of the kind remains."""
    size = max(1, len(case.data) // 2)
    for _ in range(_MAX_ROUNDS):
        shorter = [
            case._replace(data=case.data[:at] + case.data[at + size :])
            for at in range(0, len(case.data), size)
        ]
        found = find(shorter, jvm, folder)
        better = [
            candidate
            for candidate, finding in zip(shorter, found, strict=True)
            if candidate.data and finding is not None and finding.kind == kind
        ]
        if better:
            case = better[0]
        elif size == 1:
            break
        else:
            size //= 2
    return case


def save(case: Case, path: Path) -> None:
    """Write a file and how it is read, for `load`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = {"data": case.data.hex(), "original": case.original.hex()}
    path.write_text(json.dumps({**case._asdict(), **files}) + "\n")


def load(path: Path) -> Case:
    """Return what `save` wrote."""
    saved = json.loads(path.read_text())
    for name in ("data", "original"):
        saved[name] = bytes.fromhex(saved.get(name, ""))
    saved["parts"] = tuple(saved["parts"])
    return Case(**saved)


def ended_well(result: str) -> bool:
    """Whether a file was read to its end."""
    return result.endswith(f" {OK}")
