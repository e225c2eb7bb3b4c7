"""Everything that sparse tensors bring, loaded with the first of them."""

from __future__ import annotations

from ...dispatch.registry import OPS
from . import arithmetic, copying, members, moving, products, reducing, refusing, resizing, unary  # noqa: F401
from .parts import COMPRESSED, COO
from .rows import OWN

for _name in OWN:
    OPS[_name].kernels[COO.key] = OPS[_name].kernels[COMPRESSED.key] = OPS[_name].plain
