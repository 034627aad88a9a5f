"""Who computes rows and states: plain Python, or Spark."""
