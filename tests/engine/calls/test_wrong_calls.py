"""One wrong argument of functions, methods, layers and switches is refused in PyTorch's words, at every call."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.engine.calls.wrong_calls import answers, differences, frozen
from tests.parts import Part, in_parts

OTHERWISE = frozenset(
    "m.copy_ m.roll m.norm m.std m.var m.logsumexp m.amax m.type torch.linalg.vector_norm "
    "torch.stft torch.sparse.mm torch.sparse.addmm torch.sparse.softmax torch.sparse.spdiags "
    "torch.finfo nn.Conv1d".split()
)
"""Functions with a call or two that are answered otherwise, most of them by the error that PyTorch finds later."""


@in_parts(4)  # there are 19 values for each argument: all of them are asked in turn
def test_each_is_refused_as_in_pytorch(part: Part) -> None:
    found = list(differences(frozen(), part))
    assert {text.partition("(")[0] for text, _, _ in found} <= OTHERWISE and len(found) < part.least(9, 19)
    # What PyTorch means to take, and asserts that it is a list.
    computed = [text for text, _, ours in found if ours.startswith("ok")]
    assert [text for text in computed if "Index()" not in text] == []


def test_a_tensor_in_place_of_a_number_draws_what_the_number_draws() -> None:
    def drawn(p: object) -> list[list[float]]:
        made = tw.Generator().manual_seed(3)
        tw.manual_seed(3)
        x = tw.ones(40)
        return [
            x.clone().geometric_(p, generator=made).tolist(), x.clone().bernoulli_(0.3, generator=made).tolist(),
            tw.dropout(x, p, True).tolist(), tw.nn.functional.dropout(x, p).tolist(),
            x.clone().cauchy_(p, generator=made).tolist(),
        ]  # fmt: skip

    assert drawn(tw.tensor(0.5)) == drawn(0.5)


@pytest.mark.parametrize("call", ["add", "mul", "sub", "eq", "add_", "roll", "tril", "cumsum", "select"])
def test_a_number_of_more_than_64_bits_is_refused_at_every_call(call: str) -> None:
    """Also where the same function has been called with a small number before."""
    x = tw.arange(9.0).reshape(3, 3)
    more = (0,) if call == "select" else ()
    for _ in range(2):
        getattr(x, call)(*more, 1)
        with pytest.raises((OverflowError, ValueError), match="too big|Overflow when unpacking long long"):
            getattr(x, call)(*more, 10**20)
    with pytest.raises(OverflowError):
        10**20 - x


def test_types_are_not_known_from_a_call_that_ends_before_they_are_read() -> None:
    x, mean, var = tw.randn(2, 3), tw.zeros(3), tw.ones(3)
    batch_norm = tw.nn.functional.batch_norm
    with pytest.raises(ValueError, match="eps must be positive"):
        batch_norm(x, mean, var, training=1, eps=0.0)
    with pytest.raises(TypeError, match="must be bool, not int"):
        batch_norm(x, mean, var, training=1, eps=1e-5)
    with pytest.raises(ValueError, match="more than 1 value per channel"):
        batch_norm(x[:1], mean, var, training=1)


@pytest.mark.torch
def test_the_answers_are_pytorchs() -> None:
    import torch

    assert answers(torch, torch.nn) == frozen()
