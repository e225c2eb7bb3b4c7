"""New tensors of random numbers: rand, randn, randint, randperm, and the forms that take the size of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...calling.arguments import as_dtype, as_int, as_size
from ...declare.rules import New
from ...geometry import is_contiguous
from ...tensor.generator import Generator, default_generator
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, INTEGER, dtype
from ...types.size_limits import check_size
from ..creation.filled import like_of, made
from .distributions import (
    DIGITS,
    Draw,
    normal_numbers,
    shuffled,
    uniform_numbers,
    whole_numbers,
)
from .integer_bounds import checked_range
from .sampling import fill_draws, is_serial, making, new_draws, no_such_numbers, out_of_range, stream_beside, stream_for


def _at_once(draw: Callable[[Generator, dtype], Draw]) -> Callable[..., Tensor | None]:
    """Returns the fast path for the default dtype and a size of positive Python integers."""

    def fast(*size: Any) -> Tensor | None:
        if len(size) == 1 and type(size[0]) in (tuple, list):
            size = tuple(size[0])
        for n in size:
            if type(n) is not int or n <= 0:
                return None
        d = dtypes._default
        return made("rand", size, None, d, fill=partial(fill_draws, draw=draw(default_generator, d))) if size else None

    return fast


_uniform = partial(uniform_numbers, low=0.0, high=1.0)
_normal = partial(normal_numbers, mean=0.0, std=1.0)


@making("rand", "Draws uniform random numbers from 0 (inclusive) to 1 (exclusive).", fast=_at_once(_uniform))
def rand(
    size: tuple[int, ...],
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtype | None = None,
    **options: Any,
) -> New:
    size, d = _size_and_dtype("rand", size, out, dtype, dtypes.get_default_dtype())
    g = stream_for(generator, out, options)
    no_such_numbers("check_uniform_bounds", d, FLOAT, COMPLEX)
    return new_draws("rand", size, d, _uniform(g, d), out, options)


@making("randn", "Draws random numbers from the standard normal distribution.", fast=_at_once(_normal))
def randn(
    size: tuple[int, ...],
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtype | None = None,
    **options: Any,
) -> New:
    size, d = _size_and_dtype("randn", size, out, dtype, dtypes.get_default_dtype())
    g = stream_for(generator, out, options)
    if 0 not in size:
        no_such_numbers("normal_kernel_cpu", d, FLOAT, COMPLEX)
    serial = out is not None and out._array.shape == size and is_serial(out)
    return new_draws("randn", size, d, _normal(g, d, serial=serial), out, options)


def _size_and_dtype(
    name: str, size: Any, out: Tensor | None, wanted: dtype | None, default: dtype
) -> tuple[tuple[int, ...], dtype]:
    size = as_size(name, size)
    if out is not None:
        return size, out._dtype
    d = default if wanted is None else as_dtype(wanted)
    check_size(size, None, d)
    return size, d


@making("randint", "Draws random integers from low (inclusive) to high (exclusive).")
def randint(
    high: int,
    size: Any,
    low: int = 0,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
    **options: Any,
) -> New:
    low, high = as_int(low), as_int(high)
    size, d = _size_and_dtype("randint", size, out, dtype, dtypes.int64)
    draw = whole_numbers(stream_for(generator, out, options), *checked_range(low, high, d))
    return new_draws("randint", size, d, draw, out, options)


@making("randperm", "Returns a random permutation of the integers from 0 to n - 1.")
def randperm(
    n: int, generator: Generator | None = None, out: Tensor | None = None, dtype: dtype | None = None, **options: Any
) -> New:
    count, g = as_int(n), stream_for(generator, out, options)
    if out is None:
        d = dtypes.int64 if dtype is None else as_dtype(dtype)
        if count < 0:
            out_of_range(
                f"Trying to create tensor with negative dimension {count}: [{count}]",
                f"a permutation orders {count} numbers, and there cannot be so few",
            )
    else:
        d = out._dtype
        if count < 0:
            out_of_range(f"n must be non-negative, got{count}", "there cannot be so few numbers")
    _check_room(count, d)
    return new_draws("randperm", (count,), d, partial(shuffled, g), out, options)


def _check_room(count: int, d: dtype) -> None:
    """Refuse a permutation of numbers that a dtype does not hold; bfloat16 repeats some instead."""
    no_such_numbers("randperm", d, FLOAT, INTEGER)
    if d._kind == FLOAT:
        most = 1 << DIGITS[d]
        if count > most + 1 and d is not dtypes.bfloat16:
            out_of_range(
                f"n cannot be greater than {most + 1} for {d._type_name} type.", f"{d} counts to {most} without a gap"
            )
    elif count > np.iinfo(d._in_numpy).max:
        out_of_range(
            f"value cannot be converted to type {d._name}_t without overflow",
            f"{d} ends at {np.iinfo(d._in_numpy).max}",
        )


@making("rand_like", "Draws uniform random numbers in the size and dtype of another tensor.")
def rand_like(input: Tensor, generator: Generator | None = None, **options: Any) -> New:
    new = like_of("rand_like", input, None, **options)
    d = new.result.dtype
    no_such_numbers("check_uniform_bounds", d, FLOAT, COMPLEX)
    return new._replace(given=(_uniform(stream_beside(generator, input, options), d),))


@making("randn_like", "Draws standard normal random numbers in the size and dtype of another tensor.")
def randn_like(input: Tensor, generator: Generator | None = None, **options: Any) -> New:
    new = like_of("randn_like", input, None, **options)
    size, stride, d = new.result.size, new.result.stride, new.result.dtype
    if 0 not in size:
        no_such_numbers("normal_kernel_cpu", d, FLOAT, COMPLEX)
    serial = stride is not None and not is_contiguous(size, stride)
    return new._replace(given=(_normal(stream_beside(generator, input, options), d, serial=serial),))


@making("randint_like", "Draws random integers in the size and dtype of another tensor.")
def randint_like(
    input: Tensor, high: Tensor | int, low: int = 0, generator: Generator | None = None, **options: Any
) -> New:
    if isinstance(high, Tensor):
        if high._array.ndim or high.device.type != "cpu":
            out_of_range("high must be a scalar tensor and on CPU", "one bound holds for all elements")
        high = int(high.item())
    low, high = as_int(low), as_int(high)
    new = like_of("randint_like", input, None, **options)
    return new._replace(
        given=(whole_numbers(stream_beside(generator, input, options), *checked_range(low, high, new.result.dtype)),)
    )
