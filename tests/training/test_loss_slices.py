"""Slices of entities: together they are the whole."""

from __future__ import annotations

import pytest
import torch

from tucker.training import loss_slices as module
from tucker.training.loss_slices import Labels, in_slices

QUERIES = 5


@pytest.mark.parametrize("n_e", [1, 7, 300])
def test_labels_are_taken_where_a_dense_matrix_has_them(n_e, monkeypatch):
    monkeypatch.setattr(module, "_SLICE_LOGITS", 40 * QUERIES)
    E, grad_E = torch.randn(n_e, 3), torch.empty(n_e, 3)
    z = torch.randn(n_e, QUERIES)
    rows, objects = torch.randint(QUERIES, (60,)), torch.randint(n_e, (60,))  # some of them twice
    labels = Labels(rows, objects, torch.rand(60))
    expected = z.clone().index_put_((objects, rows), -labels.values, accumulate=True)
    slices = in_slices(E, grad_E, QUERIES, labels)
    assert (len(slices) > 1) == (n_e > 40)
    of_z = torch.split_with_sizes(z, [len(piece.E) for piece in slices])
    for piece, part in zip(slices, of_z, strict=True):
        piece.take_labels_from(part)
        piece.gradient.copy_(piece.E)
    torch.testing.assert_close(z, expected)
    torch.testing.assert_close(grad_E, E)


def test_no_answers_change_nothing():
    E, z = torch.randn(4, 3), torch.randn(4, QUERIES)
    labels = Labels(torch.tensor([0]), torch.tensor([1]), torch.ones(1))
    (piece,) = in_slices(E, torch.empty(4, 3), QUERIES, labels.none())
    before = z.clone()
    piece.take_labels_from(z)
    assert torch.equal(z, before)


def test_queries_of_a_part_are_counted_from_its_first():
    labels = Labels(torch.tensor([0, 2, 3, 2]), torch.tensor([7, 8, 9, 1]), torch.arange(4.0))
    some = labels.of_rows(slice(2, 4))
    assert some.rows.tolist() == [0, 1, 0]
    assert some.objects.tolist() == [8, 9, 1]
    assert some.values.tolist() == [1, 2, 3]
