"""The benchmark `make bench`, which runs Jelly Spark and its peers on the same tasks."""
