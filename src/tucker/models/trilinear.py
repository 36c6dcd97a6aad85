"""Models whose score is linear in each of its three embeddings."""

from __future__ import annotations

from abc import abstractmethod

from torch import Tensor

from tucker.models.base import Model
from tucker.models.groups import Groups


class Trilinear(Model):
    """A model φ(s, r, o) = W ×₁ e_s ×₂ w_r ×₃ e_o, whatever its core W is.

    These are the parts of the bare formula, without dropout and normalisation: what regularisers
    weigh, and what predicts a relation. `w_r` has one row a group, as in `query`; `e_s` and `e_o`
    one a fact.
    """

    @abstractmethod
    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r, (rows, d_e)."""

    @abstractmethod
    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o, (rows, d_e)."""

    def from_both_ends(
        self, e_s: Tensor, w_r: Tensor, e_o: Tensor, groups: Groups
    ) -> tuple[Tensor, Tensor]:
        """Return W ×₁ e_s ×₂ w_r and W ×₂ w_r ×₃ e_o; where W ×₂ w_r is costly, formed once."""
        return self.without_object(e_s, w_r, groups), self.without_subject(w_r, e_o, groups)

    @abstractmethod
    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o, (rows, d_r)."""

    @abstractmethod
    def squares_of_slices(
        self, e_s: Tensor, w_r: Tensor, e_o: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return ‖W ×₁ e_s‖², ‖W ×₂ w_r‖² and ‖W ×₃ e_o‖², one number a row of each."""

    def moduli(self, embedding: Tensor) -> Tensor:
        """Return the absolute value of each coordinate of an embedding; complex ones override."""
        return embedding.abs()
