"""Runs the code blocks of pages, one page after the other, in a process and a folder of its own.

To start Spark takes longer than most pages do. So pages share the JVM, but not what they leave
behind: each has an empty folder, a new interpreter and a new session.

    python -m tests.docs.run_page

runs in an empty folder. It reads the path of a page from each line of its input, and for each it
prints a line: what is wrong with the page, as JSON, or `null`.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from threading import Timer
from types import ModuleType
from typing import TextIO

from pyspark.sql import SparkSession

from jelly_spark import configure, jar_path
from tests.cli.transcripts import FORKS, forks
from tests.docs.pages import Block, blocks_of, difference
from tests.shared import ROOT

_MARK = "--- the end of a block ---"
_READY = "--- ready for the next block ---"

TIMEOUT = 600
"""Seconds after which a page that still runs has failed."""


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


class ScalaBlocks:
    """A `spark-shell` for all Scala blocks of all pages, as compilers are slow to start."""

    def __init__(self) -> None:
        self._shell = subprocess.Popen(
            ["spark-shell", "--jars", str(jar_path())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, block: Block) -> str:
        """Run a block, compiled as a whole, and return what it prints."""
        assert self._shell.stdin
        assert self._shell.stdout
        # Without names at its top level, the shell prints none of them.
        code = f'println("{_MARK}")\nlocally {{\n{block.code}\nprintln("{_MARK}")\n}}\n'
        Path("block.scala").write_text(code, encoding="utf-8")
        self._shell.stdin.write(f':paste block.scala\nprintln("{_READY}")\n')
        self._shell.stdin.flush()
        printed = ""
        for line in self._shell.stdout:
            if line.endswith(f"{_READY}\n"):
                break
            printed += line
        _, *parts = printed.split(f"{_MARK}\n")
        if len(parts) < 2:
            raise BlockError(printed)
        return parts[0]


class PageRunner:
    """Runs pages in the current folder, which it empties before each."""

    def __init__(self) -> None:
        self._scala: ScalaBlocks | None = None

    def run(self, path: Path) -> str | None:
        """Run the blocks of a page, and return what is wrong with it."""
        _forget_the_last_page()
        runners: dict[str, Callable[[Block], str]] = {"sh": run_sh}
        for block in blocks_of(path.read_text("utf-8")):
            if block.not_run is not None:
                continue
            if block.title is not None:
                Path(block.title).write_text(block.code, encoding="utf-8")
                continue
            if block.language not in runners:
                runners[block.language] = self._runner(block.language)
            try:
                printed = runners[block.language](block)
            except Exception as error:
                problem: str | None = str(error)
            else:
                problem = None if block.output is None else difference(block.output, printed)
            if problem is not None:
                return f"{path}:{block.line}: {problem}"
        return None

    def _runner(self, language: str) -> Callable[[Block], str]:
        if language == "python":
            return PythonBlocks().run
        if language == "sql":
            return SqlBlocks().run
        self._scala = self._scala or ScalaBlocks()
        return self._scala.run


def _forget_the_last_page() -> None:
    for path in Path().iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    here = str(Path.cwd())
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(here):
            del sys.modules[name]
    session = SparkSession._instantiatedSession
    if session is not None:
        for query in session.streams.active:
            query.stop()
        # The next `getOrCreate` makes a session with its own tables, views and settings.
        SparkSession._instantiatedSession = None
        sessions = SparkSession._get_j_spark_session_class(session._jvm)
        sessions.clearDefaultSession()
        sessions.clearActiveSession()


class Pages:
    """A process that runs pages."""

    def __init__(self, process: subprocess.Popen[str], log: TextIO) -> None:
        self._process = process
        self._log = log

    def check(self, page: Path) -> None:
        """Run the blocks of a page; fail if one fails.

        Args:
            page: its absolute path.
        """
        assert self._process.stdin
        assert self._process.stdout
        timer = Timer(TIMEOUT, self._process.kill)
        timer.start()
        self._process.stdin.write(f"{page}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        timer.cancel()
        self._log.seek(0)
        assert answer, f"{page} ended the process: {self._log.read()}"
        problem = json.loads(answer)
        logged = self._log.read()
        assert problem is None, problem + logged
        # Users would take it for a mistake of theirs.
        assert "No Partition Defined for Window operation" not in logged, page


@contextmanager
def running_pages(environment: dict[str, str], folder: Path) -> Iterator[Pages]:
    """A process for pages that may share a JVM.

    Args:
        environment: of the process.
        folder: where to make the folder of the process.
    """
    (folder / "page").mkdir()
    commands = folder / "bin"
    commands.mkdir()
    with (
        forks() as socket,
        open(folder / "log", "w+", encoding="utf-8") as log,
        subprocess.Popen(
            [sys.executable, "-m", "tests.docs.run_page"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=folder / "page",
            env={**environment, "PATH": f"{commands}{os.pathsep}{environment['PATH']}"},
            text=True,
            encoding="utf-8",
        ) as process,
    ):
        # A command takes longer to start than to run.
        command = commands / "jelly-spark"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{FORKS}" "{socket}" "$@"\n')
        command.chmod(0o755)
        yield Pages(process, log)


def check_page(page: str, environment: dict[str, str], folder: Path) -> None:
    """Run the blocks of a page in a process of its own; fail if one fails.

    Args:
        page: path of the page, from the root of the checkout.
        environment: of the process.
        folder: where to make the folder of the process.
    """
    with running_pages(environment, folder) as pages:
        pages.check(ROOT / page)


if __name__ == "__main__":
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the JVM and the programs of the pages may print, too
    runner = PageRunner()
    for line in sys.stdin:
        print(json.dumps(runner.run(Path(line.rstrip("\n")))), file=results, flush=True)
    # Without waiting for what the blocks left open, as sessions.
    os._exit(0)
