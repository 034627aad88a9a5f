"""Tests of what is shipped: the jar and the wheel."""
