"""Where the data shared between checkouts (parity cases, samples) is found."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The root of this checkout."""

SHARED = Path(os.environ.get("JELLY_SPARK_SHARED", ROOT.parent / "shared")).resolve()
"""The shared data: ``$JELLY_SPARK_SHARED``, else ``shared`` next to the checkout. May not exist."""

JENA_JAR = ROOT / "jena" / "target" / "jelly-spark-jena.jar"
"""The second jar, which `make jena-jar` builds."""

JENA_CLASSPATH = ROOT / "tests" / "jena" / "target" / "jena.classpath"
"""The file with the class path of Jena."""

JENA_6_CLASSPATH = JENA_CLASSPATH.with_name("jena-6.classpath")
"""The file with the class path of Jena 6, which needs Java 21."""

WORKER_DAEMON = "tests.spark.worker_daemon"
"""For Spark's setting `spark.python.daemon.module`."""
