"""Append what is new in a full dump to a log, in a job that runs every night.

    python examples/nightly/dump_to_log.py LOG FORMAT DUMP

LOG is the folder of the log, which the first run creates. FORMAT is the format of the dump, such as
`jelly_rdf`. DUMP is its file or folder.
"""

import sys

from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark import Log

path, format, dump = sys.argv[1:]
spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
log = Log(path, spark)
found = log.commit(spark.read.format(format).load(dump))
if found is None:
    print(f"nothing changed since {log.head()}")
else:
    print(f"{found.id}: {found.adds} statements added, {found.deletes} deleted")
    # A run reads only the last snapshot and the patches after it.
    log.compact(if_due=True)
