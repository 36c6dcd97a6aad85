from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tucker.graph.formats.terms import blank_name, entity_term, iri_name, relation_term


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_every_name_survives_as_a_term(name):
    assert iri_name(relation_term(name).value) == name


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("http://x/a", "<http://x/a>"),
        ("GO:0000001", "<GO:0000001>"),
        ("_:x", "_:x"),
        ("_:not a label", "<urn:tucker:_%3Anot%20a%20label>"),
        ("New York", "<urn:tucker:New%20York>"),
        ("/m/027rn", "<urn:tucker:%2Fm%2F027rn>"),
        ("urn:tucker:a", "<urn:tucker:urn%3Atucker%3Aa>"),
    ],
)
def test_terms(name, term):
    assert str(entity_term(name)) == term


@pytest.mark.parametrize(
    "iri", ["urn:tucker:", "urn:tucker:%FF", "urn:tucker:a/b", "urn:tucker:%20"]
)
def test_an_iri_that_encodes_no_name_is_its_own_name(iri):
    assert iri_name(iri) == iri


def test_a_relation_is_an_iri_even_with_the_name_of_a_blank_node():
    assert blank_name("x") == "_:x"
    assert str(entity_term("_:x")) == "_:x"
    assert str(relation_term("_:x")) == "<urn:tucker:_%3Ax>"
    assert iri_name("urn:tucker:_%3Ax") == "_:x"
