"""What the commands that can use Spark need: a session, and jobs that convert files."""
