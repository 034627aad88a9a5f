"""The commands print what the transcripts in `golden` show."""

from pathlib import Path

import pytest

from tests.cli.transcripts import GOLDEN, play


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    transcript = path.read_text("utf-8")
    assert play(transcript, tmp_path) == transcript
