"""Writers, housekeeping and readers at the same time, killed at random."""

from pathlib import Path

import pytest

from tests.log.races.racing import ALL_WRITERS, HOUSEKEEPING, OnSpark, race


@pytest.mark.long
def test_all_at_once(tmp_path: Path) -> None:
    done = race(str(tmp_path / "log"), 90, {})
    assert min(done[work] for work in ("append", *HOUSEKEEPING)) > 0


@pytest.mark.long
def test_with_sql_and_a_stream(tmp_path: Path) -> None:
    on_spark = OnSpark(str(tmp_path), tmp_path / "stream", {})
    done = race(str(tmp_path / "log"), 180, {}, on_spark=on_spark)
    assert min(done[work] for work in (*ALL_WRITERS, *HOUSEKEEPING)) > 0
