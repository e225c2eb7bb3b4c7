"""Calls whose arguments do not fit are refused in PyTorch's words, and nothing of our inside is named."""

from __future__ import annotations

import pytest

import tensorwidgets as tw

X = "torch.ones(2)"
REFUSALS = {
    f"{X}.float(1)": "float() takes 0 positional arguments but 1 was given",
    f"{X}.cpu(1)": "cpu() takes 0 positional arguments but 1 was given",
    f"{X}.exp(1)": "TensorBase.exp() takes no arguments (1 given)",
    f"{X}.exp(out=1)": "TensorBase.exp() takes no keyword arguments",
    f"{X}.sum(foo=1)": "sum() received an invalid combination of arguments - got (foo=int, ), but expected one of:",
    "torch.exp()": 'exp() missing 1 required positional arguments: "input"',
    "torch.exp('a')": "exp(): argument 'input' (position 1) must be Tensor, not str",
    f"torch.add({X})": "add() received an invalid combination of arguments - got (Tensor), but expected (Tensor input, "
    "Tensor other, *, Number alpha = 1, Tensor out = None)",
    f"{X}.add('a')": "add(): argument 'other' (position 1) must be Tensor, not str",
    f"torch.add({X}, {X}, beta=2)": "add() got an unexpected keyword argument 'beta'",
    f"torch.argmax({X}, 'a')": "argmax(): argument 'dim' (position 2) must be int, not str",
    f"{X}.cumsum()": 'cumsum() missing 1 required positional arguments: "dim"',
    f"torch.nan_to_num({X}, {X})": "nan_to_num(): argument 'nan' (position 2) must be float, not Tensor",
    f"torch.topk({X})": 'topk() missing 1 required positional arguments: "k"',
    f"torch.clamp({X}, 'a')": "clamp() received an invalid combination of arguments - got (Tensor, str), but expected "
    "one of:",
}  # fmt: skip


def refusal(torch: object, call: str) -> str:
    with pytest.raises(TypeError) as caught:
        eval(call, {"torch": torch})
    return str(caught.value).partition("\n")[0]


@pytest.mark.parametrize("call", REFUSALS)
def test_the_first_line(call: str) -> None:
    assert refusal(tw, call) == REFUSALS[call]


@pytest.mark.torch
@pytest.mark.parametrize("call", REFUSALS)
def test_the_first_line_is_pytorchs(call: str) -> None:
    import torch

    assert refusal(torch, call) == REFUSALS[call]


@pytest.mark.parametrize("kind", [int, float, bool, complex])
def test_pythons_types_are_dtypes_in_to(kind: type) -> None:
    assert tw.ones(2).to(kind).dtype is tw.tensor(kind(1)).to(kind).dtype
    assert tw.ones(2).to("cpu", kind).dtype is tw.ones(2).to(kind).dtype


def test_a_class_of_ones_own_prints_its_name() -> None:
    class Mine(tw.Tensor):
        pass

    assert repr(tw.ones(2).as_subclass(Mine)) == "Mine([1., 1.])"
    assert "Mine" in repr(Mine) and not repr(Mine).startswith("<class 'torch.")
