"""The class of the JVM that Python calls: the one place that names one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView

PACKAGE = "org.jellyspark"
"""The package that the JVM's errors are in."""


def find_bridge(jvm: JVMView) -> Any:
    """Return the JVM's `FormatBridge`; None where the jar is not on the JVM's classpath."""
    from py4j.java_gateway import JavaPackage

    bridge = jvm.org.jellyspark.bridge.FormatBridge
    # What Py4J gives for any name that it does not know.
    return None if isinstance(bridge, JavaPackage) else bridge
