"""Services that Spark jobs use: a Kafka broker, and Delta. See `make test-services`."""
