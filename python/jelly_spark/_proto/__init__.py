"""Protobuf classes, generated from the schemas in `proto/` when the package is built."""
