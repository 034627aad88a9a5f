"""Tests on a real standalone cluster, with the jar alone: what `spark-submit --jars` is given."""
