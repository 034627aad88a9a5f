"""A patch of a million rows goes through one task of a small executor, in both directions."""

from pathlib import Path

import pytest

from tests.cluster.jobs import big_patch
from tests.cluster.standalone import StandaloneCluster

ROWS = 1_000_000


@pytest.mark.parametrize("stream_type", ["PUNCTUATED", "FRAME"])
def test_big_patch(cluster: StandaloneCluster, tmp_path: Path, stream_type: str) -> None:
    script = Path(big_patch.__file__)
    printed = cluster.submit(
        script, tmp_path / "log", stream_type, str(ROWS), executors=1, memory="512m"
    )
    memory, partitions, rows, patches, same = printed
    assert memory == "512m"
    assert int(partitions) == 1
    assert int(rows) == ROWS
    assert int(patches) == 1
    assert same == "True"
    assert len(list((tmp_path / "log").glob("*.jellyp"))) == 1
