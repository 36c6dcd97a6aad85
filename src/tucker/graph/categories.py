"""The category of a relation: one or many subjects an object, one or many objects a subject."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tucker.graph.graph import Ids

CATEGORIES = ("1-1", "1-N", "N-1", "N-N")
_MANY = 1.5  # from this mean number on a side counts as many (Bordes et al. 2013)


def relation_categories(triples: Ids, n_r: int) -> npt.NDArray[np.str_]:
    """Return "1-1", "1-N", "N-1" or "N-N" for each relation, (n_r,); "" for one without triples.

    1-N says that a subject has many objects, N-1 that an object has many subjects.
    """
    facts = np.bincount(triples[:, 1], minlength=n_r)
    subjects = distinct_ends(triples, 0, n_r)
    objects = distinct_ends(triples, 2, n_r)
    many_subjects = facts >= _MANY * objects  # subjects an object, without dividing by zero
    many_objects = facts >= _MANY * subjects
    categories = np.array(CATEGORIES)[2 * many_subjects + many_objects]
    return np.where(facts > 0, categories, "")


def distinct_ends(triples: Ids, side: int, n_r: int) -> Ids:
    """Count the distinct entities on one side, 0 or 2, of each relation: (n_r,)."""
    n_e = int(triples[:, side].max(initial=-1)) + 1
    pairs = np.unique(triples[:, 1] * n_e + triples[:, side])
    return np.bincount(pairs // max(n_e, 1), minlength=n_r)
