"""The pure-Python runtime of Protobuf leads to the same errors as the compiled one."""

import os
import subprocess
import sys

from tests.shared import ROOT


def test_errors_without_the_compiled_runtime() -> None:
    program = """
import sys
import pytest
from google.protobuf.internal import api_implementation
assert api_implementation.Type() == "python"
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""
    files = [f"tests/codec/{format}/test_errors.py" for format in ("jelly_patch", "jelly_rdf")]
    run = subprocess.run(
        [sys.executable, "-c", program, *files],
        cwd=ROOT,
        env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
