"""Decoding the bytes of Jelly rows to terms and rows."""
