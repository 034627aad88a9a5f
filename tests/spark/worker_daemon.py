"""Starts the Python workers of Spark, as `pyspark.daemon` does, from a process that has imported
what they import.

A worker is a fork of the daemon. Spark's own has imported nothing, so each worker imports PySpark,
Arrow and the package again, which takes more than a second of processor time. Python data sources
start a worker or two for each query.
"""

import gc

import pandas as pd  # type: ignore[import-untyped] # noqa: F401
import pyspark.worker  # noqa: F401
from pyspark.daemon import manager

import jelly_spark  # noqa: F401

if __name__ == "__main__":
    # What is there before the fork stays shared.
    gc.freeze()
    manager()
