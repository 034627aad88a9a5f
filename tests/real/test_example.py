"""The program of `examples/schema_org`, on the releases."""

import subprocess
import sys
from pathlib import Path

from tests.real.schemaorg import Statement
from tests.shared import ROOT

TEXT_OBJECT = (
    "<https://schema.org/TextObject>",
    "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
)
"""The subject and predicate of the statements that say whether a release has the term."""


def test_releases(tmp_path: Path, shared: Path, triples: dict[str, set[Statement]]) -> None:
    log, picture = tmp_path / "log", tmp_path / "picture.svg"
    program = ROOT / "examples/schema_org/releases.py"
    command = [sys.executable, *map(str, (program, shared / "data/schemaorg", log, picture))]
    outputs = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for _ in ("all releases are new", "none is")
    ]
    assert outputs[0] == outputs[1]
    assert len(list(log.glob("*.jellyp"))) == len(triples)
    assert "<svg" in picture.read_text(encoding="utf-8")

    table, term = outputs[0].split("\n\n")
    before: set[Statement] = set()
    expected = []
    for name, after in triples.items():
        counts = f"{len(after - before):,}", f"{len(before - after):,}"
        expected.append([name, *counts])
        before = after
    assert [line.split() for line in table.splitlines()[1:]] == expected

    there = [any(found[:2] == TEXT_OBJECT for found in after) for after in triples.values()]
    came = sum(now and not before for now, before in zip(there, [False, *there], strict=False))
    assert term.splitlines()[0] == "TextObject:"
    assert term.count("came with") == came
    assert term.rstrip().endswith("and is there") == there[-1]
