"""Transcripts of the command: commands, each with what it prints and its exit status.

The files in `golden` are compared with what the commands do now. To write them again, after a
change that is meant:

    python -m tests.cli.transcripts

A command begins with `$ `. Its standard output follows, then the lines of standard error, each
after `! `, and the exit status if it is not 0. The commands of a file run in one folder, which has
the files of the folder `files` at first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
GOLDEN = sorted((HERE / "golden").glob("*.txt"))
FORKS = HERE / "forks.py"
"""The program that runs a command as a fork of the process with a socket."""

_SHELL = 'jelly-spark() { "$PYTHON" -S "$FORKS" "$SOCKET" "$@"; }; set -o pipefail\n'


def environment() -> dict[str, str]:
    """Return the environment of the commands, which does not depend on the terminal."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return {**kept, "PYTHON": sys.executable, "TERM": "dumb", "TZ": "UTC"}


@contextmanager
def forks() -> Iterator[Path]:
    """Run the process of which the commands are forks, and yield its socket for `play`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "socket")
        command = [sys.executable, "-m", "tests.cli.forks", str(path)]
        process = subprocess.Popen(
            command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield path
        finally:
            process.kill()
            process.communicate()


def play(transcript: str, folder: Path, socket: Path) -> str:
    """Run the commands of a transcript in a folder, and return the transcript of that."""
    variables = {"FORKS": str(FORKS), "SOCKET": str(socket)}
    shutil.copytree(HERE / "files", folder, dirs_exist_ok=True)
    found = []
    for line in transcript.splitlines():
        if not line.startswith("$ "):
            continue
        run = subprocess.run(
            ["bash", "-c", _SHELL + line[2:]],
            cwd=folder,
            env={**environment(), **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        # The version says whether the codec is compiled.
        found.append(f"{line}\n{_ended(run.stdout.replace(' (compiled)', ''))}")
        # Some messages name absolute paths.
        errors = run.stderr.replace(f"{folder}/", "/folder/")
        found += (f"! {text}".rstrip() + "\n" for text in errors.splitlines())
        if run.returncode:
            found.append(f"exit status {run.returncode}\n")
        found.append("\n")
    return "".join(found).rstrip("\n") + "\n"


def _ended(text: str) -> str:
    lines = (line.rstrip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines)


def remake() -> None:
    """Write all files of `golden` again."""
    with forks() as socket:
        for path in GOLDEN:
            with tempfile.TemporaryDirectory() as folder:
                path.write_text(play(path.read_text("utf-8"), Path(folder), socket), "utf-8")


if __name__ == "__main__":
    remake()
