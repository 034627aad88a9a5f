"""Tests with real data."""
