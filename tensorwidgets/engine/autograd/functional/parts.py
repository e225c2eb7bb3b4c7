"""The steps of `jacobian` under the names that PyTorch has for them: libraries take Jacobians of their own with these.

>>> import tensorwidgets as torch
>>> _as_tuple(torch.ones(2), "inputs", "mine")
(False, (tensor([1., 1.]),))
>>> _construct_standard_basis_for((torch.ones(2), torch.ones(1)), (2, 1))
(tensor([[1., 0.],
        [0., 1.],
        [0., 0.]]), tensor([[0.],
        [0.],
        [1.]]))
"""

from __future__ import annotations

from typing import Any

from ...derivatives.ops import torch
from ...tensor.tensor import Tensor
from .tuples import as_tuple, finished, in_form, in_forms, prepared


def _as_tuple_nocheck(x: Any) -> tuple:
    """A tuple: of the elements of a list, or of one value."""
    return x if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else (x,)


def _as_tuple(inp: Any, arg_name: str | None = None, fn_name: str | None = None) -> Any:
    """Whether tensors came as a tuple, and the tuple; without names, the tuple alone and unchecked."""
    if arg_name is None and fn_name is None:
        return _as_tuple_nocheck(inp)
    return as_tuple(inp, str(arg_name), str(fn_name))


def _grad_preprocess(inputs: Any, create_graph: bool, need_graph: bool) -> tuple:
    """New tensors for a function, different from those that it finds elsewhere."""
    return prepared(inputs, create_graph, need_graph)


def _grad_postprocess(inputs: tuple, create_graph: bool) -> tuple:
    """Results without a graph, unless one is wanted; also those in tuples of tuples."""
    if isinstance(inputs[0], Tensor):
        return finished(inputs, create_graph)
    return tuple([_grad_postprocess(row, create_graph) for row in inputs])


def _tuple_postprocess(res: tuple, to_unpack: bool | tuple[bool, bool]) -> Any:
    """Results in the form in which the arguments came: with two answers, for outer and inner tuples."""
    return in_forms(res, *to_unpack) if isinstance(to_unpack, tuple) else in_form(res, to_unpack)


def _construct_standard_basis_for(tensors: tuple[Tensor, ...], tensor_numels: tuple[int, ...]) -> tuple[Tensor, ...]:
    """For each tensor a matrix. Row i of all of them together is 1 at the i-th of all elements, and 0 elsewhere."""
    assert len(tensors) == len(tensor_numels), "each tensor has a number of elements"
    assert tensors, "Expected at least one tensor"
    total, before, made = sum(tensor_numels), 0, []
    for t, count in zip(tensors, tensor_numels, strict=True):
        chunk = torch.zeros(total, count, dtype=t.dtype, device=t.device)
        chunk.diagonal(-before).fill_(1)
        made.append(chunk)
        before += count
    return tuple(made)
