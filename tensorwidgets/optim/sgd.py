"""SGD: along the gradient, with momentum if wanted."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..engine.backends.numpy.sums.scaled_sum import PIECE, add_scaled, axpy
from ..engine.declare.fast_calls import PLAIN
from ..engine.dispatch.registry import watching
from ..engine.tensor.keys import KEY_AUTOGRAD
from ..engine.tensor.tensor import Tensor
from ..engine.tensor.versions import bump_versions
from ..engine.types.dtypes import float32, float64
from .parameters.blocks import Steps, flat_arrays, run_in_blocks
from .parameters.checks import check_one_element, refuse_negative
from .parameters.each_parameter import EachParameter
from .parameters.fused import allow_fused
from .parameters.states import has_derivative, scalar, with_decay
from .parameters.together import Entry


class SGD(EachParameter):
    """Gradient descent, with momentum, Nesterov's look ahead, and weight decay.

    >>> import tensorwidgets as torch
    >>> w = torch.tensor([1.0], requires_grad=True)
    >>> optimizer = SGD([w], lr=0.1)
    >>> (3 * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.7000], requires_grad=True)
    """

    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "nesterov": False, "maximize": False, "foreach": None, "differentiable": False, "fused": False,
    }  # fmt: skip
    counters: ClassVar[tuple[str, ...]] = ()
    as_real: ClassVar[bool] = False
    refuses_lists: ClassVar[bool] = False
    refuses_sparse_fused: ClassVar[str] = "`_fused_sgd` does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_one_element(lr)
        refuse_negative(lr, "learning rate")
        refuse_negative(momentum, "momentum value")
        refuse_negative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach, "differentiable": differentiable,
            "fused": fused,
        }  # fmt: skip
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)
        allow_fused(self, fused, foreach, differentiable)

    def remembers(self, group: dict[str, Any]) -> bool:
        return group["momentum"] != 0

    def update_quickly(self, entries: list[Entry], group: dict[str, Any]) -> list[Entry]:
        lr = group["lr"]
        if group["momentum"] or group["weight_decay"] or group["maximize"] or group["differentiable"] or watching:
            return entries
        return entries if type(lr) is not float or type(self).update is not SGD.update else _descend(entries, -lr)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        # PyTorch's step on lists adds the momentum to its gradients in place, which are the parameters' own ones where
        # neither `maximize` nor `weight_decay` made others.
        in_place = group["nesterov"] and group["foreach"]
        if not in_place and _update_arrays(parameter, grad, state, group):
            return
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"] != 0:
            grad = with_decay(grad, parameter, group["weight_decay"])
        momentum = group["momentum"]
        if momentum != 0:
            velocity = state.get("momentum_buffer")
            if velocity is None:
                velocity = state["momentum_buffer"] = grad.detach().clone()
            else:
                velocity.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            if group["nesterov"]:
                grad = (grad.add_ if in_place else grad.add)(velocity, alpha=momentum)
            else:
                grad = velocity
        lr = scalar(group["lr"])
        if has_derivative(lr):
            parameter.addcmul_(grad, lr, value=-1)
        else:
            parameter.add_(grad, alpha=-lr)


def _descend(entries: list[Entry], factor: float) -> list[Entry]:
    """Add a multiple of the gradient to each parameter that is plain and small; returns the others."""
    if not factor:  # BLAS does nothing then, but zero times infinity is NaN
        return entries
    changed, rest = [], []
    known: Any = None
    add: Any = None
    for entry in entries:
        parameter, grad, _ = entry
        x, g, d = parameter._array, grad._array, parameter._dtype
        if (
            d is grad._dtype
            and (d is float32 or d is float64)
            and not (parameter._keys & ~KEY_AUTOGRAD or grad._keys)
            and type(parameter) in PLAIN
            and type(grad) in PLAIN
            and type(x) is np.ndarray
            and 0 < (size := x.size) <= PIECE
            and x.flags.carray
            and g.flags.c_contiguous
            and x.shape == g.shape
        ):
            if d is not known:
                known, add = d, axpy(x.dtype)
            add(g.reshape(-1), x.reshape(-1), size, factor)
            changed.append(parameter)
        else:
            rest.append(entry)
    bump_versions(changed)
    return rest


def _update_arrays(parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> bool:
    """The update of plain tensors, on their arrays; False if anything is unusual."""
    lr, decay, momentum = group["lr"], group["weight_decay"], group["momentum"]
    velocity = state.get("momentum_buffer") if momentum else None
    if momentum and velocity is None or type(lr) is not float or group["differentiable"] or type(decay) is Tensor:
        return False
    rows = flat_arrays(parameter, grad) if velocity is None else flat_arrays(parameter, grad, velocity)
    if rows is None:
        return False
    do = Steps(rows[0].dtype, 0)
    keep, add, nesterov = do.number(momentum), do.number(1 - group["dampening"]), group["nesterov"]
    maximize, back = group["maximize"], do.number(-lr)

    def simple(parameter: Any, grad: Any, room: Any) -> None:
        add_scaled(parameter, do.prepared(grad, parameter, maximize, decay, room), back)

    def with_momentum(parameter: Any, grad: Any, velocity: Any, room: Any) -> None:
        grad = do.prepared(grad, parameter, maximize, decay, room)
        np.multiply(velocity, keep, velocity)
        add_scaled(velocity, grad, add)
        if nesterov:
            if grad is not room:
                room[...] = grad
            add_scaled(room, velocity, keep)
        add_scaled(parameter, room if nesterov else velocity, back)

    if velocity is None and not decay and not maximize:
        add_scaled(rows[0], rows[1], back)  # one step needs no pieces
    else:
        run_in_blocks(simple if velocity is None else with_momentum, rows, 1)
    bump_versions([parameter])
    if velocity is not None:
        bump_versions([velocity], 2)
    return True
