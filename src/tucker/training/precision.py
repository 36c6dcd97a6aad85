"""The numbers that large products are formed of."""

from __future__ import annotations

from typing import Literal

import torch

Products = Literal["float32", "bfloat16"]


def products_of(name: Products) -> torch.dtype | None:
    """Return the type that factors are rounded to, or None to leave them as they are.

    bfloat16 has the range of float32 and 8 bits of precision. A processor with instructions for it
    (AVX512_BF16) multiplies it twice as fast; on others it is slower than float32, and left alone.
    """
    native = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
    return torch.bfloat16 if name == "bfloat16" and native() else None
