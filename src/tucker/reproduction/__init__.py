"""The paper and its peers: published tables, measured results, and both side by side.

Whatever serves a user's own graph stands in `tucker.pipeline` or below.
"""
