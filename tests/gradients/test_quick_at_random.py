"""Random chains of views, brackets, products, joins and sums: the quick ways give what the general ways give.

Sizes have 0 and 1 among them, tensors are turned, sliced or expanded, and results are written to, now and then. Some
steps are made under no_grad.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

import tensorwidgets as torch
from tests.gradients.graphs import graph
from tests.gradients.test_quick import SHORTCUTS, _recorded_generally, _without
from tests.parts import thorough_but

linear, relu = torch.nn.functional.linear, torch.nn.functional.relu
CHAINS = 750


def _start(r: random.Random) -> tuple[Any, Any]:
    """A leaf, and a tensor that is it or was made of it."""
    size = [r.choice((1, 2, 3, 4, 0 if r.random() < 0.1 else 2)) for _ in range(r.choice((0, 1, 2, 2, 3, 3, 4)))]
    x = (torch.arange(float(torch.Size(size).numel())).reshape(size) * 0.37 + 0.5).sin().double()
    kind = r.choice(("leaf", "leaf", "turned", "sliced", "expanded", "computed"))
    if kind == "turned" and size:
        x = x.transpose(0, -1).contiguous().transpose(0, -1)
    x = x.detach().requires_grad_()
    if kind == "sliced" and size:
        return x, (x * 1)[..., ::2]
    if kind == "expanded":
        return x, (x * 1).unsqueeze(0).expand(2, *size)
    return x, x * 1 if kind == "computed" else x


def _sizes(r: random.Random, count: int) -> list[int]:
    """Sizes for this many elements, mostly."""
    sizes = []
    for p in (2, 3):
        while count > 1 and count % p == 0 and r.random() < 0.7:
            sizes.append(p)
            count //= p
    sizes.append(count)
    r.shuffle(sizes)
    if r.random() < 0.4:
        sizes[r.randrange(len(sizes))] = -1
    if r.random() < 0.3:
        sizes.insert(r.randrange(len(sizes) + 1), 1)
    return sizes + [2] * (r.random() < 0.1)


def _key(r: random.Random, dims: int) -> Any:
    edges = (None, -2, 0, 1, 5), (None, -1, 1, 2, 9), (None, 1, 2)
    parts = (lambda: r.randint(-3, 3), lambda: slice(*map(r.choice, edges)), lambda: slice(None), lambda: None)
    key = tuple([r.choice((*parts, lambda: ...))() for _ in range(r.randint(1, dims + 1))])
    return key if r.random() < 0.8 else key[0]


def _step(r: random.Random, y: Any, w: Any) -> Any:
    dims = y.dim()
    a, b, n, keep = r.randint(-dims - 1, dims), r.randint(-dims, dims), r.choice((1, 2, 3)), r.random() < 0.5
    size, order, along = _sizes(r, y.numel()), [*range(dims)], r.choice((a, (a,), [a], (a, b)))
    r.shuffle(order)
    numbers = torch.tensor([[r.randint(-4, 3) for _ in range(3)] for _ in range(2)])
    steps: tuple[Callable[[], Any], ...] = (
        lambda: y.view(*size), lambda: y.view(size), lambda: y.reshape(*size), lambda: y.reshape(tuple(size)),
        lambda: y.transpose(a, b), lambda: y.permute(*order), lambda: y.permute(order), lambda: y.t(), lambda: y.mT,
        lambda: y.unsqueeze(a), lambda: y.squeeze(a), lambda: y.flatten(a, b), lambda: y.flatten(),
        lambda: y.select(a, b), lambda: y[_key(r, dims)], lambda: y[_key(r, dims)], lambda: y[_key(r, dims)],
        lambda: y[numbers[0]], lambda: y[numbers[0], numbers[1]], lambda: y[numbers],
        lambda: y.split(n, a)[-1], lambda: y.split(n, dim=a)[0], lambda: y.chunk(n, a)[0],
        lambda: y.chunk(2, dim=b)[-1], lambda: y.unbind()[0], lambda: y.unbind(a)[-1], lambda: y.unbind(dim=b)[0],
        lambda: [*y][-1], lambda: y.narrow(a, r.randint(-2, 2), n), lambda: y.diagonal(),
        lambda: y.diagonal(r.randint(-2, 2), a, b),
        lambda: y.expand(n, *y.shape), lambda: y.expand(-1, n, 3), lambda: y.expand([n, -1]), lambda: y.squeeze(),
        lambda: torch.cat([y, w], a), lambda: torch.cat([w, y * 2, y], dim=b), lambda: torch.stack([y, w], a),
        lambda: y.sum(along), lambda: y.sum(along, keepdim=keep), lambda: y.mean(along, keep), lambda: y.mean(),
        lambda: y @ w, lambda: y @ w.transpose(-1, -2), lambda: torch.bmm(y, w.transpose(1, 2)), lambda: linear(y, w),
        lambda: linear(y, torch.ones(n, y.shape[-1], dtype=y.dtype, requires_grad=True), torch.ones(n, dtype=y.dtype)),
        lambda: y + w[..., 0, :], lambda: y - w.sum(0), lambda: y * w, lambda: y * w.sum(a, keepdim=True),
        lambda: y / w.sum(along, keepdim=True), lambda: w[..., :1] / y.expand(y.shape), lambda: y / w.mean(),
        lambda: w[:1] * y.transpose(a, b), lambda: 1 - y,
        lambda: 2.5 - y.transpose(a, b), lambda: y.sin().sum() * w.cos(), lambda: relu(y).sigmoid() + y.abs(),
        lambda: y.exp().sum(along, keepdim=keep) * y, lambda: y.clone().contiguous(), lambda: y.expand(y.shape),
    )  # fmt: skip
    return r.choice(steps)()


def _facts(seed: int) -> list[str]:
    """What a chain of steps makes, or how it is refused.

    Gradients are compared to 14 digits: a sum of an expanded gradient that lies in memory may round in another order.
    """
    r = random.Random(seed)
    x, y = _start(r)
    facts: list[Any] = []
    try:
        for _ in range(r.randint(1, 4)):
            w = (y.detach() * 0.5 + 1).requires_grad_() if r.random() < 0.5 else y * 0.7
            with torch.no_grad() if r.random() < 0.2 else nullcontext():
                y = _step(r, y, w)
            facts.append((y.requires_grad, y.shape, y.stride(), y.storage_offset(), y._is_view(), y._version, y.dtype))
        if r.random() < 0.15:
            y.mul_(2)
        facts += [graph(y), y.tolist()]
        y.backward(torch.arange(float(y.numel())).reshape(y.shape).double() if r.random() < 0.7 else torch.ones_like(y))
        facts += [
            ([f"{v:.14g}" for v in t.grad.reshape(-1).tolist()], t.grad.shape, t.grad.stride(), t.grad._version)
            for t in (x, w)
            if t.is_leaf and t.grad is not None
        ]
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        facts.append((type(error).__name__, str(error)))
    return [str(fact) for fact in facts]


@pytest.mark.filterwarnings("ignore:Tensor.mT is deprecated")
@pytest.mark.parametrize("part", thorough_but([0], range(6)))
def test_chains_are_those_of_the_general_way(part: int) -> None:
    seeds = range(part * CHAINS, (part + 1) * CHAINS)
    ours = {seed: _facts(seed) for seed in seeds}
    with _recorded_generally(), _without(SHORTCUTS):  # once: every row of the table gets its general way here
        for seed in seeds:
            assert ours[seed] == _facts(seed), seed
    assert sum("Error" not in facts[-1] for facts in ours.values()) > CHAINS / 4
