"""What is in the wheel, and that it works where there is no Spark."""

import subprocess
import sys
import venv
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.packaging.dist import NAME, WHEEL, built
from tests.shared import ROOT

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel() -> ZipFile:
    return ZipFile(built(WHEEL))


def test_all_sources_and_nothing_stale(wheel: ZipFile) -> None:
    python = ROOT / "python"
    paths = [*(python / "jelly_spark").rglob("*.py"), *python.glob("pyspark_*.py")]
    sources = {str(path.relative_to(python)) for path in paths}
    assert {name for name in wheel.namelist() if name.endswith(".py")} == sources


@pytest.mark.parametrize(
    "name",
    [
        *("py.typed", "jars/jelly-spark.jar", "_proto/patch_pb2.py", "_proto/patch_pb2.pyi"),
        *("report/page.css", "report/page.js", "rates.json"),
    ],
)
def test_package_data(wheel: ZipFile, name: str) -> None:
    assert f"jelly_spark/{name}" in wheel.namelist()


def test_the_licence(wheel: ZipFile) -> None:
    packed = wheel.read(f"{NAME}.dist-info/licenses/LICENSE")
    assert packed == (ROOT / "LICENSE").read_bytes()


def test_spark_is_an_extra(wheel: ZipFile) -> None:
    metadata = message_from_bytes(wheel.read(f"{NAME}.dist-info/METADATA"))
    required = {line for line in metadata.get_all("Requires-Dist", []) if "extra" not in line}
    assert required == {"protobuf<8,>=6.31.1"}
    assert set(metadata.get_all("Provides-Extra", [])) == {
        *("spark", "zstd", "fsspec", "cli"),
        *("rdf", "rdflib", "oxigraph", "arrow", "pyjelly", "all"),
    }


def test_the_codec_needs_no_spark(wheel: ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    program = """
import sys
sys.modules["pyspark"] = sys.modules["py4j"] = None  # importing them fails
sys.path.insert(0, sys.argv[1])
import jelly_spark.codec
from jelly_spark.codec import *  # all formats
print(jelly_spark.codec.__file__)
"""
    run = subprocess.run(
        [sys.executable, "-I", "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert Path(run.stdout.strip()).is_relative_to(tmp_path)


def test_installed_alone(wheel: ZipFile, tmp_path: Path) -> None:
    """In an environment of its own the codec reads what it writes, and there is no Spark."""
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", str(wheel.filename)], check=True)
    program = """
import importlib.util
from jelly_spark import jar_path
from jelly_spark.codec import PatchRow, JellyPatchWriter, read_jelly_patch

with JellyPatchWriter("a.jellyp") as writer:
    writer.write(PatchRow("A", "<a:s>", "<a:p>", "<a:o>"))
print([row.subject for row in read_jelly_patch("a.jellyp")], jar_path().is_file())
print(importlib.util.find_spec("pyspark"))
"""
    run = subprocess.run(
        [python, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stdout.splitlines() == ["['<a:s>'] True", "None"], run.stderr
