"""Dimensions with names, held to PyTorch 2.12, the last that had them."""

from __future__ import annotations

import copy
import pickle

import pytest

import tensorwidgets as torch

WEIGHTS = [0.2126, 0.7152, 0.0722]


def test_the_example_of_the_documents() -> None:
    """A picture and a batch of them in shades of grey: by hand, by einsum and by names."""
    torch.manual_seed(0)
    img_t, batch_t, weights = torch.randn(3, 5, 5), torch.randn(2, 3, 5, 5), torch.tensor(WEIGHTS)
    weights_named = torch.tensor(WEIGHTS, names=["channels"])
    assert repr(weights_named) == "tensor([0.2126, 0.7152, 0.0722], names=('channels',))"
    assert weights_named.names == ("channels",)
    for plain, size in ((img_t, "torch.Size([5, 5])"), (batch_t, "torch.Size([2, 5, 5])")):
        named = plain.refine_names(..., "channels", "rows", "columns")
        aligned = weights_named.align_as(named)
        by_hand = (plain * weights.unsqueeze(-1).unsqueeze(-1)).sum(-3)
        by_einsum = torch.einsum("...chw,c->...hw", plain, weights)
        both = torch.einsum("...chw,c->...hw", named, weights_named)
        grey = (named * aligned).sum("channels")
        assert str(grey.shape) == size and grey.names[-2:] == both.names[-2:] == ("rows", "columns")
        assert aligned.names == named.names and aligned.shape[-3:] == (3, 1, 1)
        dropped = grey.rename(None)
        assert dropped.names == (None,) * dropped.ndim
        assert torch.allclose(dropped, by_hand) and torch.allclose(dropped, by_einsum)
        assert torch.allclose(dropped, both.rename(None))


def test_what_the_documents_print() -> None:
    img_named = torch.randn(3, 5, 5).refine_names(..., "channels", "rows", "columns")
    assert f"{img_named.shape} {img_named.names}" == "torch.Size([3, 5, 5]) ('channels', 'rows', 'columns')"
    with pytest.raises(RuntimeError, match="'columns'.*'channels'.*do not match") as told:
        img_named * torch.tensor(WEIGHTS, names=["channels"])
    assert told.value.reason.facts["names"] == ("columns", "channels")


def test_names_are_copied_and_pickled() -> None:
    x = torch.arange(6.0).reshape(2, 3).refine_names("N", None)
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert other.names == ("N", None) and other.tolist() == x.tolist()
        assert (other + 1).names == ("N", None)
