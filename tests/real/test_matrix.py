"""Files of others, read by every engine on every Java: the same rows, or the same kind of error."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.java import find_java
from tests.shared import JENA_CLASSPATH, JENA_JAR, ROOT
from tests.spark.programs import run

COMPILED = ROOT / ".build/compiled"

TIMEOUT = 3600
"""Seconds for all files in one engine: without the jar, Spark takes about a second for each."""

DIGEST = """
import hashlib, json, re, sys

# Nodes without a label get other numbers where a parser returns statements in another order.
MADE = re.compile(r"_:anon-[0-9a-f]{16}-[0-9]+")

def digest(rows):
    lines = sorted(MADE.sub("_:anon", "\\t".join(map(str, row))) for row in rows)
    return [len(lines), hashlib.sha256("\\n".join(lines).encode()).hexdigest()]

def report(path, read):
    try:
        print(json.dumps([path, digest(read())]))
    except Exception as error:
        kind = "malformed" if ": expected " in str(error) else str(error)
        print(json.dumps([path, kind]))

FILES = json.loads(open(sys.argv[1]).read())
"""
"""What all programs begin with: the digest of the rows of a file, or the kind of its error."""

CODEC = (
    DIGEST
    + """
from jelly_spark import codec
for path, format, columns in FILES:
    with_columns = lambda: (
        [getattr(row, name) for name in columns] for row in codec.read(path, format=format)
    )
    report(path, with_columns)
"""
)

SPARK = (
    DIGEST
    + """
import jelly_spark
settings = builder().config("spark.log.level", "OFF")
if sys.argv[2]:
    settings = jelly_spark.configure(settings.config("spark.jars", sys.argv[2]))
spark = settings.getOrCreate()
assert jelly_spark.engine(spark)["rdf"].name == sys.argv[3]
for path, format, columns in FILES:
    report(path, lambda: spark.read.format(format).load(path).select(*columns).collect())
"""
)

TERMS = ["subject", "predicate", "object", "graph"]
FORMATS = {
    ".nt": ("ntriples", TERMS[:3]),
    ".nq": ("nquads", TERMS),
    ".ttl": ("rdf", TERMS),
    ".rdf": ("rdf", TERMS),
    ".owl": ("rdf", TERMS),
    ".jelly": ("jelly_rdf", TERMS),
    ".rdfp": ("rdf_patch", ["op", *TERMS, "name", "value"]),
}
"""The format of a file, and the columns that are compared, by its extension."""


def read_by_all(
    files: list[Path], tmp_path: Path, javas: list[Path]
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield what each engine finds in files: its name, and digests or errors by path."""
    plan = tmp_path / "files.json"
    described = []
    for file in files:
        extension = [part for part in file.suffixes if part in FORMATS][-1]
        described.append([str(file), *FORMATS[extension]])
    plan.write_text(json.dumps(described), encoding="utf-8")
    yield "plain Python", _found(run(CODEC, plan, timeout=TIMEOUT))
    if COMPILED.is_dir():
        yield "compiled", _found(run(CODEC, plan, timeout=TIMEOUT, PYTHONPATH=str(COMPILED)))
    jena = JENA_CLASSPATH.read_text("utf-8").replace(os.pathsep, ",")
    for home in javas:
        name = f"on {home.name}"
        jars = f"{JENA_JAR},{jena}"
        for engine, on_session, kind in (
            ("Spark with the jar and Jena", jars, "jvm"),
            ("Spark without the jar", "", "python"),
        ):
            lines = run(SPARK, plan, on_session, kind, timeout=TIMEOUT, JAVA_HOME=str(home))
            yield f"{engine} {name}", _found(lines)


def _found(lines: list[str]) -> dict[str, object]:
    return dict(json.loads(line) for line in lines if line.startswith("["))


def check(files: list[Path], tmp_path: Path, javas: list[Path]) -> None:
    """Compare what all engines find in files with what plain Python finds."""
    if not JENA_JAR.is_file() or not JENA_CLASSPATH.is_file():
        pytest.skip(f"no {JENA_JAR} or no Jena: run `make test`")
    (_, expected), *others = read_by_all(files, tmp_path, javas)
    assert len(expected) == len(files)
    assert {kind for kind in expected.values() if isinstance(kind, str)} <= {"malformed"}
    differences = [
        f"{path}: {expected[path]} in plain Python, {kinds.get(path)} in {engine}"
        for engine, kinds in others
        for path in expected
        if kinds.get(path) != expected[path]
    ]
    assert differences == []


def javas() -> list[Path]:
    """The folders of the JDK of the path and of the newest one."""
    found = shutil.which("java")
    assert found is not None
    homes = [Path(found).resolve().parents[1]]
    newer = find_java(21)
    return [*homes, newer.parents[1]] if newer is not None else homes


def test_small_files(shared: Path, tmp_path: Path) -> None:
    files = [path for path in sorted((shared / "trials").iterdir()) if path.suffix in FORMATS]
    files += sorted((shared / "data/patches").glob("*.rdfp"))
    check(files, tmp_path, javas()[:1])


@pytest.mark.long
def test_all_files(shared: Path, tmp_path: Path) -> None:
    if not COMPILED.is_dir():
        pytest.skip("no compiled codec: run `make test-compiled`")
    found = [
        path
        for folder in ("trials", "data", "conformance/w3c", "conformance/rdf12")
        for path in sorted((shared / folder).rglob("*"))
        if any(part in FORMATS for part in path.suffixes)
    ]
    check(found, tmp_path, javas())
