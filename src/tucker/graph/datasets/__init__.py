"""The named benchmark graphs: a catalogue with checksums, and how to find or fetch each.

What is in their files is read by `tucker.graph.formats`, as any graph's.
"""
