"""The disk is full while a file is written: an error that says so, and no file."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from jelly_spark.formats import FORMATS
from tests.faults.jobs import full_disk

TIMEOUT = 300

# File systems of 1 MB, which are there for this process only: that needs no privileges.
MOUNT = 'for disk in "$1"/*; do mount -t tmpfs -o size=1m tmpfs "$disk"; done; shift; exec "$@"'


def test_no_file_is_left(tmp_path: Path) -> None:
    assert shutil.which("unshare"), "unshare of util-linux is needed"
    folder, source = tmp_path / "full", tmp_path / "source"
    source.mkdir()
    for format in FORMATS:
        (folder / format).mkdir(parents=True)
    command = [sys.executable, full_disk.__file__, str(folder), str(source), *FORMATS]
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-ec", MOUNT, "sh", str(folder), *command],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for format, line in zip(FORMATS, done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        for error in found["errors"]:
            assert "No space left on device" in error, (format, error)
        assert found["same"], format
        assert found["rows"] == full_disk.BEFORE, format
