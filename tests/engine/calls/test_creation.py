"""Tensors are made as PyTorch makes them: by the same calls, to the last bit, and with the same refusals."""

from __future__ import annotations

import inspect
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy.fma import fma
from tensorwidgets.engine.interop.nested_lists import array_of
from tests.engine.calls.calls import CREATION, calls
from tests.engine.calls.calls_asked import FROZEN, differences, frozen, live

FUNCTIONS = sorted(CREATION)


def test_the_reference_is_of_the_version_that_is_followed() -> None:
    assert FROZEN["torch"].split("+")[0] == "2.13.0"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_give_what_pytorch_gives(name: str) -> None:
    wanted = frozen(name)
    assert len(wanted) > 60
    assert differences(wanted) == []


@pytest.mark.torch
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_frozen_answers_are_pytorchs(name: str) -> None:
    assert live(name) == frozen(name)


@pytest.mark.torch
@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_other_calls_give_what_pytorch_gives(name: str, seed: str) -> None:
    assert differences(live(name, seed)) == []


def test_the_same_calls_come_every_time() -> None:
    assert [text for text, _ in frozen("tensor")] == calls("tensor", len(frozen("tensor")))


# --- data ---


def test_data_is_copied() -> None:
    array = np.arange(3)
    x, y = tw.tensor(array), tw.ones(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = tw.tensor(y)
    array[0] = 9
    y[0] = 9
    assert x.tolist() == [0, 1, 2]
    assert z.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tw.tensor(tw.ones(2)), "rather than torch.tensor(sourceTensor)"),
        (lambda: tw.ones(2).new_tensor(tw.ones(2)), "rather than tensor.new_tensor(sourceTensor)"),
        (lambda: tw.range(0, 3), "torch.range is deprecated"),
        (lambda: tw.arange(3, out=tw.zeros(1)), "does not match the computed number of elements 3"),
        (lambda: tw.complex(tw.ones(2), tw.ones(2), out=tw.zeros(3, dtype=tw.complex64)), "was resized since"),
    ],
)
def test_warnings_are_pytorchs_and_point_here(call, words: str) -> None:
    with pytest.warns(UserWarning, match=".") as caught:
        call()
    assert words in str(caught[0].message)
    assert caught[0].filename == __file__


def test_a_list_of_arrays_is_read_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tw.tensor([np.arange(2), np.arange(2)]).tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize(
    "data", [[1.5, 2], [[1, 2], [3, 4]], [True, False], [1, 2j], [[0.1]] * 3, [[[]]], (), 3, [[1], (2,)]]
)
def test_both_ways_of_reading_agree(data) -> None:
    """Plain lists are read at once; a tuple subclass around them is read one by one."""

    class Pair(tuple):
        pass

    fast, d = array_of(data)
    exact, wanted = array_of(Pair(data)) if isinstance(data, (list, tuple)) else array_of([data])
    assert d is wanted
    np.testing.assert_array_equal(fast.reshape(exact.shape), exact)


def test_long_data_costs_little_memory() -> None:
    data = [float(i) for i in range(200_000)]
    tracemalloc.start()
    try:
        tw.tensor(data)
        assert tracemalloc.get_traced_memory()[1] < 40 * len(data)
    finally:
        tracemalloc.stop()


# --- sizes that no machine has ---


def test_too_large_a_tensor_is_refused_in_words() -> None:
    with pytest.raises(RuntimeError, match="can't allocate memory") as caught:
        tw.zeros(2**55)
    assert "more than the machine can give" in caught.value.__notes__[0]
    assert tw.zeros(2**55, device="meta").shape == (2**55,)


def test_an_out_that_is_refused_stays_as_it_was() -> None:
    x = tw.arange(6.0)
    for call in (
        lambda: tw.zeros(3, out=x, dtype=tw.int64),
        lambda: tw.full((2,), 1j, out=x),
        lambda: tw.linspace(0, 1j, 3, out=x),
        lambda: tw.arange(0, 5, 0, out=x),
        lambda: tw.zeros(-1, out=x),
    ):
        with pytest.raises(RuntimeError):
            call()
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    assert x._version == 0


def test_out_is_written_through_its_views() -> None:
    x = tw.zeros(6)
    assert tw.arange(3, out=x[::2]).tolist() == [0, 1, 2]
    assert x.tolist() == [0, 0, 1, 0, 2, 0]
    assert x._version == 1


def test_out_grows_its_storage() -> None:
    x = tw.zeros(2)
    assert tw.ones(2, 3, out=x) is x
    assert x.shape == (2, 3)
    assert x.untyped_storage().nbytes() == 24


# --- numbers ---


def test_one_rounding_is_one_rounding() -> None:
    """Against exact fractions: products and sums of every size, and those that cancel."""
    rng = np.random.default_rng(5)
    a = rng.standard_normal(3000) * 2.0 ** rng.integers(-20, 20, 3000)
    b = rng.integers(-1000, 1000, 3000) * rng.choice([1.0, 1 / 3], 3000)
    c = (
        -(a * b)
        * (1 + rng.integers(-3, 4, 3000) * 2.0 ** -rng.integers(10, 56, 3000))
        * rng.choice([1, 1, 0.5, -1], 3000)
    )
    wanted = [float(Fraction(x) * Fraction(y) + Fraction(z)) for x, y, z in zip(a, b, c, strict=True)]
    np.testing.assert_array_equal(fma(a, b, c), wanted)


def test_long_ranges_go_on_as_short_ones_begin() -> None:
    """Long ranges are computed by pieces; the cuts are not seen."""
    for dtype in (tw.float64, tw.float32, tw.float16, tw.int64):
        step = 3 if dtype is tw.int64 else 0.1
        long, short = tw.arange(0, 40_000 * step, step, dtype=dtype), tw.arange(0, 16 * step, step, dtype=dtype)
        assert long.shape == (40_000,)
        assert long[:16].tolist() == short.tolist()
    ends = tw.linspace(-1, 3, 50_001, dtype=tw.float64)
    assert (ends[0].item(), ends[25_000].item(), ends[-1].item()) == (-1, 1 - 2**-53, 3)


def test_pytorch_dies_of_this_one() -> None:
    """A step that is 0 as a whole number: PyTorch 2.13 divides by it."""
    with pytest.raises(RuntimeError, match="step must be nonzero"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tw.range(1, 2.5, 0.5, dtype=tw.int32)


# --- defaults ---


def test_the_default_dtype_and_device_are_heeded() -> None:
    try:
        tw.set_default_dtype(tw.float64)
        assert (
            tw.zeros(1).dtype
            is tw.tensor(1.5).dtype
            is tw.full((1,), 2.5).dtype
            is tw.arange(0.0, 1).dtype
            is tw.float64
        )
        assert tw.tensor(1j).dtype is tw.linspace(0, 1j, 2).dtype is tw.complex128
        tw.set_default_device("meta")
        assert all(x.is_meta for x in (tw.zeros(1), tw.tensor([1]), tw.arange(3), tw.eye(2), tw.as_tensor([1])))
        assert tw.zeros(1, device="cpu").is_cpu
    finally:
        tw.set_default_dtype(tw.float32)
        tw.set_default_device(None)


def test_help_says_how_to_call() -> None:
    assert list(inspect.signature(tw.zeros).parameters)[:2] == ["size", "out"]
    assert list(inspect.signature(tw.arange).parameters)[:3] == ["start", "end", "step"]
    assert tw.linspace.__doc__


def test_refusals_say_why() -> None:
    with pytest.raises(ValueError) as caught:
        tw.tensor([[1, 2], [3]])
    assert str(caught.value) == "expected sequence of length 2 at dim 1 (got 1)"
    assert caught.value.reason.facts == {"dim": 1, "expected": 2, "got": 1}
    assert "equally long" in caught.value.__notes__[0]
