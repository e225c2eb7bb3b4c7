"""The quick way for a few float32 numbers gives the bits of the usual one."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.backends.numpy import few_in_double, in_double
from tensorwidgets.engine.backends.numpy.without_warnings import quietly

EDGES = [0.0, -0.0, 1.0, 12.0, 88.72283, 88.72284, -103.97, -104.0, 1e-45, 3e38, np.inf, -np.inf, np.nan]


def _numbers() -> np.ndarray:
    """Numbers of any size, and those at the ends of what a result can hold."""
    draw = np.random.default_rng(7)
    bits = draw.integers(0, 2**32, 20_000, dtype=np.uint32).view("f4")
    return np.concatenate([bits, draw.normal(0, 30, 20_000).astype("f4"), np.array(EDGES, "f4")])


@pytest.mark.parametrize("name", ["exp", "log"])
def test_the_bits_are_the_same(name):
    numbers = _numbers()
    quick = quietly(few_in_double.loop_of(name), numbers, few_in_double.ZERO)
    usual = quietly(getattr(in_double, name), numbers)
    assert quick.dtype == usual.dtype == np.float32
    numeric = ~np.isnan(usual)
    assert (np.isnan(quick) == np.isnan(usual)).all()
    assert (quick.view("u4") == usual.view("u4"))[numeric].all()


@pytest.mark.parametrize("name", ["exp", "log"])
@pytest.mark.parametrize("grad", [False, True])
def test_calls_of_few_and_many_agree(name, grad):
    numbers = _numbers()[-400:]
    many = getattr(torch, name)(torch.from_numpy(numbers))
    for start in range(0, 400, 40):
        few = torch.tensor(numbers[start : start + 40], requires_grad=grad)
        result = getattr(few, name)()
        assert torch.equal(torch.nan_to_num(result.detach()), torch.nan_to_num(many[start : start + 40]))
        assert result.requires_grad is grad and result.shape == few.shape
