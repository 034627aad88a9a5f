"""What is known about the patches of a log, and the files that have them, below any index."""
