"""The screens of the docs show what the commands print."""

from pathlib import Path

import pytest

from tests.cli.screens import IMAGES, SCREENS, make_log, take


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("screens")
    make_log(folder)
    return folder


@pytest.mark.parametrize("name", SCREENS)
def test_screens_are_current(folder: Path, name: str) -> None:
    assert take(folder, name) == (IMAGES / name).read_text("utf-8"), "run `make screens`"
