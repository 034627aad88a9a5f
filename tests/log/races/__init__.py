"""Programs that write a log at the same time, and are killed."""
