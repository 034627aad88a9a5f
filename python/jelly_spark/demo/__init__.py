"""The demonstration `python -m jelly_spark.demo`, which writes, reads and replays a change log."""
