"""Which size has the gradient of a leaf whose ``data`` was exchanged for numbers of another size, and which dtype?

In PyTorch the node that adds gradients to a leaf notes the size when the first call is recorded, and exists as long as
a graph leads to it. Ours is the leaf itself, so the size is noted here when it changes, with the nodes that lead there.
"""

from __future__ import annotations

import gc
import weakref
from typing import Any

from ..tensor import grad_flag
from ..tensor.lookups import size_and_stride
from ..tensor.tensor import Tensor
from .nodes import Node

changed = False
"""Whether any leaf was ever given another size, or a dtype for its gradient: until then nothing here has to be asked.
"""


def is_usual(leaf: Tensor) -> bool:
    """Whether a gradient has to be what the leaf is."""
    return size_of_gradient(leaf) == leaf._array.shape and grad_flag.dtype_of_gradient(leaf) is leaf._dtype


def size_of_gradient(leaf: Tensor) -> tuple[int, ...]:
    """The size that a gradient has to have when it arrives at a leaf."""
    noted = leaf.__dict__.get("_noted_size") if changed else None
    if noted is not None:
        if any(node() is not None for node in noted[1]):
            return noted[0]  # type: ignore[no-any-return]
        del leaf.__dict__["_noted_size"]
    return leaf._array.shape  # type: ignore[no-any-return]


def dtype_on_arrival(leaf: Tensor, grad: Tensor, by: Node | None) -> Any:
    """The dtype that a gradient has to have when it arrives at a leaf. A leaf for any takes what a Function returns."""
    chosen = grad_flag.dtype_of_gradient(leaf)
    return chosen or (grad._dtype if by is None or not by.casts else leaf._dtype)


def note_size(leaf: Tensor) -> None:
    """Note the size that a leaf is about to lose, if a graph leads to it."""
    global changed
    if size_of_gradient(leaf) != leaf._array.shape:
        return  # the older size still holds
    edges = [o for o in gc.get_referrers(leaf) if type(o) is tuple]
    nodes = [o for o in gc.get_referrers(*edges) if isinstance(o, Node) and any(e is leaf for e in o.edges)]
    if nodes:
        changed = True
        leaf.__dict__["_noted_size"] = leaf._array.shape, [weakref.ref(node) for node in nodes]


def laid_out_alike(grad: Tensor, leaf: Tensor) -> bool:
    """Whether PyTorch takes a gradient of another size than its leaf as it is.

    It compares strides dimension by dimension, as many as the gradient has. Beyond the dimensions of the leaf it reads
    what nobody wrote, except that a tensor without dimensions has a first stride of 1.
    """
    size, stride = size_and_stride(grad)
    wanted: list[Any] = [*size_and_stride(leaf)[1]] or [1]
    wanted += [None] * (len(size) - len(wanted))
    return all(a == b or n == 1 and a for n, a, b in zip(size, stride, wanted, strict=False))


def _note_dtype() -> None:
    global changed
    changed = True


grad_flag.on_new_size = note_size
grad_flag.on_grad_dtype = _note_dtype
