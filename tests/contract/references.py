"""Each model's formula for one triple, written a second time and as plainly as can be.

A new model adds one line to REFERENCES: a function of the model, ids s, r, o and the facts it was
told. Models come in evaluation mode, in double precision, with batch normalisation doing nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, einsum
from torch.nn import functional as F

Reference = Callable[[Any, int, int, int, Tensor], Tensor]


def product(*vectors: Tensor) -> Tensor:
    """⟨a, b, …⟩: the sum of the products, coordinate by coordinate."""
    return torch.stack(vectors).prod(0).sum()


def complexes(x: Tensor) -> Tensor:
    real, imaginary = x.chunk(2)
    return torch.complex(real, imaginary)


def simple(m: Any, s: int, r: int, o: int) -> Tensor:
    (h_s, t_s), (h_o, t_o), (w, v) = (x.chunk(2) for x in (m.E[s], m.E[o], m.R[r]))
    return (product(h_s, w, t_o) + product(h_o, v, t_s)) / 2


def analogy(m: Any, s: int, r: int, o: int) -> Tensor:
    (x_s, z_s), (x_r, z_r), (x_o, z_o) = (x.chunk(2) for x in (m.E[s], m.R[r], m.E[o]))
    z_s, z_r, z_o = complexes(z_s), complexes(z_r), complexes(z_o)
    return product(x_s, x_r, x_o) + product(z_s, z_r, z_o.conj()).real


def conve(m: Any, s: int, r: int, o: int) -> Tensor:
    image = torch.cat([m.E[s].view(m.height, -1), m.R[r].view(m.height, -1)])
    kernels = m.convolve.weight[:, 0]  # (filters, height, width)
    windows = image.unfold(0, kernels.shape[1], 1).unfold(1, kernels.shape[2], 1)
    features = F.relu(einsum("xyab,fab->fxy", windows, kernels))
    return F.relu(m.project.weight @ features.flatten()) @ m.E[o] + m.bias[o]


def hyper(m: Any, s: int, r: int, o: int) -> Tensor:
    kernels = (m.hyper.weight @ m.R[r]).view(-1, 1, m.kernel)
    features = F.conv1d(m.E[s].view(1, 1, -1), kernels)
    return F.relu(m.project.weight @ features.flatten()) @ m.E[o] + m.bias[o]


def stranse(m: Any, s: int, r: int, o: int) -> Tensor:
    d_e = m.E.shape[1]
    w, W, V = m.R[r][:d_e], *m.R[r][d_e:].view(2, d_e, d_e)
    return m.gamma - sum(abs(W[i] @ m.E[s] + w[i] - V[i] @ m.E[o]) for i in range(d_e))


def around(x: Tensor) -> Tensor:
    """How far x is from a whole number."""
    return torch.minimum(x % 1, 1 - x % 1)


def rgcn(m: Any, s: int, r: int, o: int, facts: Tensor) -> Tensor:
    h = m.E
    for layer in range(len(m.W_0)):
        h = h if layer == 0 else F.relu(h)
        W = einsum("br,bij->rij", m.a[layer], m.V[layer])
        heard: list[list[Tensor]] = [[] for _ in range(m.n_e)]
        for a, b, c in facts.tolist():
            heard[c].append(h[a] @ W[b])
            heard[a].append(h[c] @ W[b + m.n_r // 2])
        mean = [sum(x) / max(1, len(x)) + torch.zeros_like(h[0]) for x in heard]
        h = h @ m.W_0[layer] + torch.stack(mean)
    return product(h[s], m.R[r], h[o])


REFERENCES: dict[str, Reference] = {
    "tucker": lambda m, s, r, o, _: einsum("ijk,i,j,k->", m.core, m.E[s], m.R[r], m.E[o]),
    "rescal": lambda m, s, r, o, _: m.E[s] @ m.R[r].view(len(m.E[s]), -1) @ m.E[o],
    "distmult": lambda m, s, r, o, _: product(m.E[s], m.R[r], m.E[o]),
    "complex": lambda m, s, r, o, _: (
        product(complexes(m.E[s]), complexes(m.R[r]), complexes(m.E[o]).conj()).real
    ),
    "simple": lambda m, s, r, o, _: simple(m, s, r, o),
    "cp": lambda m, s, r, o, _: product(m.E[s].chunk(2)[0], m.R[r], m.E[o].chunk(2)[1]),
    "analogy": lambda m, s, r, o, _: analogy(m, s, r, o),
    "conve": lambda m, s, r, o, _: conve(m, s, r, o),
    "hyper": lambda m, s, r, o, _: hyper(m, s, r, o),
    "transe": lambda m, s, r, o, _: m.gamma - (m.E[s] + m.R[r] - m.E[o]).abs().sum(),
    "stranse": lambda m, s, r, o, _: stranse(m, s, r, o),
    "ftranse": lambda m, s, r, o, _: (
        2 * product(m.E[s], m.E[o]) + product(m.R[r], m.E[o]) - product(m.R[r], m.E[s])
    ),
    "rotate": lambda m, s, r, o, _: (
        m.gamma - (complexes(m.E[s]) * torch.exp(1j * m.R[r]) - complexes(m.E[o])).abs().sum()
    ),
    "toruse": lambda m, s, r, o, _: m.gamma - 2 * around(m.E[s] + m.R[r] - m.E[o]).sum(),
    "rgcn": rgcn,
}
