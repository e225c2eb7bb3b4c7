"""The station of gradients: a call with a tensor that requires a gradient is computed, and a node records it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ..derivatives import families  # noqa: F401  (imported for the table)
from ..derivatives.declaring import FORMULAS, NONE, PARTS, TABLE, Derivative, find_derivative, refuse_derivative
from ..dispatch.call_errors import refuse_call
from ..dispatch.computed_by import computed_by
from ..dispatch.inference import NOT_NEW
from ..dispatch.kinds import KINDS
from ..dispatch.registry import Op, keys_of, tensors_in
from ..dispatch.stations import by_keys, read_first, to_kernel
from ..errors.reasons import refuse
from ..tensor.grad_flag import can_require, inference_leaves
from ..tensor.grad_mode import grad_enabled, inference_enabled
from ..tensor.keys import KEY_AUTOGRAD, KEY_INFERENCE, NOT_AUTOGRAD
from ..tensor.passed import call_below
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from ..tensor.versions import version_owner
from . import anomaly, rewriting, writes
from .binding import bound_arguments
from .formulas import FormulaNode, new_node
from .nodes import Node, NotImplemented_, note_device
from .origin import Output, edge_of, node_of, set_origin, tracked
from .saved import keep, kept_names, pack_arguments, refuse_inference, remember_view
from .written_results import copy_results, has_no_way_back, is_copied, refuse_out

KIND = KINDS["autograd"]


def call(op: Op, args: tuple, kwargs: dict) -> Any:
    """Make a call that reads or writes a tensor that requires a gradient."""
    args, kwargs = read_first(op, args, kwargs)
    try:
        special = SPECIAL.get(op.name)
        if special is not None:
            return special(op, args, kwargs)
        if inference_leaves.exist and _of_inference_alone(op, args, kwargs):
            return _copied_by_steps(op, args, kwargs) if op.name in _COPIES else below(op, args, kwargs)
        if not grad_enabled() or inference_enabled():
            return _unrecorded(op, args, kwargs)
        if op.name not in TABLE and not op.name.endswith("_") and "out" not in kwargs:
            return _undeclared(op, args, kwargs)
        bound = bound_arguments(op, args, kwargs)
        derivative = find_derivative(op.name, bound)
        if kwargs.get("out") is not None and (derivative is None or derivative.says != NONE):
            if is_copied(op.name, bound):
                return copy_results(op, bound)
            outs = bound["out"] if isinstance(bound["out"], (tuple, list)) else (bound["out"],)
            if has_no_way_back(op.name, bound) and not any(isinstance(t, Tensor) and tracked(t) for t in outs):
                return _without_derivative(op, args, kwargs)
            refuse_out(op, args, kwargs, bound)
        if derivative is None:
            return _undeclared(op, args, kwargs)
        if derivative.says == PARTS:
            return compose(op, derivative, args, kwargs, bound)
        if derivative.says == NONE:
            if op.name in _CHECKED:
                rewriting.check_write(args[0])
            return below(op, args, kwargs)
        if derivative.says == FORMULAS:
            return record(op, derivative, args, kwargs, bound)
        return _without_derivative(op, args, kwargs, derivative.message)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        refuse_arguments(error, op, args, kwargs)
        raise


_CHECKED = frozenset(
    "bitwise_and_ bitwise_left_shift_ bitwise_not_ bitwise_or_ bitwise_right_shift_ bitwise_xor_ gcd_ lcm_ "
    "sparse_resize_ sparse_resize_and_clear_ resize_as_sparse_ _coalesced_".split()
)
"""Writes without a derivative that a leaf is refused to; other ones, such as those of logical ops, are not checked."""


def refuse_arguments(error: Exception, op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse arguments of a wrong kind, which PyTorch reads before it records; return if they are not at fault."""
    if not hasattr(error, "reason"):
        refuse_call(op.name, args, kwargs)
        if not op.name.endswith("_") and op.name != "setitem":
            below(op, args, kwargs)  # the row refuses what it cannot take in its own words


def _of_inference_alone(op: Op, args: tuple, kwargs: dict) -> bool:
    """Whether all tensors of a call have numbers of inference mode, so that PyTorch records nothing.

    A Python number is a usual tensor where PyTorch makes it one.
    """
    if op.name.removesuffix("_") in NUMBERS_ARE_TENSORS and any(isinstance(a, (int, float, complex)) for a in args[:3]):
        return False
    return all(t.is_inference() for t in tensors_in(args, kwargs))


_COPIES = frozenset("clone contiguous to double float half bfloat16 cfloat cdouble type_as type".split())


def _copied_by_steps(op: Op, args: tuple, kwargs: dict) -> Any:
    """A copy of numbers of inference mode: PyTorch makes a usual tensor and records that it writes into it."""
    result = below(op, args, kwargs)
    if result is args[0] or not can_require(result) or not grad_enabled() or inference_enabled():
        return result
    from ..derivatives.ops import torch

    return torch.empty_like(result).copy_(args[0])


NUMBERS_ARE_TENSORS = frozenset(
    "add sub rsub rsub_number mul div fmod remainder floor_divide copysign xlogy where".split()
)
"""Ops of two operands that PyTorch only has for two tensors."""


def below(op: Op, args: tuple, kwargs: dict) -> Any:
    """Compute a call at the stations that follow, as if no tensor required a gradient."""
    if keys_of(args, kwargs) == KEY_AUTOGRAD and not inference_enabled():
        return call_below(KEY_AUTOGRAD, to_kernel, op, args, kwargs)
    return call_below(KEY_AUTOGRAD, by_keys, op, args, kwargs)


def compose(op: Op, derivative: Derivative, args: tuple, kwargs: dict, bound: dict) -> Any:
    """Record a call as the ops that PyTorch makes it of. What they refuse, the row itself refuses in its own words."""
    made_of: Any = derivative.compose
    if "out" in bound and bound["out"] is None:  # which is no argument at all
        bound = {name: value for name, value in bound.items() if name != "out"}
    if op.family == "inplace" and not derivative.op.endswith("_"):
        target: Any = args[0]
        return target.copy_(made_of(**bound))
    try:
        return made_of(*args, **kwargs) if made_of.__code__.co_flags & _TAKES_ALL else made_of(**bound)
    except Exception as error:
        rule = getattr(getattr(error, "reason", None), "rule", "")
        refused_here = rule in ("autograd.undefined", "autograd.inference")
        before_all = type(error) is ValueError and error.args == ("the row itself refuses this",)
        if before_all or not refused_here and not op.name.endswith("_") and op.name != "setitem":
            below(op, args, kwargs)
        raise


_TAKES_ALL = inspect.CO_VARARGS


def _undeclared(op: Op, args: tuple, kwargs: dict) -> Any:
    """A row that is made of others is recorded as these; any other one is refused, a contributed one too."""
    if is_composite(op):
        return op.plain(*args, **kwargs)
    below(op, args, kwargs)  # which refuses what it cannot take in its own words
    refuse_derivative(f"derivative for aten::{op.name} is not implemented")


def is_composite(op: Op) -> bool:
    """Whether a row without a derivative is made of others."""
    # A row whose calls were seen to be quick is composite all the same: it has no rule.
    return computed_by(op).how == "composite" or op.rule is None and not op.decided_by


def _without_derivative(op: Op, args: tuple, kwargs: dict, message: str = "") -> Any:
    """Compute a call whose node refuses to go back."""
    tensors = [t for t in tensors_in(args, kwargs) if tracked(t) or message and can_require(t)]
    edges = tuple([edge_of(t) if tracked(t) else None for t in tensors])
    target = _target(op, args)
    if target is not None:
        rewriting.check_write(target)
    result = below(op, args, kwargs)
    results = [t for t in _flat(result) if can_require(t)]
    if not results:
        return result
    node = NotImplemented_(edges, *_metadata(results, len(results)))
    node.op = message or f"aten::{op.name.replace('.', '_')}"
    note_device(node, results[0])
    if target is not None:
        rewriting.rebase(target, node)
    else:
        _set_origins(node, results, len(results) > 1)
    return result


def _target(op: Op, args: tuple) -> Tensor | None:
    """The tensor that a call writes to."""
    return args[0] if op.name.endswith("_") and args and isinstance(args[0], Tensor) else None


def _unrecorded(op: Op, args: tuple, kwargs: dict) -> Any:
    """A call under no_grad: what it returns requires no gradient, unless it is a view of a tensor that does."""
    result = below(op, args, kwargs)
    if op.name in NOT_NEW:
        return result
    for t in _flat(result):
        if t._base is not None and not t._keys & KEY_AUTOGRAD and t._base._keys & KEY_AUTOGRAD:
            if not any(t is given for given in tensors_in(args, kwargs)):
                of = next(tensors_in(args, {}), None)
                before = of._origin.made if of is not None and tracked(of) and type(of._origin) is Output else ""
                if inference_enabled() or before == "inference":
                    made = "inference"
                else:
                    made = before if before and grad_enabled() else "no_grad"
                set_origin(t, Output(None, 0, version_owner(t)._writes, made))
    return result


def _detach_in_place(op: Op, args: tuple, kwargs: dict) -> Any:
    """``x.detach_()``: the tensor leaves the graph."""
    if inference_enabled() or args[0]._keys & KEY_INFERENCE:
        return args[0]  # where PyTorch does nothing
    had_node = node_of(args[0]) is not None if args[0]._base is None else False
    result = below(op, args, kwargs)
    result._keys &= NOT_AUTOGRAD
    rewriting.untrack_views(result)
    if had_node:
        result._notes["_left_at"] = writes.noted()
    return result


def _resize(op: Op, args: tuple, kwargs: dict) -> Any:
    """``x.resize_(…)``: refused for a tensor that requires a gradient, unless PyTorch would not record it anyway."""
    refused_later = op.name == "resize_" and args[0]._keys & KEY_INFERENCE  # as a write to an inference tensor
    unrecorded = inference_enabled() or inference_leaves.exist and _of_inference_alone(op, args, kwargs)
    if tracked(args[0]) and not refused_later and not unrecorded:
        refuse(
            RuntimeError,
            "cannot resize variables that require grad",
            "a gradient has the size that its tensor had when it was used",
            "x.detach().resize_(…)",
            "x.reshape(…)",
            rule="autograd.resize",
        )
    return below(op, args, kwargs)


def _python_function(op: Op, args: tuple, kwargs: dict) -> Any:
    """``x.apply_(f)`` and ``x.map_(y, f)``: refused where a tensor requires a gradient, under no_grad too."""
    refuse(
        RuntimeError,
        f"Can't call {op.name}() on Variable that requires grad. Use var.detach().{op.name}() instead.",
        "the derivative of a Python function is not known",
        f"x.detach().{op.name}(…)",
        rule="autograd.missing",
    )


SPECIAL = {
    "detach_": _detach_in_place, "resize_": _resize, "resize_as_": _resize,
    "apply_": _python_function, "map_": _python_function,
}  # fmt: skip
"""Calls that change a tensor's origin in the graph in ways of their own."""


def _flat(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _flat(part)


# -- a recorded call ---------------------------------------------------------------------------------------------


def record(op: Op, derivative: Derivative, args: tuple, kwargs: dict, bound: dict) -> Any:
    """Compute a call and give its results a node."""
    target = _target(op, args)
    if target is not None:
        rewriting.check_write(target)
    try:
        edges, needed, lists, any_tracked = edges_of(derivative, bound)
    except RuntimeError:  # a view has lost its node, and PyTorch does not ask for it where it returns the view itself
        with suppress(Exception):
            if target is None and not _is_new(result := below(op, args, kwargs), args, kwargs, target):
                return result
        raise
    if not any_tracked:  # a tensor that requires a gradient is only read where the result does not depend on it
        return below(op, args, kwargs)
    written: tuple[Any, int] | None = None
    if target is not None:
        _check_inference(derivative, bound, target, needed)
        bound = _before_write(derivative, bound, target, needed)
        owner = version_owner(target)
        written = owner, owner._writes
    try:
        result = below(op, args, kwargs)
    except Exception:  # PyTorch saves the arguments before it computes
        _check_inference(derivative, bound, target, needed)
        if state.hooks:
            pack_arguments(derivative, bound, needed)
        raise
    if not _is_new(result, args, kwargs, target):
        return result
    return with_node(op, derivative, args, kwargs, bound, result, (edges, needed, lists), target, written)


def with_node(
    op: Op,
    derivative: Derivative,
    args: tuple,
    kwargs: dict,
    bound: dict,
    result: Any,
    inputs: tuple[tuple, tuple[bool, ...], dict[str, int] | None],
    target: Tensor | None = None,
    written: tuple[Any, int] | None = None,
) -> Any:
    """Give what a call has computed its node; `inputs` is what `edges_of` says of them."""
    edges, needed, lists = inputs
    if target is None and isinstance(result, Tensor):
        if can_require(result):
            node = new_node(derivative, edges, result._array.shape, result._dtype)
            keep(node, derivative, bound, result, needed, lists)
            note_device(node, result)
            anomaly.note(node)
            _set_origin(node, result, 0, False, _first_of(args))
        else:
            _check_whole_numbers((*args, result) if op.name in _SUMS else args, kwargs, op.name in _SUMS)
        return result
    outputs = list(result) if isinstance(result, (tuple, list)) else [result]
    tensors = [t for t in outputs if isinstance(t, Tensor)]
    if not any(can_require(t) for t in tensors) and (target is None or op.name == "copy_"):
        _check_whole_numbers(args, kwargs)
        return result  # PyTorch lets any other write make whole numbers part of the graph
    node = new_node(derivative, edges, *_metadata(tensors, len(outputs)))
    if len(tensors) > 1 or isinstance(result, (tuple, list)):
        node_outputs(node, tensors, derivative.results)
    keep(node, derivative, bound, result, needed, lists, written)
    for t in tensors[:1]:
        note_device(node, t)
    anomaly.note(node)
    if target is not None:
        writes.noted()
    if target is not None and (op.family == "inplace view" or op.name == "as_strided_"):
        rewriting.turn(target, node)
    elif target is not None:
        rewriting.rebase(target, node)
        if target._base is not None:
            remember_view(node, target)
    else:
        _set_origins(node, tensors, isinstance(result, (tuple, list)), _first_of(args), derivative.results)
    return result


def _first_of(args: tuple) -> Tensor | None:
    """The first tensor of a call."""
    return args[0] if args and isinstance(args[0], Tensor) else next(tensors_in(args, {}), None)


_SUMS = frozenset(("sum", "nansum", "prod", "cumsum", "cumprod"))
"""Ops that add numbers up in the dtype that is asked for, and record whole numbers like others."""


def _check_whole_numbers(args: tuple, kwargs: dict, of_result: bool = False) -> None:
    """Refuse a call with whole numbers that a write has made part of a graph, or whose result would be in one."""
    for t in tensors_in(args, kwargs):
        if (tracked(t) or of_result and t is args[-1]) and not can_require(t):
            refuse(
                RuntimeError,
                f"Autograd not support dtype: {t._dtype._type_name}",
                f"{t._dtype} holds whole numbers only, but a write has made this tensor part of a graph",
                "x.detach()",
                rule="autograd.dtype",
            )


def edges_of(derivative: Derivative, bound: dict) -> tuple[tuple, tuple[bool, ...], dict[str, int] | None, bool]:
    """Where the gradients of the inputs go, which inputs need one, how long lists of tensors are, and whether any input
    requires a gradient. A view that was made under no_grad requires one, and needs none: it leads nowhere.
    """
    edges: list[Any] = []
    needed: list[bool] = []
    any_tracked = False
    lists: dict[str, int] | None = None
    for name in derivative.inputs:
        value = bound.get(name)
        if isinstance(value, Tensor):
            own = bool(value._keys & KEY_AUTOGRAD)
            edge = edge_of(value) if own else None
            edges.append(edge)
            needed.append(edge is not None)
            any_tracked |= own
        elif isinstance(value, (tuple, list)):
            each = [edge_of(v) if isinstance(v, Tensor) and v._keys & KEY_AUTOGRAD else None for v in value]
            lists = {**(lists or {}), name: len(each)}
            edges += each
            needed.append(any(edge is not None for edge in each))
            any_tracked = any_tracked or any(isinstance(v, Tensor) and tracked(v) for v in value)
        else:
            edges.append(None)
            needed.append(False)
    return tuple(edges), tuple(needed), lists, any_tracked


def _check_inference(derivative: Derivative, bound: dict, target: Tensor | None, needed: tuple[bool, ...]) -> None:
    """Refuse what cannot be saved before anything is written."""
    keeps = kept_names(derivative, needed)
    for name, use in zip(derivative.keeps, keeps, strict=True):
        value = bound.get(name) if use else None
        if isinstance(value, Tensor) and value is not target and value.is_inference():
            refuse_inference()


def _before_write(derivative: Derivative, bound: dict, target: Tensor, needed: tuple[bool, ...]) -> dict:
    """Where a formula reads the tensor that is written to, it gets a copy of the old value, and its old size."""
    from .saved_facts import FACTS, fact_of

    keeps = kept_names(derivative, needed)
    kept = {name for name, use in zip(derivative.keeps, keeps, strict=True) if use}
    olds = {"input": target.clone()} if "input" in kept and bound.get("input") is target else {}
    for name in kept:  # squeeze_ and others change the size
        base, _, fact = name.rpartition("_")
        if fact in FACTS and bound.get(base) is target:
            olds[name] = fact_of(target, fact)
    return {**bound, **olds} if olds else bound


def _is_new(result: Tensor, args: tuple, kwargs: dict, target: Tensor | None) -> bool:
    """Whether a result is more than one of the inputs itself, as x.contiguous() may be."""
    if target is not None or not isinstance(result, Tensor):
        return True
    for a in (*args, *kwargs.values()) if kwargs else args:
        if a is result or isinstance(a, (list, tuple)) and any(result is t for t in tensors_in(tuple(a), {})):
            return False
    return True


def _metadata(tensors: list[Tensor], count: int) -> tuple[Any, Any]:
    if count == 1 and len(tensors) == 1:
        return tensors[0]._array.shape, tensors[0]._dtype
    return tuple([t._array.shape for t in tensors]), tuple([t._dtype for t in tensors])


def node_outputs(node: FormulaNode, tensors: list[Tensor], only: tuple[int, ...] | None = None) -> None:
    """Tell a node that it has several results. The last ones that have no gradient, such as indices, do not count."""
    if only is not None:  # those without a gradient have no number either
        tensors = [tensors[number] for number in only if number < len(tensors)]
    count = len(tensors)
    while count and not can_require(tensors[count - 1]):
        count -= 1
    tensors = tensors[:count]
    node.size = tuple([t._array.shape for t in tensors])
    node.dtype = tuple([t._dtype for t in tensors])


def _set_origins(
    node: Node,
    tensors: list[Tensor],
    several: bool,
    of: Tensor | None = None,
    only: tuple[int, ...] | None = None,
) -> None:
    for number, t in enumerate(tensors):
        if can_require(t) and (only is None or number in only):
            _set_origin(node, t, number if only is None else only.index(number), several, of)


def _set_origin(node: Node, t: Tensor, number: int, several: bool, of: Tensor | None) -> None:
    """Say which result of a node a tensor is; of a view, also what it is a view of."""
    if t._base is None:
        set_origin(t, Output(node, number) if number else node)
        return
    made = "multiple" if several else ""  # writes through a view have to reach its base
    if of is not None and of._keys & KEY_AUTOGRAD and type(of._origin) is Output:
        # A view of a view that must not be written to must not be either.
        made = made if made and of._origin.made != "inference" else of._origin.made
    set_origin(t, Output(node, number, version_owner(t)._writes, made))


def _describe(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    """What `route` says of this station."""
    if not grad_enabled() or inference_enabled():
        return "recording is off: nothing is recorded", True
    derivative = find_derivative(op.name, bound_arguments(op, args, kwargs))
    if derivative is None:
        return "recorded as the ops that it is made of", True
    if derivative.says == FORMULAS:
        return f"{derivative.node} records the call", True
    return {PARTS: "recorded as the ops that PyTorch makes it of", NONE: "not differentiable: nothing is recorded"}.get(
        derivative.says, "refused: there is no derivative"
    ), derivative.says in (PARTS, NONE)


KIND.fallback, KIND.describe_station = call, _describe
