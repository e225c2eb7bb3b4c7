"""What the rows of linalg share: checks, batches, and results in LAPACK's column-major order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from .. import geometry
from ..errors.reasons import refuse, sure
from ..errors.warnings import warn
from ..tensor.must_be_tensor import must_be_tensor
from ..tensor.tensor import Tensor
from ..tensor.wrapping import place_of
from ..types import dtypes
from ..types.dtype_refusals import refuse_dtype
from ..types.dtypes import COMPLEX, FLOAT
from .rules import Result, Returns, composite_row, computed_row


class LinAlgError(RuntimeError):
    """Raised when a matrix cannot be factored: it is singular, or not positive-definite."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = __name__.partition(".")[0] + "._C"


def linear_row(
    name: str,
    words: str,
    kernel: Callable[..., Any],
    *aliases: str,
    forms: str = "function",
    category: str = "",
    returns: Returns = None,
    out: str | tuple[str, ...] | None = "same",
) -> Callable[[Callable], Callable]:
    """Declare an op of linear algebra by its rule and its kernel; `out=` has the dtype of the result, if not said."""
    category = category or _category(name)
    return computed_row(
        name, words, kernel, *aliases, family="linalg", category=category, forms=forms, returns=returns, out=out
    )


def linear_composite(
    name: str, words: str, *aliases: str, forms: str = "function", category: str = ""
) -> Callable[[Callable], Callable]:
    """Declare an op of linear algebra that is made of other ops."""
    category = category or _category(name)
    return composite_row(name, words, *aliases, family="linalg", category=category, forms=forms)


def _category(name: str) -> str:
    return "linalg" if name.startswith("linalg.") else "blas_lapack"


def warn_of_successor(name: str, successor: str, words: str) -> None:
    """PyTorch's warning, once, that an op has a newer form; `words` say how to write it."""
    warn(
        f"torch.{name} is deprecated in favor of torch.{successor}{'' if name == 'triangular_solve' else ' '}and will "
        f"be removed in a future PyTorch release.\n{words}",
        once=True,
    )


# -- what is refused ---------------------------------------------------------------------------------------------


def refuse_ndim(message: str, a: Tensor) -> None:
    """Refuse what is not a batch of matrices, in the words of the op."""
    refuse(
        RuntimeError,
        message,
        f"size {list(a._array.shape)} is not a matrix",
        "x.unsqueeze(0)",
        rule="linalg.ndim",
        size=a._array.shape,
    )


def check_matrix(name: str, a: Tensor, argument: str = "A") -> None:
    """Refuse what is not a batch of matrices."""
    must_be_tensor(name, a)
    if a._array.ndim < 2:
        refuse_ndim(f"{name}: The input tensor {argument} must have at least 2 dimensions.", a)


def check_square(name: str, a: Tensor, argument: str = "A") -> None:
    """Refuse what is not a batch of square matrices, without a name in the words of PyTorch's older ops."""
    prefix = f"{name}: " if name else ""
    if name:
        check_matrix(name, a, argument)
    n, m = a._array.shape[-2:]
    if n != m:
        refuse(
            RuntimeError,
            f"{prefix}{argument} must be batches of square matrices, but they are {n} by {m} matrices",
            f"{n} rows and {m} columns",
            rule="linalg.square",
            size=a._array.shape,
        )


LAPACK = (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
"""The dtypes that LAPACK computes in."""


def check_kernel(stub: str, a: Tensor) -> None:
    """Refuse dtypes that LAPACK does not compute in, in the words of PyTorch's kernel."""
    if a._dtype not in LAPACK:
        refuse_dtype(stub, a._dtype, "LAPACK computes in floating point, in 32 bits or 64", "x.float()")


def check_fractions(name: str, a: Tensor) -> None:
    """Refuse whole numbers and truth values."""
    d = a._dtype
    if d._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"{name}: Expected a floating point or complex tensor as input. Got {d._type_name}",
            f"{d} has no fractions",
            "x.float()",
            rule="linalg.dtype",
            dtype=d,
        )


def for_lapack(stub: str, a: Tensor) -> np.ndarray:
    """The elements of matrices that LAPACK is to factor, in a dtype in which it computes; others are refused, unless
    there are none: PyTorch does not ask it then, and gives a result of the dtype of the matrices."""
    if a._dtype in LAPACK or a._array.size:
        check_kernel(stub, a)
        return a._array
    return np.zeros(a._array.shape, np.float32) if place_of(a).has_numbers else a._array


def check_floating(name: str, a: Tensor, stub: str = "", low_precision: bool = False) -> None:
    """Refuse dtypes that LAPACK does not compute in; with a `stub`, 16-bit floats in the words of that kernel."""
    check_fractions(name, a)
    d = a._dtype
    if stub:
        check_kernel(stub, a)
    elif not low_precision and d not in LAPACK:
        refuse(
            RuntimeError,
            f"{name}: Low precision dtypes not supported. Got {d._type_name}",
            "LAPACK computes in 32 bits or 64",
            "x.float()",
            rule="linalg.dtype",
            dtype=d,
        )


def refuse_dtypes(message: str, a: Tensor, b: Tensor) -> None:
    """Refuse two different dtypes."""
    refuse(
        RuntimeError,
        message,
        f"linear algebra does not promote: one operand is {a._dtype}, the other {b._dtype}",
        f"B.to({a._dtype})",
        rule="linalg.dtype",
        dtypes=(a._dtype, b._dtype),
    )


def same_dtype(name: str, a: Tensor, b: Tensor, one: str = "A", two: str = "B") -> None:
    """Refuse operands of two dtypes."""
    if a._dtype is not b._dtype:
        result = f"found {one} of type {a._dtype._type_name} and {two} of type {b._dtype._type_name}"
        refuse_dtypes(f"{name}: Expected {one} and {two} to have the same dtype, but {result} instead", a, b)


def refuse_size(message: str, because: str) -> None:
    """Refuse operands whose sizes do not match."""
    refuse(RuntimeError, message, because, rule="linalg.size")


def check_system(name: str, a: Tensor, b: tuple[int, ...], left: bool) -> None:
    """Refuse a right side with another number of rows than A; of columns, if A is on the right."""
    n = a._array.shape[-1]
    rows = b[-2] if left else b[-1]
    if rows != n:
        equation, lines = ("AX = B", "rows") if left else ("XA = B", "columns")
        refuse_size(
            f"{name}: Incompatible shapes of A and B for the equation {equation} ({n}x{n} and {b[-2]}x{b[-1]})",
            f"A has {n} {lines}, so {n} equations, and B has {rows} {lines}",
        )


def batches(*sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The batch that several batches broadcast to."""
    result: Any = sizes[0]
    for size in sizes[1:]:
        result = sure(geometry.broadcast(result, size))
    return result


def column_major(size: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a batch of matrices with contiguous columns.

    >>> column_major((5, 2, 3))
    (6, 1, 2)
    """
    rows, columns = size[-2:]
    step = max(rows, 1) * max(columns, 1)
    batch = []
    for n in reversed(size[:-2]):
        batch.append(step)
        step *= max(n, 1)
    return (*reversed(batch), 1, max(rows, 1))


def matrices(size: tuple[int, ...], d: dtypes.dtype) -> Result:
    """A batch of matrices in LAPACK's order."""
    return Result(size, d, column_major(size))


def each(
    function: Callable[[np.ndarray], Any], a: np.ndarray, *shapes: tuple[int, ...], kinds: Any = None
) -> list[np.ndarray]:
    """Apply a function of one matrix to each matrix of a batch; `shapes` are the shapes of its results."""
    batch = a.shape[:-2]
    kinds = kinds or [a.dtype] * len(shapes)
    results = [np.empty((*batch, *shape), kind, like=a) for shape, kind in zip(shapes, kinds, strict=True)]
    for at in product(*map(range, batch)):
        answers = function(a[at])
        for array, answer in zip(results, answers if isinstance(answers, tuple) else (answers,), strict=True):
            array[at] = answer
    return results


DEPENDENT = (
    "the rows of the matrix depend on one another, so it has no inverse",
    "torch.linalg.pinv(A)",
    "torch.linalg.lstsq(A, B)",
)
"""Why a singular matrix is refused, and what to write instead."""
NOT_FINITE = ("the matrix contains infinity or NaN", "torch.isfinite(A).all(), before this call")
"""Why a matrix is refused that iterations do not converge for."""


def refuse_failed(
    name: str, infos: np.ndarray, words: str, why: tuple[str, ...] = DEPENDENT, rule: str = "linalg.singular"
) -> None:
    """Refuse the first matrix of a batch that LAPACK failed on; `{n}` in the words is its error code.

    ``why`` is the explanation, in which `{n}` is the error code too, and after it what to write instead.
    """
    bad = np.argwhere(infos)
    if len(bad):
        at = tuple(int(i) for i in bad[0])
        code = int(infos[at])
        because, *ways = why
        message = f"{name}: {at_batch(at, infos.shape)}{words.format(n=code)}"
        refuse(LinAlgError, message, because.format(n=code), *ways, rule=rule)


def at_batch(index: tuple[int, ...], batch: tuple[int, ...]) -> str:
    """Which matrix of a batch it is, in PyTorch's words.

    >>> at_batch((1, 0), (2, 3)), at_batch((), ())
    ('(Batch element 3): ', '')
    """
    if not batch:
        return ""
    flat = int(np.ravel_multi_index(index, batch))
    return f"(Batch element {flat}): "
