"""Reasons of facts, on a graph in which one path tells a relation.

explanation: covered by test_explainer
"""
