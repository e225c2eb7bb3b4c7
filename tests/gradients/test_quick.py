"""The quick ways to record a call and to go back through it give what the general ways give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.autograd.shortcuts import calls, calls_of_rows
from tensorwidgets.engine.autograd.shortcuts.formulas import SHORTCUTS
from tensorwidgets.engine.declare.fast_calls import RECORDS
from tensorwidgets.engine.dispatch import stations
from tensorwidgets.engine.dispatch.registry import OPS
from tests.gradients.graphs import graph

torch.ones(1, requires_grad=True)  # loads the rooms

F = torch.nn.functional


def _leaves(dtype: Any = torch.float64, size: tuple[int, ...] = (3, 4)) -> list[Any]:
    torch.manual_seed(7)
    return [(torch.rand(size, dtype=dtype) + 0.5).requires_grad_() for _ in range(2)]


CALLS: dict[str, Callable] = {
    "AddBackward0": lambda x, y: (x + y) + 2,
    "SubBackward0": lambda x, y: (x - y) - 2.5 + (x - y.mean(1, keepdim=True)) + (y[:1] - x * 2) - y[0, 0] * 3,
    "NegBackward0": lambda x, y: -(x * y),
    "RsubBackward1": lambda x, y: (1 - x * y) * (2.5 - y.t()).t() + (0 - x[0]),
    "MulBackward0": lambda x, y: (
        (x * y) * 2 + 3 * x * x + x * y[:, :1] + y[0] * x + x[:, :1] * (y[0] * 2) + x * y.sum()
    ),
    "ExpBackward0": lambda x, y: (x * y).exp(),
    "PowBackward0": lambda x, y: (x * y) ** 2 + y**2.0,
    "ReluBackward0": lambda x, y: torch.relu(x - y) + torch.relu(torch.tensor(float("nan")) * x),
    "MeanBackward0": lambda x, y: (x * y).mean(),
    "MmBackward0": lambda x, y: x @ y.t() @ x + torch.mm(y, x.t() @ x),
    "TBackward0": lambda x, y: (x.t() * 2) @ y,
    "AddmmBackward0": lambda x, y: torch.nn.functional.linear(x * y, y, x.sum(1)) + torch.addmm(y[0, 0], x, y.t()),
    "TanhBackward0": lambda x, y: (x * y).tanh(),
    "SigmoidBackward0": lambda x, y: (x * y).sigmoid(),
    "LogBackward0": lambda x, y: (x * y).log(),
    "SqrtBackward0": lambda x, y: (x * y).sqrt(),
    "DivBackward0": lambda x, y: (
        x / y.detach() + y / 2.5 + x / 3 + x / y + x / y.sum(1, keepdim=True) + x[:1] / y + x[:, :1] / (y[0] * 2)
    ),
    "SumBackward0": lambda x, y: (x * y).sum(),
    "LogSoftmaxBackward0": lambda x, y: (x * y).log_softmax(1) + y.log_softmax(0),
    "SoftmaxBackward0": lambda x, y: (x * y).softmax(1) + y.softmax(0),
    "SafeSoftmaxBackward0": lambda x, y: torch._safe_softmax(x * y, -1),
    "NativeLayerNormBackward0": lambda x, y: torch.nn.functional.layer_norm(x * y, (4,), y[0], y[1]),
    "NativeBatchNormBackward0": lambda x, y: torch.nn.functional.batch_norm(
        (x * y).reshape(3, 2, 2), None, None, x[0, :2], y[0, :2], True
    ),
    "ScaledDotProductFlashAttentionForCpuBackward0": lambda x, y: torch.nn.functional.scaled_dot_product_attention(
        *[(x * y).reshape(1, 2, 3, 2), x.reshape(1, 2, 3, 2), y.reshape(1, 2, 3, 2)], is_causal=True
    ),
    "EmbeddingBackward0": lambda x, y: torch.nn.functional.embedding(torch.arange(24) % 3, x) * y[0],
    "NllLossBackward0": lambda x, y: torch.nn.functional.cross_entropy(x * y, torch.tensor([3, 0, 1])),
    "ViewBackward0": lambda x, y: (x * y).view(2, 6) * 2 + x.view(-1, 6) + y.reshape(6, 2).t(),
    "UnsafeViewBackward0": lambda x, y: (x * y).view(3, 2, 2) @ y[:2, :2] * 2,
    "ReshapeAliasBackward0": lambda x, y: (
        (x * y).view(1, 3, 2, 2) @ y.view(3, 2, 2)[None].transpose(-2, -1)
        + (x[None, :, None, 1:3] @ y[None, :, :2, None])
    ),
    "TransposeBackward0": lambda x, y: (x * y).transpose(0, 1) * y.transpose(-1, 0),
    "PermuteBackward0": lambda x, y: (x * y).view(3, 2, 2).permute(2, 0, -2) * y.reshape(2, 3, 2),
    "UnsqueezeBackward0": lambda x, y: (x * y).unsqueeze(1) * y.unsqueeze(-2) + x[:, None],
    "ExpandBackward0": lambda x, y: (x * y).expand(3, 4) * 2 + (x * y).expand(2, 3, 4)[0],
    "CloneBackward0": lambda x, y: (x * y).clone() * 2 + x.clone() + y.t().contiguous().t(),
    "SelectBackward0": lambda x, y: (x * y)[0] * 2 + y[-1] * 3 + (x * y).select(1, 2)[1] * 2,
    "IndexBackward0": lambda x, y: (
        (x * y)[torch.tensor([2, 0, 2])] * y[torch.tensor([[1, -1]])].sum(1)
        + ((x * y)[torch.tensor([2, 0, -1]), torch.tensor([3, 1, 3])] * 3).sum()
    ),
    "SliceBackward0": lambda x, y: (x * y)[1:, ::2] * 2 + (x * y)[:2, -3:-1] * y[1:, 2:],
    "CatBackward0": lambda x, y: torch.cat([x * y, y], 1) * 2 + torch.cat((x, x.detach(), x * 2), dim=0)[:3, :2].sum(),
    "StackBackward0": lambda x, y: torch.stack([x * y, y]) * 2 + torch.stack((x, x.detach()), dim=-1).sum(),
    "SumBackward1": lambda x, y: (x * y).sum(1) * y.sum((0, 1)) + (x * 2).exp().sum(-1, keepdim=True).sum(1),
    "MeanBackward1": lambda x, y: (x * y).mean(1) * y.mean((0, 1)) + x.mean([-1], keepdim=True).mean(1),
    "MseLossBackward0": lambda x, y: F.mse_loss(x * y, y) * 2 + F.mse_loss(y, x.detach(), reduction="sum"),
    "LeakyReluBackward0": lambda x, y: F.leaky_relu(x - y) + F.leaky_relu(x - 1, 0.2) * F.leaky_relu(y, 2),
    "EluBackward0": lambda x, y: F.selu(x - y) + F.elu(y - x) * F.elu(x - 1, 2.5),
    "CeluBackward0": lambda x, y: F.celu(x - y) * F.celu(y - 1, 2.5),
    "GeluBackward0": lambda x, y: F.gelu(x - y) * F.gelu(y - x, approximate="tanh"),
    "SiluBackward0": lambda x, y: F.silu(x - y) * F.silu(y, inplace=False),
    "MishBackward0": lambda x, y: F.mish(x - y) * 2,
    "SoftplusBackward0": lambda x, y: F.softplus(x - y) * F.softplus(y, 2, threshold=1.5),
    "SoftshrinkBackward0": lambda x, y: F.softshrink(x - y, 0.1) * F.softshrink(x),
    "HardtanhBackward0": lambda x, y: F.hardtanh(x - y, -0.2, 0.3) * F.relu6(y * 5) + F.hardtanh(x),
    "HardsigmoidBackward0": lambda x, y: F.hardsigmoid((x - y) * 9) * 2,
    "HardswishBackward0": lambda x, y: F.hardswish((x - y) * 9) * 2,
    "LogSigmoidBackward0": lambda x, y: F.logsigmoid(x - y) * 2,
    "ThresholdBackward0": lambda x, y: F.threshold(x - y, 0.1, 20) * 2,
    "BmmBackward0": lambda x, y: torch.bmm((x * y).view(3, 2, 2), y.view(3, 2, 2).transpose(1, 2) * 2),
}
"""Calls that use each shortcut, by the name of its node."""

ROUNDED = (
    "NativeLayerNormBackward0", "NativeBatchNormBackward0", "LogSoftmaxBackward0", "NllLossBackward0",
    "SoftmaxBackward0", "SafeSoftmaxBackward0",
)  # fmt: skip
"""Their sums are added in another order than those of the formulas."""
NOT_COMPLEX = (
    "MseLossBackward0", "ReluBackward0", "ScaledDotProductFlashAttentionForCpuBackward0", *ROUNDED,
    "LeakyReluBackward0", "EluBackward0", "CeluBackward0", "GeluBackward0", "SiluBackward0", "MishBackward0",
    "SoftplusBackward0", "SoftshrinkBackward0", "HardtanhBackward0", "HardsigmoidBackward0", "HardswishBackward0",
    "LogSigmoidBackward0", "ThresholdBackward0",
)  # fmt: skip
DTYPES = (torch.float32, torch.float64, torch.complex128, torch.bfloat16)


def test_each_shortcut_has_a_call() -> None:
    assert set(CALLS) == set(SHORTCUTS)


@contextmanager
def _without(table: dict[str, Callable]) -> Iterator[None]:
    """The backward pass without shortcuts."""
    from tensorwidgets.engine.autograd.formulas import class_of
    from tensorwidgets.engine.derivatives.declaring import TABLE

    classes = [class_of(d) for rows in TABLE.values() for d in rows if d.node in table and d.formulas]
    before = [cls.__dict__.get("shortcut") for cls in classes]
    try:
        for cls in classes:
            cls.shortcut = None
        yield
    finally:
        for cls, own in zip(classes, before, strict=True):
            if own is None:
                del cls.shortcut
            else:
                cls.shortcut = own  # type: ignore[assignment]


@contextmanager
def _recorded_generally() -> Iterator[None]:
    """Calls are recorded by `recording.record` alone."""
    before = {name: (op.tracked, op.quick, op.quick_plain) for name, op in OPS.items()}
    from_numbers, any_row = dict(RECORDS), stations.record_usual
    try:
        stations.record_usual = lambda op, args, kwargs: None
        for op in OPS.values():
            op.tracked = op.quick = op.quick_plain = None
        RECORDS.clear()
        yield
    finally:
        RECORDS.update(from_numbers)
        stations.record_usual = any_row
        for name, ways in before.items():
            OPS[name].tracked, OPS[name].quick, OPS[name].quick_plain = ways


def _gradients(call: Callable, dtype: Any, size: tuple[int, ...] = (3, 4)) -> list[Any]:
    leaves = _leaves(dtype, size)
    result = call(*leaves)
    result.backward(torch.arange(1, result.numel() + 1).reshape(result.shape).to(dtype))
    return [(None if x.grad is None else (x.grad.tolist(), x.grad.stride(), x.grad.dtype)) for x in leaves]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_a_shortcut_computes_what_its_formulas_compute(name: str, dtype: Any) -> None:
    if dtype.is_complex and name in NOT_COMPLEX:
        with pytest.raises(RuntimeError):
            _gradients(CALLS[name], dtype)
        return
    ours = _gradients(CALLS[name], dtype)
    with _without(SHORTCUTS):
        formulas = _gradients(CALLS[name], dtype)
    if name in ROUNDED:
        for (one, *facts), (other, *wanted) in zip(ours, formulas, strict=True):
            assert facts == wanted
            close = 1e-13 if dtype is torch.float64 else 1e-4 if "LayerNorm" in name else 1e-5
            assert torch.allclose(torch.tensor(one), torch.tensor(other), rtol=close, atol=close)
        return
    assert str(ours) == str(formulas)  # as text: NaN equals NaN


@pytest.mark.parametrize("name", CALLS)
def test_a_shortcut_is_used(name: str) -> None:
    used = []
    cls = next(type(n) for n in _nodes(CALLS[name](*_leaves())) if type(n).__name__ == name)
    own = cls.__dict__["shortcut"]

    def noting(node: Any, grad: Any) -> Any:
        results = SHORTCUTS[name](node, grad)
        used.append(results is not None)
        return results

    try:
        cls.shortcut = staticmethod(noting)  # type: ignore[assignment]
        _gradients(CALLS[name], torch.float64)
    finally:
        cls.shortcut = own
    assert any(used)


def _nodes(result: Any) -> list[Any]:
    nodes, waiting = [], [result.grad_fn]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += [n for n, _ in node.next_functions if n is not None]
    return nodes


def _facts(call: Callable) -> list[Any]:
    """The graph of a call, and what each node saved with its version and the line that made it."""
    leaves = _leaves()
    with torch.no_grad():
        leaves[0].mul_(1)  # so that its version is 1
    result = call(*leaves)
    told: list[Any] = [graph(result), str(result.tolist()), list(result.stride())]
    for node in _nodes(result):
        if hasattr(node, "derivative"):
            told.append(
                (node.name(), node.where is None or node.where[0].co_filename, node.versions and [*node.versions])
            )
            told += [str(getattr(node, f"_saved_{name}", None)) for name in node.derivative.keeps]
    return told


UNARY = {name: (lambda x, y, name=name: getattr(torch, name)(x)) for name in calls.UNARY}
BINARY = {name: (lambda x, y, name=name: getattr(torch, name)(x, y)) for name in calls.BINARY}
BY_NUMBER = {f"{name} a number": (lambda x, y, name=name: getattr(torch, name)(x, 3)) for name in calls.BINARY}
WITH_PLAIN = {
    f"{name} plain": (lambda x, y, name=name: getattr(torch, name)(x, y.detach()) + getattr(torch, name)(y.detach(), x))
    for name in calls.BINARY
}
LAYERS = {
    "linear": lambda x, y: torch.nn.functional.linear(x, y, x[:, 0]),
    "linear of a constant": lambda x, y: torch.nn.functional.linear(x.detach(), y, x[:, 0]),
    "linear with a constant weight": lambda x, y: torch.nn.functional.linear(x, y.detach(), x[:, 0].detach()),
    "cross_entropy": lambda x, y: torch.nn.functional.cross_entropy(x * y, torch.tensor([0, 1, 3])),
    "cross_entropy, one ignored": lambda x, y: torch.nn.functional.cross_entropy(
        x, torch.tensor([0, 1, 3]), ignore_index=1
    ),
    "cross_entropy, all settings": lambda x, y: torch.nn.CrossEntropyLoss()(x, torch.tensor([0, 1, 3])),
    "layer_norm": lambda x, y: torch.nn.functional.layer_norm(x * y, (4,), y[0], y[1], 1e-5),
    "layer_norm of a constant": lambda x, y: torch.nn.functional.layer_norm(x.detach(), (3, 4), y, y * 2, 1e-3),
    "layer_norm with constants": lambda x, y: torch.nn.LayerNorm(4).requires_grad_(False).to(x)(x * y),
    "relu": lambda x, y: torch.nn.functional.relu(x - 1),
    "relu of a layer": lambda x, y: torch.nn.ReLU()(x - 1) + torch.nn.ReLU(inplace=True)(y * 2 - 1),
}
VIEWS: dict[str, Callable] = {
    "a number": lambda x, y: x[1] * x[-1, 2],
    "slices": lambda x, y: x[:2, 1::2] * y[-2:, :-1][:, ::2],
    "slices beyond the end": lambda x, y: x[1:9] * y[-9:2],
    "None and numbers": lambda x, y: x[None, 1, :, None] * y[:, None, 2][0],
    "numbers of a tensor": lambda x, y: x[torch.tensor([[0, 2], [1, -1]])] * y[torch.tensor([1])],
    "pieces": lambda x, y: x.split(2, 1)[1] * y.split(3, dim=1)[1] + x.split(2)[1][:, :2],
    "pieces by their number": lambda x, y: (
        x.chunk(2, 1)[1] * y.chunk(2, dim=-1)[0] + x.unbind()[1][:2] * y.unbind(1)[0][2]
    ),
    "pieces that are no views": lambda x, y: (
        x.unsafe_chunk(2, 1)[1].sigmoid() * y.unsafe_chunk(2, dim=-1)[0].mul_(2) + x.unsafe_split(3, 1)[0][:, :2].tanh()
    ),
    "expanded": lambda x, y: x[:1].expand(3, 4) * y.expand(2, -1, 4) + x[:, None].squeeze(1).expand((3, 4)),
    "diagonals": lambda x, y: x.diagonal() * y.diagonal(1) + x.diagonal(0, 1, 0) * y.narrow(1, 1, 3).diagonal(-1)[0],
    "flatten": lambda x, y: (
        x.view(3, 2, 2).flatten(1)[0] * y.flatten()[:4] + x[:1].flatten(0, 1) + y.flatten(-2, -1)[:4]
    ),
    "reshape": lambda x, y: x.reshape(2, -1) * y.reshape((2, 6)) + x.t().reshape(2, 6) + y[:, :1].reshape(-1, 1).sum(),
    "a batch and a matrix": lambda x, y: x.view(3, 2, 2) @ y[:2, :2] + x.detach().view(3, 2, 2) @ y[1:, 1:3],
    "batches": lambda x, y: x.view(1, 3, 2, 2) @ y.view(1, 3, 2, 2) + (x.view(3, 1, 2, 2) @ y.view(3, 1, 2, 2)).sum(),
    "turned batches": lambda x, y: (
        x.view(1, 3, 2, 2).transpose(1, 2) @ y.view(1, 3, 2, 2).transpose(1, 2).transpose(-2, -1)
        + x.detach().view(1, 3, 2, 2).transpose(1, 2) @ y.view(1, 2, 2, 3)
    ),
    "one row": lambda x, y: x[:1] @ y.t() + torch.nn.functional.linear(x[:1], y, x[:, 0]) + (y @ x[:1].t()).t(),
    "one column": lambda x, y: x[:, :1] @ y[:1] + x @ y[:1].t(),
    "linear of a batch": lambda x, y: torch.nn.functional.linear(x.view(3, 2, 2), y[:2, :2], x[0, :2]),
    "linear of a turned batch": lambda x, y: torch.nn.functional.linear(
        x.view(3, 2, 2).transpose(0, 1), y[:2, :2], x[0, :2]
    ),
    "linear without a bias": lambda x, y: torch.nn.functional.linear(x.view(1, 3, 4), y),
    "a view of a view of the memory": lambda x, y: x.view(3, 2, 2)[1:].transpose(0, 1).permute(1, 2, 0) * 2,
}
F = torch.nn.functional

UNRECORDED: dict[str, Callable] = {
    "joined": lambda x, y: torch.cat([x, y * 2], 1) * torch.stack((x, y), dim=-1).flatten(1),
    "sums": lambda x, y: x.sum() * y.mean(0) + x.sum(dim=1, keepdim=True) - y.mean(-1).sum((0,)),
    "pieces": lambda x, y: x.unsafe_chunk(2, 1)[0] * y.unsafe_split(2, 1)[1],
    "in place": lambda x, y: (x * 1).sqrt_() * (y * 2)[:, 1:3].exp_().sum() + (x - 1).neg_().tanh_(),
    "pools": lambda x, y: F.adaptive_max_pool1d(x, 3) * F.adaptive_avg_pool1d(y, 3) + F.max_pool1d(x, 2, 1),
}


@pytest.mark.parametrize("call", UNRECORDED.values(), ids=UNRECORDED)
def test_a_call_that_is_not_recorded_gives_what_the_general_way_gives(call: Callable) -> None:
    leaves = _leaves()
    with torch.no_grad():
        ours = call(*leaves)
        with _recorded_generally():
            general = call(*leaves)
    assert not ours.requires_grad
    assert (ours.tolist(), ours.stride(), ours._version) == (general.tolist(), general.stride(), general._version)


def _four(t: Any) -> Any:
    """A tensor of four dimensions, each of two elements."""
    return torch.cat([t, t[:1]]).view(2, 2, 2, 2)


ROWS: dict[str, Callable] = {
    "attention": lambda x, y: (
        F.scaled_dot_product_attention(_four(x * y), _four(x), _four(y), is_causal=True)
        * F.scaled_dot_product_attention(*[_four(t).transpose(1, 2) for t in (y, y, x)], attn_mask=None, dropout_p=0.0)
    ),
    "clamp": lambda x, y: x.clamp(0.6, 1.2) * y.clamp(max=1) * torch.clamp(x, y * 0.5, y) * x.clamp(1, 1),
    "cumsum": lambda x, y: x.cumsum(0) * y.cumprod(-1) + x.logcumsumexp(1),
    "dropout": lambda x, y: F.dropout(x, 0.5, False) * y,
    "embedding": lambda x, y: F.embedding(torch.tensor([[0, 2], [1, 1]]), x) * F.embedding(torch.tensor([1]), y, 1),
    "flip": lambda x, y: x.flip(0) * y.flip((0, 1)) + y.flip(0, 1) + x.roll(1, 1) + torch.rot90(x, 2),
    "gather": lambda x, y: x.gather(1, torch.tensor([[0], [1], [3]])) * y.take(torch.tensor([0, 3])).sum(),
    "gelu": lambda x, y: F.gelu(x) + F.gelu(y, approximate="tanh") + F.silu(x) + F.leaky_relu(y - 1) + F.elu(x - 1),
    "largest": lambda x, y: x.max() + y.min() + x.max(1).values * y.min(0)[0][:3] + torch.maximum(x, y).sum(),
    "linalg": lambda x, y: torch.linalg.svdvals(x) + torch.linalg.qr(y)[1].sum() + x.norm() + y.norm(dim=1),
    "losses": lambda x, y: (
        F.mse_loss(x, y) + F.l1_loss(x, y.detach()) + F.smooth_l1_loss(x, y) + F.kl_div(x, y, reduction="batchmean")
    ),
    "max_pool2d": lambda x, y: F.max_pool2d(x.view(1, 1, 3, 4), 2) * F.avg_pool2d(y.view(1, 1, 3, 4), 2),
    "norms": lambda x, y: (
        F.group_norm(x.view(1, 4, 3), 2, y[0], y[1]) + F.batch_norm(y.view(1, 4, 3), None, None, training=True)
    ),
    "scatter": lambda x, y: (
        x.scatter_add(1, torch.tensor([[0, 0], [1, 2], [3, 3]]), y[:, :2]) + x.index_add(0, torch.tensor([0, 2]), y[:2])
    ),
    "sort": lambda x, y: x.sort(1)[0] * y.topk(4, dim=1).values + x.sort(0, descending=True).values,
    "std": lambda x, y: x.std() + y.var(1) * x.std(0, correction=0)[:3] + torch.var_mean(x, 1)[1],
    "the same operand twice": lambda x, y: torch.addcmul(x, x, x, value=2) + torch.lerp(y, y, y) + torch.hypot(x, x),
    "triangles": lambda x, y: x.tril() + y.triu(1) + torch.diag_embed(x[0])[:3] + torch.outer(x[0], y[0])[:3],
    "where": lambda x, y: torch.where(x > y, x, y) + x.masked_fill(x > 1, 0.0) + torch.where(x > 1, 2.0, y),
}
EVERY = CALLS | LAYERS | VIEWS | ROWS | UNARY | BINARY | BY_NUMBER | WITH_PLAIN


@pytest.mark.parametrize("name", EVERY)
def test_the_quick_way_records_what_the_general_way_records(name: str) -> None:
    ours = _facts(EVERY[name])
    with _recorded_generally():
        general = _facts(EVERY[name])
    lines = [t[1] for t in ours if isinstance(t, tuple)]
    assert [t for t in map(_without_line, ours)] == [t for t in map(_without_line, general)]
    assert all(line is True or line == __file__ for line in lines)


def _without_line(told: Any) -> Any:
    return (told[0], told[2] and [v for v in told[2] if v is not None]) if isinstance(told, tuple) else told


@pytest.mark.parametrize("name", VIEWS)
def test_gradients_of_views_are_those_of_the_general_way(name: str) -> None:
    ours = _gradients(VIEWS[name], torch.float64)
    with _recorded_generally(), _without(SHORTCUTS):
        assert ours == _gradients(VIEWS[name], torch.float64)


@pytest.mark.parametrize("name", ["a number", "slices", "reshape", "pieces", "a view of a view of the memory"])
def test_writes_to_views_reach_their_base_or_are_refused(name: str) -> None:
    def written() -> Any:
        x, y = _leaves()
        base = x * 1
        views = {
            "a number": base[1],
            "slices": base[:2, 1::2],
            "reshape": base.reshape(2, 6),
            "pieces": base.split(2)[0],
            "a view of a view of the memory": base.view(3, 2, 2)[1:].transpose(0, 1),
        }
        try:
            views[name].mul_(2)
        except RuntimeError as error:
            return str(error)
        (base * y).sum().backward()
        return graph(base), graph(views[name]), x.grad.tolist(), base._version

    ours = written()
    with _recorded_generally(), _without(SHORTCUTS):
        assert ours == written()


def test_views_of_no_grad_views_and_of_inference_tensors_take_the_general_way() -> None:
    x = torch.ones(3, 4, requires_grad=True)
    with torch.no_grad():
        view = x[:2]
    for call in (lambda v: v[0], lambda v: v.view(-1), lambda v: v.t(), lambda v: v.split(1)[0], lambda v: v @ x.t()):
        result = call(view)
        with _recorded_generally():
            general = call(view)
        assert graph(result) == graph(general) and result._version == general._version


def test_calls_with_views_made_under_no_grad_are_recorded_without_edges() -> None:
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        view = x[:2]
    for result in (view + 1, view * view, view.exp()):
        assert result.requires_grad
        assert {edge for edge, _ in result.grad_fn.next_functions} == {None}


@pytest.mark.parametrize("name", EVERY)
def test_under_no_grad_calls_compute_what_the_general_way_computes(name: str) -> None:
    with torch.no_grad():
        ours = EVERY[name](*_leaves())
        with _recorded_generally():
            general = EVERY[name](*_leaves())
        plain = EVERY[name](*[x.detach() for x in _leaves()])
    for result in (ours, plain):
        assert not result.requires_grad
        assert (str(result.tolist()), result.stride(), result.dtype) == (
            str(general.tolist()),
            general.stride(),
            general.dtype,
        )
        assert (result._version, result._is_view()) == (general._version, general._is_view())


@pytest.mark.parametrize("name", ["linear", "layer_norm", "cross_entropy", "scaled_dot_product_attention"])
def test_layers_take_the_quick_way_of_plain_tensors_as_well(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    op, x = OPS["nn.functional." + name], torch.ones(2, 3)
    arguments = {
        "linear": (x, x, x[:, 0]),
        "layer_norm": (x, (3,), x[0], x[0]),
        "cross_entropy": (x, torch.tensor([0, 2])),
        "scaled_dot_product_attention": (x.expand(2, 2, 2, 3).contiguous(),) * 3,
    }[name]
    taken: list[Any] = []
    quickly: Any = op.quick_plain
    monkeypatch.setattr(op, "quick_plain", lambda *args: taken.append(quickly(*args)) or taken[-1])
    assert op.function(*arguments) is taken[0] and not taken[0].requires_grad


@pytest.mark.parametrize("values", [[-0.0, 0.0, float("nan")], [float("inf"), -float("inf"), -1e-45]])
def test_relu_keeps_what_it_kept(values: list[float]) -> None:
    x = torch.tensor(values, requires_grad=True)
    ours = torch.relu(x)
    with _recorded_generally():
        general = torch.relu(x)
    assert str(ours.detach().numpy().tobytes()) == str(general.detach().numpy().tobytes())


def test_under_no_grad_the_fast_way_records_nothing() -> None:
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        results = [x + 1, x * x, x.exp(), x**2]
    assert not any(r.requires_grad for r in results)


def test_a_write_after_saving_is_noticed() -> None:
    for call in (lambda x: x * x, lambda x: x.exp(), lambda x: x**2, lambda x: torch.relu(x)):
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        z = call(y)
        with torch.no_grad():
            (z if z.grad_fn.derivative.keeps == ("result",) else y).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            z.sum().backward()


def test_the_first_gradient_of_a_leaf_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorwidgets.engine.autograd.passes import backward_pass, pass_on_arrays

    layer, x = torch.nn.Linear(3, 2), torch.ones(5, 3)
    slowly: list[Any] = []
    add_to_leaf = backward_pass.add_to_leaf
    for room in (backward_pass, pass_on_arrays):
        monkeypatch.setattr(room, "add_to_leaf", lambda *args: (slowly.append(args[0]), add_to_leaf(*args)))
    layer(x).sum().backward()
    assert not slowly and layer.weight.grad._array.base is None and layer.bias.grad._array.base is None
    assert layer.weight.grad.tolist() == [[5.0] * 3] * 2 and layer.bias.grad.tolist() == [5.0] * 2


def test_quick_rows_leave_what_is_unusual() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    assert OPS["matmul"].quick is not None and OPS["matmul"].quick(x, x) is None  # sizes that do not fit
    assert OPS["mean"].quick is not None and OPS["mean"].quick(x, [0]) is None
    assert OPS["relu"].quick is not None and OPS["relu"].quick(x.detach().to(torch.complex64)) is None
    assert calls_of_rows.install is not None
