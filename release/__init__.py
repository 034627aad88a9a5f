"""What `make release` does: build a commit twice, compare, and check what would be uploaded."""
