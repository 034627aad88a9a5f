"""Tests of the data source `jelly_patch`, the bridge and the session, in a real Spark session."""
