"""The JVM class that Python calls, and the version of PySpark that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jelly_spark.errors import JarMissingError, SparkVersionError

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView

PACKAGE = "org.jellyspark"
"""The package of the JVM's exceptions."""

_MIN_SPARK = 4


def check_spark_version() -> None:
    """Check that the jar works with the installed version of PySpark.

    Raises:
        SparkVersionError: PySpark is older than version 4.0.
    """
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


def require_bridge(jvm: JVMView) -> Any:
    """Return the JVM's `FormatBridge`.

    Raises:
        JarMissingError: the jar is not on the JVM's classpath.
    """
    bridge = find_bridge(jvm)
    if bridge is None:
        raise JarMissingError(
            "the session has no jelly-spark.jar: make it with "
            "jelly_spark.configure(SparkSession.builder), or spark-submit with --jars"
        )
    return bridge
