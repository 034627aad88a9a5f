"""Tests of RDF Patch as text."""
