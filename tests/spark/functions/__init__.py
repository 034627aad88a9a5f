"""Functions on columns and on DataFrames."""
