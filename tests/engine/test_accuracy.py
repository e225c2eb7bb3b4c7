"""Reductions and running totals against exact results, with PyTorch's own errors beside ours; and single functions."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest

import tensorwidgets as tw
from tests.engine.accuracy_cases import Case, cases, error
from tests.engine.freeze_accuracy import REFERENCE, errors_of_pytorch


def worse(errors: list[float], theirs: list[float]) -> list[tuple[str, float, float]]:
    """Where an error is neither below PyTorch's nor below one unit."""
    pairs: list[tuple[Case, float, float]] = list(zip(cases(), errors, theirs, strict=True))
    return [(case.label, a, b) for case, a, b in pairs if not a <= max(1.0, b)]


def test_no_error_is_larger_than_pytorchs() -> None:
    theirs = json.loads(gzip.decompress(REFERENCE.read_bytes()))["errors"]
    wrong = worse([error(tw, case) for case in cases()], theirs)
    assert not wrong, (len(wrong), wrong[:5])


@pytest.mark.torch
def test_no_error_is_larger_than_that_of_pytorch_here() -> None:
    wrong = worse([error(tw, case) for case in cases()], errors_of_pytorch())
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
