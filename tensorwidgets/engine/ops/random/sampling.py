"""Random sampling, with the same numbers as PyTorch's CPU generator.

Numbers are drawn in the order in which the elements lie in memory. `distributions.py` has what is done with the draws;
what is drawn by the numbers of another tensor is in `random_draws.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from ...backends.numpy.casts import assign
from ...calling.arguments import as_dtype, as_int, as_size
from ...declare.creation import check_out_grad, check_requires_grad, creation_row
from ...declare.rules import Answer, Result, compute
from ...dispatch import registry, stations
from ...dispatch.registry import Op, add_row
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...geometry import walk
from ...tensor.generator import Generator, default_generator
from ...tensor.resizing import resize
from ...tensor.tensor import Tensor, bump_version, place_of
from ...tensor.write_checks import check_writable
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtypes import BOOL, COMPLEX, FLOAT, INTEGER, dtype
from ..creation.filled import made, made_like
from .distributions import (
    DIGITS,
    Draw,
    any_number,
    cauchy_numbers,
    exponential_numbers,
    geometric_numbers,
    log_normal_numbers,
    normal_numbers,
    shuffled,
    uniform_numbers,
    whole_numbers,
)


def sampling(name: str, words: str, forms: str = "function") -> Callable[[Callable], Callable]:
    """Declare an op that draws random numbers."""

    def declare(plain: Callable) -> Callable:
        row = Op(name, "random", "random_sampling", words, kernel=plain, forms=frozenset(forms.split()))
        return stations.bind(add_row(row), plain)

    return declare


def filling(name: str, words: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Declare a method that fills its tensor with draws, by a rule that checks the arguments and chooses the draw."""

    def declare(rule: Callable[..., Answer]) -> Callable[..., Answer]:
        op = Op(name, "random", "random_sampling", words, rule=rule, kernel=fill_draws, forms=frozenset(("method",)))

        def plain(input: Tensor, *args: Any, **named: Any) -> Tensor:
            return compute(fill_draws, rule(input, *args, **named), input)

        plain.__signature__ = signature(rule)  # type: ignore[attr-defined]
        stations.bind(add_row(op), plain)
        return rule

    return declare


def drawn(t: Tensor, draw: Draw, *read: Tensor) -> Answer:
    """What the rule of such a method returns; `read` are tensors that the draws are compared with."""
    return Result(t._array.shape, t._dtype), (draw, t._array, *[r._array for r in read])


def fill_draws(target: np.ndarray, draw: Draw, *read: np.ndarray) -> None:
    """Fill an array with draws, in the order in which its elements lie in memory."""
    array = in_memory_order(target)
    assign(array, draw(array.size).reshape(array.shape))


def making(name: str, words: str, fast: Callable[..., Tensor | None] | None = None) -> Callable:
    """Declare an op that makes a tensor of random numbers, with and without a stream of its own."""
    return creation_row(name, words, category="random_sampling", family="random", fast=fast)


def stream(generator: Any) -> Generator:
    """Returns the generator to draw from."""
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        kind = type(generator).__name__
        refuse(TypeError, f"argument 'generator' must be torch.Generator, not {kind}", rule="argument.type")
    return generator


# -- refusals ----------------------------------------------------------------------------------------------------


def no_kernel(stub: str, t: Tensor, *kinds: int) -> None:
    """Refuse a dtype that PyTorch does not sample. PyTorch checks it only if there is a number to draw."""
    if t._array.size:
        no_such_numbers(stub, t._dtype, *kinds)


def no_such_numbers(stub: str, d: dtype, *kinds: int) -> None:
    """Refuse a dtype that PyTorch does not sample."""
    if d._kind not in kinds or d in dtypes.FLOAT8 or d in dtypes.BAREBONES_UNSIGNED:
        refuse(
            NotImplementedError,
            f"\"{stub}\" not implemented for '{d._type_name}'",
            f"there are no such random numbers of {d}",
            "dtype=torch.float32",
            rule="random.dtype",
        )


def out_of_range(message: str, because: str) -> None:
    """Refuse an invalid parameter of a distribution."""
    refuse(RuntimeError, message, because, rule="random.range")


# -- writing -----------------------------------------------------------------------------------------------------


def fill(t: Tensor, draw: Draw) -> Tensor:
    """Fill a tensor with draws, in memory order."""
    check_writable(t)
    filled(t, draw)
    bump_version(t)
    return t


def filled(t: Tensor, draw: Draw) -> Tensor:
    """A new tensor with its first numbers: that is no write, so its version stays 0."""
    if place_of(t).has_numbers:
        fill_draws(t._array, draw)
    return t


def in_memory_order(array: np.ndarray, by: np.ndarray | None = None) -> np.ndarray:
    """The array with its dimensions in the order in which its numbers (or those of another) lie in memory.

    PyTorch walks through memory so.
    """
    by = array if by is None else by
    if by.flags.c_contiguous:
        return array
    return array.transpose(walk(by.shape, by.strides))


def is_serial(t: Tensor) -> bool:
    """Whether normal numbers are drawn one by one: PyTorch's blocks are for contiguous memory."""
    return place_of(t).has_numbers and not t._array.flags.c_contiguous


def into(
    name: str, out: Tensor, size: tuple[int, ...], draw: Callable[[Tensor], Draw], requires_grad: Any = None
) -> Tensor:
    """Draws written into `out=`, which is given the size first."""
    check_out_grad(name, out)
    check_requires_grad(requires_grad, out._dtype)
    if out._array.shape != size:
        resize(out, size)
    fill(out, draw(out))
    if requires_grad:
        out._requires_grad = True
    return out


# -- creation ----------------------------------------------------------------------------------------------------


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


def checked_range(low: int, high: int, d: dtype) -> tuple[int, int]:
    """The bounds of whole numbers that a dtype can hold; floats that skip some are rounded to what they hold."""
    if low >= high:
        out_of_range(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
            f"there is no whole number from {low} up to, and without, {high}",
        )
    if d._kind == FLOAT:
        no_such_numbers("random_update_from_to", d, FLOAT)
        low, high = _held_from(low, d), _held_to(high, d)
        if low >= high:
            out_of_range(
                "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
                f"from={low} >= to={high}",
                f"{d} holds no whole number in between",
            )
    check_bounds(low, high - 1, d)
    return low, high


def _held_from(low: int, d: dtype) -> int:
    """The lowest number at or above a bound that a float holds, where the next one is rounded down past it."""
    rounded = _as_held(low + 1, d)
    return low if rounded >= low else rounded + (1 << (abs(low + 1).bit_length() - DIGITS[d]))


def _held_to(high: int, d: dtype) -> int:
    rounded = _as_held(high - 1, d)
    return high if rounded < high else rounded - (1 << (abs(high - 1).bit_length() - DIGITS[d]))


def _as_held(n: int, d: dtype) -> int:
    """A whole number as a float holds it; where it is beyond all of them, a processor says this."""
    held = float(n) if d is dtypes.float64 else float(np.float32(n).astype(d._in_numpy))
    return int(held) if abs(held) < 2.0**63 else -(2**63)


def check_bounds(low: int, last: int, d: dtype) -> None:
    """Refuse bounds that a dtype cannot hold, and warn where its floats are too far apart for every whole number."""
    if d._kind == COMPLEX:
        out_of_range(
            "check_random_bounds handles only integral, floating-point and boolean types",
            "complex numbers have no order, so there are none between two bounds",
        )
    if d._kind == FLOAT:
        digits, largest = DIGITS[d], _LARGEST[d]
        for name, bound in (("from", low), ("to - 1", last)):
            if abs(bound) > largest:
                out_of_range(f"{name} is out of bounds for {cpp_name(d)}", f"{d} ends at {largest:g}")
        for name, bound in (("from", low), ("to - 1", last)):
            if abs(bound) > 1 << digits:
                warn(
                    f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                    f"{cpp_name(d)} can support discrete uniform distribution only within this range. This warning "
                    "will become an error in version 1.7 release, please fix the code in advance",
                    once=True,
                )
        return
    least, most = (0, 1) if d._kind == BOOL else (int(np.iinfo(d._in_numpy).min), int(np.iinfo(d._in_numpy).max))
    for name, bound in (("from", low), ("to - 1", last)):
        if not least <= bound <= most:
            out_of_range(f"{name} is out of bounds for {cpp_name(d)}", f"{d} holds {least} to {most}")


_LARGEST = {dtypes.float64: 1.8e308, dtypes.float32: 3.4e38, dtypes.float16: 65504.0, dtypes.bfloat16: 3.38e38}


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


# -- in place ----------------------------------------------------------------------------------------------------


@filling("uniform_", "Fills the tensor with numbers drawn from a uniform distribution.")
def uniform_(input: Tensor, from_: float = 0.0, to: float = 1.0, *, generator: Any = None, **named: float) -> Answer:
    low, high, d = float(named.get("from", from_)), float(to), input._dtype
    if d._kind != COMPLEX or input._array.size:
        no_such_numbers("check_uniform_bounds", d, FLOAT, COMPLEX)
        _check_uniform(low, high, d.to_real())
    return drawn(input, uniform_numbers(stream(generator), d, low, high))


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
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Answer:
    check_std(float(std))
    no_kernel("normal_kernel_cpu", input, FLOAT, COMPLEX)
    return drawn(input, normal_numbers(stream(generator), input._dtype, float(mean), float(std), is_serial(input)))


def check_std(std: float) -> None:
    if not std >= 0:
        out_of_range(f"normal expects std >= 0.0, but found std {std:g}", "a standard deviation is a distance")


@filling("random_", "Fills the tensor with random integers.")
def random_(input: Tensor, from_: Any = ..., to: Any = ..., *, generator: Any = None, **named: Any) -> Answer:
    d, g = input._dtype, stream(generator)
    low = named.get("from", from_)
    if low is ... and to is ...:
        no_kernel("random_kernel_cpu", input, FLOAT, INTEGER, BOOL)
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
        last, low = 1 << DIGITS[d], _held_from(low, d)
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
def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Any = None) -> Answer:
    return drawn(input, tosses(input, p, stream(generator)), *[p] * isinstance(p, Tensor))


def tosses(t: Tensor, p: Any, g: Generator) -> Draw:
    """1 with a probability, or with one for each element: these are read in the order in which it lies in memory."""
    if isinstance(p, Tensor):
        no_kernel("bernoulli_tensor_cpu_self_", t, FLOAT, INTEGER, BOOL)
        if t._array.size:
            no_such_numbers("bernoulli_tensor_cpu_p_", p._dtype, FLOAT)
        stretched = registry.OPS["expand"].function(p, t._array.shape)

        def compared(count: int) -> np.ndarray:
            return _below(g, in_memory_order(stretched._array, by=t._array).reshape(-1), p._dtype)

        return compared
    if not 0 <= p <= 1:
        out_of_range(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}", "a probability lies between 0 and 1")
    no_kernel("bernoulli_scalar_cpu_", t, FLOAT, INTEGER, BOOL)
    return lambda count: (g.doubles(count) < p).astype(np.float64)


def check_chances(p: Tensor) -> None:
    """Refuse what is no probability: numbers that are not floating-point, and those outside 0 to 1."""
    no_such_numbers("bernoulli_tensor_cpu_p_", p._dtype, FLOAT)
    if place_of(p).has_numbers:
        _check_range(p._array)


def _check_range(chance: np.ndarray) -> None:
    if ((chance < 0) | (chance > 1)).any():
        refuse(
            RuntimeError,
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
            "a probability lies between 0 and 1",
            rule="random.range",
        )


def _below(g: Generator, chance: np.ndarray, d: dtype) -> np.ndarray:
    _check_range(chance)
    drawn = g.doubles(chance.size) if d is dtypes.float64 else g.floats(chance.size)
    return (drawn < chance).astype(np.float64)


def _check_continuous(t: Tensor, what: str, spoken: str, stub: str) -> None:
    """Refuse dtypes that are not floating-point."""
    if t._dtype._kind != FLOAT:
        out_of_range(
            f"{what} distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {spoken}",
            f"{t._dtype} does not hold the fractions between whole numbers",
        )
    no_kernel(stub, t, FLOAT)


@filling("exponential_", "Fills the tensor with numbers drawn from an exponential distribution.")
def exponential_(input: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Answer:
    if not lambd > 0:
        out_of_range(
            f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}", "a rate counts events and is above 0"
        )
    if input._array.size:
        _check_continuous(input, "Exponential", input._dtype._type_name, "exponential_cpu")
    return drawn(input, exponential_numbers(stream(generator), float(lambd)))


@filling("geometric_", "Fills the tensor with numbers drawn from a geometric distribution.")
def geometric_(input: Tensor, p: float, *, generator: Any = None) -> Answer:
    if not 0 < p < 1:
        out_of_range(
            f"geometric_ expects p to be in (0, 1), but got p={p:g}", "what never or always happens needs no tries"
        )
    no_kernel("geometric_cpu", input, FLOAT, INTEGER)
    return drawn(input, geometric_numbers(stream(generator), p))


@filling("cauchy_", "Fills the tensor with numbers drawn from a Cauchy distribution.")
def cauchy_(input: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Answer:
    if not sigma > 0:
        out_of_range(
            f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}", "the width of the distribution is above 0"
        )
    _check_continuous(input, "Cauchy", cpp_name(input._dtype), "cauchy_cpu")
    return drawn(input, cauchy_numbers(stream(generator), median, sigma))


@filling("log_normal_", "Fills the tensor with numbers drawn from a log-normal distribution.")
def log_normal_(input: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Answer:
    if not std > 0:
        out_of_range(f"log_normal_ expects std > 0.0, but found std={std:g}", "a standard deviation is above 0 here")
    no_kernel("log_normal_cpu", input, FLOAT)
    return drawn(input, log_normal_numbers(stream(generator), float(mean), float(std)))
