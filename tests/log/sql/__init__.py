"""Logs as tables of Spark SQL, and writes that only a log may do."""
