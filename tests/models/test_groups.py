from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from tucker.models.groups import Groups

relations = st.lists(st.integers(0, 5), min_size=1, max_size=60)


@given(relations, st.integers(1, 9))
def test_groups_have_one_relation_and_at_most_their_size(r: list[int], size: int) -> None:
    groups = Groups.of(torch.tensor(r), size)
    assert groups.relation[groups.of_row].tolist() == r
    assert torch.bincount(groups.of_row).max() <= size
    assert len(groups) == sum(-(-r.count(one) // size) for one in set(r))


@given(relations, st.integers(1, 9))
def test_every_row_has_a_slot_of_its_own_in_its_group(r: list[int], size: int) -> None:
    groups = Groups.of(torch.tensor(r), size)
    assert len(set(groups.slot.tolist())) == len(r)
    assert torch.equal(groups.slot // groups.size, groups.of_row)


@given(relations, st.integers(1, 9))
def test_rows_are_transformed_by_their_groups_matrix(r: list[int], size: int) -> None:
    groups = Groups.of(torch.tensor(r), size)
    x = torch.randn(len(r), 3, dtype=torch.double)
    W = torch.randn(len(groups), 3, 3, dtype=torch.double)
    expected = torch.einsum("ni,nij->nj", x, W[groups.of_row])
    torch.testing.assert_close(groups.transform(x, W), expected)
    back = torch.einsum("ni,nji->nj", x, W[groups.of_row])
    torch.testing.assert_close(groups.transform_back(x, W), back)


def test_blocks_of_a_matrix_transform_their_part_of_a_row() -> None:
    r = torch.tensor([0, 1, 0])
    x = torch.randn(3, 4, dtype=torch.double)
    blocks = torch.randn(2, 4, 2, dtype=torch.double)  # of a group two, one below the other
    whole = torch.stack([torch.block_diag(*W.chunk(2)) for W in blocks])
    expected = torch.einsum("ni,nij->nj", x, whole[r])
    torch.testing.assert_close(Groups.of(r, 2).transform(x, blocks), expected)
    back = torch.einsum("ni,nji->nj", x, whole[r])
    torch.testing.assert_close(Groups.of(r, 2).transform_back(x, blocks), back)
