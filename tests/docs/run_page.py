"""Runs the code blocks of a page in the current folder: `python -m tests.docs.run_page PAGE`."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import IO

from jelly_spark import jar_path
from tests.docs.pages import Block, blocks_of, difference

_MARK = "--- the end of a block ---"


class BlockError(Exception):
    """A block failed; the message says how."""


class PythonBlocks:
    """One interpreter for all Python blocks of a page."""

    def __init__(self) -> None:
        # Pickle and dataclasses look for what a block defines in its module.
        self._module = ModuleType("__main__")
        sys.modules["__main__"] = self._module

    def run(self, block: Block) -> str:
        """Run a block, and return what it prints."""
        # So that a traceback names the line of the page.
        code = "\n" * (block.line - 1) + block.code
        printed = io.StringIO()
        try:
            with redirect_stdout(printed):
                exec(compile(code, "<page>", "exec"), self._module.__dict__)
        except Exception:
            raise BlockError(printed.getvalue() + traceback.format_exc()) from None
        return printed.getvalue()


def run_sh(block: Block) -> str:
    """Run a block with bash, and return what it prints."""
    command = ["bash", "-euo", "pipefail", "-c", block.code]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        raise BlockError(f"status {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


class Shell:
    """One of Spark's shells, which is started for the first block of its language.

    Args:
        command: how it is started.
        script: what it is told to run a block and to print the mark.
        prompt: what it prints before each line that it prints.
    """

    def __init__(self, command: list[str], script: Callable[[str], str], prompt: str = "") -> None:
        self._script = script
        self._prompt = prompt
        # In a file, as a pipe that nobody reads could fill.
        self._errors = Path.cwd().with_suffix(f".{command[0]}").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )

    def run(self, block: Block) -> str:
        """Run a block, and return what it prints."""
        stdin, stdout = self._pipes()
        stdin.write(self._script(block.code))
        stdin.flush()
        printed: list[str] = []
        for line in stdout:
            text = line.replace(self._prompt, "") if self._prompt else line
            if text.strip() == _MARK:
                return "".join(printed)
            printed.append(text)
        raise BlockError("".join(printed) + self.errors())

    def errors(self) -> str:
        """Return what the shell wrote to its standard error."""
        self._errors.seek(0)
        return self._errors.read()

    def close(self) -> None:
        """End the shell."""
        self._pipes()[0].close()
        self._process.stdout.close()  # type: ignore[union-attr]
        self._process.wait(60)
        self._errors.close()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin and self._process.stdout
        return self._process.stdin, self._process.stdout


def spark_sql() -> Shell:
    """Start `spark-sql`, which prints the names of the columns before the rows."""
    settings = ["--conf", "spark.hadoop.hive.cli.print.header=true"]
    mark = f"SELECT '{_MARK}' AS `{_MARK}`;\n"
    command = ["spark-sql", "-S", "--jars", str(jar_path()), *settings]
    return Shell(command, lambda code: code + mark)


def spark_shell() -> Shell:
    """Start `spark-shell`; a block is compiled as a whole."""

    def script(code: str) -> str:
        Path("block.scala").write_text(code, encoding="utf-8")
        return f':paste block.scala\nprintln("{_MARK}")\n'

    return Shell(["spark-shell", "--jars", str(jar_path())], script, "scala> ")


def run_page(path: Path) -> int:
    """Run the blocks of a page, and return 1 if one failed, else 0."""
    with ExitStack() as stack:
        runners: dict[str, Callable[[Block], str]] = {"python": PythonBlocks().run, "sh": run_sh}
        shells = {"sql": spark_sql, "scala": spark_shell}
        for block in blocks_of(path.read_text("utf-8")):
            if block.not_run is not None:
                continue
            if block.title is not None:
                Path(block.title).write_text(block.code, encoding="utf-8")
                continue
            if block.language not in runners:
                shell = shells[block.language]()
                stack.callback(shell.close)
                runners[block.language] = shell.run
            try:
                printed = runners[block.language](block)
            except BlockError as error:
                problem: str | None = str(error)
            else:
                problem = None if block.output is None else difference(block.output, printed)
            if problem is not None:
                print(f"{path}:{block.line}: {problem}")
                return 1
    return 0


if __name__ == "__main__":
    status = run_page(Path(sys.argv[1]))
    sys.stdout.flush()
    # Without waiting for what the blocks left open, as sessions.
    os._exit(status)
