"""Tests of the data sources in plain Python."""
