"""RDF change logs and RDF data for Spark and for plain Python.

Reads and writes Jelly-Patch (`.jellyp`), Jelly-RDF (`.jelly`), RDF Patch text (`.rdfp`), RDF Patch
in Thrift (`.trp`), N-Triples (`.nt`) and N-Quads (`.nq`), and writes patches as SPARQL Update
(`.ru`).

With Spark, which the extra `spark` installs:

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

Importing this package imports no other package, and in particular not PySpark: each of these names
is imported on its first use.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from jelly_spark._version import __version__

if TYPE_CHECKING:
    from jelly_spark import algebra, codec, datasource, errors, functions, patches, terms
    from jelly_spark._parity import parity
    from jelly_spark._schema import schema
    from jelly_spark.engines import engine
    from jelly_spark.log import Log, read_log
    from jelly_spark.session import configure, jar_path
    from jelly_spark.streams import read_stream

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

# These modules need PySpark.
if find_spec("pyspark") is not None:
    __all__ += ["algebra", "datasource"]

_MODULE_OF = {
    "Log": "log",
    "configure": "session",
    "engine": "engines",
    "jar_path": "session",
    "parity": "_parity",
    "read_log": "log",
    "read_stream": "streams",
    "schema": "_schema",
}
"""The modules of the names that are not modules."""

_MODULES = ("algebra", "codec", "datasource", "errors", "functions", "log", "patches", "terms")


def __getattr__(name: str) -> Any:
    """Import what a name of this package stands for.

    Raises:
        AttributeError: there is no such name, or a module needs PySpark, which is not installed.
    """
    if name in _MODULE_OF:
        found = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    elif name in _MODULES:
        from jelly_spark.errors import MissingPackageError

        try:
            found = import_module(f"{__name__}.{name}")
        except MissingPackageError as error:
            raise AttributeError(str(error)) from error
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found
