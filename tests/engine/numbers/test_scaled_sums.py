"""A multiple is added with one rounding, whatever the processor's BLAS does with the elements that fill no block."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy import complex_division
from tensorwidgets.engine.backends.numpy.sums.scaled_sum import rounding_once

EPS = {"f4": 2.0**-23, "f8": 2.0**-52}


def fused(x: float, y: float, a: float, dtype: Any) -> Any:
    """y + a*x, rounded once, for numbers whose exact sum is a float64."""
    return dtype.type(float(Fraction(float(a)) * Fraction(float(x)) + Fraction(float(y))))


def axpy_in_blocks(dtype: Any, block: int) -> Callable[..., None]:
    """An axpy that rounds once in whole blocks, and twice in the rest; with block 0 always twice."""

    def function(x: Any, target: Any, size: int | None = None, a: Any = 1) -> None:
        size = len(target) if size is None else size
        factor = dtype.type(a)
        whole = size - size % block if block else 0
        for i in range(size):
            target[i] = fused(x[i], target[i], factor, dtype) if i < whole else target[i] + factor * x[i]

    return function


def once_and_twice(dtype: Any, size: int) -> tuple[Any, Any, float]:
    """Arrays and a factor whose scaled sum is eps squared after one rounding, and 0 after two."""
    eps = EPS[dtype.str[1:]]
    return np.full(size, 1 + eps, dtype), np.full(size, -1 - 2 * eps, dtype), 1 + eps


@pytest.mark.parametrize("block", [1, 4, 16, 32])
@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_a_rest_that_fills_no_block_is_rounded_once(kind: str, block: int) -> None:
    dtype = np.dtype(kind)
    add = rounding_once(axpy_in_blocks(dtype, block), dtype)
    for size in (1, 3, 15, 16, 17, 31, 32, 33, 65):
        x, target, a = once_and_twice(dtype, size)
        add(x, target, size, a)
        assert target.tolist() == [EPS[kind] ** 2] * size
        x, target, a = once_and_twice(dtype, size)
        add(x, target, a=a)
        assert target.tolist() == [EPS[kind] ** 2] * size


def test_a_size_leaves_the_elements_behind_it() -> None:
    dtype = np.dtype("f4")
    add = rounding_once(axpy_in_blocks(dtype, 4), dtype)
    x, target, a = once_and_twice(dtype, 9)
    add(x, target, 6, a)
    assert target[:6].tolist() == [EPS["f4"] ** 2] * 6 and target[6:].tolist() == [-1 - 2 * EPS["f4"]] * 3


def test_numpy_adds_for_a_processor_that_never_rounds_once() -> None:
    for kind in ("f4", "f8"):
        dtype = np.dtype(kind)
        add = rounding_once(axpy_in_blocks(dtype, 0), dtype)
        x, target, a = once_and_twice(dtype, 9)
        add(x, target, 6, a)
        assert target[:6].tolist() == [EPS[kind] ** 2] * 6 and target[6:].tolist() == [-1 - 2 * EPS[kind]] * 3


def test_numpy_divides_for_such_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    z = tw.tensor([1.25 + 1.25j, -1 + 1.75j, 1.25 + 1.5j, -0.75 + 1j], dtype=tw.complex128)
    fused_here = (z / z).tolist(), (z.to(tw.complex64) / (z.to(tw.complex64) + 0.1)).tolist()
    monkeypatch.setattr(complex_division, "_products_are_fused", lambda dtype: False)
    assert ((z / z).tolist(), (z.to(tw.complex64) / (z.to(tw.complex64) + 0.1)).tolist()) == fused_here


@pytest.mark.parametrize("dtype", [tw.float32, tw.float64])
def test_sums_do_not_depend_on_the_place_of_an_element(dtype: tw.dtype) -> None:
    kind = "f4" if dtype is tw.float32 else "f8"
    results = set()
    for size in range(1, 70):
        x, target, a = once_and_twice(np.dtype(kind), size)
        results |= set(tw.from_numpy(target).add(tw.from_numpy(x), alpha=a).tolist())
        results |= set(tw.from_numpy(target).sub(tw.from_numpy(x), alpha=-a).tolist())
    assert len(results) == 1
