"""Who does the work: the names of the participants."""

from __future__ import annotations

SPARK = "spark"
"""Spark on one core."""

SPARK_TWO_CORES = "spark-two-cores"

SPARK_ALGEBRA = "spark-algebra"
"""Spark on two cores with `ALGEBRA_HEAP`."""

SPARK_WITH_AVRO = "spark-with-avro"
"""Spark 4.0 on one core, with the latest release of spark-avro."""

SPARK_WITH_JENA = "spark-with-jena"
"""Spark on one core, with Jena and the jar that needs it."""

SPARK_SMALL_HEAP = "spark-small-heap"
"""Spark on two cores with `SMALL_HEAP`."""

WITH_TWO_CORES = (SPARK_TWO_CORES, SPARK_ALGEBRA, SPARK_SMALL_HEAP)

JELLY_CORE = "jelly-core"
"""jelly-core's decoder in a JVM without Spark, which has compiled it for only one kind of nodes."""

JENA = "jena"
"""jelly-jena and Jena in a JVM without Spark."""

PYTHON = "python"
"""Plain Python, with pyjelly and pyoxigraph."""

PYTHON_COMPILED = "python-compiled"
"""Plain Python, with the compiled codec of this project."""

SPARK_BASE = "spark-base"
"""Like `SPARK`, with the other version of this project."""

PYTHON_BASE = "python-base"
"""Like `PYTHON`, with the other version of this project."""

ARCHIVE_LOG = "archive-log"
ARCHIVE_UNCOMPACTED = "archive-log-uncompacted"
ARCHIVE_DELTA = "archive-delta"
ARCHIVE_VECTORS = "archive-delta-vectors"
ARCHIVE_COPIES = "archive-copies"
ARCHIVES = (
    ARCHIVE_LOG,
    ARCHIVE_UNCOMPACTED,
    ARCHIVE_DELTA,
    ARCHIVE_VECTORS,
    ARCHIVE_COPIES,
)
"""Spark on two cores with `ALGEBRA_HEAP`, each with its own archive."""

ARCHIVE_PYTHON = "archive-python"
"""Plain Python, with the archive of `ARCHIVE_UNCOMPACTED`."""

TABLE_LOG = "table-log"
TABLE_DELTA = "table-delta"
TABLES = (TABLE_LOG, TABLE_DELTA)
"""Spark on two cores with `ALGEBRA_HEAP`, each with a table that SQL writes."""

WITH_DELTA = (ARCHIVE_DELTA, ARCHIVE_VECTORS, TABLE_DELTA)
"""Those that need Delta."""
