"""Starts backward passes, and knows which are under way in this thread."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from threading import get_ident
from typing import Any

from ...errors.reasons import refuse
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.passed import hide_again, shown_again
from ...tensor.tensor import Tensor
from ...tensor.thread_state import carried, carry, state, unusual_threads
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
    if outer and len(outer) % DEEP == 0 and outer[-1] is not under_way.begun_by:
        return _in_a_thread(lambda: run(roots, retain, create, wanted, accumulate))
    unusual, here = state.__dict__, get_ident()
    before = unusual.copy() if unusual or create else None
    try:  # from here on, so that an interrupt by the user leaves nothing behind
        under_way.passes = (*outer, this)
        if before is not None:
            shown_again(KEY_AUTOGRAD)
            state.put("enabled", create)
            this.settings = unusual.copy()
        else:  # what `put` would do
            unusual_threads.add(here)
            unusual["enabled"] = False
        results = this.run(roots)
        for callback in this.callbacks:  # which may add others
            callback()
        return results
    finally:
        under_way.passes = outer
        if not before or "enabled" not in before:
            unusual.pop("enabled", None)  # at once: an interrupt may come at each call of a Python function
            if not unusual:
                unusual_threads.discard(here)
        if before or unusual:
            state.put_back(before or {})


class _UnderWay(threading.local):
    """The backward passes of this thread, the innermost last: a backward function may start another one."""

    passes: tuple[Pass, ...] = ()
    begun_by: Pass | None = None
    """The innermost pass of the thread that began this one."""


under_way = _UnderWay()
carried.append(under_way)

DEEP = 30
"""How many passes inside each other run in one thread: each takes some of the nested calls that Python allows. PyTorch
goes to another thread as well, after 60."""


def _in_a_thread(run_pass: Callable[[], list[Tensor | None]]) -> list[Tensor | None]:
    """Run a pass in a thread of its own, with the settings of this one, while this one waits."""
    results: list[Any] = []
    errors: list[BaseException] = []
    take_over, context = carry(), contextvars.copy_context()

    def work() -> None:
        take_over()
        under_way.begun_by = under_way.passes[-1]
        try:
            results.append(context.run(run_pass))
        except BaseException as error:
            errors.append(error)
        finally:
            unusual_threads.discard(get_ident())

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the system has no thread to spare
        before, under_way.begun_by = under_way.begun_by, under_way.passes[-1]
        try:
            return run_pass()
        finally:
            under_way.begun_by = before
    thread.join()
    if errors:
        raise errors[0]
    return results[0]  # type: ignore[no-any-return]


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
            if "_counted" not in result._notes and result._base is None:
                result._notes.pop("_writes", None)  # what the formula wrote into it does not count
    return results[0] if len(results) == 1 else results
