"""What a graph says of its relations: which entities stand on which side of each.

Facts that follow from other relations are in `tucker.graph.implied`.
"""
