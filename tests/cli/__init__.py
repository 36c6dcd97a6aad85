"""Commands from the outside: what they print, what they refuse, and how they end.

demo: covered by pipeline.test_demo
options: covered by test_graph
"""
