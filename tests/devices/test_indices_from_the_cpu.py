"""Indices may be in main memory: values and gradients on a GPU are the CPU's, and memory is free at once."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import tensorwidgets as torch


def keys(device: str) -> list[Any]:
    def at(values: Any) -> Any:
        return torch.tensor(values, device=device)

    rest = slice(None)
    return [
        [True, False, True, False, False], [1, 2], at([1, 2]), (rest, at([1, 2])), (at([1, 2]), None, at([0, 1])),
        at([True] * 3 + [False] * 2), (at([True] * 3 + [False] * 2), 0), at(1), at(True), True,
        ([0, 1], [True, True, False, False, False]), (rest, rest, at([[0, 1], [1, 4]])), (..., at([0, 0, 0])),
        (0, slice(1, 3), at([0, 1])), (at([0, 1]), rest, at([1, 1])), at([[True] * 5] * 5),
        (rest, at([[True] * 5] * 5)), (at([-1]),), [], (rest, []), (rest, [True] * 5),
    ]  # fmt: skip


def answers(home: str, key: Any, create: bool) -> list[torch.Tensor]:
    """What reading and writing give, and gradients of both."""
    x = (torch.arange(125.0).reshape(5, 5, 5) / 7).to(home).requires_grad_()
    read = x[key]
    (grad,) = torch.autograd.grad((read * read).sum(), x, create_graph=create)
    found = [read, grad, *(torch.autograd.grad((grad * grad).sum(), x) if create else ())]
    one = torch.ones((), device=home).requires_grad_()
    for value in (2.0, one, read.detach() + 1):
        z = x * 1
        z[key] = value
        leaves = [x, one] if value is one else [x]
        found += [z, *torch.autograd.grad((z * z).sum(), leaves, create_graph=create)]
    for value in (5, torch.tensor(6.0)):
        z = x.detach().clone()
        z[key] = value
        found.append(z)
    return found


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("where", ["cpu", "cuda"])
def test_an_index_from_anywhere_reads_and_writes_there(where: str) -> None:
    for here, there in zip(keys("cpu"), keys(where), strict=True):
        for create in (False, True):
            wanted, found = answers("cpu", here, create), answers("cuda", there, create)
            assert all(t.is_cuda for t in found), here
            assert all(torch.allclose(a, b.cpu()) for a, b in zip(wanted, found, strict=True)), here


@pytest.mark.usefixtures("gpu")
def test_a_call_through_the_host_keeps_no_memory() -> None:
    gc.collect()
    gc.disable()
    try:
        for name in ("argsort", "digamma", "geqrf", "special.airy_ai", "linalg.lu_factor"):
            function: Any = torch
            for part in name.split("."):
                function = getattr(function, part)
            function(torch.rand(3, 3, device="cuda"))
            assert torch.cuda.memory_allocated() == 0, name
    finally:
        gc.enable()
