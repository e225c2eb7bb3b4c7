"""What people write in their first weeks with tensors, line by line as PyTorch answers it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tensorwidgets as torch


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x.sum(axis=1)", "tensor([ 3., 12.])"),
        ("x.sum(axis=0, keepdims=True)", "tensor([[3., 5., 7.]])"),
        ("x.mean(axis=(0, 1))", "tensor(2.5000)"),
        ("x.max(axis=1).values", "tensor([2., 5.])"),
        ("x.argmax(axis=0)", "tensor([1, 1, 1])"),
        ("x.std(axis=1)", "tensor([1., 1.])"),
        ("x.unsqueeze(axis=0).shape", "torch.Size([1, 2, 3])"),
        ("torch.stack([x, x], axis=1).shape", "torch.Size([2, 2, 3])"),
    ],
)
def test_numpys_words_for_dimensions(text: str, shown: str) -> None:
    assert repr(eval(text, {"x": torch.arange(6.0).reshape(2, 3), "torch": torch})) == shown


def test_a_keyword_that_is_none_is_no_maximum_of_all() -> None:
    x = torch.ones(2, 3)
    for call in (lambda: x.max(foo=1), lambda: x.min(0, dim=1), lambda: torch.max(x, 1, True, 3)):
        with pytest.raises(TypeError):
            call()


def test_max_writes_into_both_tensors_of_out() -> None:
    values, places = torch.empty(0), torch.empty(0, dtype=torch.int64)
    torch.max(torch.tensor([[1.0, 5.0], [7.0, 2.0]]), 1, out=(values, places))
    assert values.tolist() == [5, 7] and places.tolist() == [1, 0]
    wrong = torch.zeros(2, dtype=torch.int32)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype long int, but got int instead"):
        torch.max(torch.ones(2, 2), 1, out=(values, wrong))
    assert values.tolist() == [5, 7] and wrong.tolist() == [0, 0]


def test_equality_with_an_array_compares_elements() -> None:
    x = torch.arange(3.0)
    assert (x == np.array([0, 5, 2])).tolist() == [True, False, True]
    assert (np.array([0, 5, 2]) == x).tolist() == [True, False, True]
    assert (x == np.array(["a", "b", "c"])) is False
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(3\) must match the size of tensor b \(2\)"):
        x == np.ones(2)  # noqa: B015


def test_equal_and_allclose_refuse_what_they_cannot_compare() -> None:
    x = torch.ones(2)
    with pytest.raises(TypeError, match=r"equal\(\): argument 'other' \(position 2\) must be Tensor, not int"):
        torch.equal(x, 1)
    with pytest.raises(RuntimeError, match="^Float did not match Int"):
        torch.allclose(x, x.int())


def test_plus_before_a_mask() -> None:
    with pytest.raises(RuntimeError, match=r"The `\+` operator, on a bool tensor is not supported."):
        +torch.tensor([True])
    assert (+torch.tensor([2])).tolist() == [2]


@pytest.mark.parametrize(("text", "message"), [
    ("x.to('int32')", "Invalid device string: 'int32'"),
    ("torch.device('')", "Device string must not be empty"),
    ("x.view(torch.float64)", "self.size(-1) must be divisible by 2 to view Float as Double (different element sizes), "
     "but got 3"),
    ("x.permute()", 'permute() missing 1 required positional arguments: "dims"'),
    ("x.expand()", 'expand() missing 1 required positional arguments: "size"'),
    ("torch.reshape(x)", 'reshape() missing 1 required positional arguments: "shape"'),
])  # fmt: skip
def test_messages(text: str, message: str) -> None:
    with pytest.raises((RuntimeError, TypeError)) as caught:
        eval(text, {"x": torch.ones(2, 3), "torch": torch})
    assert str(caught.value) == message


def test_clamp_says_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.arange(4).clamp(1, 2).tolist() == [1, 1, 2, 2]
        assert torch.arange(4).clamp_(1, 2).tolist() == [1, 1, 2, 2]


def test_new_random_tensors_have_not_been_written_to() -> None:
    chances = torch.full((3,), 0.5)
    made = [torch.rand(2), torch.randn(2), torch.randint(3, (2,)), torch.randperm(3), torch.rand_like(chances),
            torch.bernoulli(chances), torch.multinomial(chances, 2), torch.poisson(chances)]  # fmt: skip
    assert [t._version for t in made] == [0] * len(made)
    assert made[0].normal_()._version == 1
