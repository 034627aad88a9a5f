"""Tests of Jelly Spark."""
