"""The costs of a log as it grows."""

import subprocess
import sys

from tests.shared import ROOT


def test_short_logs() -> None:
    command = [sys.executable, "-m", "benchmarks.log_growth", "--counts", "100", "250"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.count("| append |") == 2
    assert "3 requests" in found.stdout and "LIST" not in found.stdout
