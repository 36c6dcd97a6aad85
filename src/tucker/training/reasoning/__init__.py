"""Fitting what follows paths: facts are hidden and found again.

The learners themselves are in `tucker.reasoning`.
"""
