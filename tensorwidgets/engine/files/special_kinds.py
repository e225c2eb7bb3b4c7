"""Tensors that are no plain arrays: how each kind is told in a file, and how it is rebuilt.

A kind is two functions that stand side by side: one gives the call that a pickle holds, the other is that call when a
file is read, and checks what it is given. The rooms of the kinds themselves are imported when the first one is met.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..dispatch.kinds import KINDS
from ..tensor.storage import MetaArray
from ..tensor.tensor import KEY_META, Tensor, size_and_stride, storage_of, wrap
from ..types import dtypes, formats
from ..types.size import Size
from .errors import refuse_record
from .pickle_write import Call, Global
from .rebuilding import rebuild_view, whole_numbers

_PICKLE = "data.pkl"


class FileKind(NamedTuple):
    """How one kind of tensor crosses into a file and back."""

    key: int
    function: str
    """The name of PyTorch's function that rebuilds it."""
    tell: Callable[[Tensor, Any], Call]
    rebuild: Callable[..., Tensor]


# -- sparse ------------------------------------------------------------------------------------------------------

_SPARSE = Global("torch._utils", "_rebuild_sparse_tensor")
_COMPRESSED = (formats.sparse_csr, formats.sparse_csc, formats.sparse_bsr, formats.sparse_bsc)


def tell_coordinates(t: Tensor, storages: Any) -> Call:
    """Indices, values, size, and whether every coordinate stands once and in order."""
    parts = t._array
    return Call(_SPARSE, (parts.layout, (parts.indices, parts.values, Size(parts.shape), parts.coalesced)))


def tell_compressed(t: Tensor, storages: Any) -> Call:
    """Where each row (or column) begins, where its elements stand, their values, and the size."""
    parts = t._array
    return Call(_SPARSE, (parts.layout, (parts.outer, parts.inner, parts.values, Size(parts.shape))))


def sparse_tensor(layout: Any, parts: Any) -> Tensor:
    """A sparse tensor from its parts. Every index is checked: nothing is addressed by a number from outside."""
    if type(parts) is not tuple:
        _refuse("a sparse tensor has no parts")
    if layout is formats.sparse_coo and len(parts) in (3, 4):
        return _coordinates(*parts)
    if layout in _COMPRESSED and len(parts) == 4:
        return _compressed(layout, *parts)
    _refuse(f"a sparse tensor of {layout!r} in {len(parts)} parts"[:200])


def _coordinates(indices: Any, values: Any, size: Any, coalesced: Any = None) -> Tensor:
    from ..layouts.sparse.checks import check_fit, ready
    from ..layouts.sparse.parts import coo

    _check_parts((indices,), values)
    whole = whole_numbers("size", size)
    check_fit(indices, values, whole)
    made = coo(indices, values, whole, coalesced is True, checked=False)
    if not values._keys & KEY_META:
        ready(made._array)
        if coalesced is True and not _rising(indices._array):
            _refuse("a sparse tensor says that its coordinates stand in order, and they do not")
    return made


def _rising(indices: np.ndarray) -> bool:
    """Whether each coordinate comes behind the one before it, and none stands twice."""
    before, after = indices[:, :-1], indices[:, 1:]
    alike = np.ones(before.shape[1], bool)
    for earlier, later in zip(before, after, strict=True):
        if (alike & (earlier > later)).any():
            return False
        alike &= earlier == later
    return not alike.any()


def _compressed(layout: Any, outer: Any, inner: Any, values: Any, size: Any) -> Tensor:
    from ..layouts.sparse.checks import check_structure, ready
    from ..layouts.sparse.parts import compressed

    _check_parts((outer, inner), values)
    whole = whole_numbers("size", size)
    check_structure(layout, outer, inner, values, whole)
    made = compressed(layout, outer, inner, values, whole, checked=False)
    if not values._keys & KEY_META:
        ready(made._array)
    return made


def _check_parts(indices: tuple, values: Any) -> None:
    for part in (*indices, values):
        if not isinstance(part, Tensor) or not isinstance(part._array, (np.ndarray, MetaArray)):
            _refuse("a sparse tensor is made of what are no plain tensors")
        if bool(part._keys & KEY_META) != bool(values._keys & KEY_META):
            _refuse("a sparse tensor lies on two devices")
    for part in indices:
        if part._dtype not in (dtypes.int64, dtypes.int32):
            _refuse(f"the indices of a sparse tensor are {part._dtype}")


# -- quantised ---------------------------------------------------------------------------------------------------

_QUANTIZED = Global("torch._utils", "_rebuild_qtensor")
_INT32 = range(-(1 << 31), 1 << 31)


def tell_quantized(t: Tensor, storages: Any) -> Call:
    """The whole numbers, and the scale and zero point (or those of each channel) that give them their values."""
    from ..layouts.quantized.ladders import PerTensor
    from ..layouts.quantized.tensors import quantizer_of

    ladder = quantizer_of(t)
    size, stride = size_and_stride(t)
    how: tuple
    if isinstance(ladder, PerTensor):
        how = (formats.per_tensor_affine, ladder.scale, ladder.zero_point)
    else:
        zero_points = wrap(ladder.zero_points.copy(), dtypes.FROM_NUMPY[ladder.zero_points.dtype])
        scales = wrap(ladder.scales.copy(), dtypes.FROM_NUMPY[ladder.scales.dtype])
        how = (formats.per_channel_affine, scales, zero_points, ladder.axis)
    held = storages.reference(storage_of(t), t._dtype, t.nbytes)
    return Call(_QUANTIZED, (held, t.storage_offset(), size, stride, how, False, OrderedDict()))


def quantized_tensor(
    held: Any, offset: Any, size: Any, stride: Any, how: Any, requires_grad: Any = False, hooks: Any = None
) -> Tensor:
    """A quantised tensor: whole numbers in a storage, and the ladder that they count on."""
    view = rebuild_view(held, offset, size, stride)
    if not view._dtype._is_quantized:
        _refuse(f"a quantised tensor of {view._dtype}, which is no quantised dtype")
    ladder = _ladder(how, view)
    if view._keys & KEY_META:
        return view
    from ..layouts.quantized.tensors import give

    return give(view, ladder)


def _ladder(how: Any, view: Tensor) -> Any:
    KINDS["quantized"].wake()
    from ..layouts.quantized.ladders import PerChannel, PerTensor

    if type(how) is tuple and len(how) == 3 and how[0] is formats.per_tensor_affine:
        _, scale, zero_point = how
        if type(scale) is not float or not isfinite(scale) or type(zero_point) is not int or zero_point not in _INT32:
            _refuse(f"a quantised tensor has the scale {scale!r} and the zero point {zero_point!r}"[:200])
        return PerTensor(scale, zero_point)
    if type(how) is not tuple or len(how) != 4:
        _refuse("a quantised tensor does not say what its numbers stand for")
    scheme, scales, zero_points, axis = how
    if scheme not in (formats.per_channel_affine, formats.per_channel_affine_float_qparams):
        _refuse(f"a quantised tensor of the scheme {scheme!r}"[:200])
    shape = view._array.shape
    if type(axis) is not int or not 0 <= axis < len(shape):
        _refuse(f"a quantised tensor of {len(shape)} dimensions has its channels along dimension {axis!r}"[:200])
    results = []
    for what, given in (("scales", scales), ("zero points", zero_points)):
        if not isinstance(given, Tensor) or given._array.shape != (shape[axis],) or given._dtype.is_complex:
            _refuse(f"a quantised tensor of {shape[axis]} channels has other {what}")
        # Without bytes there is nothing to copy, and nothing will be asked of the ladder.
        results.append(np.zeros(0) if given._keys & KEY_META else np.array(given._array))
    return PerChannel(results[0], results[1], axis)


def _refuse(message: str) -> NoReturn:
    refuse_record(_PICKLE, message, rule="file.tensor")


SPECIAL_KINDS = (
    FileKind(KINDS["sparse"].key, "torch._utils._rebuild_sparse_tensor", tell_coordinates, sparse_tensor),
    FileKind(KINDS["sparse_csr"].key, "torch._utils._rebuild_sparse_tensor", tell_compressed, sparse_tensor),
    FileKind(KINDS["quantized"].key, "torch._utils._rebuild_qtensor", tell_quantized, quantized_tensor),
)
