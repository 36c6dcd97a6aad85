from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.prediction.conftest import make_run
from tucker.errors import TuckerError, UnknownNameError
from tucker.prediction import Neighbours


@pytest.fixture
def run():
    return make_run()


def test_exact_against_plain_arithmetic(run):
    E = run.model.E.detach().numpy()
    E = E / np.linalg.norm(E, axis=1, keepdims=True)
    cosines = E @ E[3]
    wanted = [id for id in np.argsort(-cosines, kind="stable").tolist() if id != 3]
    found = Neighbours(run).find("e3", k=5)
    assert [one.name for one in found] == [f"e{id}" for id in wanted[:5]]
    assert [one.cosine for one in found] == pytest.approx(cosines[wanted[:5]].tolist(), abs=1e-6)
    assert [one.rank for one in found] == [1, 2, 3, 4, 5]


def test_never_itself_and_never_more_than_there_are(run):
    found = Neighbours(run).find("e3", k=99)
    assert sorted(one.name for one in found) == sorted(f"e{i}" for i in range(12) if i != 3)


def test_labels_stand_beside_names(run):
    by_name = {one.name: one.as_dict() for one in Neighbours(run).find("e3", k=99)}
    assert by_name["e1"]["label"] == "Entity one"
    assert set(by_name["e2"]) == {"name", "cosine", "rank"}
    assert Neighbours(run).find("Entity one")[0] == Neighbours(run).find("e1")[0]


def test_equal_embeddings_do_not_push_an_entity_onto_itself(run):
    with torch.no_grad():
        run.model.E[:] = run.model.E[0]
    assert [one.name for one in Neighbours(run).find("e11", k=2)] == ["e0", "e1"]


def test_wrong_questions_are_refused(run):
    with pytest.raises(UnknownNameError, match="no entity 'x'"):
        Neighbours(run).find("x")
    with pytest.raises(TuckerError, match="k must be at least 1"):
        Neighbours(run).find("e1", k=0)


def test_whoever_asks_for_the_index_of_old_hears_that_it_is_gone(run):
    with pytest.raises(TuckerError, match="index was removed"):
        Neighbours(run).find("e1", index=True)
    assert Neighbours(run).find("e1", index=False) == Neighbours(run).find("e1")
