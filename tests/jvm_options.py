"""How the JVMs of the tests run.

The tests run many different queries on little data, so that most of a JVM's time would go into
optimizing code that runs once. A JVM that does not optimize has by default so little room for
compiled code that a session which runs for minutes fills it.
"""

QUICK = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
"""The options, but for the garbage collector."""
