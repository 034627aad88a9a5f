"""Tests of N-Triples and N-Quads."""
