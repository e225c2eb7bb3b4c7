"""Save and load sparse and quantized tensors: for each kind one function that encodes and one that rebuilds.

The first returns the call to store in the pickle. The second executes that call when a file is read, and checks its
arguments. The layouts themselves are imported on first use.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from ...dispatch.kinds import KINDS
from ...memory import MetaArray
from ...tensor.keys import KEY_META
from ...tensor.lookups import size_and_stride, storage_of
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types import dtypes, formats
from ...types.size import Size
from ..errors import refuse_record
from .decode import rebuild_view, whole_numbers
from .pickle_write import Call, Global

if TYPE_CHECKING:
    from ...types.formats import layout

_PICKLE = "data.pkl"


class TensorCodec(NamedTuple):
    """The pair of functions that save and load one kind of tensor."""

    key: int
    function: str
    """The PyTorch function that rebuilds it, by name."""
    encode: Callable[[Tensor, Any], Call]
    rebuild: Callable[..., Tensor]


# -- sparse ------------------------------------------------------------------------------------------------------

_SPARSE = Global("torch._utils", "_rebuild_sparse_tensor")
_COMPRESSED = (formats.sparse_csr, formats.sparse_csc, formats.sparse_bsr, formats.sparse_bsc)


def encode_coo(t: Tensor, storages: Any) -> Call:
    """Encode a COO tensor: indices, values, size, and whether it is coalesced."""
    parts = t._array
    return Call(_SPARSE, (parts.layout, (parts.indices, parts.values, Size(parts.shape), parts.coalesced)))


def encode_compressed(t: Tensor, storages: Any) -> Call:
    """Encode a compressed tensor: compressed indices, plain indices, values and size."""
    parts = t._array
    return Call(_SPARSE, (parts.layout, (parts.outer, parts.inner, parts.values, Size(parts.shape))))


def sparse_tensor(layout: layout, parts: Any) -> Tensor:
    """Rebuild a sparse tensor from its parts. Every index is checked before it is used as an address."""
    if type(parts) is not tuple:
        _refuse("the parts of a sparse tensor are not a tuple")
    if layout is formats.sparse_coo and len(parts) in (3, 4):
        return _coordinates(*parts)
    if layout in _COMPRESSED and len(parts) == 4:
        return _compressed(layout, *parts)
    _refuse(f"a sparse tensor of {layout!r} in {len(parts)} parts"[:200])


def _coordinates(indices: Tensor, values: Tensor, size: Any, coalesced: bool | None = None) -> Tensor:
    from ...layouts.sparse.parts.checks import check_fit, ready
    from ...layouts.sparse.parts.tensors import coo

    _check_parts((indices,), values)
    whole = whole_numbers("size", size)
    check_fit(indices, values, whole)
    made = coo(indices, values, whole, coalesced is True, checked=False)
    if not values._keys & KEY_META:
        ready(made._array)
        if coalesced is True and not _strictly_increasing(indices._array):
            _refuse("a sparse tensor is marked as coalesced, but its indices are not sorted and unique")
    return made


def _strictly_increasing(indices: np.ndarray) -> bool:
    """Whether the coordinates are sorted in lexicographic order without duplicates."""
    before, after = indices[:, :-1], indices[:, 1:]
    alike = np.ones(before.shape[1], bool)
    for earlier, later in zip(before, after, strict=True):
        if (alike & (earlier > later)).any():
            return False
        alike &= earlier == later
    return not alike.any()


def _compressed(layout: layout, outer: Tensor, inner: Tensor, values: Tensor, size: Any) -> Tensor:
    from ...layouts.sparse.parts.checks import check_structure, ready
    from ...layouts.sparse.parts.tensors import compressed

    _check_parts((outer, inner), values)
    whole = whole_numbers("size", size)
    check_structure(layout, outer, inner, values, whole)
    made = compressed(layout, outer, inner, values, whole, checked=False)
    if not values._keys & KEY_META:
        ready(made._array)
    return made


def _check_parts(indices: tuple, values: Tensor) -> None:
    for part in (*indices, values):
        if not isinstance(part, Tensor) or not isinstance(part._array, (np.ndarray, MetaArray)):
            _refuse("the parts of a sparse tensor are not plain tensors")
        if bool(part._keys & KEY_META) != bool(values._keys & KEY_META):
            _refuse("the parts of a sparse tensor are on different devices")
    for part in indices:
        if part._dtype not in (dtypes.int64, dtypes.int32):
            _refuse(f"the indices of a sparse tensor have dtype {part._dtype}; int64 or int32 is expected")


# -- quantized ---------------------------------------------------------------------------------------------------

_QUANTIZED = Global("torch._utils", "_rebuild_qtensor")
_INT32 = range(-(1 << 31), 1 << 31)


def encode_quantized(t: Tensor, storages: Any) -> Call:
    """Encode a quantized tensor: its integers, and the scale and zero point of the tensor or of each channel."""
    from ...layouts.quantized.quantizers import PerTensor
    from ...layouts.quantized.tensors import quantizer_of

    qparams = quantizer_of(t)
    size, stride = size_and_stride(t)
    how: tuple
    if isinstance(qparams, PerTensor):
        how = (formats.per_tensor_affine, qparams.scale, qparams.zero_point)
    else:
        zero_points = wrap(qparams.zero_points.copy(), dtypes.FROM_NUMPY[qparams.zero_points.dtype])
        scales = wrap(qparams.scales.copy(), dtypes.FROM_NUMPY[qparams.scales.dtype])
        how = (formats.per_channel_affine, scales, zero_points, qparams.axis)
    held = storages.reference(storage_of(t), t._dtype, t.nbytes)
    return Call(_QUANTIZED, (held, t.storage_offset(), size, stride, how, False, OrderedDict()))


def quantized_tensor(
    held: Any,
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    how: Any,
    requires_grad: bool = False,
    hooks: Any = None,
) -> Tensor:
    """Rebuild a quantized tensor from integers in a storage and its scale and zero point."""
    view = rebuild_view(held, offset, size, stride)
    if not view._dtype._is_quantized:
        _refuse(f"a quantized tensor of {view._dtype}, which is not a quantized dtype")
    qparams = _quantizer(how, view)
    if view._keys & KEY_META:
        return view
    from ...layouts.quantized.tensors import give

    return give(view, qparams)


def _quantizer(how: Any, view: Tensor) -> Any:
    KINDS["quantized"].wake()
    from ...layouts.quantized.quantizers import PerChannel, PerTensor

    if type(how) is tuple and len(how) == 3 and how[0] is formats.per_tensor_affine:
        _, scale, zero_point = how
        if type(scale) is not float or not isfinite(scale) or type(zero_point) is not int or zero_point not in _INT32:
            _refuse(f"a quantized tensor has the scale {scale!r} and the zero point {zero_point!r}"[:200])
        return PerTensor(scale, zero_point)
    if type(how) is not tuple or len(how) != 4:
        _refuse("a quantized tensor has no scale and zero point")
    scheme, scales, zero_points, axis = how
    if scheme not in (formats.per_channel_affine, formats.per_channel_affine_float_qparams):
        _refuse(f"a quantized tensor of the scheme {scheme!r}"[:200])
    shape = view._array.shape
    if type(axis) is not int or not 0 <= axis < len(shape):
        _refuse(f"a quantized tensor of {len(shape)} dimensions has its channels along dimension {axis!r}"[:200])
    results = []
    for what, values in (("scales", scales), ("zero points", zero_points)):
        if not isinstance(values, Tensor) or values._array.shape != (shape[axis],) or values._dtype.is_complex:
            _refuse(f"a quantized tensor of {shape[axis]} channels has invalid {what}")
        # A meta tensor has no data to copy, and no op reads its quantization parameters.
        results.append(np.zeros(0) if values._keys & KEY_META else np.array(values._array))
    return PerChannel(results[0], results[1], axis)


def _refuse(message: str) -> NoReturn:
    refuse_record(_PICKLE, message, rule="file.tensor")


CODECS = (
    TensorCodec(KINDS["sparse"].key, "torch._utils._rebuild_sparse_tensor", encode_coo, sparse_tensor),
    TensorCodec(KINDS["sparse_csr"].key, "torch._utils._rebuild_sparse_tensor", encode_compressed, sparse_tensor),
    TensorCodec(KINDS["quantized"].key, "torch._utils._rebuild_qtensor", encode_quantized, quantized_tensor),
)
