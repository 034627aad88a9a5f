"""Services: a Kafka broker, Delta, and a triple store, Fuseki. See `make test-services`."""
