"""What paths say: edges to walk, patterns of paths and how often they hold, and rules.

Here a learner is used; what fits it is in `tucker.training.reasoning`.
"""
