"""Sessions, clients and languages: with the jar, over Spark Connect, in SQL alone."""
