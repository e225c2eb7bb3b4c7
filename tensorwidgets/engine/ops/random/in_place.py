"""Random numbers written over a tensor: uniform_, normal_, random_, bernoulli_ and other distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...calling.arguments import as_int
from ...declare.rules import Answer
from ...dispatch import registry
from ...errors.reasons import refuse
from ...tensor.generator import Generator
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtypes import BOOL, COMPLEX, FLOAT, INTEGER, dtype
from .distributions import (
    DIGITS,
    Draw,
    any_number,
    cauchy_numbers,
    exponential_numbers,
    geometric_numbers,
    log_normal_numbers,
    normal_numbers,
    uniform_numbers,
    whole_numbers,
)
from .integer_bounds import check_bounds, checked_range, held_from
from .sampling import check_sampled, drawn, filling, in_memory_order, is_serial, no_such_numbers, out_of_range, stream


@filling("uniform_", "Fills the tensor with numbers drawn from a uniform distribution.")
def uniform_(
    input: Tensor, from_: float = 0.0, to: float = 1.0, *, generator: Generator | None = None, **named: float
) -> Answer:
    low, high, d = float(named.get("from", from_)), float(to), input._dtype
    if d._kind != COMPLEX or input._array.size:
        no_such_numbers("check_uniform_bounds", d, FLOAT, COMPLEX)
        _check_uniform(low, high, d.to_real())
    return drawn(input, uniform_numbers(stream(generator, input), d, low, high))


def _check_uniform(low: float, high: float, d: dtype) -> None:
    largest = _LARGEST_HELD[d]
    for name, bound in (("from", low), ("to", high)):
        if not abs(bound) <= largest:
            out_of_range(f"{name} is out of bounds for {cpp_name(d)}", f"{d} ends at {largest:g}, and has no {bound}")
    if low > high:
        out_of_range(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}",
            "the lower bound is above the upper",
        )
    if min(high, largest) - low > largest:
        out_of_range(
            f"uniform_ expects to-from <= std::numeric_limits<{d._type_name}>::max(), but found to={high:g} and "
            f"from={low:g} which result in to-from to exceed the limit",
            f"{d} ends at {largest:g}, and the distance of the bounds is more",
        )


_LARGEST_HELD = {
    dtypes.float64: float(np.finfo(np.float64).max), dtypes.float32: float(np.finfo(np.float32).max),
    dtypes.float16: 65504.0, dtypes.bfloat16: float.fromhex("0x1.fep+127"),
}  # fmt: skip


@filling("normal_", "Fills the tensor with numbers drawn from a normal distribution.")
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> Answer:
    check_std(float(std))
    check_sampled("normal_kernel_cpu", input, FLOAT, COMPLEX)
    return drawn(
        input, normal_numbers(stream(generator, input), input._dtype, float(mean), float(std), is_serial(input))
    )


def check_std(std: float) -> None:
    if not std >= 0:
        out_of_range(f"normal expects std >= 0.0, but found std {std:g}", "a standard deviation is a distance")


@filling("random_", "Fills the tensor with random integers.")
def random_(
    input: Tensor, from_: Any = ..., to: Any = ..., *, generator: Generator | None = None, **named: Any
) -> Answer:
    d, g = input._dtype, stream(generator, input)
    low = named.get("from", from_)
    if low is ... and to is ...:
        check_sampled("random_kernel_cpu", input, FLOAT, INTEGER, BOOL)
        return drawn(input, any_number(g, d))
    if to is ... and not named:
        low, to = 0, low
    if to is ... or low is None or to is None and low is ...:
        raise TypeError("random_() is given no bound, an upper one, or both")
    low = 0 if low is ... else as_int(low)
    if to is not None:
        return drawn(input, whole_numbers(g, *checked_range(low, as_int(to), d)))
    if low == -(2**63):
        _check_full_range(input)
        return drawn(input, lambda count: g.draws64(count).view(np.int64))
    return drawn(input, whole_numbers(g, *_up_to_the_largest(low, d)))


def _check_full_range(t: Tensor) -> None:
    """Refuse the dtypes that PyTorch does not fill with all 64 bits of a draw."""
    if not t._array.size or t._dtype in (dtypes.int64, dtypes.float64, dtypes.float32, dtypes.bfloat16):
        return
    stub = "random_full_64_bits_range_kernel_cpu"
    if t._dtype._kind == INTEGER and t._dtype not in dtypes.BAREBONES_UNSIGNED:
        out_of_range(f"{stub} handles only int64, double, float and bfloat16", f"{t._dtype} has fewer than 64 bits")
    no_such_numbers(stub, t._dtype)


def _up_to_the_largest(low: int, d: dtype) -> tuple[int, int]:
    """The bounds where the upper one is left open: up to the last whole number that a dtype has without a gap."""
    if d._kind == COMPLEX:
        out_of_range(
            "random_from_to_impl handles only integral, floating-point and boolean types",
            "complex numbers have no order, so there are none above a bound",
        )
    if d._kind == FLOAT:
        no_such_numbers("random_from_to_range_calc", d, FLOAT)
        last, low = 1 << DIGITS[d], held_from(low, d)
        if low >= last:
            out_of_range(
                "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got "
                f"from={low} > to_inc={last}",
                f"{d} counts to {last} without a gap",
            )
    else:
        last = 1 if d._kind == BOOL else min(int(np.iinfo(d._in_numpy).max), -1 if d is dtypes.uint64 else 2**63)
    check_bounds(low, last, d)
    return low, last + 1


@filling("bernoulli_", "Fills the tensor with zeros and ones; a one has probability p.")
def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Generator | None = None) -> Answer:
    return drawn(input, tosses(input, p, stream(generator, input)), *[p] * isinstance(p, Tensor))


def tosses(t: Tensor, p: Tensor | float, g: Generator) -> Draw:
    """1 with a probability, or with one for each element: these are read in the order in which it lies in memory."""
    if isinstance(p, Tensor):
        check_sampled("bernoulli_tensor_cpu_self_", t, FLOAT, INTEGER, BOOL)
        if t._array.size:
            no_such_numbers("bernoulli_tensor_cpu_p_", p._dtype, FLOAT)
        stretched = registry.OPS["expand"].function(p, t._array.shape)

        def compared(count: int) -> np.ndarray:
            return _below(g, in_memory_order(stretched._array, by=t._array).reshape(-1), p._dtype)

        return compared
    if not 0 <= p <= 1:
        out_of_range(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}", "a probability lies between 0 and 1")
    check_sampled("bernoulli_scalar_cpu_", t, FLOAT, INTEGER, BOOL)
    return lambda count: (g.doubles(count) < p).astype(np.float64)


def check_chances(p: Tensor) -> None:
    """Refuse what is not a probability: numbers that are not floating-point, and those outside 0 to 1."""
    no_such_numbers("bernoulli_tensor_cpu_p_", p._dtype, FLOAT)
    if place_of(p).has_numbers:
        _check_range(p._array)


def _check_range(chance: np.ndarray, draw: Draw | None = None) -> None:
    """Refuse numbers that are no chances, once the chances before them have had their draws."""
    outside = ~((chance >= 0) & (chance <= 1))  # NaN is outside as well
    if outside.any():
        if draw is not None:
            draw(int(outside.argmax()))
        refuse(
            RuntimeError,
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
            "a probability lies between 0 and 1",
            rule="random.range",
        )


def _below(g: Generator, chance: np.ndarray, d: dtype) -> np.ndarray:
    draw = g.doubles if d is dtypes.float64 else g.floats
    _check_range(chance, draw)
    return (draw(chance.size) < chance).astype(np.float64)


def _check_continuous(t: Tensor, what: str, spoken: str, stub: str) -> None:
    """Refuse dtypes that are not floating-point."""
    if t._dtype._kind != FLOAT:
        out_of_range(
            f"{what} distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {spoken}",
            f"{t._dtype} does not hold the fractions between whole numbers",
        )
    check_sampled(stub, t, FLOAT)


@filling("exponential_", "Fills the tensor with numbers drawn from an exponential distribution.")
def exponential_(input: Tensor, lambd: float = 1.0, *, generator: Generator | None = None) -> Answer:
    if not lambd > 0:
        out_of_range(
            f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}", "a rate counts events and is above 0"
        )
    if input._array.size:
        _check_continuous(input, "Exponential", input._dtype._type_name, "exponential_cpu")
    return drawn(input, exponential_numbers(stream(generator, input), float(lambd)))


@filling("geometric_", "Fills the tensor with numbers drawn from a geometric distribution.")
def geometric_(input: Tensor, p: float, *, generator: Generator | None = None) -> Answer:
    if not 0 < p < 1:
        out_of_range(
            f"geometric_ expects p to be in (0, 1), but got p={p:g}", "what never or always happens needs no tries"
        )
    check_sampled("geometric_cpu", input, FLOAT, INTEGER)
    return drawn(input, geometric_numbers(stream(generator, input), p))


@filling("cauchy_", "Fills the tensor with numbers drawn from a Cauchy distribution.")
def cauchy_(input: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Generator | None = None) -> Answer:
    if not sigma > 0:
        out_of_range(
            f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}", "the width of the distribution is above 0"
        )
    _check_continuous(input, "Cauchy", cpp_name(input._dtype), "cauchy_cpu")
    return drawn(input, cauchy_numbers(stream(generator, input), median, sigma))


@filling("log_normal_", "Fills the tensor with numbers drawn from a log-normal distribution.")
def log_normal_(input: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Generator | None = None) -> Answer:
    if not std > 0:
        out_of_range(f"log_normal_ expects std > 0.0, but found std={std:g}", "a standard deviation is above 0 here")
    check_sampled("log_normal_cpu", input, FLOAT)
    return drawn(input, log_normal_numbers(stream(generator, input), float(mean), float(std)))
