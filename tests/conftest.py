"""Set-up and fixtures of all tests."""

import os
import sys
from pathlib import Path

import pytest

from tests.shared import SHARED

# Spark's Python workers are else whatever `python3` is, and its address what the machine's name is.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of the shared data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared data in {SHARED}: set JELLY_SPARK_SHARED")
    return SHARED
