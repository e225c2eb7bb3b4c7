"""Fourier transforms, by SciPy's pocketfft, with PyTorch's dtypes, sizes and refusals.

A row's name is that of the module and the function, such as ``fft.rfft``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import index
from typing import Any

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.fourier import transform
from ...backends.numpy.without_warnings import quietly
from ...declare.creation import creation_row
from ...declare.rules import Answer, New, Result, composite_row, computed_row
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse
from ...geometry import memory_format_stride, preserve_stride, suggested_format
from ...tensor.lookups import checked_dim, size_and_stride
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import finish
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, HALVES, dtype
from ...types.size_limits import check_size
from ..creation.filled import new_of

_NORMS = (None, "backward", "forward", "ortho")


def transform_row(name: str, words: str) -> Callable:
    """Declare a transform by its rule."""
    real = name.startswith(("irfft", "hfft"))
    called = name[:-1] + "n" if name.endswith("2") else name
    called = "fftn" if called == "ifftn" else called
    kind = "floating point" if real else "complex"
    return computed_row(
        f"fft.{name}", words, fill_transform, family="spectral", category="spectral", forms="function",
        out=f"{'fraction' if real else 'complex'}|{called} expects a {kind} output tensor, but got {{Got}}",
    )  # fmt: skip


def _check_norm(norm: str | None) -> None:
    if norm not in _NORMS:
        refuse(RuntimeError, f'Invalid normalization mode: "{norm}"', "backward, forward or ortho", rule="fft.norm")


def promoted(d: dtype, to_complex: bool) -> dtype:
    """The dtype that is transformed: floating-point or complex, never of 16 bits."""
    if d._kind < FLOAT:
        d = dtypes.get_default_dtype()
    if d in HALVES or d is dtypes.complex32:
        refuse(
            RuntimeError,
            f"Unsupported dtype {d._type_name}",
            "transforms are computed in 32 bits or 64",
            "x.float()",
            rule="fft.dtype",
        )
    return d.to_complex() if to_complex and d._kind != COMPLEX else d


def _dim(dim: int, ndim: int) -> int:
    """A dimension to transform. A tensor without dimensions is refused, for the last one too."""
    if not ndim:
        refuse(
            IndexError,
            f"Dimension specified as {dim} but tensor has no dimensions",
            "one number has no frequencies",
            "x.reshape(1)",
            rule="fft.dims",
        )
    return checked_dim(dim, ndim)


def _one_dim(input: Tensor, n: int | None, dim: int) -> tuple[int, int]:
    d = _dim(dim, input._array.ndim)
    length = input._array.shape[d] if n is None else int(n)
    if length < 1:
        refuse(
            RuntimeError,
            f"Invalid number of data points ({length}) specified",
            f"dimension {d} has nothing to transform",
            rule="fft.size",
        )
    return d, length


def transformed_stride(
    strides: tuple[int, ...], size: tuple[int, ...], dims: tuple[int, ...], keep_last: bool
) -> tuple[int, ...]:
    """The strides of a transform: the transformed dimensions are innermost, both groups in the input's order."""
    ahead = sorted(dims[:-1] if keep_last else dims, key=lambda d: -strides[d])
    batch = sorted(_batch_dims(len(size), dims), key=lambda d: -strides[d])
    result, step = [1] * len(size), 1
    for d in reversed([*batch, *ahead, *(dims[-1:] if keep_last else ())]):
        result[d] = step
        step *= max(size[d], 1)
    return tuple(result)


def _batch_dims(ndim: int, dims: tuple[int, ...]) -> list[int]:
    """The dimensions that are not transformed, in the order in which those with the same stride stay.

    PyTorch parts them from the others by exchanges: the last one takes the place of the first transformed one.

    >>> _batch_dims(4, (0,)), _batch_dims(4, (1, 2)), _batch_dims(3, (2,))
    ([3, 1, 2], [0, 3], [0, 1])
    """
    order = list(range(ndim))
    first, last = 0, ndim
    while True:
        while first < last and order[first] not in dims:
            first += 1
        if first == last:
            return order[:first]
        last -= 1
        while first < last and order[last] in dims:
            last -= 1
        if first == last:
            return order[:first]
        order[first], order[last] = order[last], order[first]
        first += 1


def _padded_stride(input: Tensor, dims: tuple[int, ...], lengths: Sequence[int]) -> tuple[int, ...] | None:
    """The strides of what is transformed if a dimension is padded to its length, in a new tensor; else None."""
    size = list(input._array.shape)
    for d, length in zip(dims, lengths, strict=True):
        size[d] = length
    if all(n <= m for n, m in zip(size, input._array.shape, strict=True)):
        return None
    stride = memory_format_stride(tuple(size), suggested_format(*size_and_stride(input)))
    assert not isinstance(stride, Reason)
    return tuple(stride)


def fill_transform(
    target: np.ndarray,
    values: np.ndarray,
    kind: str,
    sizes: int | Sequence[int],
    axes: int | Sequence[int],
    norm: str | None,
    d: dtype,
) -> None:
    """Fill in the transform of numbers that are converted to a dtype first; over no dimension it changes nothing."""
    values = cast(values, d)
    target[...] = values if axes == () else _run(kind, values, sizes, axes, norm)


def _run(kind: str, values: np.ndarray, sizes: Any, axes: Any, norm: str | None) -> np.ndarray:
    if type(values) is not np.ndarray:
        back: Any = {"forward": "backward", "ortho": "ortho"}.get(norm or "backward", "forward")
        if kind == "hfftn":
            return np.fft.irfftn(values.conj(), sizes, axes=axes, norm=back)
        if kind == "ihfftn":
            return np.fft.rfftn(values, sizes, axes=axes, norm=back).conj()
        name, given = ("axes", axes) if kind.endswith("n") else ("axis", axes)
        return getattr(np.fft, kind)(values, sizes, **{name: given}, norm=norm or "backward")
    if values.dtype.kind == "f" and kind in ("fft", "ifft", "ihfft"):
        return _of_real(kind, values, sizes, axes, norm or "backward")
    if kind == "ihfftn":
        half = _of_real("ihfft", values, sizes[-1], axes[-1], norm or "backward")
        return transform("ifftn", half, sizes[:-1], axes[:-1], norm or "backward") if len(axes) > 1 else half
    if kind == "hfftn" and len(axes) > 1:  # as it is recorded: the last dimension comes last, by itself
        several = len(axes) > 2
        first = (sizes[:-1], axes[:-1]) if several else (sizes[0], axes[0])
        half = _run("fftn" if several else "fft", values, *first, norm)
        return transform("hfft", half, sizes[-1], axes[-1], norm or "backward")
    if kind == "fftn" and values.dtype.kind == "c" and not (values.imag.any() or np.signbit(values.imag).any()):
        values = values.real  # as real numbers are recorded: converted before
    if values.dtype.kind == "f" and kind == "fftn":
        return _of_real_in_several(values, sizes, axes, norm or "backward")
    return transform(kind, values, sizes, axes, norm or "backward")


_INVERSE = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _of_real(kind: str, values: np.ndarray, length: int, axis: int, norm: str) -> np.ndarray:
    """Transform real numbers by the first half, whose conjugate is the rest; an inverse transform is its conjugate."""
    inverse = kind != "fft"
    half = transform("rfft", values, length, axis, _INVERSE[norm] if inverse else norm)
    if inverse:
        np.conjugate(half, out=half)
    if kind == "ihfft":
        return half
    rest = np.moveaxis(half, axis, -1)[..., (length - 1) // 2 : 0 : -1]
    return np.concatenate([half, np.moveaxis(rest.conj(), -1, axis)], axis=axis)


def _of_real_in_several(values: np.ndarray, sizes: list[int], axes: tuple[int, ...], norm: str) -> np.ndarray:
    """Transform real numbers over several dimensions by the first half along the last one.

    The rest is the conjugate at the opposite frequencies: `-k` in each of the dimensions. PyTorch computes all of it,
    by sums, and no sum is a negative zero.
    """
    half = transform("rfftn", values, sizes, axes, norm)
    *ahead, last = axes
    rest = np.moveaxis(half, last, -1)[..., (sizes[-1] - 1) // 2 : 0 : -1]
    rest = np.moveaxis(rest, -1, last).conj()
    for axis in ahead:
        rest = np.take(rest, -np.arange(rest.shape[axis], like=rest), axis=axis)
    result = np.concatenate([half, rest], axis=last)
    result += 0
    return result


def _along_one(name: str, to_complex: bool, real_input: bool, words: str) -> None:
    real_result = name in ("irfft", "hfft")
    half_result = name in ("rfft", "ihfft")

    @transform_row(name, words)
    def along(
        input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
    ) -> Answer:
        must_be_tensor(f"fft_{name}", input)
        if real_input and input._dtype._kind == COMPLEX:
            refuse(
                RuntimeError,
                f"{name} expects a real input tensor, but got {input._dtype._type_name}",
                "the transform of real numbers is half as long",
                "torch.fft.fft(x)",
                rule="fft.dtype",
            )
        own = promoted(input._dtype, to_complex)
        d, length = _one_dim(input, n, dim) if not real_result or n is not None else (_dim(dim, input._array.ndim), 0)
        if real_result and n is None:
            length = 2 * (input._array.shape[d] - 1)
        if length < 1:
            refuse(
                RuntimeError,
                f"Invalid number of data points ({length}) specified",
                "nothing to transform",
                rule="fft.size",
            )
        _check_norm(norm)
        size = list(input._array.shape)
        size[d] = length // 2 + 1 if half_result else length
        result = own.to_real() if real_result else own.to_complex()

        if out is not None and name in ("ifft", "ihfft") and input._dtype._kind != COMPLEX:
            _check_half(result, out)
        read = own.to_real() if name == "ifft" and input._dtype._kind != COMPLEX else own
        padded = _padded_stride(input, (d,), [length // 2 + 1 if real_result else length])
        strides = padded or input._array.strides
        if real_result and not padded and (name == "hfft" or input._dtype._kind != COMPLEX):
            strides = preserve_stride(*size_and_stride(input))  # it is made complex, or conjugated, without gaps
        stride = None if out is not None and name != "ihfft" else transformed_stride(strides, tuple(size), (d,), False)
        return Result(tuple(size), result, stride), (input._array, name, length, d, norm, read)


def _check_half(result: dtype, out: Tensor) -> None:
    """Refuse an `out=` of another precision: PyTorch transforms real numbers into it, and then takes conjugates."""
    if out._dtype._kind == COMPLEX and out._dtype is not result:
        refuse(
            RuntimeError,
            f"Found dtype {out._dtype._type_name} but expected {result._type_name}",
            f"the transform is of {result}",
            f"out=torch.empty(0, dtype={result})",
            rule="out.dtype",
            result=result,
            target=out._dtype,
        )


_along_one("fft", False, False, "Computes the discrete Fourier transform along a dimension.")
_along_one("ifft", True, False, "Computes the inverse discrete Fourier transform along a dimension.")
_along_one("rfft", False, True, "Computes the non-redundant half of the discrete Fourier transform of real numbers.")
_along_one("irfft", True, False, "Computes the inverse of rfft.")
_along_one("hfft", True, False, "Computes the discrete Fourier transform of the half of a Hermitian-symmetric signal.")
_along_one("ihfft", False, True, "Computes the inverse of hfft.")


def _several(input: Tensor, s: Sequence[int] | None, dim: tuple[int, ...] | None) -> tuple[tuple[int, ...], list[int]]:
    """The dimensions that are transformed, and how long each becomes (-1 keeps its length)."""
    ndim = input._array.ndim
    if dim is not None:
        dims = tuple(_dim(d, ndim) for d in ((dim,) if isinstance(dim, int) else dim))
        if len(set(dims)) != len(dims):
            refuse(RuntimeError, "FFT dims must be unique", "each dimension is transformed once", rule="fft.dims")
    elif s is not None:
        if len(s) > ndim:
            refuse(
                RuntimeError,
                f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.",
                "each length belongs to a dimension",
                rule="fft.dims",
            )
        dims = tuple(range(ndim - len(s), ndim))
    else:
        dims = tuple(range(ndim))
    if s is not None and len(s) != len(dims):
        refuse(
            RuntimeError,
            "When given, dim and shape arguments must have the same length",
            "each length belongs to a dimension",
            rule="fft.dims",
        )
    lengths = [input._array.shape[d] if s is None or s[i] == -1 else index(s[i]) for i, d in enumerate(dims)]
    for length in lengths:
        if length < 1:
            refuse(
                RuntimeError,
                f"Invalid number of data points ({length}) specified",
                "there is nothing to transform",
                rule="fft.size",
            )
    return dims, lengths


def _check_real(inner: str, input: Tensor) -> None:
    if input._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            f"rfftn expects a real-valued input tensor, but got {input._dtype._type_name}"
            if inner == "rfft"
            else f"Only supports floating-point dtypes, but found: {input._dtype._type_name}",
            "the transform of real numbers is half as long",
            "torch.fft.fftn(x)",
            rule="fft.dtype",
        )


def _along_several(name: str, words: str) -> None:
    inner, flat = name[:-1], name.endswith("2")
    real_input, real_result = inner in ("rfft", "ihfft"), inner in ("irfft", "hfft")
    to_complex = inner in ("ifft", "irfft", "hfft")

    @transform_row(name, words)
    def along(
        input: Tensor,
        s: Sequence[int] | None = None,
        dim: tuple[int, ...] | None = (-2, -1) if flat else None,
        norm: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Answer:
        must_be_tensor(f"fft_{name}", input)
        if inner == "rfft":
            _check_real(inner, input)
        dims, lengths = _several(input, s, dim)
        if (real_input or real_result) and not dims:
            refuse(RuntimeError, f"{inner}n must transform at least one axis", "name a dimension", rule="fft.dims")
        if inner == "ihfft":
            _check_real(inner, input)
        if real_result and (s is None or s[-1] == -1):
            lengths[-1] = 2 * (input._array.shape[dims[-1]] - 1)
            if lengths[-1] < 1:
                refuse(
                    RuntimeError,
                    f"Invalid number of data points ({lengths[-1]}) specified",
                    "there is nothing to transform",
                    rule="fft.size",
                )
        own = promoted(input._dtype, to_complex)
        _check_norm(norm)
        size = list(input._array.shape)
        for d, length in zip(dims, lengths, strict=True):
            size[d] = length
        if real_input:
            size[dims[-1]] = lengths[-1] // 2 + 1
        result = own.to_real() if real_result else own.to_complex()

        padded = _padded_stride(input, dims, [*lengths[:-1], lengths[-1] // 2 + 1] if real_result else lengths)
        strides = padded or input._array.strides
        made_complex = not real_input and input._dtype._kind != COMPLEX
        if not padded and (made_complex or (inner == "hfft" and len(dims) == 1)):  # or conjugated: without gaps
            strides = preserve_stride(*size_and_stride(input))
        if inner == "ihfft":  # first the last dimension, then the others, as inverse transforms of complex numbers
            strides = transformed_stride(strides, tuple(size), dims[-1:], False)
        if real_result:  # first the others, and then the last one
            if len(dims) > 1:
                half = tuple(lengths[-1] // 2 + 1 if d == dims[-1] else n for d, n in enumerate(size))
                strides = transformed_stride(strides, half, dims[:-1], False)
            strides = transformed_stride(strides, tuple(size), dims[-1:], False)
        elif inner != "ihfft" or len(dims) > 1:
            ahead = dims[:-1] if inner == "ihfft" else dims
            strides = transformed_stride(strides, tuple(size), ahead, inner == "rfft")
        stride = None if out is not None else strides
        return Result(tuple(size), result, stride), (input._array, f"{inner}n", lengths, dims, norm, own)


for _name, _words in (
    ("fft", "Computes the {} discrete Fourier transform."),
    ("ifft", "Computes the {} inverse discrete Fourier transform."),
    ("rfft", "Computes the non-redundant half of the {} discrete Fourier transform of real numbers."),
    ("irfft", "Computes the inverse of the {} transform of real numbers."),
    ("hfft", "Computes the {} discrete Fourier transform of the half of a Hermitian-symmetric signal."),
    ("ihfft", "Computes the inverse of the {} transform of a Hermitian-symmetric signal."),
):
    _along_several(f"{_name}2", _words.format("two-dimensional"))
    _along_several(f"{_name}n", _words.format("N-dimensional"))


_PIECE = 1 << 20


def _runs(name: str, n: int) -> list[range]:
    """The frequencies of a transform of n points as multiples of the lowest one: runs of whole numbers.

    >>> _runs("fftfreq", 5), _runs("rfftfreq", 5)
    ([range(0, 3), range(-2, 0)], [range(0, 3)])
    """
    if name == "rfftfreq":
        return [range(n // 2 + 1)]
    return [range((n + 1) // 2), range(-(n // 2), 0)]


def fill_frequencies(target: np.ndarray, runs: list[range], width: float) -> None:
    """Fill in whole numbers divided by a width."""
    step = 1.0 / width if width else float("inf")  # times 0 that is NaN
    factor, at = target.dtype.type(step), 0
    for run in runs:
        for first in range(run.start, run.stop, _PIECE):
            numbers = np.arange(first, min(first + _PIECE, run.stop), like=target)
            piece = quietly(numbers.astype, target.dtype)
            target[at : at + len(piece)] = quietly(np.multiply, piece, factor)
            at += len(piece)


def _frequencies(name: str, words: str) -> None:
    @creation_row(f"fft.{name}", words, family="spectral", category="spectral", kernel=fill_frequencies)
    def frequencies(
        n: int, d: float = 1.0, out: Tensor | None = None, dtype: dtype | None = None, **options: Any
    ) -> New:
        own = dtype or dtypes.get_default_dtype()
        if own._kind < FLOAT:
            refuse(
                RuntimeError,
                f"{name} requires a floating point or complex dtype",
                "frequencies are fractions between -0.5 and 0.5",
                rule="fft.dtype",
            )
        if own._kind == COMPLEX:
            refuse_dtype("arange_cpu", own, "frequencies are real numbers", "dtype=torch.float32")
        runs = _runs(name, n)
        size = ((n if name == "fftfreq" else int(n / 2) + 1),) if n < 0 else (sum(map(len, runs)),)
        given = (runs, float(n * d))
        if out is not None:
            check_size(size, None, own)
            fill = partial(fill_frequencies, runs=runs, width=given[1])
            return New(Result(size, own), given, lambda _: finish(size, own, out, fill, place_of(out)))
        return new_of(f"fft_{name}", size, None, own, **options)._replace(given=given)


_frequencies("fftfreq", "Returns the sample frequencies of a discrete Fourier transform of n points.")
_frequencies("rfftfreq", "Returns the sample frequencies of rfft of n points.")


def _shift(name: str, sign: int, words: str) -> None:
    @composite_row(f"fft.{name}", words, family="spectral", category="spectral", forms="function")
    def shift(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
        must_be_tensor(f"fft_{name}", input)
        ndim = input._array.ndim
        dims = range(ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
        shifts = [sign * (input.size(d) // 2) for d in dims]
        return OPS["roll"].function(input, tuple(shifts), tuple(dims))


_shift("fftshift", 1, "Moves frequency 0 to the centre of a spectrum.")
_shift("ifftshift", -1, "Computes the inverse of fftshift.")
