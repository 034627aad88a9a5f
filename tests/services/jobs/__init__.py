"""Programs that the tests run, and kill."""
