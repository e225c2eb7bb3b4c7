"""Registers all kernels of sparse tensors; imported when the first sparse tensor is created."""

from __future__ import annotations

from ...dispatch.registry import OPS
from . import (  # noqa: F401
    arithmetic,
    compressed_refusals,
    copies,
    made_of_others,
    products,
    reductions,
    resize,
    shapes,
    unary,
)
from .members import answers  # noqa: F401
from .parts.tensors import COMPRESSED, COO
from .rows import OWN

for _name in OWN:
    OPS[_name].kernels[COO.key] = OPS[_name].kernels[COMPRESSED.key] = OPS[_name].plain
