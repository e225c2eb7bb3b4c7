"""Methods and properties of the class Tensor for sparse tensors: storage, strides, numpy, item, pickling."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ....errors.reasons import refuse
from ....interop.copy_and_pickle import attributes_of
from ....interop.parameter import Parameter
from ....tensor.classes import in_class
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ....tensor.type_names import dtype_of_type
from ..parts.same_indices import again, replace
from ..parts.tensors import COMPRESSED, COO, Compressed, Coordinates, around, is_coo, layout_name
from .printing import sparse_repr
from .typed_classes import new

if TYPE_CHECKING:
    from ....types.formats import layout, memory_format


def _copied(self: Tensor) -> Tensor:
    result = again(self, keep_flag=True)
    result._requires_grad = _flag(self)
    result = in_class(result, _class(self))
    result._notes.update(attributes_of(self))
    return result


def _deepcopy(self: Tensor, memo: dict) -> Tensor:
    if not is_coo(self):
        refuse(
            NotImplementedError,
            f"Cannot access storage of {_impl(self)}",
            "a deep copy of all but sparse COO copies one storage, and indices and values have a storage each",
            "x.clone()",
            rule="sparse.storage",
        )
    result = memo.get(id(self))
    if result is None:
        rebuild, (*parts, _, cls, users) = _reduce(self, 2)
        result = memo[id(self)] = rebuild(*copy.deepcopy(parts, memo), self._requires_grad, cls)
        if self._grad is not None:
            result._notes["_grad"] = copy.deepcopy(self._grad, memo)
        result._notes.update(copy.deepcopy(users, memo))
    return result


def _class(t: Tensor) -> type[Tensor]:
    """The class of a copy: of the user's own classes PyTorch has none with a layout."""
    return Parameter if issubclass(type(t), Parameter) else Tensor


def _flag(t: Tensor) -> bool:
    """Whether a copy requires a gradient: PyTorch forgets it of indices and values that are no parameter."""
    return t._requires_grad and (not is_coo(t) or _class(t) is Parameter)


def _reduce(self: Tensor, protocol: int) -> tuple:
    parts = self._array
    flag = parts.coalesced if is_coo(self) else None
    return rebuilt, (
        parts.layout,
        parts.all(),
        tuple(parts.shape),
        flag,
        _flag(self),
        _class(self),
        attributes_of(self),
    )


def rebuilt(
    layout: layout, parts: Sequence[Tensor], size: tuple[int, ...], coalesced: bool | None, requires_grad: bool,
    cls: type[Tensor] = Tensor, attributes: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """Rebuild a sparse tensor for pickle and deepcopy; its indices are checked on first use."""
    if coalesced is None:
        outer, inner, values = parts
        result = around(Compressed(layout, outer, inner, values, size, False))
    else:
        indices, values = parts
        result = around(Coordinates(indices, values, size, coalesced, False))
    result._requires_grad = requires_grad
    result = in_class(result, cls)
    result._notes.update(attributes or {})
    return result


def _impl(t: Tensor) -> str:
    return "SparseTensorImpl" if is_coo(t) else "SparseCsrTensorImpl"


def _storage(self: Tensor) -> NoReturn:
    """Raises: each part has its own storage."""
    refuse(
        NotImplementedError,
        f"Cannot access storage of {_impl(self)}",
        "indices and values have a storage each",
        "x.coalesce().values().storage()" if is_coo(self) else "x.values().storage()",
        rule="sparse.storage",
    )


def _data_ptr(self: Tensor) -> NoReturn:
    """Raises: indices and values have different addresses."""
    refuse(
        RuntimeError,
        "Cannot access data pointer of Tensor that doesn't have storage",
        "indices and values have a storage each",
        "x.to_dense()",
        rule="sparse.storage",
    )


def _stride(self: Tensor, dim: int | None = None) -> Any:
    """Zeros for coordinates; refused for compressed tensors."""
    if is_coo(self):
        if dim is None:
            return (0,) * self._array.ndim
        from ....tensor.lookups import checked_dim

        checked_dim(dim, self._array.ndim, "stride(): ")
        return 0
    _no_strides(self, "strides")


def _no_strides(t: Tensor, what: str) -> NoReturn:
    refuse(
        RuntimeError,
        f"Sparse {layout_name(t).removeprefix('Sparse').upper()} tensors do not have {what}",
        "elements are located by indices, not by strides",
        "x.to_dense().stride()",
        rule="sparse.strides",
    )


def _is_contiguous(self: Tensor, memory_format: memory_format | None = None) -> bool:
    """False for coordinates; refused for compressed tensors."""
    if not is_coo(self):
        _no_strides(self, "is_contiguous")
    return False


def _numpy(self: Tensor, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises: NumPy has no sparse arrays."""
    refuse(
        TypeError,
        f"can't convert {layout_name(self)} layout tensor to numpy. Use Tensor.to_dense() first.",
        f"a dense array of this size takes {self._array.size * self._array.itemsize} bytes",
        "x.to_dense().numpy()",
        rule="numpy.sparse",
    )


def _dlpack(self: Tensor, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises: DLPack describes only strided memory."""
    refuse(
        BufferError,
        "Can't export tensors with layout other than torch.strided",
        "indices and values have a storage each",
        "x.to_dense()",
        rule="dlpack.export",
    )


def _nbytes(self: Tensor) -> int:
    from ..accessors import stored_bytes

    parts = stored_bytes(self)
    if not is_coo(self):
        return self._array.size * self._array.itemsize
    refuse(
        RuntimeError,
        "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, add the nbytes "
        "of the indices and values.  If you want the size of the  equivalent dense tensor, multiply numel() by "
        "element_size()",
        f"indices take {parts['indices']} bytes, values {parts['values']}; a dense tensor would take {parts['dense']}",
        rule="sparse.nbytes",
        **{name.replace(" ", "_"): count for name, count in parts.items()},
    )


def _item(self: Tensor) -> Any:
    """The one element as a Python number."""
    from ....tensor.one_number import item
    from ..conversion import to_dense

    if self._array.size == 1 and not is_coo(self):
        refuse(
            NotImplementedError,
            "Could not run 'aten::_local_scalar_dense' with arguments from the 'SparseCsrCPU' backend.",
            "the one element may be stored or not",
            "x.to_dense().item()",
            rule="dispatch.no_kernel",
        )
    if self._array.size == 1 and not self._keys & KEY_META:
        return item(to_dense(self))
    refuse(
        RuntimeError,
        f"a Tensor with {self._array.size} elements cannot be converted to Scalar",
        f"item() needs exactly one element, but size {list(self._array.shape)} has {self._array.size}",
        "x.to_dense().tolist()",
        rule="item.count",
        count=self._array.size,
    )


def _type(self: Tensor, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    if dtype is not None:
        from ....dispatch.registry import OPS

        return OPS["to"].function(self, dtype_of_type(dtype))
    if is_coo(self) and not self._keys & KEY_META:
        return f"torch.sparse.{self._dtype._type_name}Tensor"
    refuse(
        RuntimeError,
        "Unrecognized tensor type ID: SparseMeta" if is_coo(self) else "Unimplemented backend SparseCsrCPU",
        "there is no tensor class for this layout",
        "x.dtype, x.layout",
        rule="type.sparse",
    )


def _set_data(self: Tensor, new: Tensor) -> None:
    from ....ops.views.moving import refuse_kind, same_kind

    if not same_kind(self, new):
        refuse_kind()
    replace(self, again(new), counts=False)


def _is_set_to(self: Tensor, tensor: Tensor) -> NoReturn:
    """Raises: each part has its own storage."""
    backend = "SparseCPU" if is_coo(self) else "SparseCsrCPU"
    refuse(
        NotImplementedError,
        f"Could not run 'aten::is_set_to' with arguments from the '{backend}' backend.",
        "indices and values have a storage each",
        "torch.equal(x.to_dense(), y.to_dense())",
        rule="sparse.storage",
    )


def _matrix_member(name: str, only_two: bool = False) -> property:
    def read(self: Tensor) -> Tensor:
        """The matrix, or each of several, turned."""
        from ....dispatch.registry import OPS

        n = self._array.ndim
        if n == 1 or only_two and n > 2:
            words = "matrices (2-D tensors)" if only_two else "matrices or batches of matrices"
            refuse(
                RuntimeError,
                f"tensor.{name} is only supported on {words}. Got {n}-D tensor.",
                "rows and columns are exchanged",
                rule="view.turned",
            )
        return OPS["adjoint"].function(self)

    return property(read)


_MEMBERS: dict[str, Any] = {
    "__repr__": sparse_repr, "__copy__": _copied, "__deepcopy__": _deepcopy, "__reduce_ex__": _reduce,
    "data": property(again, _set_data), "stride": _stride, "is_contiguous": _is_contiguous, "numpy": _numpy,
    "__array__": _numpy, "__dlpack__": _dlpack, "nbytes": property(_nbytes), "item": _item, "type": _type,
    "storage": _storage, "untyped_storage": _storage, "storage_type": _storage, "is_shared": _storage,
    "share_memory_": _storage, "_typed_storage": _storage,
    "data_ptr": _data_ptr, "const_data_ptr": _data_ptr, "tolist": _data_ptr, "storage_offset": lambda self: 0,
    "is_set_to": _is_set_to,
    "H": _matrix_member("H", True), "mH": _matrix_member("mH"),
    "layout": property(lambda self: self._array.layout),
}  # fmt: skip


def _is_sparse(self: Tensor) -> bool:
    """Whether the layout is COO."""
    return True


def _is_sparse_csr(self: Tensor) -> bool:
    """Whether the layout is CSR."""
    return self._array.layout.name == "sparse_csr"


def _new(self: Tensor, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises: there are several compressed layouts."""
    refuse(
        RuntimeError,
        "Cannot map DispatchKey SparseCsrCPU to a unique layout.",
        "there are four compressed layouts",
        "torch.sparse_csr_tensor(…)",
        rule="sparse.layout",
    )


COO.members(_MEMBERS | {"is_sparse": property(_is_sparse), "new": new})
COMPRESSED.members(_MEMBERS | {"is_sparse_csr": property(_is_sparse_csr), "new": _new})
