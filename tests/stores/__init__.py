"""Pushing logs to stores that fail. `tests/services` has a store that works."""
