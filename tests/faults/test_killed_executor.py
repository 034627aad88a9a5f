"""An executor is killed during a write, and a slow task is run twice: each row is there once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.formats import FORMATS
from jelly_spark.session import jar_path
from tests.cluster.standalone import StandaloneCluster, standalone_cluster
from tests.faults.jobs import killed_executor


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandaloneCluster]:
    """Two hosts: Spark runs no copy of a task where the task runs already."""
    folder = tmp_path_factory.mktemp("cluster")
    with standalone_cluster(folder, jar_path(), cores=1, workers=2) as started:
        yield started


def test_each_row_once(cluster: StandaloneCluster, tmp_path: Path) -> None:
    *killed, speculative, lost = cluster.submit(
        Path(killed_executor.__file__),
        tmp_path,
        *FORMATS,
        executors=2,
        speculation="true",
        speculation_multiplier="1.0",
        speculation_quantile="0.5",
        ui_enabled="true",
        ui_port="0",
    )
    assert killed == ["True"] * len(FORMATS)
    # The attempts that the killed executors ran, and the copies of the slow tasks.
    assert int(lost) >= len(FORMATS)
    assert int(speculative) >= len(FORMATS)
    expected = Counter(
        row
        for partition in range(killed_executor.PARTITIONS)
        for row in killed_executor.rows(partition)
    )
    for format, found in FORMATS.items():
        folder = tmp_path / format
        files = list(folder.glob(f"*{found.extension}"))
        assert len(files) == killed_executor.PARTITIONS
        rows = Counter(
            (row.subject, row.predicate, row.object)
            for file in files
            for row in codec.read(file)
            if row.subject is not None
        )
        assert rows == expected, format
        # Nothing else is there.
        others = {path.name for path in folder.rglob("*") if not path.name.endswith(".crc")}
        assert others == {"_SUCCESS", *(file.name for file in files)}
