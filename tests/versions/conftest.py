"""Chooses the tests by the version of PySpark that runs them."""

import pyspark

IS_SUPPORTED = int(pyspark.__version__.split(".")[0]) >= 4

collect_ignore = ["test_unsupported_spark.py" if IS_SUPPORTED else "test_supported_spark.py"]
