"""The column functions without the jar, behind `jelly_spark.functions`.

- `terms` computes functions on terms, and `messages` decodes and encodes messages, in plain Python.
- `term_columns` and `message_columns` make columns of them: expressions of Spark's own functions,
  or Python UDFs, which `arrow_udf` makes.

The executors must have this package, and the driver pandas and pyarrow.
"""
