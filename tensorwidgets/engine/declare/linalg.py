"""What the rows of linalg share: checks, batches, and results in LAPACK's column-major order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import geometry
from ..dispatch import stations
from ..dispatch.registry import Op, add_row
from ..errors.reasons import Reason, refuse
from ..memory import Place
from ..tensor.must_be_tensor import must_be_tensor
from ..tensor.results import finish
from ..tensor.storage import MetaArray
from ..tensor.tensor import Tensor, place_of
from ..types import dtypes
from ..types.cpp_names import cpp_name
from ..types.dtypes import COMPLEX, FLOAT
from ..types.promotion import can_cast


class LinAlgError(RuntimeError):
    """A factorisation that cannot be done: a singular matrix, or one that is not positive-definite."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"


def linear_row(
    name: str, words: str, *aliases: str, forms: str = "function", category: str = ""
) -> Callable[[Callable], Callable]:
    """Declare an op of linear algebra."""
    category = category or ("linalg" if name.startswith("linalg.") else "blas_lapack")

    def declare(plain: Callable) -> Callable:
        row = Op(name, "linalg", category, words, kernel=plain, aliases=aliases, forms=frozenset(forms.split()))
        return stations.bind(add_row(row), plain)

    return declare


# -- what is refused ---------------------------------------------------------------------------------------------


def refuse_ndim(message: str, a: Tensor) -> None:
    """Refuse what is not a batch of matrices, in the words of the op."""
    refuse(
        RuntimeError,
        message,
        f"size {list(a._array.shape)} is no matrix",
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
    """Refuse what is not a batch of square matrices. A name that is empty stands for PyTorch's older words."""
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
        refuse(
            NotImplementedError,
            f"\"{stub}\" not implemented for '{a._dtype._type_name}'",
            "LAPACK computes in floating point, in 32 bits or 64",
            "x.float()",
            rule="linalg.dtype",
            dtype=a._dtype,
        )


def check_floating(name: str, a: Tensor, stub: str = "", low_precision: bool = False) -> None:
    """Refuse dtypes that LAPACK does not compute in; 16-bit floats in the words of the kernel, where it has some."""
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
    """Refuse two dtypes where there has to be one."""
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
    """Refuse operands whose sizes do not meet."""
    refuse(RuntimeError, message, because, rule="linalg.size")


def check_system(name: str, a: Tensor, b: tuple[int, ...], left: bool) -> None:
    """Refuse a right side that has not as many rows (columns, where A stands on the right) as A."""
    n = a._array.shape[-1]
    rows = b[-2] if left else b[-1]
    if rows != n:
        equation = "AX = B" if left else "XA = B"
        refuse_size(
            f"{name}: Incompatible shapes of A and B for the equation {equation} ({n}x{n} and {b[-2]}x{b[-1]})",
            f"{n} equations and {rows} right sides",
        )


def batches(*sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The batch that several batches broadcast to."""
    result: Any = sizes[0]
    for size in sizes[1:]:
        result = geometry.broadcast(result, size)
        if isinstance(result, Reason):
            result.refuse()
    return result


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


def outs(out: Any, count: int) -> tuple:
    """The tensors of an `out=` with several places."""
    if out is None:
        return (None,) * count
    if not isinstance(out, (tuple, list)) or len(out) != count:
        held = len(out) if isinstance(out, (tuple, list)) else 1
        refuse(
            TypeError,
            f"expected tuple of {count} elements but got {held}",
            f"this op has {count} results, and each needs a tensor",
            rule="out.count",
        )
    return tuple(out)


def check_out(d: dtypes.dtype, out: Tensor | None, loose: str) -> None:
    """Refuse an `out=` of another dtype; `loose` names op and result where PyTorch lets it be a wider one."""
    if out is None or out._dtype is d:
        return
    if not loose:
        wanted, got = (cpp_name(t) for t in (d, out._dtype))
        message = f"Expected out tensor to have dtype {wanted}, but got {got} instead"
    elif can_cast(d, out._dtype):
        return
    else:
        name, argument = loose.split("/")
        message = (
            f"{name}: Expected {argument} to be safely castable from {d._type_name} dtype, "
            f"but got {argument} with dtype {out._dtype._type_name}"
        )
    refuse(
        RuntimeError,
        message,
        f"the result is of {d}",
        f"out=torch.empty(0, dtype={d})",
        rule="out.dtype",
        result=d,
        target=out._dtype,
    )


def matrices(
    value: Any, d: dtypes.dtype, place: Place, size: tuple[int, ...], out: Tensor | None = None, loose: str = ""
) -> Tensor:
    """A batch of matrices as LAPACK leaves it."""
    check_out(d, out, loose)
    return finish(size, d, out, lambda t: np.copyto(t, value(), casting="unsafe"), place, column_major(size))


def plain(
    value: Any, d: dtypes.dtype, place: Place, size: tuple[int, ...], out: Tensor | None = None, loose: str = ""
) -> Tensor:
    """A result in row-major order."""
    check_out(d, out, loose)
    return finish(size, d, out, lambda t: np.copyto(t, value(), casting="unsafe"), place)


def into(out: Tensor | None, value: Tensor, loose: str) -> Tensor:
    """What other ops computed, written into `out=` where there is one."""
    if out is None:
        return value
    return plain(lambda: value._array, value._dtype, place_of(value), value._array.shape, out, loose)


def each(
    function: Callable[[np.ndarray], Any], a: np.ndarray, *shapes: tuple[int, ...], kinds: Any = None
) -> list[np.ndarray]:
    """A function of one matrix, done for every matrix of a batch; `shapes` are those of its results."""
    batch = a.shape[:-2]
    kinds = kinds or [a.dtype] * len(shapes)
    results = [np.empty((*batch, *shape), kind) for shape, kind in zip(shapes, kinds, strict=True)]
    for at in np.ndindex(batch):
        answers = function(a[at])
        for array, answer in zip(results, answers if isinstance(answers, tuple) else (answers,), strict=True):
            array[at] = answer
    return results


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


def refuse_singular(name: str, infos: np.ndarray, words: str) -> None:
    """Refuse the first matrix of a batch that broke down; `{n}` in the words is where it did."""
    bad = np.argwhere(infos)
    if len(bad):
        at = tuple(int(i) for i in bad[0])
        singular(name, at_batch(at, infos.shape) + words.format(n=int(infos[at])))


def at_batch(index: tuple[int, ...], batch: tuple[int, ...]) -> str:
    """Where in a batch something broke down, in PyTorch's words.

    >>> at_batch((1, 0), (2, 3)), at_batch((), ())
    ('(Batch element 3): ', '')
    """
    if not batch:
        return ""
    flat = int(np.ravel_multi_index(index, batch))
    return f"(Batch element {flat}): "
