"""torch.nn.attention: which kernels attention may take. Here there is one, which computes what all of them do.

>>> import tensorwidgets as torch
>>> from tensorwidgets.nn.attention import SDPBackend, sdpa_kernel
>>> q = torch.ones(1, 2, 4)
>>> with sdpa_kernel(SDPBackend.MATH):
...     torch.nn.functional.scaled_dot_product_attention(q, q, q).shape
torch.Size([1, 2, 4])
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from ...engine.compat.switches import attention_by


class SDPBackend(IntEnum):
    """The kernels of attention."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: SDPBackend | list[SDPBackend], set_priority: bool = False) -> Iterator[None]:
    """A block in which attention may take some kernels only."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(backends).__name__}"
        )
    chosen = backends if isinstance(backends, list) else [backends]
    with attention_by(**{name: backend in chosen for name, backend in _NAMES.items()}):
        yield


_NAMES = {
    "math": SDPBackend.MATH, "flash": SDPBackend.FLASH_ATTENTION, "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
}  # fmt: skip


__all__ = ["SDPBackend", "sdpa_kernel"]
