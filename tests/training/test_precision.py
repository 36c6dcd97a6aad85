from __future__ import annotations

import pytest
import torch

from tucker.training.precision import products_of


@pytest.mark.parametrize("native", [True, False])
def test_bfloat16_is_used_where_the_processor_multiplies_it(
    native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: native, raising=False)
    assert products_of("bfloat16") == (torch.bfloat16 if native else None)
    assert products_of("float32") is None


def test_an_older_torch_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch.cpu, "_is_avx512_bf16_supported", raising=False)
    assert products_of("bfloat16") is None
