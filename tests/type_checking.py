"""Checking the programs of users with mypy, as those see them who install the package."""

import subprocess
import sys
from pathlib import Path

from tests.shared import ROOT


def check(folder: Path, **programs: str) -> dict[str, list[str]]:
    """Check programs in a folder, by name; return the errors in each.

    They are checked in one run, because mypy takes long to start.
    """
    for name, program in programs.items():
        (folder / f"{name}.py").write_text(program)
    command = [sys.executable, "-m", "mypy", "--strict", "--disallow-any-expr", "--config-file="]
    command.append(f"--cache-dir={ROOT / '.build/mypy'}")
    files = [f"{name}.py" for name in programs]
    found = subprocess.run([*command, *files], cwd=folder, capture_output=True, text=True)
    assert not found.stderr
    errors = [line for line in found.stdout.splitlines() if "error:" in line]
    return {name: [line for line in errors if line.startswith(f"{name}.py:")] for name in programs}
