"""The figures of the README and the site are those of the last benchmark."""

from pathlib import Path

import pytest

from benchmarks.report import README_TABLE, readme_table, write_report
from benchmarks.results import Results
from benchmarks.scale import report as scale_report
from benchmarks.scale.curves import ScaleResults
from benchmarks.scale.parts import PARTS
from jelly_spark.cost import Rates
from tests.shared import ROOT

FOLDER = ROOT / "benchmarks"
HOW = "run `.venv/bin/python -m benchmarks.report`"
HOW_AT_SCALE = "run `.venv/bin/python -m benchmarks.scale.report`"


@pytest.fixture(scope="module")
def results() -> Results:
    return Results.read(FOLDER)


def test_readme(results: Results) -> None:
    tables = README_TABLE.findall((ROOT / "README.md").read_text("utf-8"))
    assert tables == [readme_table(results)], HOW


def test_tables_and_picture(results: Results, tmp_path: Path) -> None:
    write_report(results, tmp_path)
    for name in ("results.md", "speed.svg"):
        assert (FOLDER / name).read_bytes() == (tmp_path / name).read_bytes(), f"{name}: {HOW}"


def test_the_site_has_the_picture() -> None:
    assert (ROOT / "docs/images/speed.svg").resolve() == FOLDER / "speed.svg"


def test_cost_at_scale(tmp_path: Path) -> None:
    results = ScaleResults.read(FOLDER)
    assert not results.failed
    scale_report.write_report(results, tmp_path)
    assert (FOLDER / "scale.md").read_text("utf-8") == (tmp_path / "scale.md").read_text("utf-8"), (
        HOW_AT_SCALE
    )
    assert scale_report.rates_of(results) == Rates(), HOW_AT_SCALE


def test_the_site_has_all_parts() -> None:
    text = (ROOT / "docs/cost.md").read_text("utf-8")
    for part in PARTS:
        assert f"(images/scale-{part}.svg)" in text
        assert f'--8<-- "benchmarks/scale.md:{part}"' in text
