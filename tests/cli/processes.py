"""Running the command as a process."""

from __future__ import annotations

import os
import pty
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


def run_on_terminal(
    *arguments: str | Path, stream: str, variables: dict[str, str], cwd: Path
) -> tuple[int, bytes, bytes]:
    """Run the command with a terminal as one of its outputs.

    Args:
        arguments: of the command.
        stream: which output is the terminal, `stdout` or `stderr`.
        variables: more environment variables.
        cwd: the folder to run in.

    Returns:
        The exit status, what the terminal got, and what the other output got.
    """
    main, terminal = pty.openpty()
    process = start(*arguments, cwd=cwd, env={**environment(), **variables}, **{stream: terminal})
    os.close(terminal)
    shown = b""
    try:
        while data := os.read(main, 1 << 16):
            shown += data
    except OSError:
        pass  # Linux's way to say that the terminal is closed
    os.close(main)
    out, errors = process.communicate(timeout=60)
    return process.returncode, shown, out if stream == "stderr" else errors
