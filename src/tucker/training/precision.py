"""The numbers that large products are formed of."""

from __future__ import annotations

import torch


def products_of(name: str) -> torch.dtype | None:
    """Return the type that factors are rounded to, or None to leave them as they are.

    bfloat16 has the range of float32 and 8 bits of precision. A processor with instructions for it
    (AVX512_BF16) multiplies it twice as fast; others would be slower than with float32.
    """
    if name == "bfloat16" and torch.cpu._is_avx512_bf16_supported():
        return torch.bfloat16
    return None
