"""How are joined tensors recorded with few steps in between? As in `calls_of_rows`, None leaves a call to the general
way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy.chunks import FROM
from ...declare.fast_calls import NO_GRAD
from ...derivatives.declaring import TABLE
from ...dispatch.registry import OPS
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import wrap
from ..formulas import new_node
from ..saved import ABSENT
from .calls_of_rows import edge_if_any, finished, is_simple
from .calls_of_views import lies_in_order

CAT, STACK = TABLE["cat"][0], TABLE["stack"][0]


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    assert CAT.keeps == ("tensors_shape", "tensors_dtype", "dim") and STACK.keeps == ("tensors_dtype", "dim")
    OPS["cat"].quick = _joined(np.concatenate, 0)
    OPS["stack"].quick = _joined(np.stack, 1)


def _joined(function: Callable[..., np.ndarray], more_dims: int) -> Callable[..., Tensor | None]:
    """Tensors of one dtype that lie in order, along a dimension."""

    def record(*args: Any, **more: Any) -> Tensor | None:
        unusual = state.__dict__
        if not 1 <= len(args) <= 2 or more and (len(args) == 2 or more.keys() != {"dim"}):
            return None
        if unusual and unusual != NO_GRAD:
            return None
        tensors, dim = args[0], args[1] if len(args) == 2 else more.get("dim", ABSENT)
        along = 0 if dim is ABSENT else dim
        if type(tensors) not in (list, tuple) or not tensors or type(along) is not int:
            return None
        keys = size = 0
        for t in tensors:
            if not is_simple(t) or t._dtype is not tensors[0]._dtype or not lies_in_order(t._array):
                return None
            keys |= t._keys
            size += t._array.size
        if unusual:
            keys = 0
        arrays = [t._array for t in tensors]
        edges = tuple([edge_if_any(t) for t in tensors]) if keys else ()
        ndim = arrays[0].ndim
        if not ndim or size >= FROM or not -ndim - more_dims <= along < ndim + more_dims:
            return None
        if keys and any([e is None and t._keys for e, t in zip(edges, tensors, strict=True)]):
            return None  # a view that was made under no_grad: its node leads nowhere
        try:
            array = function(arrays, along)
        except ValueError:
            return None
        d = tensors[0]._dtype
        if not keys:
            return wrap(array, d)
        result, dtypes = wrap(array, d), (d,) * len(tensors)
        node = new_node(STACK if more_dims else CAT, edges, array.shape, d)
        node.values = (dtypes, dim) if more_dims else (tuple([a.shape for a in arrays]), dtypes, dim)
        node.lists = {"tensors": len(tensors)}
        result._keys = KEY_AUTOGRAD
        return finished(result, node)

    return record
