"""Frames of Jelly files: reading and writing them, restart points and their index."""
