"""Logs of patches: append patches, read them in order, and get the state of any version.

    from jelly_spark.log import Log

    log = Log("log")
    print(log.head(), len(log.state_at()))

A `Log` is a folder of patch files or a Delta table. `read_log` reads patch files as a DataFrame
whose column `log_seq` orders them.
"""

from jelly_spark.log.engines.drafts import Commit
from jelly_spark.log.entries.entry import Version
from jelly_spark.log.entries.metrics import LogMetrics
from jelly_spark.log.entries.order import LogFinding, Removed
from jelly_spark.log.entries.view import VersionName
from jelly_spark.log.log import Log
from jelly_spark.log.reading import read_log

__all__ = [
    "Commit",
    "Log",
    "LogFinding",
    "LogMetrics",
    "Removed",
    "Version",
    "VersionName",
    "read_log",
]
