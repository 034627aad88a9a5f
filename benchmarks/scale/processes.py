"""Running each part in a process of its own, so that one that fails does not disturb the others."""

from __future__ import annotations

import multiprocessing
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.scale.curves import Point
from benchmarks.scale.measuring import Session
from benchmarks.scale.parts import PARTS, Points

MOST_SECONDS = 900
"""A part that has no next point after this time has failed."""

_MOST_CHARACTERS = 500
"""The length of an error message. Those of Spark can have thousands of lines."""


class PartError(Exception):
    """A part has failed. The message says why."""


def points_of(part: str, folder: Path, scale: float) -> Points:
    """Yield the points of a part as it measures them.

    Args:
        part: the name of the part.
        folder: the folder for its data.
        scale: the factor of the sizes.

    Raises:
        PartError: the part failed, its process ended, or it takes too long.
    """
    # Not a fork of this process, because PySpark has threads and connections.
    context = multiprocessing.get_context("spawn")
    received, sent = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(part, folder, scale, sent))
    process.start()
    sent.close()
    try:
        while received.poll(MOST_SECONDS):
            match received.recv():
                case (str(name), Point() as point):
                    yield name, point
                case str(error):
                    raise PartError(error)
                case None:
                    return
        raise PartError(f"it had no result within {MOST_SECONDS} seconds")
    except EOFError:
        process.join()
        raise PartError(f"its process ended with {process.exitcode}") from None
    finally:
        # The JVM ends when its process does.
        process.terminate()
        process.join()


def _measure(part: str, folder: Path, scale: float, sent: Connection) -> None:
    """Send the points of a part, and then None, or an error message."""
    try:
        session = Session(folder)
        for found in PARTS[part](session, folder, scale):
            sent.send(found)
        session.stop()
        sent.send(None)
    except Exception as error:
        traceback.print_exc()
        sent.send(" ".join(f"{type(error).__name__}: {error}".split())[:_MOST_CHARACTERS])
