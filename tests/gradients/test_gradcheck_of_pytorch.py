"""PyTorch's own gradcheck judges this engine's derivatives, through a Function that calls the engine both ways."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as tw

SIZES = {"x": (3, 2), "y": (3, 2), "v": (2,), "m": (3, 3), "t": (2, 2, 3), "n": (), "i": (1, 2, 4, 4)}
"""The tensors that a call may take. An upper-case name is the same with complex numbers, and `p` is positive."""

CALLS: dict[str, Callable[..., Any]] = {
    "mul": lambda x, y: x * y,
    "mul, broadcast": lambda x, v: x * v,
    "div": lambda X, Y: X / (Y + 3),
    "pow": lambda p, q: p**q,
    "add, alpha": lambda x, v: tw.add(x, v, alpha=3),
    "exp": lambda X: X.exp(),
    "tanh": lambda X: X.tanh(),
    "log1p": lambda p: p.log1p(),
    "atan2": lambda x, y: tw.atan2(x, y),
    "erf": lambda x: x.erf(),
    "lgamma": lambda p: p.lgamma(),
    "where": lambda x, y: tw.where(tw.tensor([True, False]), x, y * y),
    "lerp": lambda x, y: tw.lerp(x, y, 0.3) ** 2,
    "addcmul": lambda x, y: tw.addcmul(x, x, y, value=0.5),
    "complex": lambda x, y: tw.complex(x, y),
    "abs": lambda X: X.abs(),
    "angle": lambda X: X.angle(),
    "polar": lambda p, x: tw.polar(p, x),
    "sum": lambda t: (t * t).sum(1),
    "prod": lambda X: X.prod(0),
    "var": lambda x: x.var(0),
    "logsumexp": lambda t: t.logsumexp((0, 2)),
    "norm": lambda x: tw.linalg.vector_norm(x, 3),
    "cumsum": lambda X: (X * X).cumsum(0),
    "cumprod": lambda x: x.cumprod(0),
    "amax": lambda x: x.amax(0),
    "median": lambda x: x.median(0).values,
    "sort": lambda x: x.sort(0).values * tw.arange(6.0, dtype=tw.float64).view(3, 2),
    "transpose": lambda X: X.t().reshape(-1) ** 2,
    "getitem": lambda X: X[1:, ::1][[0, 0, 1]] ** 2,
    "as_strided": lambda x: x.as_strided((2, 2), (1, 2), 1) ** 2,
    "unfold": lambda t: t.unfold(2, 2, 1) ** 2,
    "index_put": lambda x, v: (x * 1).index_put((tw.tensor([0, 2]),), v, accumulate=True) ** 2,
    "gather": lambda x: x.gather(0, tw.tensor([[0, 1], [2, 2]])) ** 2,
    "scatter_add": lambda x, y: x.scatter_add(0, tw.tensor([[0, 1], [0, 2]]), y[:2]) ** 2,
    "cat": lambda x, y: tw.cat([x, y * x], 1),
    "stack and unbind": lambda x, y: tuple(tw.stack([x, y * y]).unbind(1)),
    "in place through a view": lambda X, V: _written(X, V),
    "mm": lambda X, Y: X @ Y.mT,
    "einsum": lambda t, m: tw.einsum("abc,cd->bd", t, m),
    "inverse": lambda m: tw.linalg.inv(m + 4 * tw.eye(3, dtype=m.dtype)),
    "solve": lambda M, X: tw.linalg.solve(M + 4 * tw.eye(3, dtype=M.dtype), X),
    "det": lambda M: tw.linalg.det(M),
    "cholesky": lambda m: tw.linalg.cholesky(m @ m.mT + tw.eye(3, dtype=m.dtype)),
    "eigvalsh": lambda m: tw.linalg.eigvalsh(m + m.mT + tw.diag(tw.tensor([0.0, 5, 11], dtype=m.dtype))),
    "svdvals": lambda m: tw.linalg.svdvals(m),
    "matrix_exp": lambda m: tw.linalg.matrix_exp(m / 2),
    "fft": lambda X: tw.fft.fft(X, dim=0),
    "rfft and back": lambda m: tw.fft.irfft(tw.fft.rfft(m)[:, :2] ** 2, n=3),
    "softmax": lambda x: tw.softmax(x, 1),
    "conv2d": lambda i, k: tw.nn.functional.conv2d(i, k, padding=1, stride=2),
    "max_pool2d": lambda i: tw.nn.functional.max_pool2d(i, 2),
    "avg_pool2d": lambda i: tw.nn.functional.avg_pool2d(i, 3, 2, 1) ** 2,
    "layer_norm": lambda x, v: tw.nn.functional.layer_norm(x, (2,), v),
    "cross_entropy": lambda x: tw.nn.functional.cross_entropy(x, tw.tensor([0, 1, 1])),
    "gelu": lambda x: tw.nn.functional.gelu(x),
    "pad": lambda i: tw.nn.functional.pad(i, (1, 2, 0, 1), mode="reflect") ** 2,
}

TWICE = (
    "mul", "div", "pow", "exp", "tanh", "atan2", "abs", "sum", "prod", "var", "norm", "cumprod", "getitem",
    "index_put", "in place through a view", "mm", "einsum", "solve", "det", "cholesky", "fft", "softmax", "conv2d",
)  # fmt: skip
"""The calls whose second order is checked as well."""


def _written(x: Any, v: Any) -> Any:
    whole = x * 1
    part = whole[1:]
    part *= v
    part[0].exp_()
    return whole * x


def argument(name: str, seed: int) -> Any:
    """A tensor of PyTorch for a parameter of a call."""
    import torch

    size = {"p": (3, 2), "q": (3, 2), "k": (3, 2, 3, 3)}.get(name) or SIZES[name.lower()]
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.randn(size, dtype=torch.complex128 if name.isupper() else torch.float64, generator=generator)
    return (numbers.abs() + 0.5 if name == "p" else numbers).requires_grad_()


def through_a_function(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call of this engine as a function on tensors of PyTorch, which can be differentiated any number of times."""
    import torch

    def ours(t: Any) -> Any:
        return None if t is None else tw.from_numpy(t.detach().resolve_conj().numpy().copy())

    def theirs(t: Any) -> Any:
        return None if t is None else torch.from_numpy(t.detach().resolve_conj().resolve_neg().numpy().copy())

    class Ours(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *given: Any) -> Any:
            ctx.save_for_backward(*given)
            results = call(*map(ours, given))
            return tuple(map(theirs, results)) if isinstance(results, tuple) else theirs(results)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            given = ctx.saved_tensors

            def gradients(*both: Any) -> tuple:
                inputs, towards = both[: len(given)], both[len(given) :]
                further = tw.is_grad_enabled() and any(t.requires_grad for t in both)
                with tw.enable_grad():
                    inputs = tuple([t if t.requires_grad else t.detach().requires_grad_() for t in inputs])
                    results = call(*inputs)
                    results = results if isinstance(results, tuple) else (results,)
                    return tw.autograd.grad(results, inputs, towards, create_graph=further, materialize_grads=True)

            return through_a_function(gradients)(*given, *grads)

    return Ours.apply


def arguments(name: str) -> tuple:
    """Tensors of PyTorch for a call, one for each of its parameters."""
    return tuple([argument(p, seed) for seed, p in enumerate(CALLS[name].__code__.co_varnames)])


@pytest.mark.torch
@pytest.mark.parametrize("name", CALLS)
def test_first_order(name: str) -> None:
    import torch

    assert torch.autograd.gradcheck(through_a_function(CALLS[name]), arguments(name))


@pytest.mark.torch
@pytest.mark.parametrize("name", TWICE)
def test_second_order(name: str) -> None:
    import torch

    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.autograd.gradgradcheck(through_a_function(CALLS[name]), arguments(name))


@pytest.mark.torch
def test_a_planted_error_is_found() -> None:
    import torch

    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(through_a_function(lambda x: x * x.detach()), arguments("erf"))
