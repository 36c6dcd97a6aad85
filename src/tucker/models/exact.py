"""TuckERs that no training made: equal to another linear model, or exact for given facts."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tucker.errors import GraphError
from tucker.models.complex import ComplEx
from tucker.models.simple import SimplE
from tucker.models.trilinear import Trilinear
from tucker.models.tucker import TuckER


@torch.no_grad()
def equal_tucker(model: Trilinear) -> TuckER:
    """Return the TuckER with the scores of a model, its normalisations and its dropouts.

    The core holds the zeros and ones by which the model was a special case (the paper's figure 2);
    as in any TuckER, training may change every one of them.
    """
    R, core = model.relations_and_core()
    of_relation = getattr(model, "dropout_relation", None)
    tucker = TuckER(
        n_e=model.n_e,
        n_r=model.n_r,
        d_e=core.shape[0],
        d_r=core.shape[1],
        dropout_subject=model.dropout_subject.p,
        dropout_relation=of_relation.p if of_relation else 0.0,
        dropout_query=model.dropout_query.p,
        batch_norm=isinstance(model.norm_query, nn.BatchNorm1d),
    ).to(R)
    for parameter, value in ((tucker.E, model.E), (tucker.R, R), (tucker.core, core)):
        parameter.copy_(value)
    tucker.norm_subject.load_state_dict(model.norm_subject.state_dict())
    tucker.norm_query.load_state_dict(model.norm_query.state_dict())
    return tucker.train(model.training)


@torch.no_grad()
def exact_tucker(triples: Tensor, n_e: int, n_r: int) -> TuckER:
    """Return the model of the proof of Theorem 1: one-hot embeddings, the facts in the core.

    d_e = n_e and d_r = n_r; W_{sro} is 1 for each of the triples, (facts, 3), and -1 elsewhere.
    """
    triples = torch.as_tensor(triples)
    if len(triples) == 0:
        triples = torch.empty(0, 3, dtype=torch.long)
    ids = triples.ndim == 2 and triples.shape[1] == 3 and not triples.is_floating_point()
    if not ids or (triples < 0).any() or (triples >= torch.tensor([n_e, n_r, n_e])).any():
        raise GraphError(f"triples are rows of three ids, below {n_e}, {n_r} and {n_e}")
    tucker = TuckER(
        n_e=n_e,
        n_r=n_r,
        d_e=n_e,
        d_r=n_r,
        dropout_subject=0.0,
        dropout_relation=0.0,
        dropout_query=0.0,
        batch_norm=False,
    )
    nn.init.eye_(tucker.E)
    nn.init.eye_(tucker.R)
    s, r, o = triples.long().T
    tucker.core.fill_(-1.0)[s, r, o] = 1.0
    return tucker.eval()


@torch.no_grad()
def exact_complex(triples: Tensor, n_e: int, n_r: int) -> ComplEx:
    """Return a ComplEx of rank n_e n_r whose scores are 1 for the triples and -1 elsewhere.

    Trouillon et al., JMLR 2017: a real square matrix X is the real part of X + i Xᵀ, which is
    normal, so U D Ū ᵀ with a unitary U. Each relation has n_e coordinates of its own.
    """
    model = ComplEx(n_e=n_e, n_r=n_r, d_e=2 * n_e * n_r)
    E = torch.zeros(n_e, n_r, n_e, dtype=torch.complex128)
    R = torch.zeros(n_r, n_r, n_e, dtype=torch.complex128)
    for r, X in enumerate(_signs(triples, n_e, n_r).transpose(0, 1).double()):
        # Its Hermitian part and that of -i times it commute: a mixture has the vectors of both.
        normal = torch.complex(X, X.T)
        real, imaginary = (normal + normal.mH) / 2, (normal - normal.mH) / 2j
        _, U = torch.linalg.eigh(real + _MIXED * imaginary)
        E[:, r] = U
        R[r, r] = (U.mH @ normal @ U).diagonal()
    _fill(model, E.flatten(1), R.flatten(1))
    return model.eval()


@torch.no_grad()
def exact_simple(triples: Tensor, n_e: int, n_r: int) -> SimplE:
    """Return a SimplE of rank min(n_e n_r, γ + 1), γ being how many triples there are.

    Kazemi and Poole, NeurIPS 2018: a coordinate a subject and relation, or one that makes every
    score -1 and one a fact that lifts it to 1.
    """
    triples = torch.unique(triples, dim=0)
    s, r, o = triples.T
    rank = min(n_e * n_r, len(triples) + 1)
    h, t, w = torch.zeros(n_e, rank), torch.zeros(n_e, rank), torch.zeros(n_r, rank)
    if rank == n_e * n_r:
        place = torch.arange(rank)
        h[place % n_e, place] = 1
        w[place // n_e, place] = 2
        t.copy_(_signs(triples, n_e, n_r).permute(2, 1, 0).flatten(1))
    else:
        fact = torch.arange(1, rank)
        h[:, 0], t[:, 0], w[:, 0] = 1, 1, -2
        h[s, fact], t[o, fact], w[r, fact] = 1, 1, 4
    model = SimplE(n_e=n_e, n_r=n_r, d_e=2 * rank)
    model.E.copy_(torch.cat([h, t], dim=1))
    model.R.copy_(torch.cat([w, torch.zeros_like(w)], dim=1))
    return model.eval()


_MIXED = 0.6180339887  # no ratio of whole numbers, so that eigenvalues hardly fall together


def _signs(triples: Tensor, n_e: int, n_r: int) -> Tensor:
    """Return 1 for each triple and -1 elsewhere, (n_e, n_r, n_e)."""
    X = torch.full((n_e, n_r, n_e), -1.0)
    X[triples[:, 0], triples[:, 1], triples[:, 2]] = 1.0
    return X


def _fill(model: ComplEx, E: Tensor, R: Tensor) -> None:
    """Write complex embeddings as [real; imaginary]."""
    model.E.copy_(torch.cat([E.real, E.imag], dim=1))
    model.R.copy_(torch.cat([R.real, R.imag], dim=1))
