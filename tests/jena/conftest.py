"""Where Jena 6 is, and a Java that can run it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.java import java_for_jena_6
from tests.shared import JENA_6_CLASSPATH


@pytest.fixture(scope="session")
def newer_java() -> Path:
    """The command of a Java that can run Jena 6; skip the test without one."""
    return java_for_jena_6()


@pytest.fixture(scope="session")
def jena_6() -> list[str]:
    """The jars of Jena 6; skip the test without them."""
    if not JENA_6_CLASSPATH.is_file():
        pytest.skip(f"no {JENA_6_CLASSPATH}: run `make test`")
    return JENA_6_CLASSPATH.read_text("utf-8").split(os.pathsep)
