"""Random sampling with parameters from tensors: normal, bernoulli, poisson, binomial, multinomial."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import assign
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_size
from ...declare.by_signature import calls
from ...declare.creation import check_out, check_out_grad
from ...declare.rules import Answer, New, Result, composite_row, computed_row
from ...dispatch import registry
from ...errors.reasons import refuse
from ...memory.places import contiguous, empty
from ...memory.places import place_of as place_of_array
from ...tensor.generator import Generator
from ...tensor.lookups import size_and_stride
from ...tensor.moving.resizing import resize_output
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import copies
from ...tensor.tensor import Tensor
from ...tensor.versions import as_one_write
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.device import CPU
from ...types.dtypes import COMPLEX, FLOAT
from ..ordering.topk import top_places
from ..views.reshaping import broadcast_size
from .distributions import binomial_number, exponential_numbers, one_by_one, poisson_number
from .in_place import check_chances, check_std
from .sampling import fill_draws, into, no_such_numbers, out_of_range, stream

random_composite = partial(composite_row, family="random", category="random_sampling")


def _call(name: str, *args: Any, **named: Any) -> Tensor:
    return registry.OPS[name].function(*args, **named)


@random_composite(
    "normal", "Draws normal random numbers with the given means and standard deviations.", forms="function"
)
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None, out: Any = None, **options: Any
) -> Tensor:
    stream(generator)
    if isinstance(std, Tensor):
        _check_all_std(std)
    else:
        check_std(float(std))
    if size is not None:
        return _normal_of_size(float(mean), float(std), as_size("normal", size), generator, out, options)
    sizes = [x._array.shape for x in (mean, std) if isinstance(x, Tensor)]
    if not sizes:
        raise TypeError("normal() of two numbers needs a size")
    like = mean if isinstance(mean, Tensor) else std
    if not isinstance(std, Tensor) and out is not None:
        broadcast_size(*sizes, out._array.shape)
        sizes = [out._array.shape]  # which is not resized here
    size = broadcast_size(*sizes)
    if out is not None and out._array.shape != size:
        check_out_grad("normal", out)
        resize_output(out, size)
    if out is None:
        t = _call("empty", size, dtype=like._dtype, device=like.device)
        return _unwritten(_fill_normal(t, mean, std, generator))
    with as_one_write(out):
        return _fill_normal(_resized("normal", out, size), mean, std, generator)


def _fill_normal(t: Tensor, mean: Any, std: Any, generator: Generator | None) -> Tensor:
    """Normal numbers with a mean and a deviation of their own, or the same for all."""
    _call("normal_", t, 0.0, 1.0 if isinstance(std, Tensor) else float(std), generator=generator)
    if isinstance(std, Tensor):
        _call("mul_", t, std)
    return _call("add_", t, mean if isinstance(mean, Tensor) else float(mean))  # an integer may have more than 64 bits


def _unwritten(t: Tensor) -> Tensor:
    """A new tensor whose first numbers do not count as a write."""
    t._writes = 0
    return t


def _resized(name: str, out: Tensor, size: tuple[int, ...]) -> Tensor:
    """The `out=` of an op that fills it in its own dtype."""
    check_out_grad(name, out)
    return out if out._array.shape == size else _call("resize_", out, size)


def _check_all_std(std: Tensor) -> None:
    if std._dtype._kind == COMPLEX:
        out_of_range("normal expects standard deviation to be non-complex", "a standard deviation is a distance")
    if std._array.size and place_of(std).has_numbers and _call("lt", std, 0).any():
        out_of_range("normal expects all elements of std >= 0.0", "a standard deviation is a distance")


def _normal_of_size(
    mean: float,
    std: float,
    size: tuple[int, ...],
    generator: Generator | None,
    out: Tensor | None,
    options: dict[str, Any],
) -> Tensor:
    if out is not None:
        check_out(out, options.get("dtype"), options.get("layout"), options.get("device"))
        with as_one_write(out):
            return _call("normal_", _resized("normal", out, size), mean, std, generator=generator)
    if options.get("device") is None:
        options["device"] = CPU  # PyTorch's only random function of a size that ignores the default device
    requires_grad = options.pop("requires_grad", False)
    t = _unwritten(_call("normal_", _call("empty", size, **options), mean, std, generator=generator))
    if requires_grad:
        t.requires_grad = True  # type: ignore[attr-defined]
    return t


@random_composite("bernoulli", "Draws 1 with the probability given for each element, else 0.")
def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor:
    must_be_tensor("bernoulli", input)
    stream(generator)
    if p is not None and out is not None:
        raise TypeError("bernoulli() takes a number for all elements, or out=")
    size = input._array.shape
    chances = input if p is None else p
    if out is None:
        made = _call("empty", size, dtype=input._dtype, device=input.device)
        return _unwritten(_call("bernoulli_", made, chances, generator=generator))
    if input._array.size:
        check_chances(input)  # before `out` takes the size
    with as_one_write(out):
        return _call("bernoulli_", _resized("bernoulli", out, size), chances, generator=generator)


def fill_poisson(target: np.ndarray, rates: np.ndarray, g: Generator) -> None:
    rates = rates.reshape(-1).astype(np.float64)
    if not (rates >= 0).all():
        out_of_range("invalid Poisson rate, expected rate to be non-negative", "a rate counts events")
    numbers = np.zeros(len(rates))
    some = rates > 0
    numbers[some] = one_by_one(g, poisson_number, rates[some])
    assign(target, numbers.reshape(target.shape))


by_tensors = partial(computed_row, family="random", category="random_sampling", forms="function", out=None)


@by_tensors("poisson", "Draws from a Poisson distribution with the rate given for each element.", fill_poisson)
def poisson(input: Tensor, generator: Generator | None = None) -> Answer:
    must_be_tensor("poisson", input)
    no_such_numbers("poisson_cpu", input._dtype, FLOAT)
    return Result(input._array.shape, input._dtype), (input._array, stream(generator, input))


def fill_binomial(target: np.ndarray, counts: np.ndarray, chances: np.ndarray, g: Generator) -> None:
    n, p = (np.broadcast_to(a, target.shape).reshape(-1).astype(np.float64) for a in (counts, chances))
    numbers = np.where((n <= 0) | (p <= 0), 0.0, np.where(p >= 1, n, np.nan))
    some = (n > 0) & (p > 0) & (p < 1)
    number = partial(binomial_number, kind=target.dtype.type)
    numbers[some] = one_by_one(g, number, n[some], p[some])
    assign(target, numbers.reshape(target.shape))


@by_tensors(
    "binomial",
    "Draws from a binomial distribution with `count` trials of probability `prob` for each element.",
    fill_binomial,
)
def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Answer:
    must_be_tensor("binomial", count)
    must_be_tensor("binomial", prob)
    for t, called in ((count, "count"), (prob, "prob")):
        if t._dtype._kind != FLOAT:
            refuse(
                ValueError,
                f"binomial only supports floating-point dtypes for {called}, got: {t._dtype._type_name}",
                f"{called} is read as a float",
                f"{called}.float()",
                rule="random.dtype",
            )
    size = broadcast_size(count._array.shape, prob._array.shape)
    if count._dtype is not prob._dtype:
        out_of_range(
            f"Found dtype {prob._dtype._type_name} but expected {count._dtype._type_name}",
            "both tensors are of one dtype here",
        )
    if count._dtype not in (dtypes.float32, dtypes.float64):
        no_such_numbers("binomial_cpu", count._dtype)
    return Result(size, count._dtype), (count._array, prob._array, stream(generator, count))


# -- places by their weight --------------------------------------------------------------------------------------


def fill_places(
    target: np.ndarray, weights: np.ndarray, stride: tuple[int, ...], one_by_one: bool, g: Generator
) -> None:
    count, n = target.shape[-1], weights.shape[-1]
    if not target.size:
        return
    if not n and not one_by_one:
        refuse(
            RuntimeError,
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
            "the smallest and the largest weight are asked for first, and there is no weight",
            rule="random.weights",
        )
    _check_weights(weights, one_by_one)
    if one_by_one:
        wide = np.float64 if weights.dtype == np.float64 else np.float32
        places = _with_replacement(g, weights.reshape(-1, n).astype(wide), count)
    else:
        places = _without_replacement(g, weights, stride, count)
    target[...] = places.reshape(target.shape)


@calls(
    "multinomial",
    "Draws indices with probabilities proportional to weights, with or without replacement.",
    family="random",
    category="random_sampling",
    kernel=fill_places,
)
def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Answer | New:
    _check_weighing(input, num_samples, replacement, out)
    size = (*input._array.shape[:-1], num_samples)
    # One place alone is drawn as without putting back, whatever is asked for.
    clocks = geometry.preserve_stride(*size_and_stride(input))
    given = (input._array, clocks, replacement and num_samples > 1, stream(generator, input))
    if out is None:
        return Result(size, dtypes.int64), given

    def make(fill: Callable[[np.ndarray], None]) -> Tensor:
        if not place_of(out).has_numbers:
            return into("multinomial", out, size, fill)
        places = empty(size, out._array.dtype, like=out._array)
        fill(places)  # which may refuse, before `out` takes the size
        return into("multinomial", out, size, copies(places))

    return New(Result(size, dtypes.int64), given, make)


def _check_weighing(input: Tensor, num_samples: int, replacement: bool, out: Tensor | None) -> None:
    """Check the arguments that need no weight to be read."""
    if input._array.ndim not in (1, 2):
        refuse(RuntimeError, "prob_dist must be 1 or 2 dim", "one row of weights, or several", rule="random.weights")
    if input._dtype._kind != FLOAT:
        refuse(
            RuntimeError,
            f"multinomial only supports floating-point dtypes for input, got: {input._dtype._type_name}",
            "a weight may be a fraction",
            "weights.float()",
            rule="random.dtype",
        )
    if out is not None and out._dtype is not dtypes.int64:
        refuse(
            RuntimeError,
            f"multinomial expects Long tensor out, got: {out._dtype._type_name}",
            "places are counted in int64",
            "out=torch.empty(0, dtype=torch.int64)",
            rule="out.dtype",
        )
    n = input._array.shape[-1]
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


def _check_weights(weights: np.ndarray, one_by_one: bool) -> None:
    """Refuse weights that are not numbers, are negative, or are all 0. Where many are drawn, the first one is named."""
    bad = weights[~(np.isfinite(weights) & (weights >= 0))]
    if bad.size:
        which = "= infinity or NaN" if bad[0] == np.inf else "< 0"  # NaN fails the question for >= 0 first
        refuse(
            RuntimeError,
            f"invalid multinomial distribution (encountering probability entry {which})"
            if one_by_one
            else "probability tensor contains either `inf`, `nan` or element < 0",
            f"{float(bad[0]):.6g} is not a weight: a weight is a number that is not negative",
            "torch.softmax(x, dim=-1), which makes weights of any numbers",
            rule="random.weights",
        )
    if not weights.any(axis=-1).all():
        refuse(
            RuntimeError,
            "invalid multinomial distribution (sum of probabilities <= 0)",
            "where all weights are 0, nothing can be drawn",
            rule="random.weights",
        )


def _with_replacement(g: Generator, rows: np.ndarray, num_samples: int) -> np.ndarray:
    """Each draw falls into the share of one weight."""
    places = np.empty((len(rows), num_samples), np.int64, like=rows)
    steps = np.cumsum(rows, -1)
    steps = steps / steps[:, -1:]
    steps[:, -1] = 1
    draws = g.doubles(places.size).reshape(places.shape)
    for target, row, own in zip(places, steps, draws, strict=True):
        target[:] = np.searchsorted(row, own, side="left")
    return places


def _without_replacement(g: Generator, weights: np.ndarray, stride: tuple[int, ...], num_samples: int) -> np.ndarray:
    """Each weight races an exponential clock, and the first to ring are drawn. The clocks lie in memory by `stride`."""
    memory = empty((weights.size,), weights.dtype, like=weights)
    strides = tuple([s * weights.itemsize for s in stride])
    clocks = place_of_array(weights).view(memory, weights.shape, strides, weights.dtype)
    fill_draws(clocks, exponential_numbers(g, 1.0))
    race = quietly(np.divide, weights, clocks)
    if num_samples == 1:
        return np.argmax(race, axis=-1)
    return top_places(contiguous(race.reshape(-1, race.shape[-1])), num_samples, True, True)
