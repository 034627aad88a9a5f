"""Making snapshots and packs of a managed log, and removing what it no longer needs."""
