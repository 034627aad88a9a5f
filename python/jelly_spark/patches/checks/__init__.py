"""Checks of patches: the rules of `validate`, and canonical form."""
