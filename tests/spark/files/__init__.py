"""Files, in Spark: reading parts and columns of them, malformed ones, writing them."""
