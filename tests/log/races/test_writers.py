"""Many processes that append at once, and processes that are killed."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jelly_spark.log import Log
from tests.log.jobs import append, crash
from tests.log.patches import id_of
from tests.shared import ROOT

TIMEOUT = 60
WRITERS = 8
PATCHES = 96
KILLS = 6


def start(program: str | None, *arguments: object) -> "subprocess.Popen[str]":
    assert program is not None
    command = [sys.executable, program, *map(str, arguments)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def ids_of(process: "subprocess.Popen[str]") -> list[str]:
    """The ids that a process printed, which must come to its end."""
    printed, _ = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    return printed.split()


def test_many_writers_make_one_chain(tmp_path: Path) -> None:
    each = PATCHES // WRITERS
    writers = [start(append.__file__, tmp_path, name, each) for name in range(WRITERS)]
    ids = [ids_of(writer) for writer in writers]
    assert ids == [[id_of(f"{name}-{n}") for n in range(each)] for name in range(WRITERS)]
    log = Log(tmp_path)
    found = [version.id for version in log.versions()]
    assert sorted(found) == sorted(id for some in ids for id in some)
    assert log.verify() == []
    files = [path.name for path in tmp_path.glob("*.jellyp")]
    assert sorted(files) == [f"{number:020d}.jellyp" for number in range(PATCHES)]
    # Each writer's patches are in the order in which it appended them.
    assert all(sorted(some, key=found.index) == some for some in ids)


def test_killed_writers(tmp_path: Path) -> None:
    draw = random.Random(15)
    appended: list[str] = []
    for number in range(KILLS):
        writers = [start(append.__file__, tmp_path, f"{number}-{n}", 0) for n in range(3)]
        while not any(tmp_path.glob(f"{len(appended):020d}.*")):
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        for writer in writers:
            writer.kill()
        for writer in writers:
            printed, _ = writer.communicate(timeout=TIMEOUT)
            # A line that is cut off is no promise.
            appended += [line.strip() for line in printed.splitlines(True) if line.endswith("\n")]
        versions = Log(tmp_path).versions()
        # A patch can be there whose writer was killed before it could say so.
        assert {*appended} <= {version.id for version in versions} and appended
        assert len(versions) <= len(appended) + 3 * (number + 1)
    assert {finding.rule for finding in Log(tmp_path).verify()} <= {"unreferenced-file"}


@pytest.mark.parametrize("work", ["append", "compact"])
def test_killed_at_each_operation(tmp_path: Path, work: str) -> None:
    printed, _ = start(crash.__file__, tmp_path / "log", work).communicate(timeout=TIMEOUT)
    found: list[bool] = json.loads(printed)
    assert len(found) > 10
    # Up to one operation there is nothing of it, and from then on all.
    assert found == sorted(found) and not found[0] and found[-1]
    assert {finding.rule for finding in Log(tmp_path / "log").verify()} == {"unreferenced-file"}
