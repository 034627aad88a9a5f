"""The commands: a module for each or for a group of them, and what two of them share."""
