"""Write docs/learn/fifty-facts.md: the most probable new facts of a run, each with its judgement.

    .venv/bin/python tools/fifty_facts.py RUN

Judgements are kept in docs/learn/fifty-facts.tsv by fact (subject, relation, object, judgement,
why), so that another run keeps those about facts that it finds again. A fact without one says "not
judged".
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path

import tucker
from tucker.files import write_text
from tucker.prediction import Prediction

LEARN = Path(__file__).parents[1] / "docs" / "learn"
JUDGEMENTS = LEARN / "fifty-facts.tsv"
PAGE = LEARN / "fifty-facts.md"
PARTS = ("subject", "relation", "object")
HEAD = """# Fifty new facts of {graph}, judged one by one

The most probable facts that the graph does not have, as `tucker discover RUN -k {k}` finds them
with a {model} of validation MRR {mrr:.3f}{calibrated}.
A language model judged each from memory, with the probabilities in view. Nothing was looked up,
so single judgements may be wrong. `docs/learn/fifty-facts.tsv` keeps them by fact, and
`tools/fifty_facts.py` writes this page from it and a run.

**{summary}**

"""


def main() -> None:
    """Discover, look up the judgements, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", help="the folder of a run")
    parser.add_argument("-k", type=int, default=50, help="how many facts")
    options = parser.parse_args()
    run = tucker.load(options.run)
    write_text(PAGE, page(run, run.discover(k=options.k), read_judgements(JUDGEMENTS)))


def read_judgements(path: Path) -> dict[tuple[str, ...], tuple[str, str]]:
    """Return judgement and reason by the names of a fact."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {
            tuple(row[part] for part in PARTS): (row["judgement"], row["why"] or "") for row in rows
        }


def page(
    run: tucker.Run,
    facts: list[Prediction],
    judgements: dict[tuple[str, ...], tuple[str, str]],
) -> str:
    """Lay out the facts with what was thought of each."""
    judged = [
        judgements.get((fact.subject, fact.relation, fact.object), ("not judged", ""))
        for fact in facts
    ]
    counts = Counter(judgement for judgement, _ in judged)
    lines = [["", *PARTS, "probability", "judgement", "why"], ["---"] * 7]
    lines += [
        [str(fact.rank), *_named(fact), f"{fact.probability:.3f}", *one]
        for fact, one in zip(facts, judged, strict=True)
    ]
    head = HEAD.format(
        graph=run.graph.name,
        k=len(facts),
        model={"tucker": "TuckER"}.get(run.config["model"]["name"], run.config["model"]["name"]),
        mrr=run.metrics["valid"]["mrr"],
        calibrated=f" and calibrated ({run.calibration}) probabilities" if run.calibration else "",
        summary=", ".join(f"{count} {judgement}" for judgement, count in counts.most_common()),
    )
    return head + "".join("| " + " | ".join(map(_cell, line)) + " |\n" for line in lines)


def _named(fact: Prediction) -> list[str]:
    return [fact.labels.get(part, getattr(fact, part)) for part in PARTS]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


if __name__ == "__main__":
    main()
