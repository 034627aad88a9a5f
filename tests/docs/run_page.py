"""Runs the code blocks of a page in the current folder: `python -m tests.docs.run_page PAGE`."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

from pyspark.sql import SparkSession

from jelly_spark import configure, jar_path
from tests.docs.pages import Block, blocks_of, difference
from tests.shared import ROOT

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


class SqlBlocks:
    """The session of a page's Python blocks, or one of its own, for all SQL blocks of a page."""

    def __init__(self) -> None:
        self._spark = configure(SparkSession.builder).getOrCreate()

    def run(self, block: Block) -> str:
        """Run the statements of a block, and return their results as `show` prints them."""
        printed = io.StringIO()
        with redirect_stdout(printed):
            for statement in block.code.split(";\n"):
                if statement.strip():
                    result = self._spark.sql(statement)
                    if result.columns:
                        result.show(truncate=False)
        # Without the empty line that `show` adds.
        return printed.getvalue().replace("\n\n", "\n")


def run_scala(block: Block) -> str:
    """Run a block with `spark-shell`, compiled as a whole, and return what it prints."""
    # Without names at its top level, the shell prints none of them.
    code = f'println("{_MARK}")\nlocally {{\n{block.code}\nprintln("{_MARK}")\n}}\n'
    Path("block.scala").write_text(code, encoding="utf-8")
    run = subprocess.run(
        ["spark-shell", "--jars", str(jar_path())],
        input=":paste block.scala\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    _, *printed = run.stdout.split(f"{_MARK}\n")
    if len(printed) < 2:
        raise BlockError(run.stdout + run.stderr)
    return printed[0]


def run_page(path: Path) -> int:
    """Run the blocks of a page, and return 1 if one failed, else 0."""
    runners: dict[str, Callable[[Block], str]] = {"sh": run_sh, "scala": run_scala}
    for block in blocks_of(path.read_text("utf-8")):
        if block.not_run is not None:
            continue
        if block.title is not None:
            Path(block.title).write_text(block.code, encoding="utf-8")
            continue
        if block.language not in runners:
            python = block.language == "python"
            runners[block.language] = PythonBlocks().run if python else SqlBlocks().run
        try:
            printed = runners[block.language](block)
        except Exception as error:
            problem: str | None = str(error)
        else:
            problem = None if block.output is None else difference(block.output, printed)
        if problem is not None:
            print(f"{path}:{block.line}: {problem}")
            return 1
    return 0


def check_page(page: str, environment: dict[str, str], folder: Path) -> None:
    """Run the blocks of a page in a process and a folder of their own; fail if one fails.

    Args:
        page: path of the page, from the root of the checkout.
        environment: of the process.
        folder: where to make the folder.
    """
    (folder / "page").mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "tests.docs.run_page", str(ROOT / page)],
        cwd=folder / "page",
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert run.returncode == 0, run.stdout + run.stderr


if __name__ == "__main__":
    status = run_page(Path(sys.argv[1]))
    sys.stdout.flush()
    # Without waiting for what the blocks left open, as sessions.
    os._exit(status)
