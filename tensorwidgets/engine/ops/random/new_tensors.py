"""New tensors of random numbers: rand, randn, randint, randperm, and the forms that take the size of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...calling.arguments import as_dtype, as_int, as_size
from ...tensor.generator import Generator, default_generator
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, INTEGER, dtype
from ..creation.filled import made, made_like
from .distributions import (
    DIGITS,
    Draw,
    normal_numbers,
    shuffled,
    uniform_numbers,
    whole_numbers,
)
from .integer_bounds import checked_range
from .sampling import filled, into, is_serial, making, no_kernel, no_such_numbers, out_of_range, stream


def _at_once(draw: Callable[[Generator, dtype], Draw]) -> Callable[..., Tensor | None]:
    """Returns the fast path for the default dtype and a size of positive Python integers."""

    def fast(*size: Any) -> Tensor | None:
        if len(size) == 1 and type(size[0]) in (tuple, list):
            size = tuple(size[0])
        for n in size:
            if type(n) is not int or n <= 0:
                return None
        d = dtypes._default
        return filled(made("rand", size, None, d), draw(default_generator, d)) if size else None

    return fast


_uniform = partial(uniform_numbers, low=0.0, high=1.0)
_normal = partial(normal_numbers, mean=0.0, std=1.0)


@making("rand", "Draws uniform random numbers from 0 (inclusive) to 1 (exclusive).", fast=_at_once(_uniform))
def rand(size: Any, generator: Any = None, out: Any = None, dtype: Any = None, **options: Any) -> Tensor:
    return _of_size("rand", "check_uniform_bounds", _uniform, size, generator, out, dtype, options)


@making("randn", "Draws random numbers from the standard normal distribution.", fast=_at_once(_normal))
def randn(size: Any, generator: Any = None, out: Any = None, dtype: Any = None, **options: Any) -> Tensor:
    return _of_size("randn", "normal_kernel_cpu", _normal, size, generator, out, dtype, options)


def _of_size(
    name: str, stub: str, numbers: Any, size: Any, generator: Any, out: Any, dtype: Any, options: dict[str, Any]
) -> Tensor:
    size = as_size(name, size)
    g = stream(generator)
    if out is not None:
        if 0 not in size or name == "rand":
            no_such_numbers(stub, out._dtype, FLOAT, COMPLEX)
        serial = {"serial": True} if name == "randn" else {}

        def draw(t: Tensor) -> Draw:
            return numbers(g, t._dtype, **serial) if serial and is_serial(t) else numbers(g, t._dtype)

        return into(name, out, size, draw, options.get("requires_grad"))
    d = dtypes.get_default_dtype() if dtype is None else as_dtype(dtype)
    t = made(name, size, None, d, **options)
    if t._array.size or name == "rand":
        no_such_numbers(stub, d, FLOAT, COMPLEX)
    return filled(t, numbers(g, d))


@making(
    "randint",
    "Draws random integers from low (inclusive) to high (exclusive).",
)
def randint(
    high: Any, size: Any, low: Any = 0, generator: Any = None, out: Any = None, dtype: Any = None, **options: Any
) -> Tensor:
    low, high, size = as_int(low), as_int(high), as_size("randint", size)
    g = stream(generator)
    if out is not None:
        numbers = whole_numbers(g, *checked_range(low, high, out._dtype))
        return into("randint", out, size, lambda t: numbers, options.get("requires_grad"))
    d = dtypes.int64 if dtype is None else as_dtype(dtype)
    t = made("randint", size, None, d, **options)
    return filled(t, whole_numbers(g, *checked_range(low, high, d)))


@making(
    "randperm",
    "Returns a random permutation of the integers from 0 to n - 1.",
)
def randperm(n: Any, generator: Any = None, out: Any = None, dtype: Any = None, **options: Any) -> Tensor:
    count, g = as_int(n), stream(generator)
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
    if out is not None:
        return into("randperm", out, (count,), lambda t: lambda total: shuffled(g, total), options.get("requires_grad"))
    return filled(made("randperm", (count,), None, d, **options), lambda total: shuffled(g, total))


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
def rand_like(input: Tensor, generator: Any = None, **options: Any) -> Tensor:
    t = made_like("rand_like", input, None, **options)
    no_such_numbers("check_uniform_bounds", t._dtype, FLOAT, COMPLEX)
    return filled(t, _uniform(stream(generator), t._dtype))


@making(
    "randn_like",
    "Draws standard normal random numbers in the size and dtype of another tensor.",
)
def randn_like(input: Tensor, generator: Any = None, **options: Any) -> Tensor:
    t = made_like("randn_like", input, None, **options)
    no_kernel("normal_kernel_cpu", t, FLOAT, COMPLEX)
    return filled(t, _normal(stream(generator), t._dtype, serial=is_serial(t)))


@making(
    "randint_like",
    "Draws random integers in the size and dtype of another tensor.",
)
def randint_like(input: Tensor, high: Any, low: Any = 0, generator: Any = None, **options: Any) -> Tensor:
    if isinstance(high, Tensor):
        high = high.item()
    low, high = as_int(low), as_int(high)
    t = made_like("randint_like", input, None, **options)
    return filled(t, whole_numbers(stream(generator), *checked_range(low, high, t._dtype)))
