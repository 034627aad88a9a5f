"""Patch algebra in plain Python."""
