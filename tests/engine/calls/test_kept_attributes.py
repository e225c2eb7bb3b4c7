"""Attributes that cannot be set, and what sizes, devices, generators and thread counts refuse: PyTorch's words."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw

READ_ONLY = (
    "shape ndim dtype device layout itemsize nbytes is_cuda is_sparse is_meta is_quantized _version "
    "output_nr retains_grad T mT H mH"
).split()

CALLS: dict[str, str] = {
    "t.Size([1]) + [2]": "TypeError: can only concatenate tuple (not list) to torch.Size",
    "t.Size([1]) + 1": "TypeError: can only concatenate tuple (not int) to torch.Size",
    "t.Size([1]) + (2.5,)": "TypeError: torch.Size() takes an iterable of 'int' (item 1 is 'float')",
    "t.Size([1]) + (2,)": "torch.Size([1, 2])",
    "(1,) + t.Size([2])": "torch.Size([1, 2])",
    "t.device('cpu', -1)": "RuntimeError: Device index must not be negative",
    "t.device(-1)": "RuntimeError: Device index must not be negative",
    "t.device('cpu', 'a')": "TypeError: device(): argument 'index' (position 2) must be int, not str",
    "t.device('cpu', True)": "TypeError: device(): argument 'index' (position 2) must be int, not bool",
    "t.device(t.device('cpu'), 0)": "TypeError: device(): argument 'type' (position 1) must be str, not torch.device",
    "t.device()": "TypeError: device() received an invalid combination of arguments - got (), but expected one of:",
    "t.device(None)": "TypeError: device() received an invalid combination of arguments - got (NoneType), but expected "
    "one of:",
    "t.device(1.5)": "TypeError: device() received an invalid combination of arguments - got (float), but expected "
    "one of:",
    "t.device('cpu', None)": "cpu",
    "t.set_num_threads('a')": "RuntimeError: set_num_threads expects an int, but got str",
    "t.Generator().set_state(t.zeros(3))": "TypeError: RNG state must be a torch.ByteTensor",
    "t.set_rng_state(t.get_rng_state()[:10])": "RuntimeError: Expected a CPUGeneratorImplState of size 5056 but found "
    "the input RNG state size to be 10",
    "t.zeros(3)[2**63]": "ValueError: Overflow when unpacking long long",
    "t.zeros(3)[t.float32]": "IndexError: only integers, slices (`:`), ellipsis (`...`), None and long or byte "
    "Variables are valid indices (got torch.dtype)",
    "t.arange(3).apply_(lambda x: 'a')": "TypeError: 'str' object cannot be interpreted as an integer",
    "t.arange(3.0).apply_(lambda x: None)": "TypeError: must be real number, not NoneType",
    "t.nonzero(t.ones(1), as_tuple=True, out=t.zeros(1))": "RuntimeError: nonzero does not support the out kwarg when "
    "as_tuple is True",
    "t.zeros(3, 5).masked_fill(t.ones(4, dtype=t.bool), 1)": "RuntimeError: The size of tensor a (4) must match the "
    "size of tensor b (5) at non-singleton dimension 1",
    "t.zeros(2).__delattr__('data')": "RuntimeError: Deleting tensor data is not allowed. Delete tensor instead!",
}


def answer(torch: Any, call: str) -> str:
    try:
        return str(eval(call, {"t": torch}))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


@pytest.mark.parametrize("name", READ_ONLY)
def test_an_attribute_cannot_be_set_or_deleted(name: str) -> None:
    x = tw.ones(2, 2)
    words = f"^attribute '{name}' of 'torch._C.TensorBase' objects is not writable$"
    with pytest.raises(AttributeError, match=words):
        setattr(x, name, 1)
    with pytest.raises(AttributeError, match=words):
        delattr(x, name)


@pytest.mark.parametrize(("call", "wanted"), CALLS.items())
def test_the_answers_are_pytorchs(call: str, wanted: str) -> None:
    assert answer(tw, call) == wanted


@pytest.mark.torch
def test_pytorch_answers_the_same() -> None:
    import torch

    assert {call: answer(torch, call) for call in CALLS} == CALLS
    for name in READ_ONLY:
        message = f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable"
        assert answer(torch, f"t.ones(2, 2).__setattr__('{name}', 1)") in (
            f"AttributeError: {message}",
            f"AttributeError: {name} is not writable",
        )
