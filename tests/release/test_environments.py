"""The wheel and the source distribution in empty environments of the oldest and newest Python."""

from pathlib import Path

import pytest

from tests.packaging.dist import DIST, NAME, SDIST, WHEEL, built
from tests.release.environments import create, run

CODEC = """
import importlib.metadata
from jelly_spark import codec
codec.write("log.jellyp", [codec.PatchRow("A", "<a:s>", "<a:p>", "<a:o>")])
print([row.subject for row in codec.read("log.jellyp")])
installed = {found.name for found in importlib.metadata.distributions()}
print(sorted(installed - {"pip", "setuptools"}))
"""

SPARK = """
import jelly_spark
from pyspark.sql import SparkSession
spark = jelly_spark.configure(SparkSession.builder.master("local[1]")).getOrCreate()
columns = "op string, subject string, predicate string, object string"
rows = spark.createDataFrame([("A", "<a:s>", "<a:p>", "<a:o>")], columns)
rows.write.format("jelly_patch").save("log")
print([row.subject for row in spark.read.format("jelly_patch").load("log").collect()])
"""


@pytest.mark.parametrize("version", ["3.10", "3.13"])
@pytest.mark.parametrize("package", [WHEEL, SDIST], ids=["wheel", "sdist"])
def test_the_codec_needs_protobuf_only(package: Path, version: str, tmp_path: Path) -> None:
    python = create(tmp_path / "venv", version, str(built(package)))
    assert run(python, "-I", "-c", CODEC, cwd=tmp_path).splitlines() == [
        "['<a:s>']",
        "['jelly-spark', 'protobuf']",
    ]


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_the_compiled_wheels(version: str, tmp_path: Path) -> None:
    tag = f"cp{version.replace('.', '')}"
    found = [*(DIST / "platform").glob(f"{NAME}-{tag}-*.whl")]
    if not found:
        pytest.skip(f"no wheel for Python {version}: run `make compiled-wheels`")
    python = create(tmp_path / "venv", version, str(found[0]))
    check = "from jelly_spark.core.compiled import IS_COMPILED; assert IS_COMPILED\n"
    assert run(python, "-I", "-c", check + CODEC, cwd=tmp_path).splitlines()[0] == "['<a:s>']"


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_spark_reads_and_writes_without_a_network(version: str, tmp_path: Path) -> None:
    python = create(tmp_path / "venv", version, f"{built(WHEEL)}[spark]")
    output = run(python, "-I", "-c", SPARK, cwd=tmp_path, offline=True)
    assert output.splitlines()[-1] == "['<a:s>']"
