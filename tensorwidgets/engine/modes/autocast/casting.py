"""A call in a block of `autocast`: its tensors are converted first, and the call is made as if there were no block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

from ...autograd.binding import bound_arguments
from ...autograd.recording import compose
from ...derivatives.declaring import PARTS, TABLE, find_derivative
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, keys_of, tensors_in
from ...errors.reasons import refuse
from ...tensor.keys import KEY_CLASS
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...types import dtypes
from ...types.dtypes import dtype
from .policies import POLICIES, Policy
from .switch import WEIGHTS


def answer(op: Op, args: tuple, kwargs: dict, go_on: Callable[[Op, tuple, dict], Any]) -> tuple[Any] | None:
    """What a call in a block returns, in a tuple; None if the block has nothing to do with it.

    A tensor of a class of the user's own passes: its class is asked first.
    """
    if not state.autocast or kwargs.get("out") is not None or keys_of(args, kwargs) & KEY_CLASS:
        return None
    devices = {t.device.type for t in tensors_in(args, kwargs) if t._dtype.is_floating_point}
    for device, low in state.autocast.items():
        if device in devices:
            policy = POLICIES[device].get(op.name)
            if policy is None:
                return _composed(op, args, kwargs)
            if policy is Policy.STEPS:
                return (_by_steps(op, args, kwargs, device, low),)
            args, kwargs = _CONVERTED[policy](args, kwargs, device, low)
            return (_outside(go_on, op, args, kwargs),)
    return None


def _outside(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function as if no block were open in this thread."""
    own = state.__dict__
    before = own.pop("autocast")
    try:
        return function(*args)
    finally:
        own["autocast"] = before


def _composed(op: Op, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """A call that PyTorch makes of others, of which some may be converted."""
    if op.name not in TABLE:
        return None
    args, kwargs = stations.read_first(op, args, kwargs)
    bound = bound_arguments(op, args, kwargs)
    derivative = find_derivative(op.name, bound)
    if derivative is None or derivative.says != PARTS:
        return None
    return (compose(op, derivative, args, kwargs, bound),)


def _by_steps(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
    """A layer of a recurrent network. Of an LSTM without projections PyTorch converts all tensors, also the state."""
    steps: Any = next(d.compose for d in TABLE[op.name] if d.says == PARTS)
    bound = bound_arguments(op, args, kwargs)
    if op.name == "_nn.lstm_layer" and bound.get("w_hr") is None:
        _, bound = _to(low, (), bound, device, low)
    return steps(**bound)


# -- what is converted -----------------------------------------------------------------------------------------------


def _is_eligible(t: Tensor, device: str) -> bool:
    return t._dtype.is_floating_point and t._dtype is not dtypes.float64 and t.device.type == device


def _each(value: Any, convert: Callable[[Tensor], Tensor]) -> Any:
    """Arguments with every tensor converted, also those in lists."""
    if isinstance(value, Tensor):
        return convert(value)
    if type(value) in (list, tuple):
        return type(value)([_each(part, convert) for part in value])
    return value


def _to(wanted: dtype, args: tuple, kwargs: dict, device: str, low: dtype) -> tuple[tuple, dict]:
    def convert(t: Tensor) -> Tensor:
        return cast(t, wanted, wanted is low) if _is_eligible(t, device) else t

    return _each(args, convert), {name: _each(value, convert) for name, value in kwargs.items()}


def _to_lower(args: tuple, kwargs: dict, device: str, low: dtype) -> tuple[tuple, dict]:
    return _to(low, args, kwargs, device, low)


def _to_float32(args: tuple, kwargs: dict, device: str, low: dtype) -> tuple[tuple, dict]:
    return _to(dtypes.float32, args, kwargs, device, low)


def _to_widest(args: tuple, kwargs: dict, device: str, low: dtype) -> tuple[tuple, dict]:
    widest = low
    for d in _given(args, kwargs, device):
        if dtypes.float32 in (d, widest):
            widest = dtypes.float32
        elif d is not low:
            refuse(
                RuntimeError,
                "Unexpected floating ScalarType in at::autocast::prioritize",
                f"tensors of {d} and of {low}, the dtype of this block, have no wider dtype that autocast knows",
                f"autocast({device!r}, dtype={d})",
                rule="autocast.widest",
            )
    return _to(widest, args, kwargs, device, low)


def _given(args: tuple, kwargs: dict, device: str) -> Iterator[dtype]:
    return (t._dtype for t in tensors_in(args, kwargs) if _is_eligible(t, device))


_CONVERTED: dict[Policy, Callable[[tuple, dict, str, dtype], tuple[tuple, dict]]] = {
    Policy.LOWER: _to_lower,
    Policy.FLOAT32: _to_float32,
    Policy.WIDEST: _to_widest,
}

# -- how ---------------------------------------------------------------------------------------------------------


def cast(t: Tensor, wanted: dtype, to_lower: bool) -> Tensor:
    """A tensor in another dtype. A weight in 16 bits is kept until the outermost block ends, so that it is converted
    once and its gradients meet there.
    """
    if t._dtype is wanted:
        return t
    is_weight = to_lower and t._dtype is dtypes.float32 and t.requires_grad and t.is_leaf and t._base is None
    if not is_weight or not state.autocast_cache:
        result: Tensor = _outside(OPS["to"].function, t, wanted)
        return result
    kept = WEIGHTS.get(id(t))
    if kept is None or kept[0]() is not t:
        kept = WEIGHTS[id(t)] = ref(t), _outside(OPS["to"].function, t, wanted)
    return kept[1]


stations.by_autocast = answer
