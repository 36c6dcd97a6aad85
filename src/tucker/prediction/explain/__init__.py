"""Why a fact may hold: known facts like it, paths that go with it, and learned rules.

Paths are followed in `tucker.reasoning`; here they become reasons with names.
"""
