"""Scripts that are submitted; they know PySpark, and nothing of this checkout."""
