"""Small programs that record a graph, in ours and in PyTorch alike: the result and the names to find tensors by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Program = Callable[[Any], tuple[Any, dict[str, Any]]]


def shared(torch: Any) -> tuple[Any, dict[str, Any]]:
    """One leaf that two nodes use, and a result that one node uses twice."""
    x = torch.ones(2, 3, requires_grad=True)
    e = x * x.exp()
    return (e * e).sum(), {"x": x, "e": e}


def layer(torch: Any) -> tuple[Any, dict[str, Any]]:
    """A product, a sum, branches that meet again."""
    x, w, b = torch.ones(3, 4), torch.ones(4, 5, requires_grad=True), torch.zeros(5, requires_grad=True)
    h = x @ w + b
    y = (h.exp() * h).sum(dim=1).relu()
    return torch.stack([y, y * y, h[:, 0]]).sum(), {"w": w, "model": {"bias": b}, "h": h}


def freed(torch: Any) -> tuple[Any, dict[str, Any]]:
    """After backward."""
    result, names = layer(torch)
    result.backward()
    return result, names


def written(torch: Any) -> tuple[Any, dict[str, Any]]:
    """A write into what a node has saved."""
    x = torch.ones(3, requires_grad=True)
    h = x + 1
    y = h * h.exp()
    h.add_(1)
    return y.sum(), {"x": x}


def into_a_view(torch: Any) -> tuple[Any, dict[str, Any]]:
    """A write into a view of a plain tensor."""
    x, base = torch.ones(2, requires_grad=True), torch.zeros(5)
    base[1:3] = x
    return (base * base).sum(), {"x": x, "base": base}


def part_of_a_storage(torch: Any) -> tuple[Any, dict[str, Any]]:
    """A saved view keeps the whole storage."""
    big, x = torch.ones(1000), torch.ones(10, requires_grad=True)
    return (x * big[:10]).sum(), {"x": x}


def own_function(torch: Any) -> tuple[Any, dict[str, Any]]:
    """A Function with two results."""

    class Both(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.save_for_backward(a, b)
            return a * b, a + b

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return grads

    x = torch.ones(3, requires_grad=True)
    product, total = Both.apply(x, x.exp())
    return (product - total).sum(), {"x": x}


def indices(torch: Any) -> tuple[Any, dict[str, Any]]:
    """Results that have no gradient, and that their nodes keep."""
    x = torch.ones(4, 4, requires_grad=True)
    return x.max(0)[0].sum() + x.sort(1)[0].sum(), {"x": x}


def recurrent(torch: Any) -> tuple[Any, dict[str, Any]]:
    """The same two weights at each of fifty steps."""
    w, u = torch.ones(4, 4, requires_grad=True), torch.ones(4, 4, requires_grad=True)
    h = torch.zeros(2, 4)
    for _ in range(50):
        h = (torch.ones(2, 4) @ u + h @ w).tanh()
    return h.sum(), {"w": w, "u": u}


def deep(torch: Any) -> tuple[Any, dict[str, Any]]:
    """Forty layers with weights of their own and a way around each."""
    x = torch.ones(4, 8)
    for _ in range(40):
        w, b = torch.ones(8, 8, requires_grad=True), torch.zeros(8, requires_grad=True)
        x = (x @ w + b).relu() + x
    return x.sum(), {}


def chain(torch: Any) -> tuple[Any, dict[str, Any]]:
    """A hundred nodes in a row without a rule."""
    x = torch.ones(1, requires_grad=True)
    y = x
    for k in range(100):
        y = [y.sin, y.cos, y.exp, y.tanh, y.sqrt][pow(7, k, 101) % 5]()
    return y, {"x": x}


PROGRAMS: dict[str, Program] = {
    p.__name__: p
    for p in (
        shared,
        layer,
        freed,
        written,
        into_a_view,
        part_of_a_storage,
        own_function,
        indices,
        recurrent,
        deep,
        chain,
    )
}
