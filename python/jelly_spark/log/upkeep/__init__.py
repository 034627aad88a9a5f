"""Snapshots and packs of a managed log, and the removal of what it no longer needs."""
