"""Writing by index, with PyTorch's rules. `getitem` reads the key; nothing is written if anything does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ... import geometry, memory
from ...declare.by_signature import own_result
from ...declare.rules import Answer, Result, chosen
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row, watching
from ...errors.reasons import Reason, refuse
from ...errors.warnings import warn
from ...geometry import Gather, Geometry
from ...memory.places import moved
from ...tensor.keys import KEY_PROMISE
from ...tensor.lazy_conj import promised, resolve
from ...tensor.lookups import size_and_stride
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.wrapping import place_of, view_of, wrap
from ...tensor.write_checks import check_no_overlap, check_no_partial_overlap, check_writable
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from .getitem import broadcast_indices, numpy_key
from .index_key import MASKS, apply, check_bounds, check_mask, expanded
from .plain_keys import write_by_plain_key


def setitem(self: Tensor, key: Any, value: Any) -> None:
    """``x[key] = value``: written through to the storage; nothing is written if anything does not fit."""
    if self._keys or watching or not write_by_plain_key(self, key, value):
        stations.long_route(SETITEM, (self, key, value), {})


def write(self: Tensor, key: Any, value: Any) -> None:
    source = value if isinstance(value, Tensor) else number_for(value, self._dtype)
    if key is False:
        return  # PyTorch checks nothing here, not even the size of the value
    g, untouched, tensors = apply(self, key)
    target = self if untouched else view_of(self, g)
    if key is True or not tensors:
        _copy_to(target, source)
    else:
        _put(target, tensors, without_leading_ones(source))


def _copy_to(target: Tensor, source: Tensor) -> None:
    """Write a value that is broadcast to a view."""
    from ..copies.copying import copy_, fill_

    if target._array.shape == source._array.shape:
        copy_(target, source)
    elif source._array.ndim == 0:
        fill_(target, source)
    else:
        copy_(target, OPS["expand"].function(without_leading_ones(source), target._array.shape))


def without_leading_ones(value: Tensor) -> Tensor:
    shape = value._array.shape
    first = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    return OPS["view"].function(value, shape[first:]) if first else value


def written(self: Tensor, key: Any, value: Tensor) -> Geometry | Answer:
    """The rule of ``x[key] = value``: the view that is copied to, or what is written at the positions of tensors."""
    g, _, tensors = apply(self, key)
    return _put_rule(view_of(self, g), tensors, without_leading_ones(value)) if tensors else g


def _put(target: Tensor, tensors: list[tuple[int, Tensor]], value: Tensor) -> None:
    """Write through index tensors."""
    _, given = _put_rule(target, tensors, value)
    if place_of(target).has_numbers:
        chosen(target._array, *given)
    bump_version(target)


def warn_if_overlapping(target: Tensor, op_name: str) -> None:
    """Warn of a write through index tensors where several elements of the target are one in memory."""
    array = target._array
    if type(array) is np.ndarray and array.flags.forc:
        return
    if geometry.overlap(*size_and_stride(target)) == "yes":
        index, value = ("indices", "tensor") if op_name == "index_put_" else ("mask", "scalar")
        warn(_DEPRECATED.format(op_name, index, value))


def _put_rule(target: Tensor, tensors: list[tuple[int, Tensor]], value: Tensor) -> Answer:
    """What is written through index tensors, and by which kernel. Nothing is checked without numbers, as in PyTorch."""
    size, stride = size_and_stride(target)
    if not place_of(target).has_numbers:
        return own_result(target), ()
    warn_if_overlapping(target, "index_put_")
    mask = only_mask(size, tensors) if value._array.size == 1 else None
    check_writable(target, alike=True)
    if mask is not None:
        warn_if_overlapping(target, "masked_fill_")
        return own_result(target), _mask_filling(target, mask, value)
    value = resolve(value)
    if not target._keys & KEY_PROMISE:  # such targets are written through a copy
        for source in (value, *[k for _, k in tensors]):
            check_no_overlap(target, source)
    indices = expanded(size, tensors)
    gather = broadcast_indices(size, stride, indices)
    check_value(value, target._dtype, gather.size)
    _check_kernel("index_put", target._dtype, dtypes.BAREBONES_UNSIGNED)
    # Elements are written in the memory order of a result with the same operands.
    order = geometry.pointwise_stride(gather.size, [gather.source, size_and_stride(value), *gather.places])
    if 0 not in gather.size:
        check_bounds(size, indices, gather.steps(order))
    values = promised(value._array, target)
    return Result(gather.size, target._dtype), (write_in_order, gather, indices, values, gather.steps(order))


_DEPRECATED = (
    "Use of {} on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This "
    "also "
    "applies to advanced indexing e.g. tensor[{}] = {}"
)


def write_in_order(
    array: np.ndarray, gather: Gather, indices: list[tuple[int, np.ndarray]], values: np.ndarray, steps: tuple[int, ...]
) -> None:
    """Write values in order: of duplicate indices the last write wins."""
    if 0 in gather.size:
        return
    ndim = len(gather.common)
    if ndim > 1 and values.size > 1:
        turn = sorted(range(ndim), key=lambda d: -steps[d])
        # NumPy iterates in memory order, so the arrays are laid out in the order of the writes.
        indices = [
            (dim, memory.contiguous(np.broadcast_to(places, gather.common).transpose(turn))) for dim, places in indices
        ]
        first = gather.first
        axes = [*range(first), *[first + d for d in turn], *range(first + ndim, len(gather.size))]
        values = np.broadcast_to(values, gather.size).transpose(axes)
    array[numpy_key(array.ndim, indices)] = values


def _check_kernel(name: str, d: dtypes.dtype, missing: frozenset[dtypes.dtype]) -> None:
    if d in missing:
        refuse_dtype(name, d, "", "x.long()")


def check_value(value: Tensor, d: dtypes.dtype, size: tuple[int, ...]) -> None:
    """Refuse a value that cannot be broadcast to the indexed elements or has another dtype."""
    own = value._array.shape
    fits = geometry.expand(geometry.contiguous(own), size)
    if isinstance(fits, Reason):
        refuse(
            RuntimeError,
            f"shape mismatch: value tensor of shape {list(own)} cannot be broadcast to indexing result of shape "
            f"{list(size)}",
            fits.because,
            rule="index.put_shape",
            value=own,
            result=size,
        )
    if value._dtype is not d:
        refuse(
            RuntimeError,
            f"Index put requires the source and destination dtypes match, got {d._type_name} for the destination "
            f"and {value._dtype._type_name} for the source.",
            "writing through index tensors does not convert",
            f"value.to({d})",
            rule="index.put_dtype",
        )


def only_mask(size: tuple[int, ...], tensors: list[tuple[int, Tensor]]) -> tuple[int, Tensor] | None:
    """The mask, if a mask is all that there is: then one value is filled in, whatever its dtype."""
    dim, mask = tensors[0]
    if mask._dtype not in MASKS:
        return None
    check_mask(mask._array.shape, size, dim)
    return (dim, mask) if len(tensors) == 1 else None


def write_where(target: np.ndarray, mask: np.ndarray, number: np.ndarray) -> None:
    np.copyto(target, number, where=mask)


def _mask_filling(target: Tensor, where: tuple[int, Tensor], value: Tensor) -> tuple:
    """The kernel that fills one value in where a mask is true, and its arguments."""
    dim, mask = where
    check_no_partial_overlap(target, mask)
    number = number_to_fill(target._dtype, mask, value)
    shape = (1,) * dim + mask._array.shape + (1,) * (target._array.ndim - dim - mask._array.ndim)
    there = moved(mask._array, place_of(target))  # a list makes a mask in main memory
    return write_where, there.reshape(shape), promised(number, target)


def number_to_fill(d: dtypes.dtype, mask: Tensor, value: Tensor) -> ndarray:
    """The one value that is filled in where a mask is true, converted as `masked_fill` does."""
    if mask._dtype is not dtypes.bool_:
        refuse(
            RuntimeError,
            "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char",
            "one value is filled in where a mask is true, and bytes are neither true nor false",
            "mask.bool()",
            rule="index.mask_dtype",
        )
    _check_kernel("masked_fill", d, dtypes.ONLY_STORED)
    return fill_number(value.item(), d)


def number_for(value: complex | ndarray | Sequence[int], d: dtypes.dtype) -> Tensor:
    """Convert a number to a zero-dimensional tensor."""
    if isinstance(value, (bool, int, float, complex, np.integer)):
        if isinstance(value, (int, np.integer)) and not -(1 << 63) <= value < 1 << 63:
            refuse(
                ValueError,
                "Overflow when unpacking long long",
                f"{value} does not fit into 64 bits",
                rule="index.value",
            )
        return wrap(fill_number(value.item() if isinstance(value, np.generic) else value, d, 1), d)
    kind = type(value)
    name = kind.__name__ if kind.__module__ != "numpy" else f"numpy.{kind.__name__}"
    refuse(
        TypeError,
        f"can't assign a {name} to a torch.{d._type_name}Tensor",
        "what is written must be a number or a tensor",
        "torch.tensor(…)",
        rule="index.value",
    )


def delitem(self: Tensor, key: Any) -> None:
    """``del x[key]``: refused."""
    refuse(
        TypeError,
        "Tensor does not support deleting items",
        "elements of a tensor cannot be deleted; select the others instead",
        "torch.cat([x[:i], x[i + 1:]])",
        rule="index.delete",
    )


SETITEM = add_row(
    Op(
        "setitem",
        "index",
        "indexing_slicing_joining_mutating",
        "Sets x[key] = value.",
        rule=written,
        kernel=write_in_order,
        forms=frozenset(),
    )
)
stations.bind(SETITEM, write)
