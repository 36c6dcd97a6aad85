"""A random division of facts into train, valid and test that leaves nothing unseen in train."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tucker.errors import GraphError
from tucker.graph.graph import Ids


def split_triples(
    triples: Ids, *, valid: float = 0.1, test: float = 0.1, seed: int = 0
) -> tuple[Ids, Ids, Ids]:
    """Divide triples at random into train, valid and test, each in the order it had before.

    In a random order, the triple that mentions an entity or a relation first stays in train, so
    that valid and test ask only of what train has seen. Where that leaves too few to hold out,
    valid and test share what there is.
    """
    _check(valid, test, seed)
    order = np.random.default_rng(seed).permutation(len(triples))
    free = order[~_first_mentions(triples[order])]
    n_valid, n_test = _sizes(len(triples), len(free), valid, test)
    held = np.zeros(len(triples), dtype=np.int8)
    held[free[:n_valid]] = 1
    held[free[n_valid : n_valid + n_test]] = 2
    return triples[held == 0], triples[held == 1], triples[held == 2]


def _check(valid: float, test: float, seed: int) -> None:
    for name, fraction in (("valid", valid), ("test", test)):
        if not 0 <= fraction < 1:
            raise GraphError(f"{name} is {fraction}; give a fraction from 0 to below 1")
    if valid + test >= 1:
        raise GraphError(f"valid and test together are {valid + test:g}; leave some for train")
    if seed < 0:
        raise GraphError(f"the seed is {seed}; give a whole number from 0 on")


def _first_mentions(triples: Ids) -> npt.NDArray[np.bool_]:
    """Mark each triple that is the first to mention one of its entities or its relation."""
    first = np.zeros(len(triples), dtype=np.bool_)
    entities = triples[:, [0, 2]].reshape(-1)  # (2n,) subject and object of each triple in turn
    first[np.unique(entities, return_index=True)[1] // 2] = True
    first[np.unique(triples[:, 1], return_index=True)[1]] = True
    return first


def _sizes(count: int, free: int, valid: float, test: float) -> tuple[int, int]:
    n_valid, n_test = round(count * valid), round(count * test)
    if n_valid + n_test > free:
        n_valid = round(free * valid / (valid + test))
        n_test = free - n_valid
    return n_valid, n_test
