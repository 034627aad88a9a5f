"""The examples in the docstrings of the public API run: the site shows them."""

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from tests.docs.run_page import Pages

NAMES = ("codec", "patches", "terms", "functions", "log", "report", "cost", "errors")
INTEGRATIONS = tuple(
    f"jelly_spark.integrations.{name}"
    for name in ("rdflib", "oxigraph", "wikidata", "arrow", "pyjelly")
)
MODULES = ("jelly_spark", *(f"jelly_spark.{name}" for name in NAMES), *INTEGRATIONS)

SETUP = """
import dataclasses
import gzip
import shutil
from pathlib import Path

import jelly_spark
from jelly_spark import codec, functions as jf, patches
from jelly_spark.codec import *
from jelly_spark.cost import *
from jelly_spark.errors import *
from jelly_spark.log import Log
from jelly_spark.report import summarize
from jelly_spark.terms import *
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import lit

spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
changes = spark.createDataFrame(
    [PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"o"')], jelly_spark.schema("jelly_patch")
)
messages = changes.select(
    jf.to_jelly_patch(F.array(F.struct("op", "subject", "predicate", "object"))).alias("value")
)
others = spark.createDataFrame([('"\\\\u006F"',)], "term string")
triples = spark.createDataFrame([('<<( _:b <urn:x:p> "o" )>>',)], "triple string")
labels = spark.createDataFrame([('"chat"@FR',)], "label string")
names = spark.createDataFrame(
    [("b1", "http://example.org/cup", "Cup")], "id string, iri string, name string"
)


def make_files():
    for name in ("changes.jellyp", "changes.jellyp.gz", "changes.rdfp", "changes.trp"):
        codec.write(name, [PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"o"'), PatchRow("END")])
    for name in ("data.jelly", "data.nt", "data.nq"):
        codec.write(name, [RdfRow("<urn:x:s>", "<urn:x:p>", '"o"')])
    Path("data.ttl").write_text("<urn:x:s> <urn:x:p> 1 .")
    gzip.open("events.jsonl.gz", "w").close()
    shutil.rmtree("log", ignore_errors=True)
    Log("log").append([PatchRow("H", name="id", value="<urn:uuid:1>")])
"""


INTEGRATIONS_SETUP = """
import pyoxigraph
import rdflib
from pyjelly.integrations.generic.serialize import flat_stream_to_file

dataset = rdflib.Dataset()
store = pyoxigraph.Store()
file = open("pyjelly.jelly", "wb")
"""


def docstrings() -> Iterator[tuple[str, str]]:
    """The names and docstrings of the public modules, their members, and their public methods."""
    for name in MODULES:
        module = importlib.import_module(name)
        yield name, inspect.getdoc(module) or ""
        for member in module.__all__:
            value = getattr(module, member)
            if not inspect.isclass(value):
                if inspect.isroutine(value):
                    yield f"{name}.{member}", inspect.getdoc(value) or ""
                continue
            yield f"{name}.{member}", inspect.getdoc(value) or ""
            for attribute, method in vars(value).items():
                if inspect.isfunction(method) and not attribute.startswith("_"):
                    yield f"{name}.{member}.{attribute}", inspect.getdoc(method) or ""


def page() -> str:
    """A page with all examples; each begins with the same files and the same rows.

    The comment behind an expression is its value, and so an output.
    """
    lines = ["```python", SETUP, "```", ""]
    for name, text in docstrings():
        for token in MarkdownIt().parse(text):
            # The sections of Google's style are no code to Markdown: they follow their titles.
            if token.type not in ("code_block", "fence"):
                continue
            code = [
                *("make_files()", "rows = list(codec.read('changes.jellyp'))", "log = Log('log')"),
                "patch = [PatchRow('H', name='id', value='<urn:uuid:2>')]",
                "from jelly_spark import patches",  # not a function of an integration
            ]
            module = next((module for module in INTEGRATIONS if name.startswith(module)), None)
            if module is not None:
                code += [INTEGRATIONS_SETUP, f"from {module} import *"]
            values = []
            for line in token.content.splitlines():
                expression, comment, value = line.partition("  # ")
                code.append(f"print(repr({expression}))" if comment else line)
                values += [value] if comment else []
            lines += [f"{name}:", "", "```python", *code, "```", ""]
            if values:
                lines += ["```text", *values, "```", ""]
    return "\n".join(lines)


def test_examples(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "docstrings.md"
    path.write_text(page(), encoding="utf-8")
    pages.check(path)


def test_examples_are_found() -> None:
    assert page().count("```python") > 20
