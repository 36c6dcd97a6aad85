"""A graph and its ids: vocabularies, splits, known answers, statistics, what follows from what.

Files of facts are read and written in `formats`, named graphs found in `datasets`, and what a
relation takes is found in `schema`. Nothing here knows torch, a model or a run.
"""

from tucker.graph.answers import Answers, with_reciprocals
from tucker.graph.datasets.find import fetch_dataset, find_dataset, list_datasets
from tucker.graph.formats.read import Facts, FileFacts, named_facts, read_facts
from tucker.graph.formats.write import name_table, write_graph, write_triples
from tucker.graph.graph import SPLITS, Graph, Ids, Split
from tucker.graph.implied import with_implied
from tucker.graph.load import load_graph
from tucker.graph.rewrite import convert_graph, split_graph
from tucker.graph.split import split_triples
from tucker.graph.stats import CATEGORIES, graph_stats, relation_categories
from tucker.graph.vocabulary import Vocabulary

__all__ = [
    "CATEGORIES",
    "SPLITS",
    "Answers",
    "Facts",
    "FileFacts",
    "Graph",
    "Ids",
    "Split",
    "Vocabulary",
    "convert_graph",
    "fetch_dataset",
    "find_dataset",
    "graph_stats",
    "list_datasets",
    "load_graph",
    "name_table",
    "named_facts",
    "read_facts",
    "relation_categories",
    "split_graph",
    "split_triples",
    "with_implied",
    "with_reciprocals",
    "write_graph",
    "write_triples",
]
