"""A call in a block of `autocast`: its tensors are converted first, and the call is made as if there were no block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import get_ident
from typing import Any
from weakref import ref

from ...autograd.binding import bound_arguments
from ...autograd.recording import compose
from ...derivatives.declaring import PARTS, TABLE, find_derivative
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, keys_of, tensors_in
from ...errors.reasons import refuse
from ...tensor.keys import KEY_CLASS, KEY_NAMES
from ...tensor.tensor import Tensor
from ...tensor.thread_state import autocast_weights, state, unusual_threads
from ...types import dtypes
from ...types.dtypes import dtype
from .policies import POLICIES, Policy


def answer(op: Op, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """What a call in a block returns, in a tuple; None if the block has nothing to do with it.

    A tensor of a class of the user's own passes: its class is asked first.
    """
    if not state.autocast or kwargs.get("out") is not None or keys_of(args, kwargs) & KEY_CLASS:
        return None
    devices = {t.device.type for t in tensors_in(args, kwargs) if t._dtype.is_floating_point}
    for device, low in state.autocast.items():
        if device in devices:
            policy = POLICIES[device].get(op.name)
            return _composed(op, args, kwargs) if policy is None else (_WAYS[policy](op, args, kwargs, device, low),)
    return None


def describe(op: Op, args: tuple, kwargs: dict) -> str | None:
    """What the block would do with a call, in words; None if nothing."""
    for device, low in state.autocast.items():
        if any(_is_eligible(t, device) for t in tensors_in(args, kwargs)) and kwargs.get("out") is None:
            policy = POLICIES[device].get(op.name)
            return None if policy is None else policy.value.format(str(low).removeprefix("torch."))
    return None


def _outside(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function as if no block were open in this thread."""
    own = state.__dict__
    before = own.pop("autocast")
    try:
        return function(*args)
    finally:
        unusual_threads.add(get_ident())  # which a block inside may have taken away
        own["autocast"] = before


def _composed(op: Op, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """A call that PyTorch makes of others, of which some may be converted.

    Names follow a rule of the whole call, but for `einsum`, whose products have rules of their own.
    """
    if op.name != "einsum" and keys_of(args, kwargs) & KEY_NAMES:
        return None
    if op.name not in TABLE or op.name in _OF_ONE_DTYPE and len({t._dtype for t in tensors_in(args, kwargs)}) > 1:
        return None
    args, kwargs = stations.read_first(op, args, kwargs)
    bound = bound_arguments(op, args, kwargs)
    derivative = find_derivative(op.name, bound)
    if derivative is None or derivative.says != PARTS:
        return None
    return (compose(op, derivative, args, kwargs, bound),)


_OF_ONE_DTYPE = frozenset(("inner", "linalg.multi_dot"))
"""Rows that refuse tensors of two dtypes before the first of their products is converted."""


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


def _given(args: tuple, kwargs: dict, device: str) -> Iterator[dtype]:
    return (t._dtype for t in tensors_in(args, kwargs) if _is_eligible(t, device))


# -- the ways of a call ----------------------------------------------------------------------------------------------


def _in_lower(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
    return _outside(stations.long_route, op, *_to(low, args, kwargs, device, low))


def _in_float32(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
    return _outside(stations.long_route, op, *_to(dtypes.float32, args, kwargs, device, low))


def _in_widest(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
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
    return _outside(stations.long_route, op, *_to(widest, args, kwargs, device, low))


def _float32_result(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
    """The op converts its input itself, as it does for a call that names the dtype."""
    first = next(tensors_in(args, kwargs))
    if _is_eligible(first, device):
        args, kwargs = stations.read_first(op, args, kwargs)
        bound = bound_arguments(op, args, kwargs)
        if bound.get("dtype") is None:
            args, kwargs = ((), bound) if "dtype" in bound and "dtype" not in kwargs else (args, kwargs)
            kwargs = {**kwargs, "dtype": dtypes.float32}
    return _outside(stations.long_route, op, args, kwargs)


def _by_steps(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
    """A layer of a recurrent network. On GPUs all of it is converted, on CPUs that of an LSTM without projections; for
    the others the products of each step are.
    """
    steps: Any = next(d.compose for d in TABLE[op.name] if d.says == PARTS)
    bound = bound_arguments(op, args, kwargs)
    if device == "cpu" and (op.name != "_nn.lstm_layer" or bound.get("w_hr") is not None):
        return steps(**bound)
    _, bound = _to(low, (), bound, device, low)
    return _outside(lambda: steps(**bound))


def _refused(op: Op, args: tuple, kwargs: dict, device: str, low: dtype) -> Any:
    refuse(
        RuntimeError,
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\nMany models use a "
        "sigmoid layer right before the binary cross entropy layer.\nIn this case, combine the two layers using "
        "torch.nn.functional.binary_cross_entropy_with_logits\nor torch.nn.BCEWithLogitsLoss.  "
        "binary_cross_entropy_with_logits and BCEWithLogits are\nsafe to autocast.",
        "a probability of 16 bits is rounded to 0 or 1, whose logarithm is infinite",
        "torch.nn.functional.binary_cross_entropy_with_logits(…)",
        rule="autocast.refused",
    )


_WAYS: dict[Policy, Callable[[Op, tuple, dict, str, dtype], Any]] = {
    Policy.LOWER: _in_lower,
    Policy.FLOAT32: _in_float32,
    Policy.FLOAT32_RESULT: _float32_result,
    Policy.WIDEST: _in_widest,
    Policy.STEPS: _by_steps,
    Policy.REFUSED: _refused,
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
    kept = autocast_weights.get(id(t))
    if kept is None or kept[0]() is not t:
        kept = autocast_weights[id(t)] = ref(t), _outside(OPS["to"].function, t, wanted)
    return kept[1]


stations.by_autocast, stations.words_of_autocast = answer, describe
