"""Errors of a full disk name the file, as the user knows it, and so its log."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource")

# A file that may not be longer stands for a full disk: the errors come from the same calls.
JOB = """
import json, resource, sys
from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.log import Log

def error_of(work, *args):
    try:
        work(*args)
    except OSError as error:
        return str(error)

def patch(id, prev, size):
    yield PatchRow("H", name="id", value=f"<urn:{id}>")
    if prev is not None:
        yield PatchRow("H", name="prev", value=f"<urn:{prev}>")
    for n in range(size):
        yield PatchRow("A", f"<urn:{id}:{n * 7919}>", "<urn:p>", f'"{n * 104729}"')

log = Log("log")
for number in range(3):
    log.append(patch(number, number - 1 if number else None, 2000))
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, -1))
rows = [RdfRow(f"<urn:{n * 7919}>", "<urn:p>", f'"{n * 104729}"') for n in range(20_000)]
print(json.dumps([
    error_of(codec.write, "rows.jelly", rows),
    error_of(codec.write, "rows.nt.gz", rows),
    error_of(log.append, patch(3, 2, 20_000)),
    error_of(log.compact),
    error_of(log.optimize),
]))
"""


def test_errors_name_the_file_and_the_log(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", JOB], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    names = [
        "rows.jelly",
        "rows.nt.gz",
        f"{tmp_path}/log/00000000000000000003.jellyp",
        f"{tmp_path}/log/_log/snapshots/00000000000000000002-",
        f"{tmp_path}/log/_log/packs/",
    ]
    for error, name in zip(json.loads(done.stdout), names, strict=True):
        assert error.startswith(f"[Errno 27] File too large: '{name}"), error
        assert "->" not in error and ".part" not in error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log"]
    assert [path for path in tmp_path.rglob("*.part")] == []
