"""Reading and writing by index, with PyTorch's rules.

Whole numbers, slices, None and Ellipsis are applied first and give a view. Tensors, lists and masks come after, as one
gather over what is left. (NumPy counts whole numbers beside arrays as arrays; PyTorch does not.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dispatch, dtypes, geometry
from .dispatch import Op, add_row
from .geometry import Geometry
from .numbers import assign
from .reasons import Reason, refuse
from .storage import MetaArray
from .tensor import Tensor, _new, geometry_of, view_of, wrap, wrap_any, wrap_view, written
from .writing import check_no_internal_overlap, check_writable

_INT_DTYPES = (dtypes.int64, dtypes.int32)
_MASK_DTYPES = (dtypes.bool_, dtypes.uint8)


def _simple(key: Any) -> bool:
    """Whether NumPy reads this key just as PyTorch does."""
    if type(key) is int:
        return True
    if type(key) is slice:
        step = key.step
        return step is None or type(step) is int and step > 0
    if type(key) is tuple:
        for k in key:
            if type(k) is int:
                continue
            if type(k) is slice:
                step = k.step
                if step is None or type(step) is int and step > 0:
                    continue
            return False
        return True
    return False


def getitem(self: Tensor, key: Any) -> Tensor:
    """``x[key]``: a view where the key is made of numbers and slices, a copy where it holds tensors, lists or masks."""
    if not self._keys and not dispatch.watching and _simple(key):
        try:
            array = self._array[(*key, ...) if type(key) is tuple else (key, ...)]
        except (IndexError, TypeError):
            return dispatch.long_route(GETITEM, (self, key), {})
        if array.size:
            base = self._base
            t = _new(Tensor)
            t._array = array
            t._dtype = self._dtype
            t._base = self if base is None else base
            t._keys = 0
            return t
    return dispatch.long_route(GETITEM, (self, key), {})


def setitem(self: Tensor, key: Any, value: Any) -> None:
    """``x[key] = value``: written through to the storage; nothing is written if anything does not fit."""
    dispatch.long_route(SETITEM, (self, key, value), {})


# -- understanding a key -----------------------------------------------------------------------------------------


def parts_of(key: Any) -> tuple:
    """A key as a tuple of indices. A list that holds sequences or slices counts as a tuple, as in PyTorch."""
    if isinstance(key, tuple):
        return tuple(key)
    if isinstance(key, list) and len(key) < 32 and any(_marks_a_tuple(k) for k in key):
        return tuple(key)
    return (key,)


def _marks_a_tuple(k: Any) -> bool:
    return isinstance(k, (list, tuple, slice, Tensor, np.ndarray)) or k is None or k is Ellipsis


def _as_index_tensor(k: Any, dim: int) -> Tensor:
    """A list, array or tensor as an index."""
    if not isinstance(k, Tensor):
        from .ops.creation import tensor_from

        k = tensor_from(k)
        if k._array.size == 0 and k._dtype is dtypes.get_default_dtype():
            k = wrap(k._array.astype(np.int64), dtypes.int64)
    if k._dtype not in _INT_DTYPES and k._dtype not in _MASK_DTYPES:
        refuse(
            IndexError,
            "tensors used as indices must be long, int, byte or bool tensors",
            f"an index counts places, and {k._dtype} is not a dtype for that",
            "index.long()",
            rule="index.dtype",
            dtype=k._dtype,
        )
    return k


def _is_scalar_int(k: Any) -> bool:
    if isinstance(k, (bool, np.bool_)):
        return False
    if isinstance(k, (int, np.integer)):
        return True
    return isinstance(k, Tensor) and k._array.ndim == 0 and k._dtype.kind == dtypes.INTEGER


def _consumes(k: Any) -> int:
    """How many dimensions of the tensor an index uses up."""
    if k is None or k is Ellipsis or isinstance(k, (bool, np.bool_)):
        return 0
    if isinstance(k, Tensor) and k._dtype in _MASK_DTYPES:
        return k._array.ndim
    if isinstance(k, np.ndarray) and k.dtype in (np.dtype(bool), np.dtype(np.uint8)):
        return k.ndim
    if isinstance(k, list) and k and all(isinstance(x, bool) for x in k):
        return 1
    return 1


def apply_basic(t: Tensor, key: Any) -> tuple[Geometry, list[tuple[int, Tensor]]]:
    """The view that numbers, slices, None and Ellipsis make, and the tensors that are left, by its dimensions."""
    parts = parts_of(key)
    g = geometry_of(t)
    ndim = len(g.size)
    parts = tuple(_as_index_tensor(k, 0) if isinstance(k, (list, tuple, np.ndarray, range)) else k for k in parts)
    used = sum(_consumes(k) for k in parts)
    if used > ndim:
        if ndim == 0 and any(_is_scalar_int(k) for k in parts):
            refuse(
                IndexError,
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                "convert a 0-dim "
                "tensor to a number",
                "a tensor without dimensions has nothing to count along",
                "x.item()",
                rule="index.zero_dim",
            )
        refuse(
            IndexError,
            f"too many indices for tensor of dimension {ndim}",
            f"{used} indices are given, and the tensor has {ndim} dimensions",
            rule="index.too_many",
            indices=used,
            ndim=ndim,
        )
    dim = 0
    tensors: list[tuple[int, Tensor]] = []
    for entry, k in enumerate(parts):
        if isinstance(k, slice):
            found = geometry.slice(g, dim, *_bounds(k))
            dim += 1
        elif _is_scalar_int(k):
            index = k.item() if isinstance(k, Tensor) else int(k)
            found = geometry.select(g, dim, index, "index", entry)
        elif k is None:
            found = geometry.new_axis(g, dim)
            dim += 1
        elif k is Ellipsis:
            dim += ndim - used
            continue
        elif isinstance(k, (bool, np.bool_)):
            found = geometry.new_axis(g, dim)
            tensors.append((dim, wrap(np.array([bool(k)]), dtypes.bool_)))
            dim += 1
        elif isinstance(k, Tensor):
            k = _as_index_tensor(k, dim)
            if k._dtype in _MASK_DTYPES and k._array.ndim == 0:
                found = geometry.new_axis(g, dim)
                tensors.append((dim, wrap(k._array.reshape(1).astype(bool), dtypes.bool_)))
                dim += 1
            else:
                tensors.append((dim, k))
                dim += _consumes(k)
                continue
        else:
            _refuse_index(k)
        if isinstance(found, Reason):
            found.refuse()
        g = found
    return g, tensors


def _refuse_index(k: Any) -> None:
    if isinstance(k, str):
        refuse(
            TypeError,
            "new(): invalid data type 'str'",
            "a dimension is found by its place, and its elements by whole numbers",
            "x[0]",
            rule="index.kind",
        )
    refuse(
        IndexError,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type(k).__name__})",
        f"{k!r} names no element",
        "x[int(i)]",
        rule="index.kind",
    )


def _bounds(k: slice) -> tuple:
    """Start, stop and step of a slice as plain numbers."""
    found = []
    for bound in (k.start, k.stop, k.step):
        if bound is None or type(bound) is int:
            found.append(bound)
        elif isinstance(bound, Tensor):
            found.append(bound.__index__())
        elif hasattr(bound, "__index__"):
            found.append(bound.__index__())
        else:
            refuse(
                TypeError,
                "slice indices must be integers or None or have an __index__ method",
                f"{bound!r} is no whole number",
                rule="index.slice",
            )
    if found[2] is None:
        found[2] = 1
    return tuple(found)


# -- gathering ---------------------------------------------------------------------------------------------------


def expand_masks(size: tuple[int, ...], tensors: list[tuple[int, Tensor]]) -> list[tuple[int, np.ndarray]]:
    """Masks as the positions where they are true, so that all indices are whole numbers."""
    found: list[tuple[int, np.ndarray]] = []
    for dim, k in tensors:
        if k._dtype in _MASK_DTYPES:
            mask = k._array
            for i, n in enumerate(mask.shape):
                if n != size[dim + i]:
                    refuse(
                        IndexError,
                        f"The shape of the mask {list(mask.shape)} at index {i} does not match the shape of the indexed "
                        "tensor "
                        f"{list(size)} at index {dim + i}",
                        f"a mask covers whole dimensions: it has {n} places where the tensor has {size[dim + i]}",
                        rule="index.mask",
                        mask=mask.shape,
                        size=size,
                    )
            found += [(dim + i, places) for i, places in enumerate(np.nonzero(mask))]
        else:
            found.append((dim, k._array))
    return found


def check_bounds(size: tuple[int, ...], indices: list[tuple[int, np.ndarray]], result_is_empty: bool) -> None:
    """Refuse an index outside its dimension, before anything is read or written."""
    for dim, places in indices:
        n = size[dim]
        if places.size == 0 or result_is_empty and n:
            continue
        low, high = int(places.min()), int(places.max())
        if low < -n or high >= n:
            outside = places[(places < -n) | (places >= n)]
            bad = int(outside.reshape(-1)[0])
            refuse(
                IndexError,
                f"index {bad} is out of bounds for dimension {dim} with size {n}",
                f"dimension {dim} has the places 0 to {n - 1}, counted from its end -{n} to -1"
                if n
                else f"dimension {dim} has no places",
                rule="index.bounds",
                index=bad,
                dim=dim,
                size=n,
            )


def gather_key(size: tuple[int, ...], tensors: list[tuple[int, Tensor]]) -> tuple[tuple, bool, tuple[int, ...]]:
    """The NumPy key of the tensors among the indices, whether they stand side by side, and their broadcast shape."""
    indices = expand_masks(size, tensors)
    shapes = [places.shape for _, places in indices]
    common = geometry.broadcast(*shapes)
    if isinstance(common, Reason):
        refuse(
            IndexError,
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            + ", ".join(str(list(s)) for s in shapes),
            common.because,
            rule="index.broadcast",
            shapes=shapes,
        )
    check_bounds(size, indices, 0 in common)
    key: list[Any] = [slice(None)] * len(size)
    for dim, places in indices:
        key[dim] = places
    dims = [dim for dim, _ in indices]
    together = dims == list(range(dims[0], dims[0] + len(dims)))
    return tuple(key), together, common


def _getitem(self: Tensor, key: Any) -> Tensor:
    g, tensors = apply_basic(self, key)
    if not tensors:
        return view_of(self, g)
    if type(self._array) is MetaArray or any(type(k._array) is MetaArray for _, k in tensors):
        return _meta_gather(self, g, tensors)
    numpy_key, together, common = gather_key(g.size, tensors)
    view = view_of(self, g)
    return wrap(gathered(view._array, numpy_key, together, len(common)), self._dtype)


def gathered(array: np.ndarray, key: tuple, together: bool, index_ndim: int) -> np.ndarray:
    """The elements at a key, freshly allocated with PyTorch's strides."""
    if array.size == 0:
        shape_only = np.broadcast_to(np.zeros((), bool), array.shape)[key]
        return np.empty(shape_only.shape, array.dtype)
    return np.ascontiguousarray(array[key]) if array[key].ndim else np.asarray(array[key])


def _meta_gather(self: Tensor, g: Geometry, tensors: list[tuple[int, Tensor]]) -> Tensor:
    for _, k in tensors:
        if k._dtype in _MASK_DTYPES:
            refuse(
                NotImplementedError,
                "aten::nonzero: attempted to run this operator with Meta tensors, but there was no fake impl or Meta "
                "kernel registered",
                "how many elements a mask keeps depends on its values, and a meta tensor has none",
                rule="meta.mask",
            )
    stand_in = np.broadcast_to(np.zeros((), bool), g.size)
    key: list[Any] = [slice(None)] * len(g.size)
    for dim, k in tensors:
        key[dim] = np.broadcast_to(np.zeros((), np.int64), k._array.shape)
    if 0 in g.size:
        size = tuple(np.empty(g.size, bool)[tuple(key)].shape)
    else:
        size = stand_in[tuple(key)].shape
    stride = geometry.contiguous_stride(size)
    return wrap_any(MetaArray(size, tuple([s * self._dtype.itemsize for s in stride]), self._dtype.numpy), self._dtype)


# -- writing -----------------------------------------------------------------------------------------------------


def _setitem(self: Tensor, key: Any, value: Any) -> None:
    from .ops.copying import copy_
    from .ops.creation import tensor_from

    g, tensors = apply_basic(self, key)
    view = view_of(self, g)
    if not isinstance(value, Tensor):
        value = (
            _number_for(value, self._dtype)
            if not isinstance(value, (list, tuple))
            else tensor_from(value, dtype=self._dtype)
        )
    if not tensors:
        value = _without_leading_ones(value, view._array.ndim)
        copy_(view, value)
        return
    if value._dtype is not self._dtype:
        if value._array.ndim == 0:
            value = value.to(self._dtype)
        else:
            refuse(
                RuntimeError,
                f"Index put requires the source and destination dtypes match, got {self._dtype.type_name} for the "
                "destination "
                f"and {value._dtype.type_name} for the source.",
                "writing through tensors of indices does not convert",
                f"value.to({self._dtype})",
                rule="index.put_dtype",
            )
    check_writable(self)
    check_no_internal_overlap(view)
    numpy_key, together, common = gather_key(g.size, tensors)
    target = view._array
    shape = (
        target[numpy_key].shape if target.size else np.broadcast_to(np.zeros((), bool), target.shape)[numpy_key].shape
    )
    source = value._array
    fits = geometry.expand(geometry.contiguous(_squeezed(source.shape, len(shape))), shape)
    if isinstance(fits, Reason):
        refuse(
            RuntimeError,
            f"shape mismatch: value tensor of shape {list(source.shape)} cannot be broadcast to indexing result "
            f"of shape {list(shape)}",
            fits.because,
            rule="index.put_shape",
            value=source.shape,
            result=shape,
        )
    target[numpy_key] = source.reshape(_squeezed(source.shape, len(shape)))
    written(self)


def _squeezed(shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """Without the leading 1s that the place written to has no dimensions for."""
    while len(shape) > ndim and shape[0] == 1:
        shape = shape[1:]
    return shape


def _without_leading_ones(value: Tensor, ndim: int) -> Tensor:
    shape = _squeezed(value._array.shape, ndim)
    return value if len(shape) == value._array.ndim else value.view(shape)


def _number_for(value: Any, d: dtypes.dtype) -> Tensor:
    if isinstance(value, (bool, int, float, complex, np.generic)):
        from .ops.copying import filled_number

        return wrap(filled_number(value, d), d)
    if isinstance(value, np.ndarray):
        from .interop import from_numpy

        return from_numpy(value)
    refuse(
        TypeError,
        f"can't assign a {type(value).__name__} to a torch.{d.type_name}Tensor",
        "what is written must be a number or a tensor",
        "torch.tensor(…)",
        rule="index.value",
    )


GETITEM = add_row(
    Op("getitem", "index", "indexing_slicing_joining_mutating", "x[key]", kernel=_getitem, forms=frozenset())
)
SETITEM = add_row(
    Op("setitem", "index", "indexing_slicing_joining_mutating", "x[key] = value", kernel=_setitem, forms=frozenset())
)
dispatch.bind(GETITEM, _getitem)
dispatch.bind(SETITEM, _setitem)

__all__ = ["assign", "getitem", "setitem", "wrap_view"]
