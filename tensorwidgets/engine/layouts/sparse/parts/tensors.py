"""What does a sparse tensor consist of, and how are its kernels registered?

Indices and values are tensors themselves, so they can be viewed, shared and converted like any other tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from numpy import ndarray

from ....dispatch.kinds import KINDS, NonStridedArray
from ....dispatch.registry import find
from ....errors.reasons import refuse
from ....geometry import contiguous_stride
from ....memory import MAIN_MEMORY
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ....tensor.wrapping import wrap
from ....types import dtypes, formats
from ....types.formats import layout

COO, COMPRESSED = KINDS["sparse"], KINDS["sparse_csr"]

NAMES = {
    formats.strided: "Strided", formats.sparse_coo: "Sparse", formats.sparse_csr: "SparseCsr",
    formats.sparse_csc: "SparseCsc", formats.sparse_bsr: "SparseBsr", formats.sparse_bsc: "SparseBsc",
}  # fmt: skip
"""The names of the layouts in PyTorch's messages."""

BY_ROWS = (formats.sparse_csr, formats.sparse_bsr)
BLOCKED = (formats.sparse_bsr, formats.sparse_bsc)
TURNED = {
    formats.sparse_csr: formats.sparse_csc, formats.sparse_csc: formats.sparse_csr,
    formats.sparse_bsr: formats.sparse_bsc, formats.sparse_bsc: formats.sparse_bsr,
}  # fmt: skip
"""The layout that reads the same parts as the transposed tensor."""


class Coordinates(NonStridedArray):
    """COO: `indices` has a row for each sparse dimension and a column for each stored element."""

    __slots__ = ("indices", "values", "coalesced", "checked")
    layout = formats.sparse_coo

    def __init__(
        self, indices: Tensor, values: Tensor, size: tuple[int, ...], coalesced: bool = False, checked: bool = True
    ):
        self.shape, self.ndim, self.itemsize = size, len(size), values._dtype.itemsize
        self.indices, self.values, self.coalesced, self.checked = indices, values, coalesced, checked
        count = 1
        for n in size:
            count *= n
        self.size = count

    @property
    def nnz(self) -> int:
        """Returns the number of stored elements."""
        return self.indices._array.shape[1]

    @property
    def sparse_dim(self) -> int:
        """The number of sparse dimensions; the others are dense."""
        return self.indices._array.shape[0]

    @property
    def dense_dim(self) -> int:
        return self.ndim - self.sparse_dim

    def all(self) -> Any:
        return self.indices, self.values


class Compressed(NonStridedArray):
    """CSR, CSC, BSR, BSC: `outer` holds the start of each row (or column), `inner` the position of each element."""

    __slots__ = ("layout", "outer", "inner", "values", "checked")

    def __init__(
        self, layout: layout, outer: Tensor, inner: Tensor, values: Tensor, size: tuple[int, ...], checked: bool = True
    ):
        super().__init__(size, values._dtype.itemsize)
        self.layout, self.outer, self.inner, self.values, self.checked = layout, outer, inner, values, checked

    @property
    def nnz(self) -> int:
        """The number of stored elements or blocks."""
        return self.inner._array.shape[-1]

    @property
    def batch_dim(self) -> int:
        return self.outer._array.ndim - 1

    @property
    def block(self) -> tuple[int, ...]:
        """The size of a block; empty for CSR and CSC."""
        b = self.batch_dim
        return tuple(self.values._array.shape[b + 1 : b + 3]) if self.layout in BLOCKED else ()

    sparse_dim = 2

    @property
    def dense_dim(self) -> int:
        return self.ndim - self.batch_dim - 2

    def all(self) -> Any:
        return self.outer, self.inner, self.values


def coo(
    indices: Tensor, values: Tensor, size: tuple[int, ...], coalesced: bool = False, checked: bool = True
) -> Tensor:
    """A COO tensor of these parts."""
    return around(Coordinates(indices, values, tuple(size), coalesced, checked))


def compressed(
    layout: layout, outer: Tensor, inner: Tensor, values: Tensor, size: tuple[int, ...], checked: bool = True
) -> Tensor:
    """A compressed tensor (CSR, CSC, BSR, BSC) of these parts."""
    return around(Compressed(layout, outer, inner, values, tuple(size), checked))


def around(parts: Coordinates | Compressed) -> Tensor:
    """The tensor that consists of these parts."""
    values = parts.values
    t = (COO if type(parts) is Coordinates else COMPRESSED).wrap(parts, values._dtype)
    if values._keys & KEY_META:
        t._keys |= KEY_META
    return t


def is_coo(t: Any) -> bool:
    return isinstance(t, Tensor) and type(t._array) is Coordinates


def is_compressed(t: Any) -> bool:
    return isinstance(t, Tensor) and type(t._array) is Compressed


def is_sparse(t: Any) -> bool:
    return is_coo(t) or is_compressed(t)


def layout_name(t: Tensor) -> str:
    """The name of a tensor's layout in PyTorch's messages."""
    return NAMES[t._array.layout] if is_sparse(t) else "Strided"


def coo_kernel(*names: str) -> Callable[[Callable], Callable]:
    """Decorator: register a kernel of ops for COO tensors."""

    def enter(kernel: Callable) -> Callable:
        for name in names:
            # `register_kernel` would load all kernels first, also the file that is being loaded.
            find(name).kernels[COO.key] = _with_meta(kernel, name)
        return kernel

    return enter


def _with_meta(kernel: Callable, name: str) -> Callable:
    """Wrap a kernel so that it works for meta tensors: it is called with empty CPU tensors in their place."""

    @wraps(kernel)
    def asked(*args: Any, **kwargs: Any) -> Any:
        if name in _OF_TWO and len(args) > 1 and isinstance(args[0], Tensor) and isinstance(args[1], Tensor):
            if (args[0]._keys ^ args[1]._keys) & KEY_META:
                refuse_mixed(name)
        if any(is_coo(a) and a._keys & KEY_META for a in args):
            from .meta import with_stand_ins

            return with_stand_ins(kernel, args, kwargs)
        return kernel(*args, **kwargs)

    return asked


_OF_TWO = frozenset(("add", "add_", "sub", "sub_", "mul", "mul_"))


def refuse_mixed(name: str) -> None:
    """Refuse a sum or product of a tensor with numbers and one without."""
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{name}.Tensor' with arguments from the 'SparseMeta' backend.",
        "one of the tensors is on the meta device, and has no numbers",
        "x.to('meta'), for both of them",
        rule="sparse.meta",
    )


def compressed_kernel(*names: str) -> Callable[[Callable], Callable]:
    """Decorator: register a kernel of ops for compressed tensors."""

    def enter(kernel: Callable) -> Callable:
        for name in names:
            find(name).kernels[COMPRESSED.key] = kernel
        return kernel

    return enter


def expects(t: Tensor, what: str, wanted: str) -> None:
    """Refuse a property that only another layout has."""
    refuse(
        RuntimeError,
        f"{what} expected {wanted} tensor layout but got {layout_name(t)}",
        f"a tensor with layout={getattr(t._array, 'layout', formats.strided)} has no {what}",
        "x.to_sparse()",
        "x.to_sparse_csr()",
        rule="sparse.layout",
    )


def int64(array: ndarray) -> Tensor:
    """Indices from a new array."""
    return fresh(array, dtypes.int64)


def fresh(array: ndarray, d: dtypes.dtype) -> Tensor:
    """A plain tensor around a new array. NumPy gives arrays without elements strides that PyTorch does not, and leaves
    others where they do not matter, along dimensions of size 1.
    """
    shape = array.shape
    if (0 in shape or 1 in shape) and array.flags.c_contiguous:
        strides = tuple([n * array.itemsize for n in contiguous_stride(shape)])
        if array.strides != strides:
            array = MAIN_MEMORY.view(array, shape, strides, array.dtype)
    return wrap(array, d)
