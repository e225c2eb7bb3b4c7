"""Random sampling: PyTorch's stream on the CPU, number for number.

What is done with the draws is told beside each function. Numbers are drawn in the order in which the elements lie in
memory; `randn` of 16 numbers and more goes in blocks of 16.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dispatch, dtypes
from ..device import CPU
from ..dispatch import Op, add_row
from ..dtypes import COMPLEX, FLOAT, INTEGER, dtype
from ..generator import Generator, default_generator
from ..numbers import assign, cast
from ..quiet import quietly
from ..reasons import refuse
from ..reduce import finish, must_be_tensor
from ..tensor import Tensor, size_and_stride, written
from ..views import as_shape
from ..writing import check_writable
from .copying import stride_for
from .filled import made
from .reshaping import is_meta


def sampling(name: str, words: str, forms: str = "function") -> Callable[[Callable], Callable]:
    """Declare an op that draws random numbers."""

    def declare(plain: Callable) -> Callable:
        row = Op(name, "random", "random_sampling", words, kernel=plain, forms=frozenset(forms.split()))
        return dispatch.bind(add_row(row), plain)

    return declare


def stream(generator: Any) -> Generator:
    """The stream that is drawn from."""
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        kind = type(generator).__name__
        refuse(TypeError, f"argument 'generator' must be torch.Generator, not {kind}", rule="argument.type")
    return generator


def no_kernel(stub: str, d: dtype, *kinds: int) -> None:
    """Refuse a dtype that PyTorch does not sample."""
    if d.kind not in kinds or d in dtypes.FLOAT8:
        refuse(
            NotImplementedError,
            f"\"{stub}\" not implemented for '{d.type_name}'",
            f"there are no such random numbers of {d}",
            "dtype=torch.float32",
            rule="random.dtype",
        )


def fill(t: Tensor, draw: Callable[[int], np.ndarray]) -> Tensor:
    """Overwrite a tensor with as many draws as it has elements, in the order of memory."""
    check_writable(t)
    filled(t, draw)
    written(t)
    return t


def filled(t: Tensor, draw: Callable[[int], np.ndarray]) -> Tensor:
    """A new tensor with its first numbers: that is no write, so its version stays 0."""
    if not is_meta(t):
        array = in_memory_order(t._array)
        assign(array, draw(array.size).reshape(array.shape))
    return t


def in_memory_order(array: np.ndarray) -> np.ndarray:
    """The array with its dimensions in the order in which they lie in memory: so PyTorch walks it."""
    if array.flags.c_contiguous:
        return array
    return array.transpose(sorted(range(array.ndim), key=lambda d: -array.strides[d]))


def is_serial(t: Tensor) -> bool:
    """Whether normal numbers are drawn one by one: PyTorch's blocks are for contiguous memory."""
    return not is_meta(t) and not t._array.flags.c_contiguous


# -- the distributions, as functions from a count to numbers -----------------------------------------------------


def uniform_numbers(g: Generator, d: dtype, low: float, high: float) -> Callable[[int], np.ndarray]:
    """float64: 53 bits of two draws; anything smaller: 24 bits of one, stretched in float64 and rounded once."""

    def draw(count: int) -> np.ndarray:
        if d.kind == COMPLEX:
            parts = uniform_numbers(g, d.to_real(), low, high)(2 * count)
            return parts.view(d.numpy)
        if d is dtypes.float64:
            # One fused multiply-add: the product is not rounded by itself.
            return (g.doubles(count).astype(np.longdouble) * (high - low) + low).astype(np.float64)
        found = g.floats(count)
        if low != 0 or high != 1:
            found = (found.astype(np.float64) * (high - low) + low).astype(np.float32)
        if d is not dtypes.float32:
            # Rounding to 16 bits may reach the bound that is left out; PyTorch starts over from the lower one.
            found = cast(found, d)
            found[found == cast(np.asarray(high, np.float32), d)] = low
        return found

    return draw


def normal_numbers(
    g: Generator, d: dtype, mean: float, std: float, serial: bool = False
) -> Callable[[int], np.ndarray]:
    """Fewer than 16, or not contiguous: pairs of Box and Muller, the second kept. From 16 on: blocks of 16."""

    def draw(count: int) -> np.ndarray:
        if d.kind == COMPLEX:
            real = d.to_real()
            parts = normal_numbers(g, real, mean, std / float(np.sqrt(2.0)), serial)(2 * count)
            return parts.astype(real.numpy).view(d.numpy)
        if count < 16 or serial:
            return np.array([next_normal(g) * std + mean for _ in range(count)], np.float64)
        if d is dtypes.float64:
            return _blocks(g.doubles, count, mean, std, np.float64)
        return _blocks(g.floats, count, mean, std, np.float32, thrifty=d is not dtypes.float32)

    return draw


def next_normal(g: Generator) -> float:
    """One normal number: the cosine half of a pair, or the sine half that was kept."""
    if g.next_normal is not None:
        kept, g.next_normal = g.next_normal, None
        return kept
    u1, u2 = g.doubles(2)
    radius = np.sqrt(-2.0 * np.log1p(-u2))
    theta = 2.0 * np.pi * u1
    g.next_normal = float(radius * np.sin(theta))
    return float(radius * np.cos(theta))


def _blocks(
    uniform: Callable[[int], np.ndarray], count: int, mean: float, std: float, kind: Any, thrifty: bool = False
) -> np.ndarray:
    """Whole blocks of 16 in place; a ragged tail is drawn again, as the last 16 numbers.

    PyTorch draws the tail's numbers twice, but for 16-bit floats only once.
    """
    whole = count - count % 16
    x = np.empty(count, kind)
    drawn = uniform(whole if thrifty else count)
    x[:whole] = _pairs(drawn[:whole], mean, std, kind)
    if whole != count:
        x[count - 16 :] = _pairs(uniform(16), mean, std, kind)
    return x


def _pairs(x: np.ndarray, mean: float, std: float, kind: Any) -> np.ndarray:
    blocks = x.reshape(-1, 2, 8)
    u1, u2 = kind(1) - blocks[:, 0], blocks[:, 1]
    radius = np.sqrt(kind(-2) * np.log(u1))
    theta = kind(2 * np.pi) * u2
    both = np.stack([radius * np.cos(theta), radius * np.sin(theta)], 1)
    return (both * kind(std) + kind(mean)).reshape(-1)


def whole_numbers(g: Generator, low: int, high: int) -> Callable[[int], np.ndarray]:
    """low + a draw modulo the width; a wide range takes 64-bit draws."""
    width = high - low

    def draw(count: int) -> np.ndarray:
        raw = g.draws64(count) if width >= 1 << 28 else g.draws32(count)
        found = raw % np.uint64(width) if width < 1 << 64 else raw
        return found.astype(np.int64) + np.int64(low) if low >= -(2**63) else found.astype(np.int64)

    return draw


# -- creation ----------------------------------------------------------------------------------------------------


def _created(name: str, size: Any, options: dict[str, Any]) -> Tensor:
    return made(name, as_shape(name, size), None, options.pop("dtype", None) or dtypes.get_default_dtype(), **options)


@sampling("rand", "Uniform numbers from 0 up to, and without, 1.")
def rand(*size: Any, generator: Any = None, **options: Any) -> Tensor:
    size = size or (options.pop("size"),)
    t = _created("rand", size, options)
    no_kernel("check_uniform_bounds", t._dtype, FLOAT, COMPLEX)
    return filled(t, uniform_numbers(stream(generator), t._dtype, 0.0, 1.0))


@sampling("randn", "Normal numbers around 0 with standard deviation 1.")
def randn(*size: Any, generator: Any = None, **options: Any) -> Tensor:
    size = size or (options.pop("size"),)
    t = _created("randn", size, options)
    no_kernel("normal_kernel_cpu", t._dtype, FLOAT, COMPLEX)
    return filled(t, normal_numbers(stream(generator), t._dtype, 0.0, 1.0))


@sampling("randint", "Whole numbers from low (0 if it is not named) up to, and without, high.")
def randint(*args: Any, generator: Any = None, **options: Any) -> Tensor:
    low, high, size = _randint_arguments(args, options)
    d = options.pop("dtype", None) or dtypes.int64
    _check_range(low, high, d)
    t = made("randint", as_shape("randint", (size,)), None, d, **options)
    return filled(t, whole_numbers(stream(generator), low, high))


def _randint_arguments(args: tuple, options: dict[str, Any]) -> tuple[int, int, Any]:
    given = list(args)
    size = options.pop("size", None)
    if size is None and given and isinstance(given[-1], (tuple, list)):
        size = given.pop()
    high = options.pop("high", None)
    low = options.pop("low", None)
    if high is None and given:
        high = given.pop()
    if low is None and given:
        low = given.pop()
    if size is None or high is None:
        refuse(
            TypeError,
            "randint() received an invalid combination of arguments",
            "randint is told a bound and a size",
            "torch.randint(10, (2, 3))",
            rule="argument.missing",
        )
    return int(low or 0), int(high), size


def _check_range(low: int, high: int, d: dtype) -> None:
    if low >= high:
        refuse(
            RuntimeError,
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
            f"there is no whole number from {low} up to, and without, {high}",
            rule="random.range",
        )
    if d.kind == INTEGER or d is dtypes.bool_:
        least, most = (0, 1) if d is dtypes.bool_ else (int(np.iinfo(d.numpy).min), int(np.iinfo(d.numpy).max))
        for name, bound in (("from", low), ("to - 1", high - 1)):
            if not least <= bound <= most:
                refuse(
                    RuntimeError,
                    f"{name} is out of bounds for {_C_NAMES.get(d.name, d.name)}",
                    f"{d} holds {least} to {most}",
                    rule="random.range",
                )
    elif d.kind == COMPLEX:
        refuse(NotImplementedError, f"\"check_random_bounds\" not implemented for '{d.type_name}'", rule="random.dtype")


_C_NAMES = {"uint8": "unsigned char", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long"}


@sampling("randperm", "The numbers from 0 to n - 1 in random order.")
def randperm(n: Any, *, generator: Any = None, **options: Any) -> Tensor:
    count = int(n)
    if count < 0:
        refuse(
            RuntimeError,
            f"Trying to create tensor with negative dimension {count}: [{count}]",
            "so many numbers there cannot be",
            rule="random.range",
        )
    d = options.pop("dtype", None) or dtypes.int64
    t = made("randperm", (count,), None, d, **options)

    def draw(total: int) -> np.ndarray:
        order = np.arange(total)
        if total > 1:
            steps = stream(generator).draws32(total - 1) % np.arange(total, 1, -1, dtype=np.uint64)
            for i, step in enumerate(steps.tolist()):
                j = i + step
                order[i], order[j] = order[j], order[i]
        return order

    return filled(t, draw)


def _like(name: str, input: Tensor, options: dict[str, Any]) -> Tensor:
    must_be_tensor(name, input)
    size, stride = size_and_stride(input)
    options.pop("layout", None)
    d = options.pop("dtype", None) or input._dtype
    memory_format = options.pop("memory_format", None)
    device = options.pop("device", None) or input.device
    return made(name, size, None, d, stride=stride_for(size, stride, memory_format), device=device, **options)


@sampling("rand_like", "Uniform numbers in the size and dtype of another tensor.")
def rand_like(input: Tensor, *, generator: Any = None, **options: Any) -> Tensor:
    t = _like("rand_like", input, options)
    no_kernel("check_uniform_bounds", t._dtype, FLOAT, COMPLEX)
    return filled(t, uniform_numbers(stream(generator), t._dtype, 0.0, 1.0))


@sampling("randn_like", "Normal numbers in the size and dtype of another tensor.")
def randn_like(input: Tensor, *, generator: Any = None, **options: Any) -> Tensor:
    t = _like("randn_like", input, options)
    no_kernel("normal_kernel_cpu", t._dtype, FLOAT, COMPLEX)
    return filled(t, normal_numbers(stream(generator), t._dtype, 0.0, 1.0, is_serial(t)))


@sampling("randint_like", "Whole numbers in the size and dtype of another tensor.")
def randint_like(input: Tensor, *args: Any, generator: Any = None, **options: Any) -> Tensor:
    low, high, _ = _randint_arguments((*args, ()), options)
    t = _like("randint_like", input, options)
    _check_range(low, high, t._dtype)
    return filled(t, whole_numbers(stream(generator), low, high))


# -- in place ----------------------------------------------------------------------------------------------------


@sampling("uniform_", "Overwritten with uniform numbers.", "method")
def uniform_(input: Tensor, from_: float = 0.0, to: float = 1.0, *, generator: Any = None, **named: float) -> Tensor:
    low, high = float(named.get("from", from_)), float(to)
    no_kernel("check_uniform_bounds", input._dtype, FLOAT, COMPLEX)
    if low > high:
        refuse(
            RuntimeError,
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}",
            "the lower bound stands above the upper",
            rule="random.range",
        )
    return fill(input, uniform_numbers(stream(generator), input._dtype, low, high))


@sampling("normal_", "Overwritten with normal numbers.", "method")
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    no_kernel("normal_kernel_cpu", input._dtype, FLOAT, COMPLEX)
    _check_std(float(std))
    return fill(input, normal_numbers(stream(generator), input._dtype, float(mean), float(std), is_serial(input)))


def _check_std(std: float) -> None:
    if std < 0:
        refuse(
            RuntimeError,
            f"normal expects std >= 0.0, but found std {std:g}",
            "a standard deviation is a distance",
            rule="random.range",
        )


@sampling("random_", "Overwritten with whole numbers.", "method")
def random_(input: Tensor, from_: Any = None, to: Any = None, *, generator: Any = None, **named: Any) -> Tensor:
    d, g = input._dtype, stream(generator)
    low = named.get("from", from_)
    if low is None and to is None:
        return fill(input, _any_number(g, d))
    if to is None and "from" not in named:
        low, to = 0, low
    if to is None:
        to = (1 << {"float32": 24, "float16": 11, "bfloat16": 8, "float64": 53}.get(d.name, d.itemsize * 8 - 1)) + (
            1 if d.kind == FLOAT else 0
        )
    _check_range(int(low or 0), int(to), d)
    return fill(input, whole_numbers(g, int(low or 0), int(to)))


def _any_number(g: Generator, d: dtype) -> Callable[[int], np.ndarray]:
    """Any number that the dtype holds exactly, from 0 on."""

    def draw(count: int) -> np.ndarray:
        if d is dtypes.bool_:
            return (g.draws32(count) & np.uint64(1)).astype(bool)
        if d.kind == FLOAT:
            digits = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}[d.name]
            raw = g.draws64(count) if d is dtypes.float64 else g.draws32(count)
            return (raw % np.uint64((1 << digits) + 1)).astype(np.int64)
        if d in (dtypes.int64, dtypes.uint64, dtypes.uint32):
            raw = g.draws64(count)
            return (raw % np.uint64(1 << 63)).astype(np.int64) if d is dtypes.int64 else raw
        return (g.draws32(count) % np.uint64(int(np.iinfo(d.numpy).max) + 1)).astype(np.int64)

    return draw


@sampling("bernoulli_", "Overwritten with 1 with a probability, else 0.", "method")
def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    return fill(input, _tosses(input, p, stream(generator)))


def _tosses(input: Tensor, p: Any, g: Generator) -> Callable[[int], np.ndarray]:
    if isinstance(p, Tensor):
        chance = np.broadcast_to(p._array, input._array.shape).reshape(-1)
        return lambda count: _below(g, chance, p._dtype)
    if not 0 <= p <= 1:
        refuse(
            RuntimeError,
            f"bernoulli_ expects p to be in [0, 1], but got p={p:g}",
            "a probability lies between 0 and 1",
            rule="random.range",
        )
    return lambda count: (g.doubles(count) < p).astype(np.float64)


def _below(g: Generator, chance: np.ndarray, d: dtype) -> np.ndarray:
    if ((chance < 0) | (chance > 1)).any():
        refuse(
            RuntimeError,
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
            "a probability lies between 0 and 1",
            rule="random.range",
        )
    drawn = g.doubles(chance.size) if d is dtypes.float64 else g.floats(chance.size)
    return (drawn < chance).astype(np.float64)


@sampling("bernoulli", "1 with the probability that the tensor tells for each element, else 0.", "function method")
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Tensor | None = None) -> Tensor:
    must_be_tensor("bernoulli", input)
    size, stride = size_and_stride(input)
    if p is None:
        no_kernel("bernoulli_tensor_cpu_p_", input._dtype, FLOAT)
    p = input if p is None else p
    if out is not None:
        return bernoulli_(out, p, generator=generator)
    stride = stride_for(size, stride, None)
    result = made("bernoulli", size, None, input._dtype, stride=stride, device=input.device)
    return filled(result, _tosses(result, p, stream(generator)))


def _exponential_numbers(g: Generator, rate: float) -> Callable[[int], np.ndarray]:
    return lambda count: -np.log1p(-g.doubles(count)) / rate


@sampling("exponential_", "Overwritten with exponential numbers of a rate.", "method")
def exponential_(input: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    no_kernel("exponential_kernel_cpu", input._dtype, FLOAT)
    if lambd <= 0:
        refuse(
            RuntimeError,
            f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}",
            "a rate counts events and is above 0",
            rule="random.range",
        )
    return fill(input, _exponential_numbers(stream(generator), float(lambd)))


@sampling("geometric_", "Overwritten with how many tries the first success took.", "method")
def geometric_(input: Tensor, p: float, *, generator: Any = None) -> Tensor:
    if not 0 < p < 1:
        refuse(
            RuntimeError,
            f"geometric_ expects p to be in (0, 1), but got p={p:g}",
            "what never or always happens needs no tries",
            rule="random.range",
        )
    g = stream(generator)
    return fill(input, lambda count: np.ceil(quietly(np.log, g.doubles(count)) / np.log1p(-p)))


@sampling("cauchy_", "Overwritten with Cauchy numbers.", "method")
def cauchy_(input: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Tensor:
    no_kernel("cauchy_kernel_cpu", input._dtype, FLOAT)
    if sigma <= 0:
        refuse(
            RuntimeError,
            f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}",
            "the width of the distribution is above 0",
            rule="random.range",
        )
    g = stream(generator)
    return fill(input, lambda count: median + sigma * np.tan(np.pi * (g.doubles(count) - 0.5)))


@sampling("log_normal_", "Overwritten with numbers whose logarithms are normal.", "method")
def log_normal_(input: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Tensor:
    no_kernel("log_normal_kernel_cpu", input._dtype, FLOAT)
    if std <= 0:
        refuse(
            RuntimeError,
            f"log_normal_ expects std > 0.0, but found std={std:g}",
            "a standard deviation is above 0 here",
            rule="random.range",
        )
    g = stream(generator)
    return fill(input, lambda count: np.exp([next_normal(g) * std + mean for _ in range(count)]))


# -- drawn from other tensors ------------------------------------------------------------------------------------


@sampling("normal", "Normal numbers with a mean and a standard deviation each, or of one size.")
def normal(
    mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None, out: Any = None, **options: Any
) -> Tensor:
    if isinstance(std, Tensor) and std._array.size and not is_meta(std) and bool((std._array < 0).any()):
        refuse(
            RuntimeError,
            "normal expects all elements of std >= 0.0",
            "a standard deviation is a distance",
            rule="random.range",
        )
    if not isinstance(std, Tensor):
        _check_std(float(std))
    if size is not None:
        if options.get("device") is None:
            options["device"] = CPU  # PyTorch's one random function of a size that knows no default device
        t = made(
            "normal",
            as_shape("normal", (size,)),
            None,
            options.pop("dtype", None) or dtypes.get_default_dtype(),
            **options,
        )
        return filled(t, normal_numbers(stream(generator), t._dtype, float(mean), float(std)))
    from .reshaping import broadcast_size

    shapes = [x._array.shape for x in (mean, std) if isinstance(x, Tensor)]
    like = mean if isinstance(mean, Tensor) else std
    plain = made("normal", broadcast_size(*shapes), None, like._dtype, device=like.device)
    filled(plain, normal_numbers(stream(generator), plain._dtype, 0.0, 1.0))
    functions = dispatch.OPS
    return functions["add"].function(functions["mul"].function(plain, std), mean).to(like._dtype)


@sampling("poisson", "Poisson numbers with the rate that the tensor tells for each element.")
def poisson(input: Tensor, generator: Any = None) -> Tensor:
    must_be_tensor("poisson", input)
    no_kernel("poisson_cpu", input._dtype, FLOAT)
    size, stride = size_and_stride(input)
    t = made("poisson", size, None, input._dtype, stride=stride_for(size, stride, None), device=input.device)
    rates = input._array.reshape(-1).astype(np.float64)
    if (rates < 0).any():
        refuse(
            RuntimeError,
            "invalid Poisson rate, expected rate to be non-negative",
            "a rate counts events",
            rule="random.range",
        )
    g = stream(generator)
    return filled(t, lambda count: np.array([_poisson(g, float(rate)) for rate in rates]))


def _poisson(g: Generator, rate: float) -> float:
    """Small rates: multiply uniform numbers. From 10 on: Hörmann's rejection with a transformed table mountain."""
    from math import exp, lgamma, log, sqrt

    if rate == 0:
        return 0.0
    if rate < 10:
        limit, product, count = exp(-rate), 1.0, 0
        while True:
            product *= float(g.doubles(1)[0])
            if product <= limit:
                return float(count)
            count += 1
    slope = 0.931 + 2.53 * sqrt(rate)
    shift = -0.059 + 0.02483 * slope
    inverse = 1.1239 + 1.1328 / (slope - 3.4)
    ridge = 0.9277 - 3.6224 / (slope - 2)
    while True:
        u = float(g.doubles(1)[0]) - 0.5
        v = float(g.doubles(1)[0])
        us = 0.5 - abs(u)
        k = float(np.floor((2 * shift / us + slope) * u + rate + 0.43)) if us else float("inf")
        if us >= 0.07 and v <= ridge:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if log(v) + log(inverse) - log(shift / (us * us) + slope) <= -rate + k * log(rate) - lgamma(k + 1):
            return k


@sampling("multinomial", "Places drawn by weight, with or without putting them back.", "function method")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None, out: Any = None
) -> Tensor:
    must_be_tensor("multinomial", input)
    weights = input._array
    if weights.ndim not in (1, 2):
        refuse(RuntimeError, "prob_dist must be 1 or 2 dim", "one row of weights, or several", rule="random.weights")
    if input._dtype.kind != FLOAT:
        refuse(
            RuntimeError,
            f"multinomial only supports floating-point dtypes for input, got: {input._dtype.type_name}",
            "a weight may be a fraction",
            "weights.float()",
            rule="random.dtype",
        )
    if out is not None and out._dtype is not dtypes.int64:
        refuse(
            RuntimeError,
            f"multinomial expects Long tensor out, got: {out._dtype.type_name}",
            "places are counted in int64",
            "out=torch.empty(0, dtype=torch.int64)",
            rule="out.dtype",
        )
    n = weights.shape[-1]
    if num_samples <= 0:
        refuse(
            RuntimeError, "cannot sample n_sample <= 0 samples", "at least one place is drawn", rule="random.weights"
        )
    if not replacement and num_samples > n:
        refuse(
            RuntimeError,
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
            f"{num_samples} places cannot be drawn from {n} without putting them back",
            "replacement=True",
            rule="random.weights",
        )
    if n > 1 << 24:
        refuse(
            RuntimeError,
            "number of categories cannot exceed 2^24",
            f"{n} weights are more than float32 can count one by one",
            rule="random.weights",
        )
    g = stream(generator)
    if is_meta(input):
        return finish((*weights.shape[:-1], num_samples), dtypes.int64, out, lambda target: None, True)
    rows = weights.reshape(-1, n).astype(np.float64 if input._dtype is dtypes.float64 else np.float32)
    _check_weights(rows, one_by_one=replacement and num_samples > 1)
    size = (*weights.shape[:-1], num_samples)
    t = made("multinomial", size, None, dtypes.int64, device=input.device)
    if replacement:
        filled(t, lambda count: _with_replacement(g, rows, num_samples))
    else:
        filled(t, lambda count: _without_replacement(g, rows, num_samples, input._dtype))
    return t if out is None else finish(size, dtypes.int64, out, lambda target: np.copyto(target, t._array), is_meta(t))


def _check_weights(rows: np.ndarray, one_by_one: bool) -> None:
    """Refuse weights that are no numbers, are negative, or are all 0. Where many are drawn, the first one is named."""
    bad = rows[~(np.isfinite(rows) & (rows >= 0))]
    if bad.size:
        which = "= infinity or NaN" if bad[0] == np.inf else "< 0"  # NaN fails the question for >= 0 first
        refuse(
            RuntimeError,
            f"invalid multinomial distribution (encountering probability entry {which})"
            if one_by_one
            else "probability tensor contains either `inf`, `nan` or element < 0",
            f"{bad[0]} is no weight: a weight is a number that is not negative",
            rule="random.weights",
        )
    if not rows.any(axis=-1).all():
        refuse(
            RuntimeError,
            "invalid multinomial distribution (sum of probabilities <= 0)",
            "where all weights are 0, nothing can be drawn",
            rule="random.weights",
        )


def _with_replacement(g: Generator, rows: np.ndarray, num_samples: int) -> np.ndarray:
    found = []
    for row in rows:
        steps = np.cumsum(row)
        steps = steps / steps[-1]
        steps[-1] = 1
        found.append(np.searchsorted(steps, g.doubles(num_samples), side="left"))
    return np.array(found)


def _without_replacement(g: Generator, rows: np.ndarray, num_samples: int, d: dtype) -> np.ndarray:
    """Each weight races an exponential clock; the first to ring are drawn."""
    clocks = _exponential_numbers(g, 1.0)(rows.size).reshape(rows.shape).astype(rows.dtype)
    race = quietly(np.divide, rows, clocks)
    return np.argsort(-race, axis=-1, kind="stable")[:, :num_samples]
