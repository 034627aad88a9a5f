"""The laws of patch algebra in plain Python, cases, and the same from Spark."""
