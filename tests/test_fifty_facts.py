"""Judged facts: judgements are kept by fact, and the page counts them."""

from __future__ import annotations

from dataclasses import replace

from tests.prediction.conftest import calibrated_run
from tools.fifty_facts import JUDGEMENTS, PAGE, page, read_judgements
from tucker.api import Run


def test_a_judgement_is_found_by_its_fact():
    saved = calibrated_run()
    config = {**saved.config, "model": {"name": "tucker"}}
    run = Run(replace(saved, config=config, metrics={"valid": {"mrr": 0.25}}))
    first, second = run.discover(k=2)
    text = page(
        run, [first, second], {(second.subject, second.relation, second.object): ("true", "a|b")}
    )
    assert "**1 not judged, 1 true**" in text
    assert "a TuckER of validation MRR 0.250 and calibrated (isotonic) probabilities" in text
    assert text.splitlines()[-1].endswith(f"| {second.probability:.3f} | true | a\\|b |")


def test_every_fact_of_the_page_is_judged():
    judgements = {judgement for judgement, _ in read_judgements(JUDGEMENTS).values()}
    assert judgements == {"true", "false", "cannot say"}
    assert "not judged" not in PAGE.read_text(encoding="utf-8")
