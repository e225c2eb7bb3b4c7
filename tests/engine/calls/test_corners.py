"""Empty tensors, overlapping views, signs of zeros: PyTorch's answers where ops are rarely asked."""

from __future__ import annotations

import math
import random
from math import prod

import pytest

import tensorwidgets as tw
from tests.engine.calls.corner_cases import CALLS
from tests.engine.calls.freeze_corners import REFERENCE, answer
from tests.engine.frozen_answers import answered_otherwise


def test_frozen_answers_of_pytorch() -> None:
    assert answered_otherwise(tw, REFERENCE, CALLS, answer) == []


def test_rows_that_overlap_are_multiplied_twice() -> None:
    x = tw.ones(4)
    x.unfold(0, 2, 1).mul_(2)
    assert x.tolist() == [2, 4, 4, 2]


@pytest.mark.parametrize("size", [(1, 5), (2, 3), (4, 4), (3, 1, 6), (2, 3, 4)])
@pytest.mark.parametrize("name", ["fftn", "fft2"])
def test_the_sum_of_real_numbers_prints_plus_zero(name: str, size: tuple[int, ...]) -> None:
    """And opposite frequencies are conjugates of one another."""
    x = tw.arange(float(tw.ones(size).numel())).reshape(size)
    result = getattr(tw.fft, name)(x)
    assert math.copysign(1, result.flatten()[0].imag.item()) == 1
    dims = tuple(range(len(size))) if name == "fftn" else (-2, -1)
    opposite = result.flip(dims).roll((1,) * len(dims), dims)
    assert tw.allclose(result, opposite.conj())


@pytest.mark.torch
def test_frozen_answers_are_still_those_of_pytorch() -> None:
    import torch

    assert answered_otherwise(torch, REFERENCE, CALLS, answer) == []


def test_segments_that_reach_beyond_the_data_are_refused() -> None:
    """PyTorch reads whatever lies there in memory."""
    x = tw.arange(6.0)
    for cuts in ({"offsets": tw.tensor([0, 9])}, {"lengths": tw.tensor([9]), "unsafe": True}):
        with pytest.raises(RuntimeError, match="that the data does not have"):
            tw.segment_reduce(x, "sum", **cuts)


def test_strides_that_leave_the_storage_are_not_kept() -> None:
    """PyTorch keeps them and reads what lies behind the storage."""
    x = tw.ones(6)[::2].set_(tw.arange(3.0).untyped_storage())
    assert x.tolist() == [0, 1, 2] and x.stride() == (1,)


@pytest.mark.torch
def test_random_segments_are_reduced_as_pytorch_reduces_them() -> None:
    import torch

    dice = random.Random("segments")
    for _ in range(2000):
        size = [dice.randint(0, 5) for _ in range(dice.randint(1, 3))]
        axis = dice.randrange(len(size))
        rows = [_cut(dice, size[axis]) for _ in range(prod(size[:axis]))]
        count = 3
        numbers = [dice.gauss(0, 1) for _ in range(prod(size))]
        reduce, d = dice.choice(("sum", "mean", "prod", "max", "min")), dice.choice(("float32", "float64", "bfloat16"))
        initial = dice.choice((None, 2, -0.5))
        outcomes = []
        for t in (torch, tw):
            data = t.tensor(numbers, dtype=getattr(t, d)).reshape(size)
            lengths = t.tensor(rows, dtype=t.int64).reshape(*size[:axis], count)
            result = t.segment_reduce(data, reduce, lengths=lengths, axis=axis, initial=initial, unsafe=True)
            outcomes.append((str(result.dtype), result.stride(), str(result.tolist())))
        assert outcomes[0] == outcomes[1], (size, axis, rows, reduce, d, initial)


def _cut(dice: random.Random, n: int) -> list[int]:
    cuts = sorted(dice.randint(0, n) for _ in range(2))
    return [cuts[0], cuts[1] - cuts[0], n - cuts[1]]
