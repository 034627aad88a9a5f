"""Tests of the pure-Python codec; no Spark."""
