"""The JVM class that Python calls, the version of PySpark that it needs, and who has the jar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from jelly_spark.core.packages import needs_extra
from jelly_spark.errors import SparkVersionError

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView
    from pyspark.sql import DataFrame

_MIN_SPARK = 4

# A function of the jar: a server that has it has all of them.
_SOME_FUNCTION = "from_jelly_patch"


def check_spark_version() -> None:
    """Check that the jar works with the installed version of PySpark.

    Raises:
        MissingPackageError: PySpark is not installed.
        SparkVersionError: PySpark is older than version 4.0.
    """
    with needs_extra("spark", "the jar and the column functions need PySpark"):
        import pyspark

    if int(pyspark.__version__.split(".")[0]) < _MIN_SPARK:
        raise SparkVersionError(
            f"jelly-spark needs PySpark {_MIN_SPARK}.0 or later, which has Scala 2.13; this is "
            f"PySpark {pyspark.__version__}"
        )


def find_bridge(jvm: JVMView) -> Any:
    """Return the JVM's `FormatBridge`; None if the jar is not on the JVM's classpath."""
    from py4j.java_gateway import JavaPackage

    bridge = jvm.org.jellyspark.bridge.FormatBridge
    # Py4J returns a `JavaPackage` for a name that is not a class.
    return None if isinstance(bridge, JavaPackage) else bridge


def session_has_jar() -> bool:
    """Return whether the active session has the jar's functions.

    Over Spark Connect, the server is asked once in each session. If there is no session yet, the
    result is true.

    Raises:
        MissingPackageError: PySpark is not installed.
        SparkVersionError: PySpark is older than version 4.0.
    """
    check_spark_version()
    from pyspark.sql.utils import is_remote

    if is_remote():
        return _server_has_jar()
    from pyspark import SparkContext  # not in the package `pyspark-client`

    context = SparkContext._active_spark_context
    return context is None or _bridge() is not None


def scanned_bytes(frame: DataFrame) -> int | None:
    """Return the estimated number of bytes that a query reads; None if it may be slow to run twice.

    The session must have the jar. Over Spark Connect, the number is not known.
    """
    from pyspark.sql.utils import is_remote

    size: int = -1 if is_remote() else _bridge().scannedBytes(frame._jdf)
    return None if size < 0 else size


def digest_tasks(frame: DataFrame) -> int:
    """Return how many tasks compute the digests of the statements of a query at most.

    `scanned_bytes` of the query must be known.
    """
    tasks: int = _bridge().digestTasks(frame._jdf)
    return tasks


def _bridge() -> Any:
    from pyspark import SparkContext  # not in the package `pyspark-client`

    return find_bridge(SparkContext._jvm)


# Whether the servers of these sessions have the jar.
_servers: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def _server_has_jar() -> bool:
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    try:
        session = SparkSession.active()
    except PySparkRuntimeError:
        return True
    if session not in _servers:
        _servers[session] = session.catalog.functionExists(_SOME_FUNCTION)
    return _servers[session]
