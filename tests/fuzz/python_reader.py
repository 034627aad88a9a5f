"""What the Python codec makes of a mutated file, in the lines that the JVM's tests print of it."""

import hashlib
import resource
import signal
import time
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS
from tests.fuzz.cases import LINES, Case

OK = "ok"
CRASH = "crash"

_TIMEOUT = 60
"""Seconds after which reading a file is taken for one that does not end."""


class Result(NamedTuple):
    """What came of a file.

    Attributes:
        whole: the number of rows, a digest of them, and the end: `ok`, or the error.
        parts: the same of each part.
        found: the same of the rows that are looked for; empty if none are.
        lost: a row of the whole file that the search misses; empty if there is none.
        milliseconds: of processor time.
        kilobytes: by which the process's memory grew over what it ever was.
    """

    whole: str
    parts: str
    found: str
    lost: str
    milliseconds: float
    kilobytes: int


def read_case(case: Case, folder: Path) -> Result:
    """Read a file, and its parts where the format has parts.

    Args:
        case: the file.
        folder: for copies of compressed files, whose codec is told by their extension.
    """
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    source: Any = case.data
    if case.extension:
        source = folder / f"case{case.extension}"
        source.write_bytes(case.data)
    whole = _read(case, source)
    parts = []
    if case.parts and case.format != "rdf_patch":
        for part in pairwise((0, *case.parts, 2**63 - 1)):
            parts.append(_read(case, BytesIO(case.data), part=part))
    found = _read(case, BytesIO(case.data), where=case.where) if case.where else ""
    return Result(
        whole,
        " | ".join(parts),
        found,
        _lost(case) if whole.endswith(f" {OK}") and found.endswith(f" {OK}") else "",
        (time.process_time() - begin) * 1000,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory,
    )


def _lost(case: Case) -> str:
    """Return a row that the mutation did not change, but the search misses; empty if none."""
    reader = FORMATS[case.format].reader
    found = set(reader(BytesIO(case.data), where=case.where, **case.options))
    lax = {**case.options, "strict": False}
    original = set(reader(BytesIO(case.original), where=case.where, **lax))
    for row in reader(BytesIO(case.data), **case.options):
        if row in original and row not in found:
            return str(row)
    return ""


def _read(case: Case, source: Any, **options: Any) -> str:
    digest = hashlib.md5()
    count = 0
    end = OK
    signal.alarm(_TIMEOUT)
    try:
        for row in FORMATS[case.format].reader(source, **case.options, **options):
            count += 1
            if options and case.format in LINES:
                # Only the first part can number its rows, and columns never do.
                row = row._replace(seq=None)
            text = "\x1f".join("\0" if value is None else str(value) for value in row)
            digest.update((text + "\x1e").encode())
    except MalformedInputError as error:
        end = f"byte {error.offset}: {error.place}: expected {error.expected}, found {error.found}"
    except Exception as error:  # what is looked for: any other one
        end = f"{CRASH}: {type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return f"{count} {digest.hexdigest()} {end}"


def _time_out(_: int, __: FrameType | None) -> None:
    raise TimeoutError(f"not read in {_TIMEOUT} s")


def limit(memory: int) -> None:
    """Bound this process's memory in bytes, and let reading that does not end time out."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, _time_out)
