"""What `spark-submit --jars jelly-spark.jar` runs on a cluster that has no Python package of ours.

The tests stand in one module because each module starts a cluster.
"""

import ast
from pathlib import Path

import pytest

from jelly_spark.codec import read_jelly_patch
from tests.cluster.jobs import big_patch, round_trip
from tests.cluster.standalone import StandaloneCluster

JOBS = Path(__file__).parent / "jobs"

BIG_PATCH_ROWS = 1_000_000


@pytest.mark.parametrize("job", sorted(JOBS.glob("*.py")), ids=lambda path: path.stem)
def test_jobs_need_the_jar_only(job: Path) -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(job.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in node.names]
        )
    }
    assert imported <= {"pyspark", "sys", "typing"}


def test_two_executors(cluster: StandaloneCluster, tmp_path: Path) -> None:
    log = tmp_path / "log"
    printed = cluster.submit(Path(round_trip.__file__), log, executors=2)
    files, rows, different, executors = map(int, printed)
    assert files == round_trip.FILES
    assert rows == round_trip.ROWS
    assert different == 0
    assert executors == 2
    # The Python codec reads what the executors wrote.
    counts = [sum(1 for _ in read_jelly_patch(path)) for path in log.glob("*.jellyp")]
    assert counts == [round_trip.ROWS // round_trip.FILES] * round_trip.FILES


@pytest.mark.long
@pytest.mark.parametrize("stream_type", ["PUNCTUATED", "FRAME"])
def test_big_patch(cluster: StandaloneCluster, tmp_path: Path, stream_type: str) -> None:
    """A patch goes through one task of a small executor, in both directions."""
    script = Path(big_patch.__file__)
    printed = cluster.submit(
        script, tmp_path / "log", stream_type, str(BIG_PATCH_ROWS), executors=1, memory="512m"
    )
    memory, partitions, rows, patches, same = printed
    assert memory == "512m"
    assert int(partitions) == 1
    assert int(rows) == BIG_PATCH_ROWS
    assert int(patches) == 1
    assert same == "True"
    assert len(list((tmp_path / "log").glob("*.jellyp"))) == 1
