"""The index of a managed log: what its patches hold, its packs, and its settings."""
