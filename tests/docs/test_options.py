"""The tables of docs/reference/options.md have the options that the code of both languages has."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from inspect import Parameter, signature
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from jelly_spark.codec import ReadLimits
from jelly_spark.core.options import camel
from jelly_spark.core.rows import RdfRow
from jelly_spark.formats import FORMATS, READ, WRITTEN
from tests.shared import ROOT

PAGE = (ROOT / "docs/reference/options.md").read_text("utf-8")

JELLY = {"jelly_patch", "jelly_rdf"}

TEXTS = {"compression", "columnNameOfCorruptRecord", "streamName"}
"""Options whose values, or those of Spark, are not checked."""

READING, WRITING = "Reading", "Writing"


class Option:
    """An option in a table of the page.

    Attributes:
        name: its name.
        formats: the names of the formats that have it.
        default: what the table says.
        spark_only: whether Python does not have it.
    """

    def __init__(self, row: str) -> None:
        option, formats, default, _ = (cell.strip() for cell in row.strip("|").split("|", 3))
        self.name = option.split("`")[1]
        self.spark_only = option.endswith(r"\*")
        named = set(re.findall("`([a-z_]+)`", formats))
        self.formats = {
            "all": {*READ, *WRITTEN},
            "all but `rdf`": {*READ, *WRITTEN} - {"rdf"},
            "Jelly": JELLY,
        }.get(formats, named)
        self.default = default

    def default_of(self, format: str) -> str:
        """The default of a format, as a value for Spark."""
        values: list[str] = re.findall("`([^`]*)`", self.default)
        if f"`{format}`: " in self.default:
            return values[values.index(format) + 1]
        return values[0] if values else ""


def table(heading: str) -> list[Option]:
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE)
    return [Option(row) for row in section.splitlines() if row.startswith("| `")]


def documented(heading: str, format: str) -> dict[str, str]:
    """The options of Python in a table, with their defaults."""
    return {
        option.name: option.default_of(format)
        for option in table(heading)
        if format in option.formats and not option.spark_only
    }


@pytest.mark.parametrize("format", WRITTEN)
def test_pythons_options_for_writing(format: str) -> None:
    shown = documented(WRITING, format)
    if "logicalType" in shown:
        # The default depends on the physical type, so the table describes it.
        shown["logicalType"] = "FLAT_QUADS"
    written = WRITTEN[format].options().to_strings()
    assert {name: value.lower() for name, value in shown.items()} == {
        name: value.lower() for name, value in written.items()
    }


@pytest.mark.parametrize("format", READ)
def test_pythons_options_for_reading(format: str) -> None:
    shown = documented(READING, format)
    assert shown == _reading(format)


def _reading(format: str) -> dict[str, str]:
    parameters: Mapping[str, Parameter] = signature(READ[format].reader).parameters
    found: dict[str, str] = {}
    for name, parameter in parameters.items():
        if name == "limits":
            found.update((camel(f.name), str(f.default)) for f in fields(ReadLimits))
        elif name not in ("file", "part", "where"):
            assert parameter.default is not MISSING
            found[camel(name)] = str(parameter.default).lower()
    return found


@pytest.mark.parametrize("format", [name for name in WRITTEN if name != "rdf"])
def test_sparks_options(format: str, spark: SparkSession, tmp_path: Path) -> None:
    """Spark checks the value of each option of the tables, and its default is the one shown."""
    rows = [("A", "<a:s>", "<a:p>", '"o"', "<a:g>")]
    frame = spark.createDataFrame(rows, ["op", "subject", "predicate", "object", "graph"])
    frame = (frame.drop("op") if WRITTEN[format].row is RdfRow else frame).coalesce(1)
    if format == "ntriples":
        frame = frame.drop("graph")

    def saved(name: str, **options: str) -> list[bytes]:
        frame.write.format(format).options(**options).save(str(tmp_path / name))
        return [path.read_bytes() for path in (tmp_path / name).glob("part-*")]

    writing = [option for option in table(WRITING) if format in option.formats]
    defaults = {o.name: o.default_of(format) for o in writing if o.name != "logicalType"}
    assert saved("explicit", **defaults) == saved("implicit")
    for option in writing:
        if option.name not in TEXTS - {"compression"}:
            with pytest.raises(PySparkException, match=option.name):
                saved(option.name, **{option.name: "?"})

    if format not in FORMATS:
        return
    reading = [option for option in table(READING) if format in option.formats]
    reader = spark.read.format(format)
    path = str(tmp_path / "implicit")
    given = {o.name: o.default_of(format) for o in reading if o.name not in TEXTS}
    assert reader.options(**given).load(path).collect() == reader.load(path).collect()
    for option in reading:
        if option.name not in TEXTS:
            with pytest.raises(PySparkException, match=option.name):
                spark.read.format(format).option(option.name, "?").load(path).collect()


@pytest.mark.parametrize("format", READ)
def test_misspelt_options(format: str, spark: SparkSession, tmp_path: Path) -> None:
    """Spark refuses each option of the tables with a letter too many, and names the right one."""
    (tmp_path / "file").write_bytes(b"")
    for option in table(READING) + (table(WRITING) if format in FORMATS else []):
        if format in option.formats:
            wrong = f"{option.name}l"
            with pytest.raises(PySparkException, match=rf"did you mean {option.name}\?"):
                spark.read.format(format).option(wrong, "1").load(str(tmp_path / "file"))


def test_scalas_options() -> None:
    """The names that the JVM's code looks options up by are those of the tables."""
    sources = (ROOT / "jvm/src/main").rglob("*.scala")
    text = "\n".join(path.read_text("utf-8") for path in sources)
    keys = set(re.findall(r'val (?:\w*Key) = "(\w+)"', text))
    tables = re.findall(r'new TableSize\("(\w+)"', text)
    keys |= {f"max{name.capitalize()}TableSize" for name in tables}
    options = table(READING) + table(WRITING)
    assert keys == {option.name for option in options if option.formats != {"rdf"}}
