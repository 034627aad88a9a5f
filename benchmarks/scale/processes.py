"""Running each part in a process of its own, so that one that fails does not disturb the others."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGALRM
from subprocess import PIPE, Popen

from benchmarks.running.participants import ROOT
from benchmarks.scale.curves import Point


class PartError(Exception):
    """A part has failed. The message says why."""


def points_of(part: str, folder: Path, scale: float) -> Iterator[Point]:
    """Yield the points of a part as it measures them.

    Args:
        part: the name of the part.
        folder: the folder for its data.
        scale: the factor of the sizes.

    Raises:
        PartError: the part failed, its process ended, or a point takes too long.
    """
    command = [sys.executable, "-m", "benchmarks.scale.parts", part, str(folder), str(scale)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with Popen(command, stdout=PIPE, env=environment, encoding="utf-8") as process:
        assert process.stdout is not None
        for line in process.stdout:
            match json.loads(line):
                case str(error):
                    raise PartError(error)
                case point:
                    yield Point(**point)
    if process.returncode == -SIGALRM:
        raise PartError("it had no result for too long")
    if process.returncode:
        raise PartError(f"its process ended with {process.returncode}")
