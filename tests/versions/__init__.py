"""Tests of the versions of Spark that the jar must work with, or must not disturb."""
