"""The demonstration, `python -m jelly_spark.demo`: writes, reads and replays a change log."""
