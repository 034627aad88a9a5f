"""Tests of Jelly-Patch."""
