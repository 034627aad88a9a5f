"""The budgets of the tests: each suite has one, and who exceeds it fails."""

import os
import subprocess

import pytest

from tests.budgets import Counter, Work, budget_of, budgets, complaint
from tests.shared import ROOT


def test_every_suite_has_its_row() -> None:
    table = budgets()
    suites = {f"tests/{path.parent.name}" for path in (ROOT / "tests").glob("*/test_*.py")}
    assert suites - table.keys() == set()
    assert [row for row in table if not (ROOT / row).exists()] == []


@pytest.mark.parametrize(
    ("module", "budget"),
    [
        ("tests/spark/test_a.py", Work(10, 2)),
        ("tests/spark/test_b.py", Work(3, 0)),
        ("tests/log/deeper/test_c.py", None),
        ("tests/test_d.py", Work(0, 0)),
    ],
)
def test_a_module_has_its_own_budget_or_that_of_its_folder(
    module: str, budget: Work | None
) -> None:
    table = {"tests/spark": Work(3, 0), "tests/spark/test_a.py": Work(10, 2), "tests/log": None}
    assert budget_of(module, table) == budget


def test_more_than_the_budget_is_an_error() -> None:
    assert complaint("a", Work(3, 2), Work(3, 2)) is None
    assert complaint("a", Work(900, 90), None) is None
    assert "ran 4 Spark jobs" in (complaint("a", Work(4, 2), Work(3, 2)) or "")
    assert "started 3 JVMs" in (complaint("a", Work(3, 3), Work(3, 2)) or "")


def test_jvms_are_counted() -> None:
    counter = Counter("-Xshare:auto")
    before = counter.work()
    java = [f"{os.environ['JAVA_HOME']}/bin/java" if "JAVA_HOME" in os.environ else "java"]
    environment = {**os.environ, "JDK_JAVA_OPTIONS": Counter(counter.java_options).java_options}
    subprocess.run([*java, "-version"], check=True, capture_output=True, env=environment)
    assert counter.work() == before  # The options are those of the other.
    environment["JDK_JAVA_OPTIONS"] = counter.java_options
    subprocess.run([*java, "-version"], check=True, capture_output=True, env=environment)
    assert counter.work() == before._replace(jvms=before.jvms + 1)
