"""ANALOGY: relation matrices that are normal and commute."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.models.complex import as_complex
from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear, embeddings


class ANALOGY(Trilinear):
    """φ(s, r, o) = ⟨x_s, x_r, x_o⟩ + Re⟨z_s, z_r, z̄_o⟩, with x_r ∈ R^{d_e/2} and
    z_r ∈ C^{d_e/4}; space O(n_e d_e + n_r d_e).

    Liu, Wu and Yang, "Analogical Inference for Multi-relational Embeddings", ICML 2017. Its W_r are
    normal and commute, so one basis makes all of them scalars and 2 × 2 rotations with a stretch on
    the diagonal. A row of E or R is [x; Re z; Im z]: half of it scalars, half complex numbers.
    """

    def __init__(
        self,
        *,
        n_e: int,
        n_r: int,
        d_e: int = 200,
        dropout_subject: float = 0.0,
        dropout_query: float = 0.0,
        batch_norm: bool = False,
    ) -> None:
        super().__init__(n_e, n_r, d_e, dropout_subject, dropout_query, batch_norm, parts=4)
        self.E = embeddings(n_e, d_e)
        self.R = embeddings(n_r, d_e)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return [x_s ∘ x_r; z_s ∘ z_r]."""
        (x_s, z_s), (x_r, z_r) = _parts(e_s), _parts(w_r[groups.of_row])
        return _row(x_s * x_r, z_s * z_r)

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return [x_r ∘ x_o; z̄_r ∘ z_o]."""
        (x_r, z_r), (x_o, z_o) = _parts(w_r[groups.of_row]), _parts(e_o)
        return _row(x_r * x_o, z_r.conj() * z_o)

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return [x_s ∘ x_o; z̄_s ∘ z_o]."""
        (x_s, z_s), (x_o, z_o) = _parts(e_s), _parts(e_o)
        return _row(x_s * x_o, z_s.conj() * z_o)

    def moduli(self, embedding: Tensor) -> Tensor:
        """Return the absolute value of each scalar and of each complex number."""
        x, z = _parts(embedding)
        return torch.cat([x.abs(), z.abs()], dim=-1)


def _parts(row: Tensor) -> tuple[Tensor, Tensor]:
    x, z = row.chunk(2, dim=-1)
    return x, as_complex(z)


def _row(x: Tensor, z: Tensor) -> Tensor:
    return torch.cat([x, z.real, z.imag], dim=-1)
