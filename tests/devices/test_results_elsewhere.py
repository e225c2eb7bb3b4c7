"""What is written on one device is not computed from what lies on another: `out=` elsewhere is refused."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.dispatch.registry import OPS
from tests.gradients.test_recorded_or_not import FORMS

HOW = "Expected all tensors to be on the same device, but "
TWO = HOW + "found at least two devices, cuda:0 and cpu!"
WORDS = {
    "torch.exp(g, out=c)": TWO,
    "torch.exp2(g, out=c)": f"{HOW}got self is on cuda:0, different from other tensors on cpu (when checking argument "
    "in method wrapper_CUDA_exp2_out_out)",
    "torch.mm(c, c, out=g)": f"{HOW}got self is on cpu, different from other tensors on cuda:0 (when checking argument "
    "in method wrapper_CUDA_mm_out_out)",
    "torch.mm(g, c, out=g)": f"{HOW}got mat2 is on cpu, different from other tensors on cuda:0 (when checking argument "
    "in method wrapper_CUDA_mm_out_out)",
    "torch.index_select(g, 0, i, out=c)": f"{HOW}got self is on cuda:0, different from other tensors on cpu (when "
    "checking argument in method wrapper_CUDA_out_index_select_out)",
    "torch.sort(c, out=(c.clone(), i.cuda()))": f"{HOW}got indices is on cuda:0, different from other tensors on cpu "
    "(when checking argument in method wrapper_CUDA_sort_out_values_stable)",
    "torch.cat([g, g], out=c)": f"{HOW}got tensors is on cuda:0, different from other tensors on cpu (when checking "
    "argument in method wrapper_CUDA_cat_out_out)",
    "torch.sum(g, 0, out=c)": "Expected out tensor to have device cuda:0, but got cpu instead",
    "torch.max(c, 0, out=(g, i))": "Expected out tensor to have device cpu, but got cuda:0 instead",
    "torch.max(c, g)": TWO,
    "torch.max(c[0, 0], g).sum()": None,
    "torch.max(g[0, 0], c[0, 0])": None,
    "torch.add(c[0, 0], 1, out=g[0, 0])": "Trying to pass too many CPU scalars to non-CPU kernel!",
    "torch.exp(c[0, 0], out=g[0, 0])": TWO,
    "torch.complex(g, g, out=torch.zeros(2, 2, dtype=torch.complex64))": f"{HOW}got real is on cuda:0, different from "
    "other tensors on cpu (when checking argument in method wrapper_CUDA_out_complex_out)",
    "torch.quantile(g, 0.5, out=c)": "quantile() out tensor must be on the same device as the input tensor",
}
"""Calls and refusals, which PyTorch's generator of kernels writes; None for calls that are computed."""


def public(name: str) -> Callable[..., Any] | None:
    """The function that users call for an op, if there is one."""
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if callable(found) else None


def refusal(call: Callable[[], Any]) -> str | None:
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return None


@pytest.mark.usefixtures("gpu")
def test_the_words_are_those_of_the_kernel() -> None:
    c = torch.arange(4.0).reshape(2, 2)
    scope = {"torch": torch, "c": c, "g": c.cuda(), "i": torch.zeros(2, dtype=torch.int64)}
    assert {call: refusal(lambda call=call: eval(call, scope)) for call in WORDS} == WORDS


@pytest.mark.usefixtures("gpu")
def test_no_op_loses_a_result_between_devices() -> None:
    refused, lost = set(), set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(OPS):
            function = public(name)
            for arguments in FORMS.values() if function else ():
                x = torch.arange(12.0).reshape(3, 4) / 12 + 0.1
                try:
                    here = function(*arguments(x))
                    function(*arguments(x), out=torch.zeros_like(here))
                except Exception:
                    continue
                for device, other in (("cpu", "cuda"), ("cuda", "cpu")):
                    out = torch.full_like(here, 1, device=other)
                    try:
                        function(*arguments(x.to(device)), out=out)
                        lost.add((name, device))
                    except Exception as error:
                        refused.add((name, type(error).__name__))
    assert {error for _, error in refused} == {"RuntimeError"}
    assert len(refused) > 200
    assert lost == set()
