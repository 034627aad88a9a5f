"""The class of the JVM that Python calls: the one place that names one, and what it runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jelly_spark.errors import JarMissingError, SparkVersionError

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView

PACKAGE = "org.jellyspark"
"""The package that the JVM's errors are in."""

_MIN_SPARK = 4


def check_spark_version() -> None:
    """Check that the jar works with this version of PySpark.

    Raises:
        SparkVersionError: PySpark is too old.
    """
    import pyspark

    if int(pyspark.__version__.split(".")[0]) < _MIN_SPARK:
        raise SparkVersionError(
            f"jelly-spark needs PySpark {_MIN_SPARK}.0 or later, which has Scala 2.13; this is "
            f"PySpark {pyspark.__version__}"
        )


def find_bridge(jvm: JVMView) -> Any:
    """Return the JVM's `FormatBridge`; None where the jar is not on the JVM's classpath."""
    from py4j.java_gateway import JavaPackage

    bridge = jvm.org.jellyspark.bridge.FormatBridge
    # What Py4J gives for any name that it does not know.
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
