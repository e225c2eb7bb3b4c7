"""Grids and combinations of vectors: meshgrid, cartesian_prod, combinations; and unravel_index."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as choose
from itertools import combinations_with_replacement as choose_again
from math import comb, prod
from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...declare.by_signature import CATEGORY, calls
from ...declare.rules import Answer, Result, composite_row
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...types import dtypes
from ...types.cpp_names import cpp_tensor_type
from ...types.cpp_numbers import cpp_numbers


def _listed(tensors: tuple) -> list[Tensor]:
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 0, but got {type_name(t)}",
                f"element {i} is not a tensor",
                "torch.tensor(…)",
                rule="argument.type",
            )
    if not tensors:
        refuse(
            RuntimeError,
            "meshgrid expects a non-empty TensorList",
            "there are no tensors to combine",
            rule="meshgrid.empty",
        )
    return list(tensors)


def ask_for_indexing() -> None:
    """PyTorch's warning, once, that a call does not say which dimension counts first."""
    warn("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.", once=True)


@composite_row(
    "meshgrid",
    "Returns coordinate grids: each vector expanded along the dimensions of the others. Views.",
    family="view",
    category="other",
    forms="function",
)
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    listed = _listed(tensors)
    if indexing is not None and not isinstance(indexing, str):
        message = f"meshgrid(): argument 'indexing' must be str, not {type_name(indexing)}"
        refuse(TypeError, message, "'ij' counts rows first, 'xy' counts columns first", rule="meshgrid.indexing")
    for t in listed:
        if t._dtype is not listed[0]._dtype:
            refuse(
                RuntimeError,
                "meshgrid expects all tensors to have the same dtype",
                f"the first is of {listed[0]._dtype}, another of {t._dtype}",
                rule="meshgrid.dtype",
            )
    if indexing not in (None, "xy", "ij"):
        refuse(
            RuntimeError,
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}',
            "'ij' counts rows first, 'xy' counts columns first",
            rule="meshgrid.indexing",
        )
    for t in listed:
        if t._array.ndim > 1:
            numbers = quietly(t.detach().cpu().double)  # of complex numbers the real parts
            shown = cpp_numbers(numbers.numpy(), cpp_tensor_type(t._dtype))
            refuse(
                RuntimeError,
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {shown}",
                f"one has size {list(t._array.shape)}, and each vector is one side of the grid",
                "x.reshape(-1)",
                rule="meshgrid.ndim",
            )
    if indexing is None:
        ask_for_indexing()
    swapped = indexing == "xy" and len(listed) >= 2
    if swapped:
        listed[:2] = listed[1::-1]
    size = tuple([t._array.size for t in listed])
    grids = [
        OPS["expand"].function(OPS["view"].function(t, (1,) * d + (-1,) + (1,) * (len(size) - d - 1)), size)
        for d, t in enumerate(listed)
    ]
    if swapped:
        grids[:2] = grids[1::-1]
    return tuple(grids)


def _check_vector(t: Tensor) -> None:
    if t._array.ndim != 1:
        refuse(
            RuntimeError,
            f"Expect a 1D vector, but got shape {list(t._array.shape)}",
            f"each tensor must be a vector, and this one has {t._array.ndim} dimensions",
            "x.reshape(-1)",
            rule="vector.ndim",
        )


@composite_row(
    "cartesian_prod",
    "Returns the Cartesian product of vectors, one combination per row.",
    family="gather",
    category="other",
    forms="function",
)
def cartesian_prod(*tensors: Any) -> Tensor:
    listed = _listed(tensors)
    for t in listed:
        _check_vector(t)
    if len(listed) == 1:
        return listed[0]
    columns = [OPS["reshape"].function(g, -1) for g in meshgrid(*listed, indexing="ij")]
    return OPS["stack"].function(columns, 1)


def fill_combinations(target: np.ndarray, array: np.ndarray, with_replacement: bool) -> None:
    if target.ndim == 2:
        rows, r = target.shape
        places = (choose_again if with_replacement else choose)(range(array.size), r)
        chosen = np.fromiter((i for row in places for i in row), np.int64, rows * r, like=array)
        target[...] = array[chosen.reshape(rows, r)]


@calls(
    "combinations",
    "Returns all combinations of `r` elements of a vector, one per row.",
    forms="function",
    category="other",
    kernel=fill_combinations,
)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Answer:
    _check_vector(input)
    if r < 0:
        refuse(
            RuntimeError,
            f"Expect a non-negative number, but got {r}",
            "r is a number of elements",
            rule="combinations.r",
        )
    n = input._array.size
    if r == 0:
        return Result((0,), input._dtype), (input._array, with_replacement)
    rows = (comb(n + r - 1, r) if n else 0) if with_replacement else comb(n, r)
    return Result((rows, r), input._dtype), (input._array, with_replacement)


@composite_row(
    "unravel_index",
    "Converts flat indices into coordinates in a tensor of the given shape.",
    family="gather",
    category=CATEGORY,
    forms="function",
)
def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    if not isinstance(indices, Tensor):
        raise AttributeError(f"'{type_name(indices)}' object has no attribute 'is_complex'")
    if indices._dtype._kind != dtypes.INTEGER:
        refuse(
            TypeError,
            f"expected 'indices' to be integer dtype, but got {indices._dtype}",
            "indices must be integers",
            "indices.long()",
            rule="index.dtype",
        )
    size = _shape_of(shape)
    if not size:
        return ()
    steps = [prod(size[d + 1 :]) for d in range(len(size))]
    divisors, sizes = (OPS["tensor"].function(n, device=indices.device, dtype=dtypes.int64) for n in (steps, size))
    counted = OPS["floor_divide"].function(OPS["unsqueeze"].function(indices, -1), divisors)
    return OPS["unbind"].function(OPS["remainder"].function(counted, sizes), -1)


def _shape_of(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (int, np.integer)) and not isinstance(shape, bool):
        shape = (int(shape),)
    elif not isinstance(shape, (tuple, list)):
        refuse(
            TypeError,
            f"expected 'shape' to be int or sequence of ints, but got {type(shape)}"
            if not isinstance(shape, Sequence)
            else f"expected 'shape' sequence to only contain ints, but got {type(shape[0])}",
            "sizes must be integers",
            rule="argument.int",
        )
    for n in shape:
        if not isinstance(n, (int, np.integer)):
            refuse(
                TypeError,
                f"expected 'shape' sequence to only contain ints, but got {type(n)}",
                "sizes must be integers",
                rule="argument.int",
            )
    if any(n < 0 for n in shape):
        refuse(
            ValueError,
            f"'shape' cannot have negative values, but got {tuple(shape)}",
            "sizes must not be negative",
            rule="size.negative",
        )
    return tuple(int(n) for n in shape)
