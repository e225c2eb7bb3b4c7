"""What the rows of linalg share: checks, batches, and results in LAPACK's column-major order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dispatch, dtypes
from .dispatch import Op, add_row
from .dtypes import COMPLEX, FLOAT
from .reasons import refuse
from .reduce import finish, must_be_tensor
from .storage import MetaArray
from .tensor import Tensor


class LinAlgError(RuntimeError):
    """A factorisation that cannot be done: a singular matrix, or one that is not positive-definite."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"


def linear_row(
    name: str, words: str, *aliases: str, forms: str = "function", category: str = "blas_lapack"
) -> Callable:
    """Declare an op of linear algebra."""

    def declare(plain: Callable) -> Callable:
        row = Op(name, "linalg", category, words, kernel=plain, aliases=aliases, forms=frozenset(forms.split()))
        return dispatch.bind(add_row(row), plain)

    return declare


def check_matrix(name: str, a: Tensor, argument: str = "A") -> None:
    """Refuse what is not a batch of matrices."""
    must_be_tensor(name, a)
    if a._array.ndim < 2:
        refuse(
            RuntimeError,
            f"{name}: The input tensor {argument} must have at least 2 dimensions.",
            f"size {list(a._array.shape)} is no matrix",
            "x.unsqueeze(0)",
            rule="linalg.ndim",
        )


def check_square(name: str, a: Tensor, argument: str = "A") -> None:
    """Refuse what is not a batch of square matrices."""
    check_matrix(name, a, argument)
    n, m = a._array.shape[-2:]
    if n != m:
        refuse(
            RuntimeError,
            f"{name}: {argument} must be batches of square matrices, but they are {n} by {m} matrices",
            f"{n} rows and {m} columns",
            rule="linalg.square",
        )


def check_floating(name: str, a: Tensor, low_precision: bool = False) -> None:
    """Refuse dtypes that LAPACK does not compute in."""
    d = a._dtype
    if d.kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"{name}: Expected a floating point or complex tensor as input. Got {d.type_name}",
            f"{d} has no fractions",
            "x.float()",
            rule="linalg.dtype",
        )
    if not low_precision and d not in (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128):
        refuse(
            RuntimeError,
            f"{name}: Low precision dtypes not supported. Got {d.type_name}",
            "LAPACK computes in 32 bits or 64",
            "x.float()",
            rule="linalg.dtype",
        )


def column_major(size: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a batch of matrices whose columns lie in one piece.

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


def is_meta(a: Tensor) -> bool:
    """Whether there are no numbers behind a tensor."""
    return type(a._array) is MetaArray


def matrices(found: Any, d: dtypes.dtype, meta: bool, size: tuple[int, ...], out: Tensor | None = None) -> Tensor:
    """A batch of matrices as LAPACK leaves it."""
    return finish(size, d, out, lambda t: np.copyto(t, found(), casting="unsafe"), meta, column_major(size))


def plain(found: Any, d: dtypes.dtype, meta: bool, size: tuple[int, ...], out: Tensor | None = None) -> Tensor:
    """A result in row-major order."""
    return finish(size, d, out, lambda t: np.copyto(t, found(), casting="unsafe"), meta)


def each(
    function: Callable[[np.ndarray], Any], a: np.ndarray, *shapes: tuple[int, ...], kinds: Any = None
) -> list[np.ndarray]:
    """A function of one matrix, done for every matrix of a batch; `shapes` are those of its results."""
    batch = a.shape[:-2]
    kinds = kinds or [a.dtype] * len(shapes)
    found = [np.empty((*batch, *shape), kind) for shape, kind in zip(shapes, kinds, strict=True)]
    for at in np.ndindex(batch):
        answers = function(a[at])
        for array, answer in zip(found, answers if isinstance(answers, tuple) else (answers,), strict=True):
            array[at] = answer
    return found


def singular(name: str, message: str) -> None:
    """Refuse a factorisation that broke down."""
    refuse(
        LinAlgError,
        f"{name}: {message}",
        "the rows of the matrix depend on one another",
        "torch.linalg.pinv(A)",
        "torch.linalg.lstsq(A, B)",
        rule="linalg.singular",
    )


def at_batch(index: tuple[int, ...], batch: tuple[int, ...]) -> str:
    """Where in a batch something broke down, in PyTorch's words."""
    if not batch:
        return ""
    flat = int(np.ravel_multi_index(index, batch))
    return f"(Batch element {flat}): "
