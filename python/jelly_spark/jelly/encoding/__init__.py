"""Encoding terms and rows as the bytes of Jelly rows."""
