"""Checks of patches and states on Spark: the rules of `validate`, and canonical form."""
