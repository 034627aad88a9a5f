"""Logs of patches: append to them, read them in order, and ask for the state of any version.

    from jelly_spark.log import Log

    log = Log("log")
    print(log.head(), len(log.state_at()))

`Log` is a folder of patches or a table of Delta. `read_log` reads files of patches as a DataFrame
that has their order.
"""

from jelly_spark.log.chain import LogFinding, Version
from jelly_spark.log.log import Log
from jelly_spark.log.reading import read_log

__all__ = ["Log", "LogFinding", "Version", "read_log"]
