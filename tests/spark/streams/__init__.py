"""Streams of files and of states."""
