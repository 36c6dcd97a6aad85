"""Chances that hold: curves fitted to held-out facts, and how well they do.

The curves themselves are kept with the run, in `tucker.runs.chance_curves`.
"""
