"""Create sparse tensors from indices and values, and empty ones."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...calling.arguments import as_dtype, as_size
from ...declare.by_parts import Made, computes
from ...declare.creation import check_requires_grad
from ...dispatch.kinds import refuse_on_device
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.keys import KEY_META
from ...tensor.lazy_conj import resolve
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap_view
from ...types import dtypes, formats
from ...types.device import META, device, usable
from ...types.dtype_refusals import refuse_dtype
from .parts import checks
from .parts.coalescing import rising
from .parts.empty import of_zeros, zeros
from .parts.tensors import BY_ROWS, NAMES, Compressed, Coordinates, around, coo, is_sparse

if TYPE_CHECKING:
    from ...types.dtypes import dtype
    from ...types.formats import layout

_LAYOUTS = {
    "sparse_csr_tensor": formats.sparse_csr, "sparse_csc_tensor": formats.sparse_csc,
    "sparse_bsr_tensor": formats.sparse_bsr, "sparse_bsc_tensor": formats.sparse_bsc,
}  # fmt: skip


def straight(indices: Tensor, values: Tensor, size: tuple) -> Tensor | None:
    """The fast path for large tensors whose parts have the right dtypes: nothing is read or copied."""
    i, v = indices._array, values._array
    if (
        type(i) is not np.ndarray
        or type(v) is not np.ndarray
        or indices._dtype is not dtypes.int64
        or indices._keys
        or values._keys
        or i.ndim != 2
        or v.ndim != 1
        or len(v) <= checks.AT_ONCE
        or i.shape[1] != len(v)
        or len(size) != len(i)
        or checks.enabled
    ):
        return None
    count = 1
    for n in size:
        if type(n) is not int or n < 0:
            return None
        count *= n
    if count >= 1 << 63:
        return None
    return coo(wrap_view(i, indices), wrap_view(v, values), size, False, False)


def sparse_coo_tensor(
    indices: Any = None, values: Any = None, size: Any = None, dtype: dtype | None = None, device: device | None = None,
    pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Tensor:  # fmt: skip
    """The kernel of `sparse_coo_tensor`: from coordinates and values, or empty."""
    _check_pin(pin_memory)
    wanted = None if size is None else as_size("sparse_coo_tensor", size)
    if indices is None:
        assert wanted is not None
        _check_size(wanted)
        return empty(wanted, as_dtype(dtype) if dtype else dtypes.get_default_dtype(), device, requires_grad)
    where = _device_of(device, values)
    v = _values(values, dtype, where)
    if v._array.ndim == 0:
        v = OPS["reshape"].function(v, (1,))
    i = _dense(indices, "indices", dtypes.int64, where)
    if wanted is not None:
        _check_size(wanted)
    checks.check_fit(i, v, wanted)
    parts = Coordinates(i, v, wanted if wanted is not None else _least_size(i, v))
    checks.check(parts, check_invariants)
    parts.coalesced = parts.nnz < 2 if is_coalesced is None else is_coalesced
    if is_coalesced and check_invariants and not rising(parts):
        checks.invalid(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor",
            "coalesced means that the coordinates are sorted and unique",
        )
    return _flagged(around(parts), requires_grad)


def _least_size(indices: Tensor, values: Tensor) -> tuple[int, ...]:
    """The smallest size that contains all indices."""
    if indices._keys & KEY_META:
        refuse(
            NotImplementedError,
            "Could not run 'aten::sparse_coo_tensor.indices' with arguments from the 'Meta' backend.",
            "meta tensors have no indices to derive the size from",
            "sparse_coo_tensor(indices, values, size)",
            rule="sparse.meta",
        )
    results = []
    for dim, row in enumerate(indices._array):
        if row.size:
            checks.refuse_negative(row, dim)
        results.append(int(row.max()) + 1 if row.size else 0)
    return (*results, *values._array.shape[1:])


@computes(checks.check)
def compressed_tensor(
    op_name: str, outer: Any, inner: Any, values: Any, size: Any = None, dtype: Any = None, layout: Any = None,
    device: Any = None, pin_memory: bool = False, requires_grad: bool = False, check_invariants: bool | None = None,
) -> Made:  # fmt: skip
    """The kernel of the constructors of compressed tensors."""
    _check_pin(pin_memory)
    wanted = _LAYOUTS.get(op_name, layout)
    if wanted not in BY_ROWS and wanted not in _LAYOUTS.values():
        refuse(
            RuntimeError,
            "sparse_compressed_tensor expected sparse compressed tensor layout but got "
            f"{'none' if wanted is None else NAMES.get(wanted, 'Sparse')}",
            "there are four compressed layouts: sparse_csr, sparse_csc, sparse_bsr, sparse_bsc",
            "layout=torch.sparse_csr",
            rule="sparse.layout",
        )
    if layout is not None and layout is not wanted:
        refuse(
            RuntimeError,
            f"{op_name}: layout must be {NAMES[wanted]} but got {NAMES[layout]}",
            f"{op_name} makes tensors with layout={wanted}",
            rule="sparse.layout",
        )
    where = _device_of(device, values)
    names = checks.names_of(wanted)
    o = _dense(outer, names[0], None, where)
    i = _dense(inner, names[1], None, where)
    v = _values(values, dtype, where)
    given = as_size(op_name, size) if size is not None else _compressed_size(wanted, o, i, v)
    checks.check_structure(wanted, o, i, v, given)
    parts = Compressed(wanted, o, i, v, given)
    return Made(lambda _: _flagged(around(parts), requires_grad), (parts, check_invariants))


def _compressed_size(layout: layout | None, outer: Tensor, inner: Tensor, values: Tensor) -> tuple[int, ...]:
    """The smallest size that contains all indices."""
    if inner._dtype._kind != dtypes.INTEGER:
        stub, way = "estimate_sparse_compressed_tensor_size", "torch.tensor([], dtype=torch.int64)"
        refuse_dtype(stub, inner._dtype, "indices must be integers", way)
    if inner._keys & KEY_META:
        refuse(
            RuntimeError,
            "Tensor.item() cannot be called on meta tensors",
            "meta tensors have no indices to derive the size from",
            "sparse_csr_tensor(crow_indices, col_indices, values, size)",
            rule="sparse.meta",
        )
    o, i, v = outer._array, inner._array, values._array
    b = max(o.ndim - 1, 0)
    block = v.shape[b + 1 : b + 3] if layout in (formats.sparse_bsr, formats.sparse_bsc) else (1, 1)
    if len(block) < 2:
        return (*o.shape[:-1], 0, 0)  # the check of the structure refuses it later
    lines, across = o.shape[-1] - 1 if o.ndim else 0, int(i.max()) + 1 if i.size else 0
    base = (lines, across) if layout in BY_ROWS else (across, lines)
    dense = v.shape[b + 1 + 2 * (layout in (formats.sparse_bsr, formats.sparse_bsc)) :]
    return (*o.shape[:b], base[0] * block[0], base[1] * block[1], *dense)


def filled(name: str, size: tuple[int, ...], value: int, d: dtypes.dtype, place: device, layout: layout) -> Tensor:
    """zeros, ones, empty … in a sparse layout: zeros store no element; other fill values are refused."""
    if value:
        refuse(
            RuntimeError,
            "full(...) is not implemented for sparse layout",
            f"no element of {name} is zero, so a sparse layout would save nothing",
            f"torch.{name}(…).to_sparse()",
            rule="sparse.full",
        )
    _usable(place)
    if layout is formats.sparse_coo:
        return of_zeros(size, len(size), d, place is META)
    if len(size) < 2 or layout not in (formats.sparse_csr, formats.sparse_csc):
        refuse(
            RuntimeError,
            f"torch.empty: Only batched sparse compressed (non-block) tensors are supported, but got size {list(size)}",
            "rows and columns need two dimensions, and blocks need a block size",
            rule="sparse.size",
        )
    lines = size[-2 if layout in BY_ROWS else -1] + 1
    outer = zeros((*size[:-2], lines), dtypes.int64, place is META)
    inner, values = zeros((*size[:-2], 0), dtypes.int64, place is META), zeros((*size[:-2], 0), d, place is META)
    return around(Compressed(layout, outer, inner, values, size))


# -- empty tensors -----------------------------------------------------------------------------------------------


def empty(size: tuple[int, ...], d: dtypes.dtype, where: device | None = None, requires_grad: bool = False) -> Tensor:
    """A COO tensor without stored elements."""
    return _flagged(of_zeros(size, len(size), d, _is_meta(where)), requires_grad)


# -- arguments ---------------------------------------------------------------------------------------------------


def _flagged(t: Tensor, requires_grad: bool) -> Tensor:
    check_requires_grad(requires_grad, t._dtype)
    if requires_grad:
        t.requires_grad = True
    return t


def _is_meta(where: device | None) -> bool:
    return where is not None and _usable(where) is META


def _usable(wanted: device) -> device:
    """A device that has sparse tensors."""
    where = usable(wanted)
    if where.type not in ("cpu", "meta"):
        refuse_on_device("device=")
    return where


def _device_of(wanted: device | None, values: Any) -> device | None:
    if wanted is not None:
        return _usable(wanted)
    return META if isinstance(values, Tensor) and values._keys & KEY_META else None


def _values(values: Any, dtype: dtype | None, where: device | None) -> Tensor:
    d = None if dtype is None else as_dtype(dtype)
    return _dense(values, "values", d, where)


def _dense(given: Any, name: str, d: dtypes.dtype | None, where: device | None) -> Tensor:
    """A part as a plain tensor that shares memory with the argument if possible."""
    if isinstance(given, Tensor):
        if is_sparse(given):
            refuse(
                RuntimeError,
                f"expected {name} to be a dense tensor, but got {name} of layout {NAMES[given._array.layout]}",
                f"the {name} of a sparse tensor must be a plain tensor",
                f"{name}.to_dense()",
                rule="sparse.parts",
            )
        t = resolve(given)
        if d is not None and t._dtype is not d:
            t = OPS["to"].function(t, d)
        elif t is given:
            t = wrap_view(given._array, given) if type(given._array) is np.ndarray else given
    else:
        t = OPS["tensor"].function(given, dtype=d)
    if where is META and not t._keys & KEY_META:
        t = OPS["to"].function(t, META)
    return t


def _check_size(size: tuple[int, ...]) -> None:
    if min(size, default=0) < 0 or prod(size) >= 1 << 63:
        refuse(
            RuntimeError,
            "numel: integer multiplication overflow",
            f"{min(size)} is not a size" if min(size) < 0 else f"{prod(size)} elements are more than 64 bits can count",
            rule="size.negative",
            size=size,
        )


def _check_pin(pin_memory: bool) -> None:
    if pin_memory:
        refuse(
            RuntimeError,
            "Cannot access accelerator device when none is available.",
            "pinned memory serves transfers to a GPU, and this machine has none",
            "pin_memory=False",
            rule="device.pin",
        )
