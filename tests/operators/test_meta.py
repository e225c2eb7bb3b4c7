"""On `meta` tensors every operator gives the dtype, size and strides that it gives on numbers, without any."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import tensorwidgets as tw
from tests.operators.ask import AS_THE_DATABASE_ASKS, RANDOM
from tests.operators.meta import frozen, looks, on_meta
from tests.operators.samples import load
from tests.parts import Part, in_parts

NOTHING_TO_TELL = {
    "allclose": "RuntimeError: Tensor.item() cannot be called on meta tensors",
    "argwhere": "NotImplementedError: The register_meta function for torch.nonzero() raises unimplemented by default",
    "bincount": "NotImplementedError: aten::bincount: attempted to run this operator with Meta tensors",
    "equal": "NotImplementedError: aten::equal: attempted to run this operator with Meta tensors",
    "item": "RuntimeError: Tensor.item() cannot be called on meta tensors",
    "masked_select": "NotImplementedError: aten::masked_select: attempted to run this operator with Meta tensors",
    "nonzero": "NotImplementedError: The register_meta function for torch.nonzero() raises unimplemented by default",
    "repeat_interleave": "RuntimeError: cannot repeat_interleave a meta tensor without output_size",
    "unique": "NotImplementedError: aten::_unique2: attempted to run this operator with Meta tensors",
    "unique_consecutive": "NotImplementedError: aten::unique_consecutive: attempted to run this operator with Meta",
}
"""Operators whose result depends on numbers, and how they refuse: as PyTorch's do."""


@in_parts(6)
def test_every_frozen_sample_looks_on_meta_as_it_does_with_numbers(part: Part) -> None:
    count, wrong, refused = 0, [], set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample, fault in frozen(set(), part):
            count += 1
            told = NOTHING_TO_TELL.get(sample["op"])
            if fault and told is not None and fault.startswith(told):
                refused.add(sample["op"])
            elif fault:
                wrong.append(f"{sample['op']} {sample['variant']} {sample['dtype']}: {fault}")
    assert count > part.least(1700, 3500)
    assert wrong == []
    assert refused <= set(NOTHING_TO_TELL) and len(refused) >= part.least(9, 5)


@pytest.mark.torch
def test_pytorch_agrees_on_meta_wherever_it_agrees_with_itself() -> None:
    import torch

    samples, unpacker = load(torch)
    _, own = load(tw)
    agreeing = 0
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples:
            name = sample["op"]
            if sample["variant"] or (name, "") in AS_THE_DATABASE_ASKS or name in RANDOM:
                continue
            theirs = _asked(torch, name, on_meta(unpacker.unpack(sample["given"]), torch))
            ours = _asked(tw, name, on_meta(own.unpack(sample["given"])))
            if _failed(theirs):
                if _failed(ours) and ours != theirs:
                    wrong.append(f"{name}: {ours} for {theirs}")
            elif theirs == _shown(own.unpack(sample["answer"])):
                agreeing += 1
                if ours != theirs:
                    wrong.append(f"{name}: {ours} for {theirs}")
    assert agreeing > 4000
    assert wrong == []


def _asked(torch: Any, name: str, given: list[Any]) -> Any:
    op = torch
    for part in name.split("."):
        op = getattr(op, part, None)
    op = op if callable(op) else getattr(torch.Tensor, name)
    try:
        if not callable(op):
            return _shown(getattr(given[0], name))
        return _shown(op(given[0], *given[1], **given[2]))
    except Exception as error:  # any error is an answer
        return "error", type(error).__name__, str(error).partition("\n")[0]


def _failed(told: Any) -> bool:
    return isinstance(told, tuple) and told[0] == "error"


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    if hasattr(value, "storage_offset"):
        strides = tuple(s if n > 1 else 1 for s, n in zip(value.stride(), value.shape, strict=True))
        return "tensor", str(value.dtype), tuple(value.shape), strides if value.numel() else ()
    return looks(value)
