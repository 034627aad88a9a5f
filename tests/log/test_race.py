"""Appenders, housekeeping and readers at the same time, killed at random."""

from pathlib import Path

import pytest

from tests.log.racing import WORK, race


@pytest.mark.long
def test_all_at_once(tmp_path: Path) -> None:
    done = race(str(tmp_path / "log"), 90, {})
    assert min(done[work] for work in ("append", *WORK)) > 0
