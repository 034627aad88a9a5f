"""Where the pages' blocks run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.shared import ROOT, WORKER_DAEMON

SPARK_DEFAULTS = f"""
spark.master local[1]
spark.ui.enabled false
spark.ui.showConsoleProgress false
spark.sql.shuffle.partitions 1
spark.sql.catalogImplementation in-memory
spark.python.daemon.module {WORKER_DAEMON}
"""

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
        settings: lines for `spark-defaults.conf`, besides those of all pages.
    """
    (conf / "spark-defaults.conf").write_text(SPARK_DEFAULTS + settings)
    (conf / "log4j2.properties").write_text(LOGGING)
    scripts = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        # Spark does not see the modules of a package that is installed as editable.
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "python")]),
        "PYTHONWARNINGS": "ignore",
        "SPARK_CONF_DIR": str(conf),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
