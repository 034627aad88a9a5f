"""Where the patches of a log are, and what is done with them: a folder, or a Delta table."""
