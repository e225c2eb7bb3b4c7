"""The product of two dense matrices at the stored elements of a sparse one."""

from __future__ import annotations

import numpy as np

from ...declare.by_parts import Made, computes
from ...dispatch.kinds import TensorKind
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...types import dtypes
from .conversion import matrix_indices
from .parts.same_indices import into, with_values
from .parts.tensors import COO, fresh, is_coo, is_sparse, layout_name
from .product_checks import need_strided


def _check_sampled(input: Tensor, mat1: Tensor, mat2: Tensor, result: Tensor) -> None:
    """Refuse other dtypes than that of the matrix, and sizes that do not fit."""
    pairs = (("mat1", mat1, "mat2", mat2), ("mat1", mat1, "self", input), ("result", result, "self", input))
    for one, a, two, b in pairs:
        if a._dtype is not b._dtype:
            names = f"{a._dtype._type_name} and {b._dtype._type_name}"
            message = f"sampled_addmm: Expected {one} and {two} to have the same dtype, but got {names}"
            refuse(RuntimeError, message, "products are not converted", f"{one}.to({two}.dtype)", rule="product.dtype")
    for name, t in (("mat1", mat1), ("mat2", mat2)):
        if t._array.ndim != 2:
            message = f"sampled_addmm: Expected {name} to be a matrix, got {t._array.ndim}-D tensor"
            refuse(RuntimeError, message, "rows of mat1 meet columns of mat2", rule="product.dims")
    (rows, inner), (other, columns) = mat1._array.shape, mat2._array.shape
    if inner != other:
        sizes = f"({rows}x{inner} and {other}x{columns})"
        message = f"sampled_addmm: mat1 and mat2 shapes cannot be multiplied {sizes}"
        refuse(RuntimeError, message, f"{inner} columns meet {other} rows", rule="product.sizes")
    if input._array.dense_dim:
        message = "sampled_addmm: Expected non-hybrid self tensor"
        refuse(RuntimeError, message, "each place holds one number of the product", rule="product.dims")
    for axis, name, length in ((-2, "mat1", rows), (-1, "mat2", columns)):
        if input._array.shape[axis] != length:
            message = f"sampled_addmm: self.shape[{axis}] must match {name}.shape[{axis}]"
            why = f"the matrix has {input._array.shape[axis]}, and the product {length}"
            refuse(RuntimeError, message, why, rule="product.sizes")
    if input._dtype not in _SAMPLED:
        message = (
            "sparse_sampled_addmm: Expected self to be a floating-point or complex tensor, but got "
            f"{input._dtype._type_name}"
        )
        refuse(RuntimeError, message, "PyTorch has kernels for these alone", "x.float()", rule="product.dtype")


_SAMPLED = frozenset((dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128))


def sampled(input: Tensor, mat1: Tensor, mat2: Tensor, beta: int, alpha: int) -> Tensor:
    """The values of `sampled_addmm`."""
    rows, columns = matrix_indices(input._array)
    dots = np.einsum("ij,ij->i", mat1._array[rows], mat2._array.T[columns])
    result = OPS["mul"].function(fresh(dots, mat1._dtype), alpha)
    return OPS["add"].function(OPS["mul"].function(input._array.values, beta), result)


@computes(sampled)
def sampled_addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: int = 1, alpha: int = 1, out: Tensor | None = None
) -> Made:
    """beta * input + alpha * (mat1 @ mat2) at the indices of a compressed matrix."""
    if is_coo(input) or not is_sparse(input):
        kind = COO if is_coo(input) else TensorKind("", 0, "CPU", "", None)
        no_kernel(find("sparse.sampled_addmm"), kind, "sparse_sampled_addmm")
    words = "sampled_addmm: Expected mat{number} to have strided layout, but got {layout}"
    need_strided(words, {1: mat1, 2: mat2})
    written = input if out is None else out
    if layout_name(written) != "SparseCsr":
        refuse(
            RuntimeError,
            f"sampled_addmm: Expected result to have sparse csr layout, but got {layout_name(written)}",
            "the indices come from a CSR matrix",
            "x.to_sparse_csr()",
            rule="product.layout",
        )
    _check_sampled(input, mat1, mat2, written)
    for factor in (beta, alpha):
        check_fits(factor, input._dtype)
    return Made(lambda values: into(out, with_values(input, values)), (input, mat1, mat2, beta, alpha))
