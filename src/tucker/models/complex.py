"""ComplEx: DistMult with complex numbers."""

from __future__ import annotations

import torch
from torch import Tensor

from tucker.models.groups import Groups
from tucker.models.trilinear import Trilinear, embeddings


class ComplEx(Trilinear):
    """φ(s, r, o) = Re⟨e_s, w_r, ē_o⟩, with w_r ∈ C^{d_e/2}; space O(n_e d_e + n_r d_e).

    Trouillon, Welbl, Riedel, Gaussier and Bouchard, "Complex Embeddings for Simple Link
    Prediction", ICML 2016. A row of E or R is the real half and then the imaginary half of its
    vector: d_e counts real numbers, twice the rank.
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
        super().__init__(n_e, n_r, d_e, dropout_subject, dropout_query, batch_norm, parts=2)
        self.E = embeddings(n_e, d_e)
        self.R = embeddings(n_r, d_e)

    def without_object(self, e_s: Tensor, w_r: Tensor, groups: Groups) -> Tensor:
        """Return e_s ∘ w_r."""
        return as_real(as_complex(e_s) * as_complex(w_r)[groups.of_row])

    def without_subject(self, w_r: Tensor, e_o: Tensor, groups: Groups) -> Tensor:
        """Return w̄_r ∘ e_o."""
        return as_real(as_complex(w_r).conj()[groups.of_row] * as_complex(e_o))

    def without_relation(self, e_s: Tensor, e_o: Tensor) -> Tensor:
        """Return ē_s ∘ e_o."""
        return as_real(as_complex(e_s).conj() * as_complex(e_o))

    def moduli(self, embedding: Tensor) -> Tensor:
        """Return the modulus of each complex coordinate."""
        return as_complex(embedding).abs()


def as_complex(x: Tensor) -> Tensor:
    """Read rows [Re; Im] as complex numbers: (rows, 2 d) -> (rows, d)."""
    return torch.complex(*x.chunk(2, dim=-1))


def as_real(z: Tensor) -> Tensor:
    """Write complex numbers as rows [Re; Im]: (rows, d) -> (rows, 2 d)."""
    return torch.cat([z.real, z.imag], dim=-1)
