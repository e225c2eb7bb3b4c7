"""`torch.cuda.set_sync_debug_mode` warns or refuses where a program waits for a GPU, as PyTorch documents it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.devices.sync_debug import SAID

WAITS = [
    "n.item()", "float(n)", "bool(n > 0)", "x.tolist()", "x.cpu()", "x.to('cpu')", "here.cuda()", "here.copy_(x)",
    "x.copy_(here)", "torch.tensor([1, 2], device='cuda')", "x.nonzero()", "x[m]", "torch.where(m)", "x.unique()",
    "x.masked_select(m)", "torch.equal(x, x)", "torch.allclose(x, x)", "repr(x)", "torch.linalg.inv(a)",
    "torch.linalg.svd(a)", "torch.multinomial(w, 2)", "torch.repeat_interleave(i, i)",
    "x[:2].repeat_interleave(i, 0)", "torch.repeat_interleave(repeats=i)", "torch.where(condition=m)",
    "torch.bincount(i)",
    "torch.cuda.current_stream().synchronize()",
]  # fmt: skip
"""Calls that need a number, a size or an error from the GPU, or move elements that nobody may change meanwhile."""

GOES_ON = [
    "x + 1", "x + torch.tensor(2.0)", "x.sum()", "x.sort()", "x.argmax()", "x[i]", "x.__setitem__(m, 1.0)",
    "x.__setitem__(3, 2.0)", "x.masked_fill(m, 0)", "torch.where(m, x, 0)", "a @ a", "torch.einsum('ij,jk', a, a)",
    "x.repeat_interleave(repeats=2)", "len(x), x.shape, x.stride()", "torch.ones(3, device='cuda')", "x.to('cuda:1')",
    "torch.randn(3, device='cuda')", "torch.arange(3, device='cuda')", "torch.nn.functional.dropout(x)",
    "pinned.cuda(non_blocking=True)", "x.to('cpu', non_blocking=True)", "here.copy_(x, non_blocking=True)",
    "torch.repeat_interleave(i, i, output_size=3)", "torch.linalg.inv_ex(a)", "torch.cuda.synchronize()",
    "x.requires_grad_().pow(2).sum().backward()",
]  # fmt: skip
"""Calls whose results stay on the GPU in a known size, copies that nobody waits for, and waits that are asked for."""


@pytest.fixture
def names(gpus: None) -> Iterator[dict[str, Any]]:
    given = {
        "torch": torch, "x": torch.arange(-3.0, 7.0, device="cuda"), "m": torch.arange(10, device="cuda") > 4,
        "n": torch.tensor(3.0, device="cuda"), "i": torch.tensor([1, 2], device="cuda"),
        "a": torch.eye(3, device="cuda"), "w": torch.rand(4, device="cuda"), "here": torch.ones(10),
        "pinned": torch.ones(10).pin_memory(),
    }  # fmt: skip
    yield given
    given.clear()
    torch.cuda.set_sync_debug_mode("default")


def said(call: str, names: dict[str, Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        eval(call, names)
        torch.cuda.set_sync_debug_mode("default")
        eval(call, names)
    return [str(warning.message) for warning in caught if str(warning.message) == SAID]


@pytest.mark.parametrize("call", WAITS)
def test_a_call_that_waits_says_so_once(call: str, names: dict[str, Any]) -> None:
    assert said(call, names) == [SAID]


@pytest.mark.parametrize("call", GOES_ON)
def test_a_call_that_does_not_wait_says_nothing(call: str, names: dict[str, Any]) -> None:
    assert said(call, names) == []


def test_an_error_comes_before_anything_is_written(names: dict[str, Any]) -> None:
    here = names["here"]
    torch.cuda.set_sync_debug_mode(2)
    assert torch.cuda.get_sync_debug_mode() == 2
    with pytest.raises(RuntimeError, match=SAID):
        here.copy_(names["x"])
    with pytest.raises(RuntimeError, match=SAID):
        names["n"].item()
    torch.cuda.set_sync_debug_mode(0)
    assert here.tolist() == [1] * 10
    with pytest.raises(RuntimeError, match="expected one of `default`, `warn`, `error`, but got loud"):
        torch.cuda.set_sync_debug_mode("loud")
