"""A stream's driver is killed again and again in the middle of a batch, and started again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.rows import AnyRow
from jelly_spark.formats import FORMATS
from tests.faults.jobs import stream

TIMEOUT = 300
ROWS = 40
KILLS = 5


def put(folder: Path, round: int) -> list[str]:
    """Add two files of each format; the last row of the second holds its task in this round."""
    objects = [f'"{round} {number}"' for number in range(2 * ROWS)]
    objects[-1] = f'"hold {round}."'
    for name, format in FORMATS.items():
        for half in range(2):
            rows: list[AnyRow] = [
                RdfRow("<urn:s>", "<urn:p>", text)
                if format.row is RdfRow
                else PatchRow("A", "<urn:s>", "<urn:p>", text)
                for text in objects[half * ROWS : (half + 1) * ROWS]
            ]
            target = folder / f"{name}.in" / f"{round}-{half}{format.extension}"
            target.parent.mkdir(exist_ok=True)
            codec.write(target, rows)
    return objects


def start(folder: Path, round: int) -> "subprocess.Popen[str]":
    """Start the stream, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, stream.__file__, str(folder), str(round), *FORMATS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def kill_when(holds: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Kill the driver, with its JVM, once this holds."""
    end = time.monotonic() + TIMEOUT
    while not holds() and time.monotonic() < end:
        assert process.poll() is None, "the stream came to its end"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert time.monotonic() < end, "the stream does not come to where it is killed"


def is_in_batch(folder: Path, files: dict[str, int]) -> bool:
    """Whether, of the two tasks of each format, one waits and one has closed a file."""
    return all(
        (folder / f"{format}.held").exists() and len(written(folder, format)) > files[format]
        for format in FORMATS
    )


def written(folder: Path, format: str) -> list[Path]:
    """The files in the sink's folder that have content: small ones have some once closed."""
    files = folder.joinpath(f"{format}.out").glob(f"part-*{FORMATS[format].extension}")
    return [file for file in files if file.stat().st_size]


@pytest.mark.long
def test_nothing_lost_and_nothing_doubled(tmp_path: Path) -> None:
    objects: list[str] = []
    for round in range(KILLS):
        objects += put(tmp_path, round)
        files = {format: len(written(tmp_path, format)) for format in FORMATS}
        for format in FORMATS:
            tmp_path.joinpath(f"{format}.held").unlink(missing_ok=True)
        kill_when(partial(is_in_batch, tmp_path, files), start(tmp_path, round))
    process = start(tmp_path, KILLS)
    printed, _ = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    for format, line in zip(FORMATS, printed.splitlines(), strict=True):
        assert sorted(json.loads(line)) == sorted(objects), format
        # Without the sink's log, the files of batches that were killed are read, too.
        plain = [row.object for file in written(tmp_path, format) for row in codec.read(file)]
        assert len(plain) > len(objects)
        assert set(plain) - {None} == set(objects)
