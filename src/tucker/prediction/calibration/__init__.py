"""Chances that hold: curves fitted to held-out facts, and how well they do."""
