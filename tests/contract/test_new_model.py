"""CONTRIBUTING's five steps: a model in one file, listed, and everything else works with it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
import torch

import tucker
from tests.conftest import make_graph
from tests.contract import test_models
from tests.contract.references import REFERENCES
from tucker.errors import SettingsError
from tucker.models import MODELS

SOURCE = '''
"""Squash: DistMult with a bounded query."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tucker.models.base import Model
from tucker.models.groups import Groups


class Squash(Model):
    """φ(s, r, o) = ⟨tanh(e_s ∘ w_r), e_o⟩, with w_r ∈ R^{d_e}; space O(n_e d_e + n_r d_e).

    Nobody, "A Model of the Tests", never.
    """

    def __init__(self, *, n_e: int, n_r: int, d_e: int = 20, scale: float = 1.0) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        self.E = nn.Parameter(torch.randn(n_e, d_e) * scale)
        self.R = nn.Parameter(torch.randn(n_r, d_e) * scale)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return tanh(e_s ∘ w_r)."""
        return torch.tanh(e_s * w_r[groups.of_row])
'''


@pytest.fixture(autouse=True)
def _listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps 1 to 5: the file with its settings and its formula, the dictionary, the reference."""
    file = tmp_path / "squash.py"
    file.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("squash", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "squash", module)
    spec.loader.exec_module(module)
    monkeypatch.setitem(MODELS, "squash", module.Squash)
    monkeypatch.setitem(
        REFERENCES, "squash", lambda m, s, r, o, _: torch.tanh(m.E[s] * m.R[r]) @ m.E[o]
    )


def test_it_trains_evaluates_saves_loads_and_predicts(tmp_path: Path) -> None:
    graph = make_graph(n_e=14, facts=160)
    run = tucker.train(graph, model="squash", d_e=8, scale=0.5, epochs=20, progress=False)
    assert run.config["model"] == {"name": "squash", "d_e": 8, "scale": 0.5}
    assert run.journal[-1]["loss"] < run.journal[0]["loss"]
    run.save(tmp_path / "run")
    loaded = tucker.load(tmp_path / "run")
    assert loaded.evaluate("test").metrics == run.evaluate("test").metrics
    question = {"subject": "e1", "relation": "r0"}
    assert loaded.predict(**question) == run.predict(**question)
    assert len(loaded.predict(relation="r0", object="e1", k=3)) == 3


def test_its_settings_are_known() -> None:
    with pytest.raises(SettingsError, match=r"there is no setting scael; did you mean scale\?"):
        tucker.train(make_graph(), model="squash", scael=2, progress=False)


def test_the_suite_takes_it_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = test_models.make("squash").eval()
    test_models.test_settings_are_keywords_with_defaults(model)
    test_models.test_the_docstring_cites_and_the_file_is_short(model)
    test_models.test_scores_are_the_reference_formula("squash")
    test_models.test_a_triples_score_is_an_entry_of_all_objects_scores(model)
    test_models.test_a_step_has_the_gradients_of_plain_autograd("squash", "softmax", 0, monkeypatch)
    test_models.test_saved_weights_give_bit_equal_scores("squash", model, tmp_path)
