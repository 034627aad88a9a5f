"""The programs that print tables for the guides run, on little data."""

import pytest

from tests.benchmarks.test_run import run


@pytest.mark.parametrize(
    ("arguments", "head", "rows"),
    [
        (["command_line", "--rows", "2000", "--only", "convert`"], "command", 4),
        (["oxigraph", "--rows", "2000"], "what", 4),
        (["row_paths", "--rows", "1000", "--rounds", "1"], "shop", 4),
        (["text_splits", "--megabytes", "1", "--rounds", "1"], "splits", 7),
        (["without_jar", "--rows", "100", "--rounds", "1", "--only", "functions"], "function", 11),
    ],
)
def test_tables(arguments: list[str], head: str, rows: int) -> None:
    table, *_ = run("benchmarks.guides", *arguments).split("\n\n")
    first, rule, *lines = table.splitlines()
    assert first.startswith(f"| {head} | ") and rule.startswith("| --- | ---: |")
    assert len(lines) == rows
    assert all(line.count("|") == first.count("|") for line in lines)
