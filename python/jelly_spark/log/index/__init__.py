"""The index of a managed log: what its patches hold, and its settings."""
