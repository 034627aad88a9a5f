"""The data, which are the same on every machine in every run."""
