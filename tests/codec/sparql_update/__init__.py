"""Tests of SPARQL Update."""
