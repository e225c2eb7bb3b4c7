"""Reductions and running totals against exact results, with PyTorch's own errors beside ours; and single functions."""

from __future__ import annotations

import gzip
import json
import math

import ml_dtypes
import numpy as np
import pytest

import tensorwidgets as tw
from tests.engine.numbers.accuracy_cases import Case, cases, error
from tests.engine.numbers.freeze_accuracy import REFERENCE, errors_of_pytorch
from tests.parts import ALL, Part, in_parts

ROUNDED_ALIKE = {"softmax": 0.5, "log_softmax": 0.5}
"""How much an error may exceed PyTorch's, where steps are rounded as there and one differs in its last bit."""


def worse(theirs: list[float], part: Part = ALL) -> list[tuple[str, float, float]]:
    """Where an error is neither below PyTorch's nor below one unit."""
    pairs: list[tuple[Case, float]] = part.of(zip(cases(), theirs, strict=True), lambda pair: pair[0].reduction)
    found = [(case, error(tw, case), b) for case, b in pairs]
    return [(case.label, a, b) for case, a, b in found if not a <= max(1.0, b) + ROUNDED_ALIKE.get(case.reduction, 0)]


@in_parts(4)
def test_no_error_is_larger_than_pytorchs(part: Part) -> None:
    wrong = worse(json.loads(gzip.decompress(REFERENCE.read_bytes()))["errors"], part)
    assert not wrong, (len(wrong), wrong[:5])


@pytest.mark.torch
def test_no_error_is_larger_than_that_of_pytorch_here() -> None:
    wrong = worse(errors_of_pytorch())
    assert not wrong, (len(wrong), wrong[:5])


def test_a_million_rows() -> None:
    tenths = tw.full((1_000_000, 3), 0.1)
    exact = 1_000_000 * float(np.float32(0.1))
    assert tenths.sum(0).tolist() == [float(np.float32(exact))] * 3
    assert tenths.mean(0).tolist() == [float(np.float32(0.1))] * 3
    assert tw.einsum("ij->j", tenths).tolist() == [float(np.float32(exact))] * 3
    assert tenths.nansum(0).tolist() == [float(np.float32(exact))] * 3
    assert tenths.std(0).max() < 1e-7
    assert abs(tw.trapezoid(tenths, dim=0)[0].item() - exact * 0.999999) < 0.01


def test_a_running_sum_is_kept_in_float64() -> None:
    found = tw.full((1_000_000,), 0.1).cumsum(0)
    exact = np.full(1_000_000, 0.1, np.float32).astype(np.float64).cumsum().astype(np.float32)
    assert np.array_equal(found.numpy(), exact)
    assert str(found[-1]) == "tensor(100000.)"


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_sums_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    x = tw.from_numpy(np.random.default_rng(0).standard_normal((3, 700, 301)).astype("f4"))
    before = tw.get_num_threads()
    tw.set_num_threads(1)
    try:
        alone = [x.sum(d) for d in (0, 1, 2, (0, 2))] + [x.cumsum(1), x.softmax(2), x.exp()]
        tw.set_num_threads(threads)
        found = [x.sum(d) for d in (0, 1, 2, (0, 2))] + [x.cumsum(1), x.softmax(2), x.exp()]
    finally:
        tw.set_num_threads(before)
    assert all(tw.equal(a, b) for a, b in zip(alone, found, strict=True))


def test_what_overflows_on_the_way_is_asked_of_float64() -> None:
    large = tw.full((40_000, 3), 3e38) * tw.tensor([1.0, -1.0]).repeat(20_000)[:, None]
    assert large.sum(0).tolist() == [0.0, 0.0, 0.0]
    assert large.reshape(-1).sum().item() == 0.0
    assert math.isinf(tw.full((40_000,), 3e38).sum().item())


FUNCTIONS = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt reciprocal"
)


@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_functions_of_float32_are_rounded_once(name: str) -> None:
    bits = np.random.default_rng(0).integers(0, 1 << 32, 20_000, dtype=np.uint64).astype(np.uint32)
    own = np.concatenate([bits.view(np.float32), np.random.default_rng(1).uniform(-4, 4, 20_000).astype(np.float32)])
    numpys = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh"}
    with np.errstate(all="ignore"):
        exact = getattr(np, {**numpys, "atanh": "arctanh"}.get(name, name))(own.astype(np.float64)).astype(np.float32)
    found = getattr(tw, name)(tw.from_numpy(own)).numpy()
    few = np.concatenate([getattr(tw, name)(tw.from_numpy(own[i : i + 3])).numpy() for i in range(0, 300, 3)])
    assert np.array_equal(found, exact, equal_nan=True)
    assert np.array_equal(few, exact[:300], equal_nan=True)


def test_what_is_printed_is_what_pytorch_prints() -> None:
    assert str(tw.exp(tw.tensor(12.0))) == "tensor(162754.7969)"
    assert tw.exp(tw.tensor([12.0])).item() == 162754.796875
    assert tw.pow(tw.tensor([3.0]), 0.1).item() == float(np.float32(3 ** float(np.float32(0.1))))


@pytest.mark.torch
def test_functions_have_the_bits_of_pytorch() -> None:
    import torch

    own = np.random.default_rng(2).standard_normal(100_000).astype(np.float32) * 3
    for name in "exp expm1 log2 log10 log1p sinh cosh tanh atanh erfinv".split():
        found, theirs = getattr(tw, name)(tw.from_numpy(own)).numpy(), getattr(torch, name)(torch.from_numpy(own))
        assert np.mean((found == theirs.numpy()) | np.isnan(found)) > 0.985, name


def in_16_bits(name: str, *given: object) -> tuple[np.ndarray, np.ndarray]:
    """Every bfloat16, and a function of each; NaN is left out."""
    numbers = tw.arange(-32768, 32768).to(tw.int16).view(tw.bfloat16)
    found = getattr(tw, name)(numbers, *given)
    there = ~tw.isnan(found)
    return numbers[there].double().numpy(), found[there].double().numpy()


def rounded(values: np.ndarray) -> np.ndarray:
    """To bfloat16."""
    with np.errstate(all="ignore"):
        return values.astype(np.float32).astype(ml_dtypes.bfloat16).astype(np.float64)


def test_bfloat16_powers_are_rounded_where_pytorch_rounds() -> None:
    x, cubes = in_16_bits("pow", 3)
    assert np.array_equal(cubes, rounded(rounded(x * x) * x))
    with np.errstate(all="ignore"):
        x, quotients = in_16_bits("pow", -2)
        assert np.array_equal(quotients, rounded(1 / rounded(x * x)))
        x, powers = in_16_bits("pow", 4)
        assert np.array_equal(powers, rounded(x**4))
    numbers = tw.tensor([1.1, 2.3, -0.7]).bfloat16()
    assert tw.equal(numbers.clone().pow_(3), numbers**3)
    # A tensor as exponent is not taken apart.
    assert tw.equal(numbers ** tw.tensor(3.0), (numbers.double() ** 3).float().bfloat16())


def test_hardshrink_rounds_its_edge_to_the_dtype() -> None:
    edge = tw.tensor([0.3, -0.3, 0.305]).bfloat16()
    assert tw.hardshrink(edge, 0.3).tolist() == [0.0, 0.0, 0.3046875]
    assert tw.hardshrink(edge.half(), 0.3).tolist()[2] == 0.3046875


def test_complex_log1p_keeps_small_numbers() -> None:
    found = tw.log1p(tw.tensor([1e-8 + 1e-8j, 1e-4 + 1e-9j, 1e-20j, 0j, -1 + 0j], dtype=tw.complex64))
    assert found.real.tolist()[:2] == [float(np.float32(1e-8)), float(np.float32(np.log1p(float(np.float32(1e-4)))))]
    assert found.imag.tolist()[2] == float(np.float32(1e-20))
    assert found.real.tolist()[3:] == [0.0, -math.inf]
    small = complex(tw.log1p(tw.tensor([1e-18 + 1e-18j], dtype=tw.complex128))[0])
    assert small == 1e-18 + 1e-18j


def test_running_sums_in_another_dtype() -> None:
    x = tw.tensor([1.7, 2.6, -3.2])
    assert x.cumsum(0, dtype=tw.float16).tolist() == [1.7001953125, 4.30078125, 1.1005859375]
    assert x.cumsum(0, dtype=tw.bfloat16).tolist() == x.bfloat16().cumsum(0).tolist()
    assert tw.cumsum(x, 0, out=tw.empty(3, dtype=tw.int64)).tolist() == [1, 3, 0]
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype long int, but got float instead"):
        tw.cumsum(x, 0, dtype=tw.int64, out=tw.empty(3))
    with pytest.raises(RuntimeError, match="Bad in-place call: input tensor dtype float and output tensor dtype long"):
        x.cumsum_(0, dtype=tw.int64)
    with pytest.raises(NotImplementedError, match="\"cumsum_out_cpu\" not implemented for 'Bool'"):
        x.cumsum(0, dtype=tw.bool)
    with pytest.raises(RuntimeError, match="expected scalar_type Float but found Double"):
        tw.logcumsumexp(x, 0, out=tw.empty(3, dtype=tw.float64))
    assert x.tolist() == tw.tensor([1.7, 2.6, -3.2]).tolist()


@pytest.mark.parametrize("name", ["isposinf", "isneginf"])
def test_answers_go_to_bool_alone(name: str) -> None:
    x = tw.tensor([1.0, math.inf, -math.inf])
    assert getattr(tw, name)(x, out=tw.empty(0, dtype=tw.bool)).tolist() == [
        False,
        name == "isposinf",
        name != "isposinf",
    ]
    for dtype in (tw.uint8, tw.float32, tw.int64, tw.complex64):
        with pytest.raises(RuntimeError, match=f"{name} does not support non-boolean outputs."):
            getattr(tw, name)(x, out=tw.empty(3, dtype=dtype))


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_quantiles_are_not_converted(name: str) -> None:
    function, x = getattr(tw, name), tw.arange(5.0)
    assert function(x, 0.25, out=tw.empty(())).item() == 1.0
    for dtype in (tw.float64, tw.float16, tw.int64, tw.bool):
        with pytest.raises(RuntimeError, match=r"quantile\(\) out tensor must be same dtype as the input tensor"):
            function(x, 0.25, out=tw.empty((), dtype=dtype))
    with pytest.raises(RuntimeError, match=r"quantile\(\) q must be in the range \[0, 1\] but got 2"):
        function(x, 2.0, interpolation="no")
    with pytest.raises(RuntimeError, match=r"quantile\(\) input tensor must be non-empty"):
        function(tw.zeros(0, 3), 0.5)


def test_multiply_and_add_round_once() -> None:
    a, b, c = (tw.from_numpy(np.random.default_rng(i).standard_normal(1000).astype("f4")) for i in range(3))
    exact = (a.double() + b.double() * c.double()).float()
    assert tw.equal(tw.addcmul(a, b, c), exact)
    apart = (b - a).double()
    assert tw.equal(tw.lerp(a, b, 0.25), (a.double() + apart * 0.25).float())
    assert tw.equal(tw.lerp(a, b, 0.75), (b.double() - apart * 0.25).float())


def test_16_bit_factors_and_logarithms_are_rounded_first() -> None:
    x, y = tw.tensor([0.0, 1.0]).half(), tw.tensor([21072.0, 21072.0]).half()
    assert tw.add(x, y, alpha=0.3).tolist() == [6324.0, 6324.0]
    a, b = np.array([0.9, -22656.0], np.float16), np.array([0.3, 0.06945801], np.float16)
    logarithm = np.log(b.astype(np.float64)).astype(np.float16)
    assert tw.xlogy(tw.from_numpy(a), tw.from_numpy(b)).tolist() == (a * logarithm).tolist()
    assert tw.xlogy(tw.zeros(1).half(), tw.zeros(1).half()).tolist() == [0.0]
    assert math.isnan(tw.xlogy(tw.zeros(1).half(), tw.tensor([math.nan]).half()).item())
