"""What the tools of package indexes say of the packages."""

import subprocess
import sys

import pytest

from jelly_spark._version import __version__
from tests.packaging.dist import SDIST, WHEEL, built
from tests.shared import ROOT


@pytest.mark.parametrize(
    "command",
    # W009 is about several modules at the top, and Spark finds data sources by such modules.
    [["twine", "check", "--strict"], ["check_wheel_contents", "--ignore", "W009"]],
    ids=lambda tool: tool[0],
)
def test_no_findings(command: list[str]) -> None:
    packages = [built(WHEEL), built(SDIST)] if command[0] == "twine" else [built(WHEEL)]
    command = [sys.executable, "-m", *command, *map(str, packages)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_changelog_has_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert f"\n## {__version__} " in changes or "\n## Unreleased\n" in changes
