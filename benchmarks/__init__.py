"""Jelly Spark and its peers at the same work, in one run: `make bench`."""
