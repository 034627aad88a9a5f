"""Tests of the format rdf."""
