"""TuckERs that no training made: equal to another linear model, or exact for given facts."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tucker.errors import GraphError
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
