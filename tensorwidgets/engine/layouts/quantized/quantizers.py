"""Quantizers: which integer represents a value, and which value does an integer represent?

Picture a quantizer as a ladder: rung `n` is at `(n - zero_point) * scale`. A value moves to the nearest rung, so it
loses at most half a step; a value beyond either end of the ladder is clipped to it. The rounding is PyTorch's.

>>> ladder = PerTensor(0.5, 10)
>>> rungs = ladder.quantize(np.array([-1.0, 0.2, 0.3, 500.0], np.float32), quint8)
>>> rungs
array([  8,  10,  11, 255], dtype=uint8)
>>> ladder.dequantize(rungs, quint8)
array([ -1. ,   0. ,   0.5, 122.5], dtype=float32)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy.chunks import PIECE, spans
from ...backends.numpy.without_warnings import quietly
from ...types.dtypes import dtype, qint8, qint32, quint8

RUNGS = {quint8: (0, 255), qint8: (-128, 127), qint32: (-(2**31), 2**31 - 1)}
"""The smallest and the largest integer of each quantized dtype."""


@dataclass(frozen=True, slots=True)
class PerTensor:
    """One scale and zero point for all elements."""

    scale: float
    zero_point: int

    def quantize(self, values: np.ndarray, d: dtype) -> np.ndarray:
        """The integers (rungs) that represent values."""
        inverse = quietly(np.divide, np.float32(1), quietly(np.float32, self.scale))
        whole = d is qint32
        place_of, of_nan = (_beside, RUNGS[d][0]) if whole else (_beside_in_one, RUNGS[d][1])
        result = np.empty(values.shape, d._in_numpy, like=values)
        flat, rungs = values.reshape(-1), result.reshape(-1)
        for piece in spans(flat.size, PIECE):  # the steps need several arrays, of float64
            rungs[piece] = _rungs(quietly(place_of, flat[piece], inverse, self.zero_point), d, of_nan)
        return result

    def dequantize(self, rungs: np.ndarray, d: dtype) -> np.ndarray:
        """The values that integers represent, in float32."""
        above_zero: ndarray
        if d is qint32:
            above_zero = (rungs.astype(np.int64) - self.zero_point).astype(np.int32)  # PyTorch's difference wraps
        else:
            above_zero = rungs.astype(np.int32 if abs(self.zero_point) < 1 << 30 else np.int64) - self.zero_point
        return np.asarray(quietly(np.multiply, above_zero.astype(np.float32), quietly(np.float32, self.scale)))

    def ends(self, d: dtype, ndim: int) -> tuple[Any, Any]:
        """The smallest and the largest representable value."""
        first, last = RUNGS[d]
        return (first - self.zero_point) * self.scale, (last - self.zero_point) * self.scale


@dataclass(frozen=True, slots=True, eq=False)
class PerChannel:
    """A scale and zero point for each index along one dimension; fractional zero points are kept in float32."""

    scales: np.ndarray
    zero_points: np.ndarray
    axis: int

    @property
    def fractional(self) -> bool:
        """Whether the zero points may be fractions."""
        return self.zero_points.dtype.kind == "f"

    def quantize(self, values: np.ndarray, d: dtype) -> np.ndarray:
        """The integers that represent values, each by the quantizer of its channel."""
        scales = quietly(self.scales.astype, np.float32)
        if self.fractional:
            scales = np.where(scales == 0, np.float32(1), scales)
        inverse = quietly(np.divide, np.float32(1), scales)
        zero_points = self._along(self.zero_points, values.ndim)
        place = quietly(_beside, values, self._along(inverse, values.ndim), zero_points)
        if self.fractional:
            # PyTorch converts through int64 and int32 here, and values out of range wrap.
            place = np.where(abs(place) < 2.0**63, np.rint(place), 0).astype(np.int64).astype(np.int32)
            return np.clip(place, *RUNGS[d]).astype(d._in_numpy)
        return _rungs(place, d, RUNGS[d][0] if d is qint32 else 0)

    def dequantize(self, rungs: np.ndarray, d: dtype) -> np.ndarray:
        """The values that integers represent, in float32."""
        zero_points = self._along(self.zero_points, rungs.ndim).astype(np.float32)
        above_zero = rungs.astype(np.float32) - zero_points
        values = quietly(np.multiply, above_zero, self._along(self.scales, rungs.ndim))
        return quietly(values.astype, np.float32)

    def ends(self, d: dtype, ndim: int) -> tuple[Any, Any]:
        """The smallest and the largest value of each channel, shaped to broadcast against the elements."""
        scales, zero_points = self._along(self.scales, ndim), self._along(self.zero_points, ndim)
        first, last = RUNGS[d]
        return (first - zero_points) * scales, (last - zero_points) * scales

    def _along(self, of_channels: np.ndarray, ndim: int) -> np.ndarray:
        return of_channels.reshape([-1 if dim == self.axis else 1 for dim in range(ndim)])

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is PerChannel
            and self.axis == other.axis
            and np.array_equal(self.scales, other.scales)
            and np.array_equal(self.zero_points, other.zero_points)
        )

    __hash__ = object.__hash__


Quantizer = PerTensor | PerChannel


def _beside(values: np.ndarray, inverse: Any, zero_point: int | ndarray) -> np.ndarray:
    """The fractional position of values among the integers, in float32: rounded after the product and the sum."""
    return values * inverse + np.asarray(zero_point).astype(np.float32)


def _beside_in_one(values: np.ndarray, inverse: Any, zero_point: int) -> np.ndarray:
    """The same, rounded once at the end, as a fused multiply-add does."""
    return (values.astype(np.float64) * inverse + zero_point).astype(np.float32)


def _rungs(place: np.ndarray, d: dtype, of_nan: int) -> np.ndarray:
    """The nearest integers within the range; ties go to the even one."""
    place = np.rint(place).astype(np.float64)
    return np.asarray(np.clip(np.where(np.isnan(place), of_nan, place), *RUNGS[d])).astype(d._in_numpy)
