"""Random numbers: PyTorch's, to the bit, from every op and form, and its stream in the same state afterwards."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.ops.random import distributions, sampling
from tests.engine.frozen_answers import answered_otherwise
from tests.engine.numbers.freeze_random import REFERENCE, answer
from tests.engine.numbers.random_cases import CALLS


def test_frozen_answers_of_pytorch() -> None:
    assert answered_otherwise(tw, REFERENCE, CALLS, answer) == []


def test_one_draw_with_replacement_is_drawn_as_without() -> None:
    tw.manual_seed(0)
    drawn = tw.multinomial(tw.tensor([[0.2, 0.3, 0.5]] * 4), 1, replacement=True)
    assert drawn.squeeze().tolist() == [2, 2, 0, 2]


def test_what_is_refused_leaves_out_as_it_was() -> None:
    for call in ("rand(3, out=o)", "randn(3, out=o)", "randint(1 << 40, (3,), out=o)", "randperm(1 << 20, out=o)"):
        out = tw.zeros(2, dtype=tw.int16)
        with pytest.raises((NotImplementedError, RuntimeError)):
            eval(f"tw.{call}", {"tw": tw, "o": out})
        assert out.shape == (2,) and out._version == 0


@pytest.mark.torch
def test_frozen_answers_are_still_those_of_pytorch() -> None:
    import torch

    assert answered_otherwise(torch, REFERENCE, CALLS, answer) == []


@pytest.mark.torch
@pytest.mark.parametrize("bounds", [(0, 1), (-1, 2), (0.1, 0.3), (1 / 3, 2 / 3), (0, 1e-3), (-1e4, 1e4), (5, 5.1)])
def test_uniform_numbers_are_those_of_pytorch_to_the_bit(bounds: tuple[float, float]) -> None:
    import torch

    for d in ("float32", "float64", "float16", "bfloat16"):
        drawn = []
        for engine in (torch, tw):
            engine.manual_seed(3)
            drawn.append(engine.empty(100_000, dtype=getattr(engine, d)).uniform_(*bounds).double().numpy())
        assert np.array_equal(*drawn), d


@pytest.mark.torch
def test_normal_numbers_are_those_of_pytorch_to_the_bit() -> None:
    import torch

    for count in (16, 31, 1000, 1_000_003):
        for d in ("float32", "float64"):
            drawn = []
            for engine in (torch, tw):
                engine.manual_seed(3)
                drawn.append(engine.randn(count, dtype=getattr(engine, d)).numpy())
            assert np.array_equal(*drawn), d


def test_logarithms_of_normal_numbers_have_the_last_bit_of_the_c_library() -> None:
    tw.manual_seed(0)
    assert tw.randn(1000, dtype=tw.float64)[257].item() == float.fromhex("0x1.e4ea5be13027ep-4")


@pytest.mark.parametrize("count", [2 * sampling.PIECE + 1, 3 * sampling.PIECE - 1])
def test_large_arrays_are_drawn_in_pieces_with_the_same_numbers(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> list[tw.Tensor]:
        tw.manual_seed(5)
        fresh = tw.empty(count)
        return [fresh.uniform_(-1, 1).clone(), fresh.normal_().clone(), fresh.random_(7).clone(), tw.rand(2)]

    in_pieces = drawn()
    monkeypatch.setattr(sampling, "PIECE", count)
    assert all(tw.equal(a, b) for a, b in zip(in_pieces, drawn(), strict=True))


def test_a_state_that_no_stream_was_in_is_refused() -> None:
    stream = tw.Generator().manual_seed(3)
    state = stream.get_state()
    for at, byte in ((8, 0), (9, 3), (12, 0), (18, 1)):  # what is left, that it was seeded, and the place
        wrong = state.clone()
        wrong[at] = byte
        with pytest.raises(RuntimeError, match="Invalid mt19937 state"):
            stream.set_state(wrong)
    with pytest.raises(RuntimeError, match="RNG state must be contiguous"):
        stream.set_state(tw.stack([state, state], 1)[:, 0])
    assert stream.get_state().equal(state)


def test_what_only_other_streams_have() -> None:
    with pytest.raises(RuntimeError, match="META device type not an accelerator."):
        tw.Generator("meta")
    for call in (lambda: tw.Generator().get_offset(), lambda: tw.Generator().set_offset(3)):
        with pytest.raises(RuntimeError, match="CPU Generator does not use offset"):
            call()


@pytest.mark.parametrize("call", ["poisson(rates)", "binomial(20 * rates, rates / 9)"])
def test_numbers_that_take_several_draws_share_the_calls_of_the_stream(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many numbers are drawn at once as there are elements left, and the stream is where single draws leave it."""
    rates, asked = tw.linspace(0, 8, 1000), []
    draws32 = tw.Generator.draws32
    monkeypatch.setattr(tw.Generator, "draws32", lambda g, count: asked.append(count) or draws32(g, count))
    tw.manual_seed(3)
    together = eval(f"tw.{call}", {"tw": tw, "rates": rates})
    assert len(asked) < 200
    used = sum(asked)
    monkeypatch.setattr(distributions, "AT_ONCE", 1)
    monkeypatch.setattr(distributions, "FEW", 0)
    asked.clear()
    tw.manual_seed(3)
    assert eval(f"tw.{call}", {"tw": tw, "rates": rates}).equal(together)
    assert sum(asked) == used
