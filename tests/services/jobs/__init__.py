"""Programs that the tests run."""
