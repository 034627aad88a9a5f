"""Every code block of the README and the site does what its page says, each page from nothing."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, Block, PageError, blocks_of, difference
from tests.docs.run_page import Pages, check_page
from tests.shared import ROOT

NOT_RUN = {
    "ARCHITECTURE.md": 1,
    "README.md": 2,
    "benchmarks/README.md": 7,
    "docs/cost.md": 1,
    "docs/contributing.md": 4,
    "docs/guides/any-rdf.md": 2,
    "docs/guides/change-data-capture.md": 1,
    "docs/guides/command-line.md": 1,
    "docs/guides/deployment.md": 6,
    "docs/guides/jena.md": 5,
    "docs/guides/kafka.md": 3,
    "docs/guides/logs-in-sql.md": 1,
    "docs/guides/logs.md": 1,
    "docs/guides/nightly.md": 1,
    "docs/guides/production-logs.md": 1,
    "docs/guides/python.md": 2,
    "docs/guides/schedulers.md": 1,
    "docs/guides/schema-org.md": 2,
    "docs/guides/triple-stores.md": 4,
    "docs/guides/troubleshooting.md": 1,
    "docs/guides/wikidata.md": 1,
    "docs/install.md": 1,
    "docs/performance.md": 1,
}
"""How many blocks of a page are not run; the page says why."""

SERVICES = {
    "docs/guides/change-data-capture.md",
    "docs/guides/delta.md",
    "docs/guides/triple-stores.md",
}
"""Pages whose blocks need services: `tests/services` runs them."""

ALONE = {
    "docs/guides/deployment.md": "starts a Connect server, which cannot be where a session was",
    "docs/guides/without-the-jar.md": "needs a JVM without the jar",
}
"""Pages in a process of their own, and why."""


LONG = {"docs/guides/datasets.md"}
"""Pages that take about a minute. Other pages compile Scala, too."""


def blocks(page: str) -> list[Block]:
    return blocks_of((ROOT / page).read_text("utf-8"))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.long if page in LONG else ())
        for page in PAGES
        if page not in SERVICES and any(block.not_run is None for block in blocks(page))
    ],
)
def test_page(page: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if page in ALONE:
        environment = {**request.getfixturevalue("environment")}
        # A client of Spark Connect may not have it.
        del environment["MASTER"]
        check_page(page, environment, tmp_path)
    else:
        pages: Pages = request.getfixturevalue("pages")
        pages.check(ROOT / page)


def test_few_blocks_are_not_run() -> None:
    found = {page: sum(block.not_run is not None for block in blocks(page)) for page in PAGES}
    assert {page: count for page, count in found.items() if count} == NOT_RUN


def test_blocks_that_are_not_run_name_targets_that_exist() -> None:
    targets = set(
        re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    )
    named = {
        (page, target)
        for page in PAGES
        for block in blocks(page)
        for target in re.findall(r"^make ([a-z0-9-]+)", block.code, re.MULTILINE)
    }
    assert named
    assert {(page, target) for page, target in named if target not in targets} == set()


def test_outputs_are_compared() -> None:
    assert difference("a\nb\n", "a \nb") is None
    assert difference("a...c", "abbc") is None
    assert difference("a...c", "abb\nc") is not None
    assert difference("a", "b") is not None
    assert difference("a", "a\nb") is not None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```text\nx\n```\n", id="output of nothing"),
        pytest.param("```\nx\n```\n", id="no language"),
        pytest.param("```yaml\nx\n```\n", id="unknown language"),
        pytest.param("    x\n", id="indented"),
    ],
)
def test_blocks_that_nothing_runs_are_errors(text: str) -> None:
    with pytest.raises(PageError):
        blocks_of(text)


def test_a_block_that_prints_something_else_fails_its_page(pages: Pages, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    with pytest.raises(AssertionError, match=f"{page}:2: the page shows\n2\n"):
        pages.check(page)


def test_pages_share_nothing_but_the_jvm(pages: Pages, tmp_path: Path) -> None:
    """What a page leaves behind is not there on the next one."""
    leave = """
import jelly_spark
from pathlib import Path
from pyspark.sql import SparkSession

spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
spark.range(1).createOrReplaceTempView("view")
spark.range(1).write.saveAsTable("numbers")
spark.conf.set("spark.sql.ansi.enabled", False)
Path("left.py").write_text("value = 1")
import left
"""
    look = """
import jelly_spark
from pathlib import Path
from pyspark.sql import SparkSession

spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
print("left" in globals(), [*Path().iterdir()], spark.catalog.listTables())
print(spark.conf.get("spark.sql.ansi.enabled"))
try:
    import left
except ImportError as error:
    print(error)
"""
    there = "False [] []\ntrue\nNo module named 'left'\n"
    for name, text in (
        ("leave", f"```python{leave}```\n"),
        ("look", f"```python{look}```\n\n```text\n{there}```\n"),
    ):
        page = tmp_path / f"{name}.md"
        page.write_text(text)
        pages.check(page)
