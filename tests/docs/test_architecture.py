"""The files that the pages about the code name exist."""

import re

from tests.shared import ROOT

FOLDERS = (ROOT, ROOT / "jvm/src/main/scala/org/jellyspark", ROOT / "python/jelly_spark")


def test_the_files_of_the_architecture_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    names = {
        name
        for name in re.findall(r"`([\w./-]+)`", text)
        if "/" in name and "NAME" not in name and not name.startswith("META-INF")
    }
    missing = {name for name in names if not any((f / name).exists() for f in FOLDERS)}
    assert names
    assert not missing


def test_the_tests_of_the_promises_exist() -> None:
    text = (ROOT / "docs/reference/limits.md").read_text("utf-8")
    files = set(re.findall(r"`(\w+/[\w./]+\.py)`", text))
    suites = set(re.findall(r"`(\w+Suite)`", text))
    tests = (ROOT / module / "src/test" for module in ("jvm", "jena"))
    there = {path.stem for folder in tests for path in folder.rglob("*Suite.scala")}
    assert files
    assert suites
    assert not {name for name in files if not (ROOT / "tests" / name).exists()}
    assert not suites - there


def test_the_tests_of_the_laws_exist() -> None:
    text = (ROOT / "docs/reference/patches.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", text))
    laws = (ROOT / "tests/algebra/test_laws.py").read_text("utf-8")
    assert named
    assert not named - set(re.findall(r"^def (test_\w+)", laws, re.MULTILINE))
