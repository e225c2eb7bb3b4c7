"""Starts backward passes, and knows which are under way in this thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from threading import get_ident
from typing import Any

from ...errors.reasons import refuse
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.passed import hide_again, shown_again
from ...tensor.tensor import Tensor
from ...tensor.thread_state import not_recording, state
from .. import anomaly
from ..formulas import FormulaNode
from ..nodes import Node, count_of
from ..saved import values_of
from .backward_pass import Edge, Pass
from .pass_on_arrays import PassOnArrays


def run(
    roots: list[tuple[Edge, Tensor]],
    retain: bool,
    create: bool,
    wanted: list[Edge] | None = None,
    accumulate: bool = True,
) -> list[Tensor | None]:
    """Send gradients back from the roots.

    With `wanted` edges, only what leads to these is computed, and their gradients are returned; `accumulate` adds
    them to `.grad` of the leaves instead.
    """
    on_arrays = wanted is None and not create and not anomaly.is_anomaly_enabled()
    this = (PassOnArrays if on_arrays else Pass)(retain, create, wanted, accumulate)
    outer = under_way.passes
    under_way.passes = (*outer, this)
    unusual = state.__dict__
    hidden: Any = None
    before: dict[str, Any] = {}
    if unusual or create:
        before = unusual.copy()
        hidden = shown_again(KEY_AUTOGRAD)
        state.put("enabled", create)
        this.settings = unusual.copy()
    else:  # what `put` would do
        unusual["enabled"] = False
        not_recording.add(get_ident())
    try:
        results = this.run(roots)
        for callback in this.callbacks:  # which may add others
            callback()
        return results
    finally:
        under_way.passes = outer
        if hidden is not None:
            hide_again(hidden)
            state.put_back(before)
        else:
            unusual.pop("enabled", None)
            not_recording.discard(get_ident())
            if unusual:
                state.put_back(before)


class _UnderWay(threading.local):
    """The backward passes of this thread, the innermost last: a backward function may start another one."""

    passes: tuple[Pass, ...] = ()


under_way = _UnderWay()


class Engine:
    """What PyTorch calls the engine: `queue_callback` names a function that is called at the end of this pass."""

    @staticmethod
    def queue_callback(callback: Callable[[], Any]) -> None:
        """Call a function at the end of the backward pass that is under way."""
        if not under_way.passes:
            refuse(
                RuntimeError,
                "Final callbacks can only be installed during backward pass.",
                "no backward pass is under way in this thread",
                "a hook or a backward function that calls this",
                rule="autograd.callback",
            )
        under_way.passes[-1].callbacks.append(callback)


def apply_alone(node: Node, grads: tuple) -> Any:
    """``node(grad)``: the gradients of the inputs, without going further."""
    if len(grads) != count_of(node):
        refuse(
            TypeError,
            f"expected {count_of(node)} arguments, got {len(grads)} instead",
            "a node is called with one gradient for each of its results",
            rule="autograd.count",
        )
    for place, grad in enumerate(grads):
        if grad is not None and not isinstance(grad, Tensor):
            refuse(TypeError, f"argument {place} is not a Variable", "a gradient is a tensor", rule="autograd.type")
    if all(grad is None for grad in grads) and not node.takes_undefined:
        if isinstance(node, FormulaNode) and node.versions is not None:
            values_of(node)  # PyTorch reads what is saved before it sees that there is nothing to compute
        return (None,) * len(node.edges) if len(node.edges) > 1 else None
    before = shown_again(KEY_AUTOGRAD)
    try:
        results = tuple([None if e is None else r for e, r in zip(node.edges, node.apply(grads), strict=True)])
    finally:
        hide_again(before)
    for result in results:
        if isinstance(result, Tensor) and not any(result is grad for grad in grads):
            if "_counted" not in result.__dict__ and result._base is None:
                result.__dict__.pop("_writes", None)  # what the formula wrote into it does not count
    return results[0] if len(results) == 1 else results
