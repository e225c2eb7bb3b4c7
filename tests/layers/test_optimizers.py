"""Optimizers change parameters and their states as PyTorch's do, in every setting of its database."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.optim import adam, rmsprop, sgd
from tensorwidgets.optim.parameters import each_parameter


@pytest.mark.torch
def test_settings_of_the_database_agree() -> None:
    from tests.layers.live_optimizers import rows
    from tests.operators.database import optimizers

    ours = [info.optim_cls.__name__ for info in optimizers() if info.optim_cls.__name__ in tw.optim.__all__]
    found = list(rows(ours))
    assert found
    assert [row for row in found if row.wrong] == []


RULES = (
    ("Adam", {}), ("Adam", {"weight_decay": 0.1, "maximize": True}), ("AdamW", {}), ("SGD", {}),
    ("SGD", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1}), ("RMSprop", {"centered": True, "momentum": 0.5}),
    ("RMSprop", {"momentum": 0.5, "weight_decay": 0.1}), ("RMSprop", {}),
    ("Adagrad", {}), ("Adamax", {}), ("NAdam", {}), ("RAdam", {}), ("Adadelta", {}), ("Rprop", {}), ("ASGD", {}),
)  # fmt: skip


def _trained(name: str, settings: dict[str, Any], dtype: Any) -> list[Any]:
    """Parameters and states after some steps, with their versions."""
    tw.manual_seed(3)
    parameters = [tw.randn(size, dtype=dtype).requires_grad_() for size in ((2, 3), (5,), (1, 4), (), (4, 6))]
    parameters[-1] = tw.randn((6, 4), dtype=dtype).t().requires_grad_()
    optimizer = getattr(tw.optim, name)(parameters, **settings)
    for turn in range(4):
        optimizer.zero_grad()
        for p in parameters if turn else parameters[1:]:  # so that not all have made the same steps
            p.grad = tw.randn(p.shape, dtype=dtype)
        optimizer.step()
    found = []
    for p in parameters:
        for t in (p, *optimizer.state[p].values()):
            found.append((t.detach(), t._version, t.stride()) if isinstance(t, tw.Tensor) else t)
    return found


@pytest.mark.parametrize("dtype", [tw.float32, tw.float64], ids=str)
@pytest.mark.parametrize(("name", "settings"), RULES)
def test_parameters_change_together_as_they_change_alone(
    name: str, settings: dict[str, Any], dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = _trained(name, settings, dtype)
    monkeypatch.setattr(each_parameter, "update_together", lambda optimizer, entries, group: entries)
    for module in (adam, rmsprop, sgd):
        monkeypatch.setattr(module, "flat_arrays", lambda *tensors: None)
    alone = _trained(name, settings, dtype)
    for one, other in zip(together, alone, strict=True):
        assert isinstance(one, tuple) == isinstance(other, tuple)
        if isinstance(one, tuple):
            assert one[1:] == other[1:]
            assert tw.allclose(one[0], other[0], rtol=1e-6 if dtype is tw.float32 else 1e-14, atol=0, equal_nan=True)


def test_a_rule_of_the_users_own_sees_each_parameter() -> None:
    seen = []

    class Noting(tw.optim.SGD):
        def update(self, parameter: Any, grad: Any, state: Any, group: Any) -> None:
            seen.append(parameter)
            super().update(parameter, grad, state, group)

    parameters = [tw.ones(2, requires_grad=True), tw.ones(3, requires_grad=True)]
    for p in parameters:
        p.grad = tw.ones_like(p)
    Noting(parameters).step()
    assert [id(p) for p in seen] == [id(p) for p in parameters]


def test_parameters_that_share_memory_change_one_after_the_other() -> None:
    whole = tw.ones(4)
    parameters = [whole[:3].detach().requires_grad_(), whole[1:].detach().requires_grad_()]
    for p in parameters:
        p.grad = tw.ones_like(p)
    tw.optim.SGD(parameters, lr=0.25).step()
    assert whole.tolist() == [0.75, 0.5, 0.5, 0.75]


@pytest.mark.parametrize("name", ["Adam", "RMSprop"])
def test_large_parameters_change_as_small_ones(name: str) -> None:
    """Squares of many elements are rounded twice: the last digit may differ."""
    tw.manual_seed(5)
    start, grads = tw.randn(20_000), tw.randn(3, 20_000)
    trained = []
    for pieces in ([slice(None)], [slice(0, 10_000), slice(10_000, None)]):
        parameters = [start[piece].clone().requires_grad_() for piece in pieces]
        optimizers = [getattr(tw.optim, name)([p], lr=0.01) for p in parameters]
        for grad in grads:
            for p, piece, optimizer in zip(parameters, pieces, optimizers, strict=True):
                p.grad = grad[piece].clone()
                optimizer.step()
        key = "exp_avg_sq" if name == "Adam" else "square_avg"
        squares = [o.state[p][key] for o, p in zip(optimizers, parameters, strict=True)]
        trained.append((tw.cat([p.detach() for p in parameters]), tw.cat(squares)))
    (whole, its_squares), (parts, their_squares) = trained
    assert tw.allclose(whole, parts, rtol=1e-6, atol=1e-8) and tw.allclose(
        its_squares, their_squares, rtol=3e-7, atol=0
    )
    assert 0 < (its_squares != their_squares).sum() < 15_000
