"""Tensors without numbers: plans of any size, and what cannot be asked of them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as tw

REFUSALS: list[tuple[Callable[..., object], type[Exception], str]] = [
    (lambda x, c: x.tolist(), NotImplementedError, "Cannot copy out of meta tensor; no data!"),
    (lambda x, c: x.cpu(), NotImplementedError, "Cannot copy out of meta tensor; no data!"),
    (lambda x, c: x.to("cpu"), NotImplementedError, "Cannot copy out of meta tensor; no data!"),
    (lambda x, c: c.copy_(x), NotImplementedError, "Cannot copy out of meta tensor; no data!"),
    (lambda x, c: x.item(), RuntimeError, "a Tensor with 12 elements cannot be converted to Scalar"),
    (lambda x, c: x[0, 0].item(), RuntimeError, "Tensor.item() cannot be called on meta tensors"),
    (lambda x, c: bool(x[0, 0]), RuntimeError, "Tensor.item() cannot be called on meta tensors"),
    (lambda x, c: float(x[0, 0]), RuntimeError, "Tensor.item() cannot be called on meta tensors"),
    (
        lambda x, c: x.numpy(),
        TypeError,
        "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
    ),
    (lambda x, c: x + c, RuntimeError, "Tensor on device cpu is not on the expected device meta!"),
    (lambda x, c: c + x, RuntimeError, "Tensor on device meta is not on the expected device cpu!"),
    (lambda x, c: c.add_(x), RuntimeError, "Tensor on device meta is not on the expected device cpu!"),
    (lambda x, c: tw.cat([x, c]), RuntimeError, "Tensor on device cpu is not on the expected device meta!"),
    (lambda x, c: tw.where(x > 0, x, c), RuntimeError, "Tensor on device cpu is not on the expected device meta!"),
    (
        lambda x, c: tw.add(x, x, out=c),
        RuntimeError,
        "Attempting to copy from device meta to device cpu, but cross-device copies are not allowed!",
    ),
    (
        lambda x, c: tw.sum(c, 0, out=x[0]),
        RuntimeError,
        "Attempting to copy from device cpu to device meta, but cross-device copies are not allowed!",
    ),
    (
        lambda x, c: x.set_(c),
        RuntimeError,
        'Attempted to set the storage of a tensor on device "meta" to a storage on different device "cpu".  This is no '
        "longer allowed; the devices must match.",
    ),
    (lambda x, c: tw.ones(2, device="cuda"), AssertionError, "Torch not compiled with CUDA enabled"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSALS)
def test_what_has_no_numbers_says_so(call: Callable[..., object], error: type[Exception], message: str) -> None:
    x, c = tw.ones(3, 4, device="meta"), tw.ones(3, 4)
    with pytest.raises(error) as caught:
        call(x, c)
    assert str(caught.value) == message
    assert (c == 1).all()


@pytest.mark.torch
@pytest.mark.parametrize(("call", "error", "message"), [r for r in REFUSALS if "c.add_" not in str(r)])
def test_pytorch_says_the_same(
    monkeypatch: pytest.MonkeyPatch, call: Callable[..., object], error: type[Exception], message: str
) -> None:
    import torch

    monkeypatch.setitem(globals(), "tw", torch)
    x, c = torch.ones(3, 4, device="meta"), torch.ones(3, 4)
    try:
        call(x, c)
    except Exception as caught:
        assert (type(caught), str(caught).partition("\n")[0]) == (error, message)
    else:
        assert call.__code__.co_names[:1] == ("add_",)  # PyTorch leaves c as it was, in silence


def test_a_number_of_the_cpu_and_an_index_meet_meta() -> None:
    x = tw.ones(3, 4, device="meta")
    for found in (x + tw.tensor(1.0), tw.tensor(1.0) * x, x[tw.tensor([0, 1])], x.index_select(0, tw.tensor([0]))):
        assert found.is_meta
    assert x.add_(tw.tensor(2)) is x
    assert tw.mul(x, x, out=tw.empty(0, device="meta")).shape == (3, 4)


def test_printing() -> None:
    x = tw.empty(3, 4, device="meta", dtype=tw.int64)
    assert repr(x) == "tensor(..., device='meta', size=(3, 4), dtype=torch.int64)"
    assert repr(tw.ones(2, 2).to("meta").t()) == "tensor(..., device='meta', size=(2, 2))"


def test_the_default_device_may_be_meta() -> None:
    with tw.device("meta") as place:
        inside = tw.ones(2), tw.tensor([1]), tw.as_tensor(tw.ones(2, device="cpu")), tw.ones(2, device="cpu")
        with tw.device("cpu"):
            nested = tw.ones(1)
        assert tw.get_default_device() == place
    assert [t.device.type for t in (*inside, nested, tw.ones(1))] == ["meta", "meta", "meta", "cpu", "cpu", "cpu"]
    tw.set_default_device("meta")
    try:
        assert tw.arange(3).is_meta
    finally:
        tw.set_default_device(None)
    assert tw.arange(3).is_cpu


def test_tpus_are_refused_with_a_word_on_where_they_stand() -> None:
    with pytest.raises(NotImplementedError) as caught:
        tw.ones(2, device="xla")
    assert "PyTorch uses TPUs through PyTorch/XLA" in caught.value.__notes__[0]


def test_a_plan_for_ten_terabytes_costs_kilobytes() -> None:
    width, layers = 1 << 17, 140
    tracemalloc.start()
    weights = [tw.empty(width, width, dtype=tw.float32, device="meta") for _ in range(layers)]
    x = tw.empty(4096, width, device="meta")
    for weight in weights:
        x = tw.relu(x @ weight.t() + tw.empty(width, device="meta"))
        x = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
        x = x.reshape(4096, 128, -1).transpose(0, 1).contiguous().transpose(0, 1).reshape(4096, width)
    loss = x.softmax(-1).log().sum()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(w.nbytes for w in weights) > 9.5e12
    assert (x.shape, x.stride(), loss.shape) == ((4096, width), (width, 1), ())
    assert most < 1_000_000


BIG = 10**12


@pytest.mark.parametrize(
    ("call", "size"),
    [
        (lambda x: x.sum(0), (5,)),
        (lambda x: x.sort(0).indices, (BIG, 5)),
        (lambda x: x.topk(3, 0).values, (3, 5)),
        (lambda x: x.cumsum(0), (BIG, 5)),
        (lambda x: tw.cat([x, x]), (2 * BIG, 5)),
        (lambda x: x.repeat_interleave(3, 0), (3 * BIG, 5)),
        (lambda x: x[::2, None], (BIG // 2, 1, 5)),
        (lambda x: x.quantile(0.5), ()),
        (lambda x: x.flip(0).roll(1, 1), (BIG, 5)),
        (lambda x: tw.einsum("ij,kj->k", x, tw.empty(7, 5, device="meta")), (7,)),
        (lambda x: tw.arange(BIG, device="meta"), (BIG,)),
        (lambda x: tw.randperm(BIG, device="meta"), (BIG,)),
        (lambda x: tw.linspace(0, 1, BIG, device="meta"), (BIG,)),
        (lambda x: tw.randn(BIG, 5, device="meta"), (BIG, 5)),
        (lambda x: x.tril(), (BIG, 5)),
        (lambda x: x.gather(0, tw.empty(BIG, 5, dtype=tw.int64, device="meta")), (BIG, 5)),
        (lambda x: x.masked_fill(x > 0, 1.0), (BIG, 5)),
        (lambda x: tw.fft.rfft(x, dim=0), (BIG // 2 + 1, 5)),
        (lambda x: x.unfold(0, 2, 2), (BIG // 2, 5, 2)),
        (lambda x: x.clone().fill_(1).uniform_().bernoulli_(), (BIG, 5)),
        (lambda x: x.median(0).values, (5,)),
        (lambda x: x.var(1), (BIG,)),
    ],
)
def test_no_op_counts_to_a_million_millions(call: Callable[[tw.Tensor], tw.Tensor], size: tuple[int, ...]) -> None:
    tracemalloc.start()
    found = call(tw.empty(BIG, 5, device="meta"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.is_meta and tuple(found.shape) == size
    assert most < 500_000


@pytest.mark.parametrize(
    "key",
    [
        tw.tensor([0, 2]), tw.tensor([True, False, True]), tw.empty(2, dtype=tw.int64, device="meta"),
        tw.empty(3, dtype=tw.bool, device="meta"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", [1.0, tw.empty(2, device="meta"), tw.ones(2)])
def test_writing_by_index_tensors_writes_nothing(key: tw.Tensor, value: Any) -> None:
    x = tw.empty(3, device="meta")
    x[key] = value
    assert x._version == 1 and x.shape == (3,)
