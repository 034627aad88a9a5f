"""Where the pages' blocks run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.shared import ROOT, WORKER_DAEMON

SPARK_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.python.daemon.module": WORKER_DAEMON,
}

LOGGING = """
rootLogger.level = error
logger.window.name = org.apache.spark.sql.execution.window.WindowExec
logger.window.level = warn
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c: %m%n%ex
"""


def user_environment(conf: Path, settings: str = "") -> dict[str, str]:
    """Return the environment of a user who has the package installed, and Spark quiet and small.

    Args:
        conf: the folder for Spark's settings.
        settings: lines for `spark-defaults.conf`. If empty, no such file is written.
    """
    logging = conf / "log4j2.properties"
    logging.write_text(LOGGING)
    properties = {**SPARK_SETTINGS, "log4j2.configurationFile": str(logging)}
    options = [f'"-D{key}={value}"' for key, value in properties.items()]
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        # Spark does not see the modules of a package that is installed as editable.
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "python")]),
        "PYTHONWARNINGS": "ignore",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "MASTER": "local[1]",
        # Not in `spark-defaults.conf`: its folder would be on the class path, and the JVM could not
        # use the classes that `make test` saves (tests/jvm_options.py).
        "JDK_JAVA_OPTIONS": " ".join([os.environ["JDK_JAVA_OPTIONS"], *options]),
    }
    if settings:
        (conf / "spark-defaults.conf").write_text(settings)
        environment["SPARK_CONF_DIR"] = str(conf)
    return environment
