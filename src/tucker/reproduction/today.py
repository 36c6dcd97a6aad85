"""The best published figures since the paper, and what is known of how each row was evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Today:
    """What a later method reports on a dataset; what is not known is None."""

    method: str
    mrr: float
    source: str
    checked: str | None = None  # where the figure was read; None: from memory, not checked
    size: str | None = None
    hits_at_1: float | None = None
    hits_at_10: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `tucker reproduce --json` prints."""
        return dict(vars(self))


_ADAPROP = "Zhang, Zhou, Yao, Chu and Han, KDD 2023, arXiv 2205.15319"
_NBFNET = "Zhu, Zhang, Xhonneux and Tang, NeurIPS 2021, arXiv 2106.06935"
_RP = "Chen, Minervini, Riedel and Stenetorp, AKBC 2021, arXiv 2110.02834"
_SAFRAN = "Ott, Meilicke and Samwald, AKBC 2021"
_PAGE = "the paper's page at Papers with Code"
_RANK_1000 = "rank 1,000: 30 million parameters on FB15k-237, 82 million on WN18RR"

TODAY: dict[str, tuple[Today, ...]] = {
    "WN18RR": (
        Today("AdaProp", 0.562, _ADAPROP),
        Today("NBFNet", 0.551, _NBFNET),
        Today("SAFRAN", 0.502, _SAFRAN, _PAGE, "rules", 0.459, 0.578),
        Today("ComplEx-N3 with relation prediction", 0.49, _RP, None, _RANK_1000),
    ),
    "FB15k-237": (
        Today("AdaProp", 0.417, _ADAPROP),
        Today("NBFNet", 0.415, _NBFNET),
        Today("SAFRAN", 0.389, _SAFRAN, _PAGE, "rules", 0.298, 0.537),
        Today("ComplEx-N3 with relation prediction", 0.388, _RP, None, _RANK_1000, 0.298, 0.568),
    ),
}
"""Later methods by dataset; AnyBURL, on whose rules SAFRAN stands, has no figure checked here."""

OURS = "both sides, all entities, realistic ties, filtered by all splits"
_BOTH = "compares, as far as known: both sides, filtered; ties and unseen entities not said"
PROTOCOLS = {
    "TuckER": "compares: both sides, all entities, filtered; object bias in the authors' code",
    "MINERVA": "does not compare: objects alone are asked for, by a beam of paths",
    "M-Walk": "does not compare: objects alone are asked for, by a search of paths",
    "Neural LP": "in doubt: entities that no rule reaches have equal scores, ties not said",
    "R-GCN": "compares: both sides, filtered; FB15k and WN18 with the sum with DistMult",
    "RotatE": "compares: uniform negatives, as the paper chose for fairness",
    "AdaProp": "compares, as far as known: both sides; ties shared",
    "NBFNet": "compares, as far as known: both sides; ties against the answer",
    "SAFRAN": "in doubt: the best hundred candidates of each question are ranked",
}


def protocol(method: str) -> str:
    """Say whether the evaluation behind a published row compares with ours."""
    return PROTOCOLS.get(method, _BOTH)


def compares(method: str) -> str:
    """Say it in a few words."""
    return protocol(method).partition(":")[0]
