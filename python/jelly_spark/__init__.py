"""RDF change logs and RDF data for Spark and for plain Python.

Reads and writes Jelly-Patch (`.jellyp`), Jelly-RDF (`.jelly`), RDF Patch text (`.rdfp`), RDF Patch
in Thrift (`.trp`), N-Triples (`.nt`) and N-Quads (`.nq`), and writes patches as SPARQL Update
(`.ru`).

With Spark, after `pip install jelly-spark[spark]`:

    import jelly_spark
    from pyspark.sql import SparkSession

    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    log = spark.read.format("jelly_patch").load("changes.jellyp")
    log.where("op = 'A'").groupBy("predicate").count().show()

Without Spark or a JVM:

    for row in jelly_spark.codec.read("changes.jellyp"):
        print(row.op, row.subject, row.predicate, row.object)

Contents:

- `configure` adds this package's jar to a Spark session; `jar_path` returns its path for
  `spark-submit`.
- `engine` says whether a session uses the jar for a format, or the data sources in plain Python of
  `jelly_spark.datasource`.
- `schema` returns the schema of a format, for DataFrames that a program creates.
- `read_stream` returns a streaming DataFrame of the rows of files.
- `Log` is a log of patches: it appends patches, and returns any version of the data. `read_log`
  reads the files of a log as a DataFrame, with each patch's position in the log.
- `jelly_spark.codec` reads and writes files in plain Python.
- `jelly_spark.functions` has column functions for Spark: `from_jelly_patch`, `term_value` and more.
- `jelly_spark.patches` has patch algebra in plain Python: `diff`, `apply`, `squash` and more.
- `jelly_spark.algebra` has patch algebra on Spark: the same functions for DataFrames.
- `jelly_spark.terms` converts between the strings of terms and objects.
- `parity` reads the same files with every codec of a session, and returns the differences.
- `jelly_spark.errors` has all errors; `JellySparkError` is their base class.

Importing this package imports no other package than `protobuf`, and in particular not PySpark.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from jelly_spark import codec, errors, functions, patches, terms
from jelly_spark._parity import parity
from jelly_spark._schema import schema
from jelly_spark._version import __version__
from jelly_spark.engines import engine
from jelly_spark.log import Log, read_log
from jelly_spark.session import configure, jar_path
from jelly_spark.streams import read_stream

if TYPE_CHECKING:
    from jelly_spark import algebra, datasource

__all__ = [
    "Log",
    "__version__",
    "codec",
    "configure",
    "engine",
    "errors",
    "functions",
    "jar_path",
    "parity",
    "patches",
    "read_log",
    "read_stream",
    "schema",
    "terms",
]


# These modules need PySpark, and are imported on their first use.
if find_spec("pyspark") is not None:
    __all__ += ["algebra", "datasource"]


def __getattr__(name: str) -> Any:
    """Import a module that needs PySpark.

    Raises:
        AttributeError: there is no such module, or PySpark is not installed.
    """
    if name not in ("algebra", "datasource"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return import_module(f"jelly_spark.{name}")
    except errors.MissingPackageError as error:
        raise AttributeError(str(error)) from error
