"""Who computes rows and states: plain Python, or Spark; and the log in a Delta table."""
