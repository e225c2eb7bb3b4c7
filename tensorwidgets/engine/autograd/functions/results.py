"""What `forward` returns becomes part of the graph: which results have a node, are views, or were written to."""

from __future__ import annotations

from typing import Any

from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.classes import in_class
from ...tensor.grad_flag import can_require, inference_leaves
from ...tensor.grad_mode import no_grad
from ...tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_INFERENCE
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version, version_owner
from ...tensor.wrapping import wrap_view
from .. import anomaly, rewriting
from ..nodes import note_device, note_devices
from ..origin import Output, set_origin, tracked
from ..saved import refuse_inference
from .node import FunctionNode
from .saved_tensors import SavedTensors


class Results:
    """Gives the results of a Function their origins in the graph."""

    def __init__(self, ctx: FunctionNode, cls: Any, tensors: list[Tensor], recording: bool):
        self.ctx, self.cls, self.tensors, self.recording = ctx, cls, tensors, recording

    def of(self, output: Any) -> Any:
        ctx = self.ctx
        several = isinstance(output, tuple)
        outputs = list(output) if several else [output]
        if ctx._is_pure_view and (len(outputs) > 1 or len(self.tensors) != 1):
            refuse(
                RuntimeError,
                "Pure view custom Function can only have one input Tensor and one output Tensor. Open an issue if you "
                "need to support more.",
                "a write through the view is recorded as if forward were one view of one tensor",
                "ctx._is_pure_view = False",
                rule="function.view",
            )
        if ctx.dirty_tensors or ctx.non_differentiable:
            self._check_marked(outputs)
        untracked = {id(t) for t in ctx.non_differentiable or ()}
        if untracked:
            ctx._untracked = frozenset([number for number, t in enumerate(outputs) if id(t) in untracked])
        if self.recording:
            if several:  # what is not a tensor has a place too: backward gets None for it
                ctx.size = tuple([t._array.shape if isinstance(t, Tensor) else () for t in outputs])
                ctx.dtype = tuple([t._dtype if isinstance(t, Tensor) else None for t in outputs])
                note_devices(ctx, outputs)
            elif isinstance(output, Tensor):
                ctx.size, ctx.dtype = output._array.shape, output._dtype
                note_device(ctx, output)
            anomaly.note(ctx)
        final = [
            self._result(t, number, id(t) in untracked, len(outputs)) if isinstance(t, Tensor) else t
            for number, t in enumerate(outputs)
        ]
        self._save(outputs, final)
        return tuple(final) if several else final[0]

    def _check_marked(self, outputs: list) -> None:
        dirty, untracked = self.ctx.dirty_tensors or (), self.ctx.non_differentiable or ()
        for marked, message in (
            (dirty, "mark_dirty can only accept variables, but argument "),
            (untracked, "mark_non_differentiable only accepts variable arguments, but got "),
        ):
            if not all(isinstance(t, Tensor) for t in marked):
                refuse(RuntimeError, message, "only tensors can be marked", rule="function.marked")
        for t in dirty:  # counted once more, in case that forward wrote past the counter
            bump_version(t)
        for t in dirty:
            if not any(t is out for out in outputs):
                refuse(
                    RuntimeError,
                    "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                    "that are modified inplace must all be outputs of the Function.",
                    "what forward writes to must be returned, so that it gets its new node",
                    "return x",
                    rule="function.dirty",
                )

    def _result(self, t: Tensor, number: int, untracked: bool, count: int) -> Tensor:
        ctx = self.ctx
        origin: Any = Output(ctx, number) if number else ctx
        dirty = any(t is d for d in ctx.dirty_tensors or ())
        is_input = any(t is given for given in self.tensors)
        if not self.recording or untracked or not can_require(t):
            if is_input and tracked(t):  # written to or not: the input itself stays in its graph
                return t.detach()
            if is_input and not dirty:
                return self._as_view(t)
            if not self.recording and not is_input and t._base is not None:
                if ctx._is_pure_view:
                    t._made = ""
                elif not tracked(t._base):
                    t._made = "function"  # which a graph may have to know later
                elif not tracked(t):
                    set_origin(t, Output(None, 0, version_owner(t)._writes, "function"))
                elif type(t._origin) is Output:
                    t._origin.made = "function"
                return t
            t._keys &= ~KEY_AUTOGRAD
            return t
        if dirty:
            _check_dirty_leaf(t)
            self._check_dirty_input(t, is_input, count)
            if tracked(t) and t._origin is not None:
                t._notes.pop("_grad", None)  # that of what it was before
            rewriting.check_write(t)
            rewriting.rebase(t, ctx, number)
            return t
        if is_input:
            self._check_saved_apart(t)
            view = wrap_view(t._array, t)
            t = in_class(view, type(t)) if t._keys & KEY_CLASS else view
        if t._base is not None:
            several = type(ctx.dtype) is tuple and sum(d is not None for d in ctx.dtype) > 1
            made = "" if ctx._is_pure_view else "multiple" if several else "function"
            set_origin(t, Output(ctx, number, version_owner(t)._writes, made))
        else:
            set_origin(t, origin)
            if t._keys & KEY_INFERENCE:
                inference_leaves.exist = True
        return t

    def _as_view(self, t: Tensor) -> Tensor:
        """An input that is returned as it is, and that no node is made for: another view of it."""
        self._check_saved_apart(t)
        with no_grad():
            view: Tensor = t.view_as(t)
        view._made = "function"
        return view

    def _check_saved_apart(self, t: Tensor) -> None:
        if self.cls._has_own_context() and any(t is saved for saved in self.ctx.to_save or ()):
            refuse(
                RuntimeError,
                "An input that has been returned as-is as output is being saved for backward. This is not supported if "
                "you override setup_context. You should return and save a view of the input instead, e.g. with "
                "x.view_as(x) or setup ctx inside the forward function itself.",
                "input and output are one tensor, and the node could not tell which of the two it saved",
                "return x.view_as(x)",
                rule="function.save",
            )

    def _check_dirty_input(self, t: Tensor, is_input: bool, count: int) -> None:
        if not is_input:
            message = (
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated "
                "should be passed to ctx.mark_dirty()."
            )
            if t._base is not None and not tracked(t):
                refuse(
                    RuntimeError, message, "its base would get a new node", "ctx.mark_dirty(x)", rule="function.dirty"
                )
            warn(message)
        if t._base is not None and count > 1:
            refuse(
                RuntimeError,
                "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
                "return more than one Tensor. This is not supported by the current autograd engine. You should either "
                "make sure the input is not a view (using .clone() for example) or make your Function only return one "
                "Tensor (potentially splitting it into two Functions: one doing the inplace that returns a single "
                "Tensor and a second one that does the other operations). You can ask on the forum "
                "https://discuss.pytorch.org/ if you need help to do this change.",
                "the base of the view would get a node of which the view is one of several results",
                "x.clone()",
                rule="function.dirty",
            )

    def _save(self, outputs: list, final: list) -> None:
        ctx = self.ctx
        saved, dirty = ctx.to_save or (), ctx.dirty_tensors or ()
        # First, so that results do not wait for the garbage collector, even if a hook on saved tensors raises an error.
        ctx.to_save = ctx.saved_for_forward = ctx.dirty_tensors = ctx.non_differentiable = None
        if not self.recording:
            return
        _check_saved(saved)
        numbers: dict[int, int] = {}
        for number, (before, after) in enumerate(zip(outputs, final, strict=True)):
            if isinstance(before, Tensor) and tracked(after):
                numbers.setdefault(id(before), number)
                numbers[id(after)] = number
        inputs = {id(t) for t in self.tensors} - {id(t) for t in dirty}
        places = [-1 if id(t) in inputs else numbers.get(id(t), -1) for t in saved]
        ctx._kept = SavedTensors(saved, places, ctx)


def _check_saved(saved: tuple) -> None:
    for number, t in enumerate(saved):
        if t is not None and not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"save_for_backward can only save variables, but argument {number} is of type {type(t).__name__}",
                "anything else can be an attribute",
                "ctx.n = n",
                rule="function.save",
            )
        if t is not None and t.is_inference():
            refuse_inference()


def _check_dirty_leaf(t: Tensor) -> None:
    origin: Any = t._origin if tracked(t) else None
    if tracked(t) and (origin is None or type(origin) is Output and origin.node is None):
        refuse(
            RuntimeError,
            "a leaf Variable that requires grad has been used in an in-place operation.",
            "the value of a leaf is where the gradient is taken, so it must stay",
            "x = x * 2",
            rule="write.leaf",
        )
