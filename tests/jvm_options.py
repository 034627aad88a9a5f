"""How the JVMs of the tests run.

The tests run many different queries on little data, so that most of a JVM's time would go into
optimizing code that runs once. A JVM that does not optimize has by default so little room for
compiled code that a session which runs for minutes fills it.
"""

from tests.shared import ROOT

QUICK = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
"""The options, but for the garbage collector."""

CLASSES = ROOT / ".build" / "spark.jsa"
"""The classes of Spark, loaded and verified, which `make test` saves: half of what a short session
takes is to load them. A JVM with another class path ignores the file, as it does if there is none.
"""

_ARCHIVE = f'"-XX:SharedArchiveFile={CLASSES}" -Xlog:cds=off -Xlog:cds+dynamic=off'

SMALL = f"{QUICK} -XX:+UseSerialGC {_ARCHIVE}"
"""The options of JVMs that may run beside others."""

OPTIMIZING = f"-XX:+UseSerialGC {_ARCHIVE}"
"""The options of JVMs that read much data, so that it pays to optimize the code that does."""
