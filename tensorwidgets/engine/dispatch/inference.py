"""Inference mode: what is made in it is marked, and writes to it outside are refused.

While the mode is on, every call takes the long route, so that its results can be marked.
"""

from __future__ import annotations

from typing import Any

from ..errors.reasons import refuse
from ..tensor.grad_flag import inference_leaves, refuse_version
from ..tensor.grad_mode import inference_enabled
from ..tensor.keys import KEY_AUTOGRAD, KEY_INFERENCE
from ..tensor.passed import call_below
from ..tensor.tensor import Tensor
from ..tensor.thread_state import on_change
from ..tensor.versions import version_owner
from ..tensor.wrapping import wrap
from . import stations
from .computed_by import computed_by
from .kinds import KINDS
from .registry import Op, tensors_in, watching

KIND = KINDS["inference"]
NOT_NEW = frozenset(("detach", "data"))
"""Ops whose results share the memory of a tensor without being views of it."""


WRITES_INSIDE = {
    "clone": 1, "sum": 1, "mean": 2, "prod": 1, "abs": 1, "logsumexp": 1, "var": 1, "amax": 1, "amin": 1, "max": 1,
    "mv": 1, "dot": 1, "repeat": 1, "new_ones": 1, "new_zeros": 1, "to": 1, "double": 1, "sort": 1, "contiguous": 1,
    "min": 1, "std": 1, "norm": 1,
}  # fmt: skip
"""How often PyTorch counts its own writes into a result that is computed from a tensor of inference mode outside."""


def _writes_inside(op: Op, args: tuple, kwargs: dict) -> int:
    """The number of `WRITES_INSIDE` for a call."""
    along = len(args) > 1 or "dim" in kwargs
    if op.name in ("max", "min") and along:
        return 0 if kwargs.get("keepdim") or len(args) > 2 and args[2] else 2
    if op.name in ("var", "std") and along or op.name == "norm" and args[0].numel() != 1:
        return 0
    return WRITES_INSIDE[op.name]


def _is_view_inside(op: Op, args: tuple, kwargs: dict) -> bool:
    """Whether PyTorch returns a view of what it has computed from a tensor of inference mode outside."""
    return op.name == "stack" or op.name == "roll" and len(args) + len(kwargs) == 2


def mark(op: Op, args: tuple, kwargs: dict, result: Tensor | tuple[Tensor, ...] | None) -> Any:
    """Mark the new tensors of a call in inference mode."""
    if op.name in NOT_NEW:
        return result
    for t in tensors_in((result,), {}):
        if any(t is given for given in tensors_in(args, kwargs)):
            continue
        if t._keys & KEY_INFERENCE:
            if t._base is not None:
                t._notes["_no_view"] = True
            continue
        if t._base is None:
            t._keys |= KEY_INFERENCE
            if t._keys & KEY_AUTOGRAD:
                inference_leaves.exist = True
        else:
            t._made = "inference"
    return result


def _call(op: Op, args: tuple, kwargs: dict) -> Any:
    """A call with a tensor that was made in inference mode."""
    if not inference_enabled():
        if op.name.startswith("nn.functional.") and computed_by(op).how == "composite":
            return op.plain(*args, **kwargs)  # the ops that it is made of are looked at by themselves
        targets = [args[0]] if op.name.endswith("_") and op.name != "detach_" or op.name == "setitem" else []
        if isinstance(kwargs.get("out"), Tensor):
            targets.append(kwargs["out"])
        if any(isinstance(t, Tensor) and t._keys & KEY_INFERENCE and not _counts(t, op, args) for t in targets):
            versions = [(version_owner(t), version_owner(t)._writes) for t in targets]
            result = call_below(KEY_INFERENCE, stations.by_keys, op, args, kwargs)  # PyTorch refuses a write after it
            if all([owner._writes == version for owner, version in versions]):
                return result  # such as apply_, whose writes PyTorch does not count
            for owner, version in versions:
                owner._writes = version
            refuse(
                RuntimeError,
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
                "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more "
                "details.",
                "writes to a tensor that was made in inference mode are not counted, so they are only allowed there",
                "x.clone()",
                rule="autograd.inference",
            )
        result = call_below(KEY_INFERENCE, stations.by_keys, op, args, kwargs)
    else:
        result = _uncounted(op, args, kwargs)
    without = [t for t in tensors_in(args, kwargs) if "_no_counter" in t._notes]
    if without:
        if any(t._base is of for t in tensors_in((result,), {}) for of in without):
            refuse_version()  # a view has the version of its base
        return result
    if op.name == "detach" and args[0]._keys & KEY_INFERENCE:
        result._keys |= KEY_INFERENCE
        if not inference_enabled():
            result._notes.update(_counts=True, _counter=None)
    if not inference_enabled():
        for t in tensors_in((result,), {}):
            if t._base is not None and t._base._keys & KEY_INFERENCE:
                t._notes["_no_view"] = True
            elif op.name in WRITES_INSIDE and not t._keys & KEY_INFERENCE and not t._writes:
                t._notes["_writes"] = _writes_inside(op, args, kwargs)
            elif t._base is None and _is_view_inside(op, args, kwargs):
                t._base = wrap(t._array, t._dtype)
    return result


def _uncounted(op: Op, args: tuple, kwargs: dict) -> Any:
    """A call inside. Writes to such a tensor are not counted here, even if it counts those outside."""
    target = args[0] if args and isinstance(args[0], Tensor) and args[0]._keys & KEY_INFERENCE else None
    owner = None if target is None else version_owner(target)
    if owner is None or "_counts" not in owner._notes and "_counts" not in args[0]._notes:
        return call_below(KEY_INFERENCE, stations.by_keys, op, args, kwargs)
    before = owner._writes
    try:
        return call_below(KEY_INFERENCE, stations.by_keys, op, args, kwargs)
    finally:
        owner._writes = before


def _counts(t: Tensor, op: Op, args: tuple) -> bool:
    """Whether writes to a tensor of inference mode are counted, and so are allowed: `detach` outside made it, or it is
    a leaf that was given its numbers. A key that reads a part makes a view, whose writes are not.
    """
    return "_counts" in t._notes and (op.name != "setitem" or not _reads_part(t, args[1]))


def _reads_part(t: Tensor, key: Any) -> bool:
    """Whether a key has a number, a part of a dimension or a new dimension."""
    parts = key if type(key) is tuple else (key,)
    sizes = iter(t._array.shape)
    for part in parts:
        if part is None or type(part) is int:
            return True
        if isinstance(part, slice) and part.indices(n := next(sizes, 0)) != (0, n, 1):
            return True
    return False


def _describe(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    return "writes are only allowed in inference mode", True


KIND.fallback, KIND.describe_station = _call, _describe


def _switched(thread: object, on: bool) -> None:
    """Send every call the long route while some thread is in inference mode."""
    if on:
        watching.add(thread)
    else:
        watching.discard(thread)


on_change["inference"] = _switched
stations.mark_results = mark
