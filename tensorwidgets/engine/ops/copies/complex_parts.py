"""Complex tensors from real and imaginary parts (complex), or from absolute value and angle (polar)."""

from __future__ import annotations

import numpy as np

from ... import geometry
from ...backends.numpy import in_double
from ...backends.numpy.without_warnings import quietly
from ...declare.creation import creation_row
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse, sure
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_reads
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype

_PARTS = (dtypes.float16, dtypes.float32, dtypes.float64)


def _combined(a: Tensor, b: Tensor, out: Tensor | None) -> Answer:
    """The rule of a complex tensor that is made from two real ones, which are broadcast."""
    if type(a._array) is not type(b._array):
        refuse(
            RuntimeError,
            f"Tensor on device {b.device} is not on the expected device {a.device}!",
            f"one is on {a.device}, the other on {b.device}",
            rule="device.mixed",
        )
    _check_parts(a, b)
    d = a._dtype.to_complex()
    if out is not None and out._dtype is not d:
        refuse(
            RuntimeError,
            f"Expected object of scalar type {d._type_name} but got scalar type {out._dtype._type_name} for argument "
            "'out'",
            f"two parts of {a._dtype} make a number of {d}",
            rule="complex.out",
        )
    layouts = [size_and_stride(a), size_and_stride(b)]
    size = sure(geometry.broadcast(layouts[0][0], layouts[1][0]))
    stride = geometry.pointwise_stride(size, layouts)
    if out is not None:
        check_reads(out, (a, b))
    return Result(size, d, stride), (a._array, b._array)


def _check_parts(a: Tensor, b: Tensor) -> None:
    if a._dtype not in _PARTS or b._dtype not in _PARTS:
        refuse(
            RuntimeError,
            "Expected both inputs to be Half, Float or Double tensors but got "
            f"{a._dtype._type_name} and {b._dtype._type_name}",
            "the parts of a complex number are floating-point numbers",
            "x.float()",
            rule="complex.dtype",
        )
    if a._dtype is not b._dtype:
        refuse(
            RuntimeError,
            f"Expected object of scalar type {a._dtype._type_name} but got scalar type {b._dtype._type_name} for "
            "second argument",
            "both parts of a complex number must have the same dtype",
            f"y.to({a._dtype})",
            rule="complex.dtype",
        )


def fill_parts(target: np.ndarray, real: np.ndarray, imag: np.ndarray) -> None:
    target.real = real
    target.imag = imag


def fill_polar(target: np.ndarray, length: np.ndarray, angle: np.ndarray) -> None:
    target.real = quietly(np.multiply, length, quietly(in_double.cos, angle))
    target.imag = quietly(np.multiply, length, quietly(in_double.sin, angle))


@creation_row("complex", "Makes complex numbers from real and imaginary parts.", kernel=fill_parts)
def complex_(real: Tensor, imag: Tensor, out: Tensor | None = None) -> Answer:
    return _combined(real, imag, out)


@creation_row("polar", "Makes complex numbers from absolute values and angles.", kernel=fill_polar)
def polar(abs: Tensor, angle: Tensor, out: Tensor | None = None) -> Answer:
    if abs._dtype is dtypes.float16 and angle._dtype is dtypes.float16:
        refuse_dtype("polar_cpu", dtypes.float16)
    return _combined(abs, angle, out)
