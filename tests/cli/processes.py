"""Running the command as a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cli.transcripts import environment

COMMAND = [sys.executable, "-m", "jelly_spark.cli"]


def run(
    *arguments: str | Path, input: bytes = b"", program: str | None = None, **settings: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run the command, or a program with its arguments; return the process after its end."""
    settings.setdefault("stdout", subprocess.PIPE)
    settings.setdefault("stderr", subprocess.PIPE)
    command = COMMAND if program is None else [sys.executable, "-c", program]
    return subprocess.run(
        [*command, *map(str, arguments)], input=input, env=environment(), **settings
    )


def start(*arguments: str | Path, **settings: Any) -> subprocess.Popen[bytes]:
    """Start the command, with pipes for its input and output."""
    for stream in ("stdin", "stdout", "stderr"):
        settings.setdefault(stream, subprocess.PIPE)
    settings.setdefault("env", environment())
    return subprocess.Popen([*COMMAND, *map(str, arguments)], **settings)
