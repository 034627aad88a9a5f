"""The tests that `make test-python` runs need no PySpark."""

import os
import re
import subprocess
import sys

from tests.conftest import PLAIN
from tests.shared import ROOT


def test_pyspark_is_not_imported() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (tests,) = re.findall(r"^CODEC_TESTS := (.+)$", makefile, re.MULTILINE)
    assert sorted(tests.split()) == sorted(f"tests/{name}" for name in PLAIN)
    program = """
import sys
sys.modules["pyspark"] = sys.modules["py4j"] = None  # importing them fails
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--collect-only", *sys.argv[1:]]))
"""
    run = subprocess.run(
        [sys.executable, "-c", program, *tests.split()],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
