"""Files of every format: where they come from, restart points, sizes."""
