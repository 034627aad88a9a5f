"""Tests of the command `jelly-spark`, run as processes."""
