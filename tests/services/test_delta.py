"""Tables of Delta that follow a log by MERGE."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow, RowOp
from tests.docs.run_page import check_page
from tests.services.jobs import follow

TIMEOUT = 600

Statement = tuple[str | None, ...]


def random_patch(draw: random.Random) -> list[PatchRow]:
    """Two transactions of changes of few statements, of which any may be aborted; and no END."""
    ops: list[RowOp] = ["A", "D"]
    ends: list[RowOp] = ["TC", "TC", "TA"]
    rows = []
    for _ in range(2):
        changes = [
            PatchRow(
                draw.choice(ops),
                f"<urn:{draw.randrange(5)}>",
                "<urn:p>",
                '"o"',
                draw.choice([None, "<urn:g>"]),
            )
            for _ in range(8)
        ]
        rows += [PatchRow("TX"), *changes, PatchRow(draw.choice(ends))]
    return rows


def replayed(patches: list[list[PatchRow]]) -> set[Statement]:
    """The statements after the patches."""
    present: set[Statement] = set()
    for patch in patches:
        changed = set(present)
        for row in patch:
            if row.op == "TX":
                changed = set(present)
            elif row.op == "TC":
                present = changed
            elif row.op in ("A", "D"):
                change = changed.add if row.op == "A" else changed.discard
                change((row.subject, row.predicate, row.object, row.graph))
    return present


@pytest.mark.long
def test_a_table_follows_a_log(environment: dict[str, str], tmp_path: Path) -> None:
    """Also where a micro-batch is repeated after it was merged."""
    draw = random.Random(14)
    patches = [random_patch(draw) for _ in range(4)]
    assert any(row.op == "TA" for patch in patches for row in patch)
    (tmp_path / "log").mkdir()
    for number, patch in enumerate(patches):
        path = tmp_path / f"log/{number}.jellyp"
        codec.write(path, patch)
        # A stream takes files in the order of their times, which may be alike.
        os.utime(path, (1_000_000_000 + number,) * 2)
    done = subprocess.run(
        [sys.executable, follow.__file__, str(tmp_path), "1"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["merged"] == [0, 1, 1]
    assert len(found["state"]) == len(replayed(patches))
    assert {tuple(row) for row in found["state"]} == replayed(patches)


def test_the_guide(environment: dict[str, str], tmp_path: Path) -> None:
    check_page("docs/guides/delta.md", environment, tmp_path)
