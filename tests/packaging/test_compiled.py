"""The build that compiles the codec, and what it needs."""

import pickle
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.packaging.dist import DIST
from tests.shared import ROOT

PYTHON = ROOT / "python"


@pytest.fixture(scope="module")
def build() -> dict[str, Any]:
    return runpy.run_path(str(PYTHON / "hatch_build.py"))


def test_each_pattern_names_modules(build: dict[str, Any]) -> None:
    for pattern in build["COMPILED"]:
        assert list((PYTHON / "jelly_spark").glob(pattern)), pattern


def test_without_a_compiler(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(SystemExit, match="needs a C compiler, and there is no no-such-compiler"):
        build["compile_modules"](PYTHON, tmp_path)


@pytest.mark.long
def test_the_compiled_wheel(tmp_path: Path) -> None:
    # A release has those of all versions of Python.
    ours = "cp{}{}".format(*sys.version_info)
    wheels = [
        wheel
        for folder in ("compiled", "platform")
        for wheel in (DIST / folder).glob(f"jelly_spark-*-{ours}-*.whl")
    ]
    if not wheels:
        pytest.skip("no compiled wheel: run `make compiled-wheel`")
    with ZipFile(wheels[0]) as wheel:
        wheel.extractall(tmp_path)
    program = """
import pickle, sys
sys.path.insert(0, sys.argv[1])
from jelly_spark import codec, terms
from jelly_spark.core.compiled import IS_COMPILED
rows = [codec.PatchRow("A", "<a:s>", "<a:p>", "<a:o>"), terms.Literal("x")]
assert IS_COMPILED and pickle.loads(pickle.dumps(rows)) == rows
sys.stdout.buffer.write(pickle.dumps(rows))
"""
    found = subprocess.run(
        [sys.executable, "-I", "-c", program, str(tmp_path)], capture_output=True, check=True
    )
    # Rows from compiled code are rows of plain Python, too.
    assert [type(row).__name__ for row in pickle.loads(found.stdout)] == ["PatchRow", "Literal"]
