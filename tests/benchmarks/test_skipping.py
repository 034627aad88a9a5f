"""What filters in the index of a file save."""

import subprocess
import sys

import pytest

from tests.shared import ROOT


@pytest.mark.long
def test_a_small_file() -> None:
    command = [sys.executable, "-m", "benchmarks.skipping", "--megabytes", "4", "--rounds", "1"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.count(" s | ") == 8
    assert "% of the file" in found.stdout
