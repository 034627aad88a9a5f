"""The JVM's codec in a process of its own, which reads files of mutated files."""

import os
import selectors
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from tests.fuzz.cases import Case, write_cases
from tests.shared import ROOT

CLASSPATH = ROOT / "jvm/target/test.classpath"
"""What `sbt jvm/testClasspath` writes."""

_MAIN = "org.jellyspark.source.fuzz.FuzzMain"
_MEMORY = "-Xmx192m"
_TIMEOUT = 300
_LINES = 5


class Result(NamedTuple):
    """What came of a file.

    Attributes:
        whole: the number of rows, a digest of them, and the end: `ok`, or the error.
        parts: the same of each part.
        found: the same of the rows that are looked for; empty if none are.
        disagreements: what ways to read it on the JVM disagree about; empty if they agree.
        allocated: bytes of all objects that were made.
        milliseconds: of processor time.
    """

    whole: str
    parts: str
    found: str
    disagreements: str
    allocated: int
    milliseconds: int


class JvmReader:
    """The process, with a small heap. A context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._batches = 0
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "JvmReader":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process; the next files start another."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None

    def send(self, cases: Sequence[Case]) -> Path:
        """Have the files read, and return what `receive` waits for."""
        self._batches += 1
        path = self._folder / f"batch-{self._batches}"
        write_cases(path, cases)
        if self._process is None:
            self._process = self._start()
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        return path

    def receive(self, path: Path) -> list[Result]:
        """Return what came of the files, or of those before one that the JVM did not survive."""
        assert self._process is not None and self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(_TIMEOUT) or not self._process.stdout.readline():
                self.stop()
        results = path.with_name(path.name + ".results")
        # `splitlines` would divide lines at other characters, too.
        lines = results.read_text("utf-8").split("\n")[:-1] if results.exists() else []
        path.unlink()
        results.unlink(missing_ok=True)
        return [
            _result(lines[at : at + _LINES]) for at in range(0, len(lines) - _LINES + 1, _LINES)
        ]

    def _start(self) -> "subprocess.Popen[str]":
        home = os.environ.get("JAVA_HOME")
        java = f"{home}/bin/java" if home else "java"
        options = (_MEMORY, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        return subprocess.Popen(
            [java, *options, "-cp", CLASSPATH.read_text(), _MAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )


def _result(lines: list[str]) -> Result:
    whole, parts, found, disagreements, costs = map(_unescaped, lines)
    allocated, milliseconds = map(int, costs.split())
    return Result(whole, parts, found, disagreements, allocated, milliseconds)


def _unescaped(line: str) -> str:
    escapes = {"n": "\n", "r": "\r", "\\": "\\"}
    first, *others = line.split("\\")
    text = [first]
    # Two backslashes in a row are an empty piece between them.
    pieces = iter(others)
    for piece in pieces:
        if piece:
            text.append(escapes[piece[0]] + piece[1:])
        else:
            text.append("\\" + next(pieces, ""))
    return "".join(text)
