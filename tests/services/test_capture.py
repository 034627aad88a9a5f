"""The program of `examples/cdc`: tables of Delta that follow a log, whatever happens."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import Log, codec, patches
from jelly_spark.codec import PatchRow
from tests.docs.run_page import check_page
from tests.log.patches import headers
from tests.services.jobs import capture
from tests.services.test_delta import random_patch
from tests.shared import ROOT

TIMEOUT = 300

COMES = [0, 2, 1, 3, 4, 5, 6, 7]
"""The patches of the log in the order in which the stream sees them, two a micro-batch."""


@pytest.fixture
def log(tmp_path: Path) -> Log[PatchRow]:
    """A log whose files neither have the order of the patches nor came in it."""
    (tmp_path / "log").mkdir()
    draw = random.Random(15)
    for place in range(len(COMES)):
        # Of a patch that does nothing, the table of changes has no row.
        rows = [] if place == 5 else random_patch(draw)
        file = tmp_path / f"log/{9 - place}.jellyp"
        codec.write(file, [*headers(place, place - 1 if place else None), *rows])
        seconds = 1_700_000_000 + COMES.index(place)
        os.utime(file, (seconds, seconds))
    return Log(tmp_path / "log")


def run(
    folder: Path, function: str, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, capture.__file__, str(folder), function],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def in_order(rows: Any) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in rows), key=str)


@pytest.mark.long
def test_the_tables_follow_the_log(
    environment: dict[str, str], log: Log[PatchRow], tmp_path: Path
) -> None:
    """Also if the program is killed between the two tables, or before Spark knows of them."""
    assert any(row.op == "TA" for row in log.read())
    for function in ("append", "capture"):
        killed = run(tmp_path, function, environment)
        assert killed.returncode == capture.KILLED, killed.stderr
    done = run(tmp_path, "none", environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])

    rows: list[PatchRow] = [*log.read()]
    state, _ = patches.state(rows)
    assert in_order(found["state"]) == in_order(state)
    changes = [change._replace(tx=None, seq=None) for change in patches.changes(rows)]
    assert in_order([*row[:8], None, None] for row in found["changes"]) == in_order(changes)
    ends = {row[7]: row[10] for row in found["changes"]}
    assert ends == {0: 2, 1: 2, 2: 2, 3: 3, 4: 5, 6: 7, 7: 7}


@pytest.mark.long
def test_the_guide(environment: dict[str, str], tmp_path: Path) -> None:
    check_page("docs/guides/change-data-capture.md", environment, tmp_path)
