"""Fitting what follows paths: facts are hidden and found again."""
