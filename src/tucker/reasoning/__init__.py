"""What paths say: edges to walk, paths along them, how often their patterns hold, and rules.

Rules and explanations walk along the same edges. What fits a learner that is used here stands in
`tucker.training.reasoning`; models of vectors stand in `tucker.models`.
"""
