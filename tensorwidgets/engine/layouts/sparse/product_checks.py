"""Which factors of a product of matrices fit together, and PyTorch's refusals of those that do not."""

from __future__ import annotations

from ...dispatch.registry import find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types.dtype_refusals import refuse_dtype
from .parts.tensors import COMPRESSED, is_compressed, is_sparse, layout_name


def check_same_dtype(a: Tensor, b: Tensor) -> None:
    """Refuse factors of different dtypes."""
    if a._dtype is not b._dtype:
        refuse(
            RuntimeError,
            f"expected scalar type {a._dtype._type_name} but found {b._dtype._type_name}",
            "products do not promote dtypes",
            f"y.to({a._dtype})",
            rule="product.dtype",
        )


def check_inner_sizes(a: Tensor, b: Tensor) -> None:
    """Refuse matrices where the rows of one and the columns of the other differ in length."""
    (m, k), (k2, n) = a._array.shape, b._array.shape
    if k != k2:
        refuse(
            RuntimeError,
            f"mat1 and mat2 shapes cannot be multiplied ({m}x{k} and {k2}x{n})",
            f"the rows of the first have {k} elements, the columns of the second {k2}",
            rule="product.size",
        )


def check_coo(a: Tensor, b: Tensor, name: str = "addmm", dtypes: bool = True) -> None:
    """Refuse what a matrix by coordinates is not multiplied with: hybrid ones, other sizes and dtypes, bools."""
    if a._array.sparse_dim != 2 or a._array.dense_dim:
        if a._array.ndim == 2:
            refuse(
                RuntimeError,
                f"{name}: matrices expected, got {a._array.sparse_dim}D tensor",
                "its rows or columns are dense",
                "x.to_dense()",
                rule="product.dims",
            )
    if a._array.shape[1] != b._array.shape[0]:
        refuse(
            RuntimeError,
            f"{name}: Argument #3 (dense): Expected dim 0 size {a._array.shape[1]}, got {b._array.shape[0]}",
            f"the rows of the first have {a._array.shape[1]} elements, the columns of the second {b._array.shape[0]}",
            rule="product.size",
        )
    if not dtypes:
        return
    check_same_dtype(a, b)
    if a._dtype._name == "bool":
        refuse_dtype("addmm_sparse_dense", a._dtype)


def need_two_dims(name: str, *operands: Tensor) -> None:
    """Refuse operands that are no matrices."""
    for position, t in enumerate(operands):
        if t._array.ndim != 2:
            words = "self" if position == 0 else f"mat{position + 1}"
            refuse(
                RuntimeError,
                f"{name}: {words} must be a matrix",
                f"it has {t._array.ndim} dimensions",
                rule="product.dims",
            )


def check_compressed_layout(a: Tensor, b: Tensor) -> None:
    """Refuse the layouts of compressed matrices that PyTorch does not multiply with a dense one."""
    both = (layout_name(a), layout_name(b))
    if "SparseBsc" in both or both[1] == "SparseBsr":
        refuse_layouts("Strided", a, b)


def refuse_layouts(result: str, a: Tensor, b: Tensor) -> None:
    """No kernel multiplies matrices of these layouts."""
    refuse(
        RuntimeError,
        f"addmm: computation on CPU is not implemented for {result} + {layout_name(a)} @ {layout_name(b)}",
        "no kernel supports this combination of layouts",
        "y.to_sparse_csr()",
        rule="product.layout",
    )


def refuse_sparse_result(input: Tensor) -> None:
    """A dense product is not added to a sparse matrix."""
    refuse(
        RuntimeError,
        f"addmm_sparse_dense: expected strided result tensor, got tensor with layout {layout_name(input)}",
        "a sparse matrix times a dense one is dense",
        "input.to_dense()",
        rule="product.layout",
    )


def need_coo_and_matrix(name: str, aten: str, mat1: Tensor, mat2: Tensor) -> None:
    """Refuse compressed factors, and a second one that is not a matrix."""
    if is_compressed(mat1) or is_compressed(mat2):
        no_kernel(find(name), COMPRESSED, aten)
    for number, t in ((2, mat1), (3, mat2)):
        dims = t._array.ndim
        if dims != 2:
            message = f"{name}: Argument #{number}: matrices expected, got {dims}D tensor"
            refuse(RuntimeError, message, f"it has {dims} dimensions", rule="product.dims")


def need_strided(message: str, factors: dict[int, Tensor]) -> None:
    """Refuse factors, by their numbers in the message, that are sparse."""
    for number, t in factors.items():
        if is_sparse(t):
            why = "the factors that are multiplied are dense"
            told = message.format(number=number, layout=layout_name(t))
            refuse(RuntimeError, told, why, "y.to_dense()", rule="product.layout")
