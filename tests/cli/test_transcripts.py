"""The commands print what the transcripts in `golden` show."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.transcripts import GOLDEN, forks, play


@pytest.fixture(scope="module")
def socket() -> Iterator[Path]:
    with forks() as path:
        yield path


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path, socket: Path) -> None:
    transcript = path.read_text("utf-8")
    assert play(transcript, tmp_path, socket) == transcript
