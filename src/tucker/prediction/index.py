"""An approximate index of vectors, for graphs too large to look at every entity."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tucker.errors import TuckerError

_LINKS = 16  # of a vector in the index
_BUILD_EFFORT = 128  # vectors held in mind while one is linked
_SEARCH_EFFORT = 64  # vectors held in mind while some are looked for, if no more are asked for


class VectorIndex:
    """Vectors of length 1 by direction, in FAISS's graph of links."""

    def __init__(self, vectors: Tensor) -> None:
        if not self.installed():
            raise TuckerError(
                "the index needs FAISS: install tucker[index], or leave out --index to look at all "
                "entities"
            )
        faiss: Any = import_module("faiss")
        faiss.omp_set_num_threads(torch.get_num_threads())
        self._index: Any = faiss.IndexHNSWFlat(vectors.shape[1], _LINKS, faiss.METRIC_INNER_PRODUCT)
        self._index.hnsw.efConstruction = _BUILD_EFFORT
        self._index.add(np.ascontiguousarray(vectors.numpy(), dtype=np.float32))

    @staticmethod
    def installed() -> bool:
        """Say whether the library is there."""
        return find_spec("faiss") is not None

    def search(self, vector: Tensor, k: int) -> Tensor:
        """Return the ids of about the k nearest vectors, at most (k,)."""
        self._index.hnsw.efSearch = max(_SEARCH_EFFORT, 2 * k)
        _, ids = self._index.search(vector[None].numpy().astype(np.float32), k)
        return torch.from_numpy(ids[0][ids[0] >= 0].astype(np.int64))
