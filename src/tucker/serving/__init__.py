"""The HTTP API and the page: a run that answers over the network.

Answers themselves come from `tucker.prediction`. Nothing here trains or evaluates.
"""
