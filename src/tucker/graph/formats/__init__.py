"""Files of facts, read and written: one module a format, each from bytes to names and back.

Here is nothing of ids, splits or graphs in memory: `tucker.graph.load` makes those.
"""
