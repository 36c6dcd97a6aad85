"""Models whose score is linear in each of its three embeddings."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor, nn

from tucker.errors import SettingsError
from tucker.models.base import Model
from tucker.models.dropout import Dropout
from tucker.models.groups import Groups

if TYPE_CHECKING:
    from tucker.models.tucker import TuckER


class Trilinear(Model):
    """A model φ(s, r, o) = W ×₁ e_s ×₂ w_r ×₃ e_o, whatever its core W is.

    A model says the parts of the bare formula, which regularisers weigh and which predict a
    relation; its query is `without_object`, with batch normalisation and dropout of the subject
    before it and of the result after it. `w_r` has one row a group, or is what `operators` makes of
    it; `e_s` and `e_o` have one a fact.
    """

    fully_expressive: ClassVar[bool] = True

    def __init__(
        self,
        n_e: int,
        n_r: int,
        d_e: int,
        dropout_subject: float,
        dropout_query: float,
        batch_norm: bool,
        *,
        parts: int = 1,  # equal ones that a row of E consists of
    ) -> None:
        super().__init__(n_e=n_e, n_r=n_r)
        if d_e % parts:
            raise SettingsError(
                f"model.d_e is {d_e}: {type(self).__name__} cuts it into {parts} equal parts, "
                f"so it must be a multiple of {parts}"
            )
        self.norm_subject = nn.BatchNorm1d(d_e) if batch_norm else nn.Identity()
        self.norm_query = nn.BatchNorm1d(d_e) if batch_norm else nn.Identity()
        self.dropout_subject = Dropout(dropout_subject)
        self.dropout_query = Dropout(dropout_query)

    def query(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r, normalised and dropped out as the settings say."""
        e_s = self.dropout_subject(self.norm_subject(e_s))  # (rows, d_e)
        q: Tensor = self.dropout_query(self.norm_query(self.without_object(e_s, w_r, groups)))
        return q  # (rows, d_e)

    @abstractmethod
    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return W ×₁ e_s ×₂ w_r, (rows, d_e)."""

    @abstractmethod
    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return W ×₂ w_r ×₃ e_o, (rows, d_e)."""

    @abstractmethod
    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return W ×₁ e_s ×₃ e_o, (rows, d_r)."""

    def cubes(self, e_s: Tensor, w_r: Tensor, e_o: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return Σ |x|³ of each row: what the nuclear 3-norm weighs."""
        of_s, of_r, of_o = (self.moduli(x).pow(3).flatten(1).sum(1) for x in (e_s, w_r, e_o))
        return of_s, of_r, of_o

    def moduli(self, embedding: Tensor) -> Tensor:
        """Return the absolute value of each coordinate of an embedding; complex ones override."""
        return embedding.abs()

    def relation_matrix(self, w_r: Tensor) -> Tensor:
        """Return W ×₂ w_r, the matrix of each relation: (groups, d_r) -> (groups, d_e, d_e)."""
        d_e = self.E.shape[1]
        group = torch.arange(len(w_r), device=w_r.device).repeat_interleave(d_e)
        unit = torch.eye(d_e, dtype=w_r.dtype, device=w_r.device).repeat(len(w_r), 1)
        ready = self.operators(w_r)
        return self.without_object(unit, ready, Groups.of(group, d_e)).view(-1, d_e, d_e)

    def relations_and_core(self) -> tuple[Tensor, Tensor]:
        """Return the R and the core, (d_e, d_r, d_e), with which TuckER is this model."""
        unit = torch.eye(self.R.shape[1], dtype=self.R.dtype, device=self.R.device)
        return self.R, self.relation_matrix(unit).transpose(0, 1)

    def as_tucker(self) -> TuckER:
        """Return the TuckER of equal scores: the fixed core of the paper's figure 2, now free."""
        from tucker.models.exact import equal_tucker  # noqa: PLC0415 - it needs this class

        return equal_tucker(self)


def embeddings(rows: int, columns: int) -> nn.Parameter:
    """Return new embeddings: small, so that what is learned soon outweighs them."""
    return nn.Parameter(torch.randn(rows, columns) * 0.01)
