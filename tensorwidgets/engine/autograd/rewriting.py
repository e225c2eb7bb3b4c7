"""Writes in place: a tensor that is written to gets a new node, and a write through a view gives its base one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors.reasons import Reason, refuse
from ..geometry import Geometry, view_as_complex
from ..memory.places import owner_of
from ..tensor import grad_flag
from ..tensor.grad_mode import enable_grad
from ..tensor.keys import KEY_AUTOGRAD, KEY_CONJ, KEY_INFERENCE, KEY_NEG, KEY_PROMISE
from ..tensor.lookups import geometry_of
from ..tensor.moving.views_beside import views_beside
from ..tensor.passed import hide_again, shown_again
from ..tensor.tensor import Tensor
from ..tensor.versions import version_owner
from ..tensor.wrapping import LeafOf
from . import leaf_sizes
from .nodes import Node, more, note_device
from .origin import Output, edge_of, node_of, output_number, set_origin, tracked
from .reasons import plain_name
from .saved import refuse_second_time
from .saved_facts import placed

# -- checks before a write ---------------------------------------------------------------------------------------


def check_write(t: Tensor) -> None:
    """Refuse a write that the graph cannot record; called with recording on."""
    base = t._base
    made = t._made or base is not None and base._notes.get("_views_made")
    if made and not tracked(t) and not (made == "inference" and t._keys & KEY_INFERENCE):  # which is refused as such
        _refuse_made(Output(None), made)
    if base is not None and (tracked(t) or tracked(base)):
        origin: Any = t._origin if tracked(t) else None
        made = origin.made if type(origin) is Output else ""
        if made:
            _refuse_made(origin, made)
        if not tracked(base) or node_of(base) is None:
            _refuse_leaf(
                "a view of a leaf Variable that requires grad is being used in an in-place operation.",
                "requires_grad is set on the leaf that this is a view of: its value is where the gradient is taken",
                "x = x.clone(), and write to that, if the write belongs to the computation",
            )
        if type(origin) is Output and origin.node is None:  # nobody has asked for its node yet
            _refuse_leaf(
                "a leaf Variable that requires grad is being used in an in-place operation.",
                "this view belongs to a graph because its base was written to, and has no node of its own yet",
            )
    elif tracked(t) and node_of(t) is None:
        _refuse_leaf(
            "a leaf Variable that requires grad is being used in an in-place operation.",
            "requires_grad is set on this leaf: its value is where the gradient is taken, so it must stay",
            "y = x * 2, which makes a new tensor, if the write belongs to the computation",
        )


def _refuse_leaf(message: str, because: str, recorded: str = "y = x.clone(), and write to y") -> None:
    refuse(
        RuntimeError,
        message,
        because or "requires_grad is set on this tensor, and no node would lead to what it was before",
        "with torch.no_grad(): around the write, if it is a step of training or sets a value",
        recorded,
        "x.detach().clone(), a copy that requires no gradient",
        rule="write.leaf",
    )


def _refuse_made(origin: Output, made: str, by_other: bool = False) -> None:
    happens = (
        "its base or another view of its base has been modified inplace" if by_other else "is being modified inplace"
    )
    name = plain_name(origin.node) if origin.node is not None else "View"
    view = f"Output {origin.number} of {name} is a view of a view which" if origin.node is not None else "A view"
    if made == "no_grad":
        refuse(
            RuntimeError,
            f"{view} was created in no_grad mode and {happens} with grad mode enabled. Given "
            "that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving "
            "both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be "
            "tracked) or both outside (if you want the inplace to be tracked).",
            "the view was made while nothing was recorded, so its node is unknown",
            "make the view outside of no_grad",
            rule="write.view",
        )
    if made == "inference":
        refuse(
            RuntimeError,
            f"{view} was created in inference mode and {happens} in normal mode. Given that this use "
            "case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and "
            "the inplace either both inside the inference_mode block (if you don't want the inplace to be tracked) or "
            "both outside (if you want the inplace to be tracked).",
            "the view was made while nothing was recorded, so its node is unknown",
            "make the view outside of inference_mode",
            rule="write.view",
        )
    if origin.node is not None:
        view = f"Output {origin.number} of {name} is a view and {happens}."
    else:
        view = f"A view was created in no_grad mode and {happens} with grad mode enabled."
    if made == "multiple":
        refuse(
            RuntimeError,
            f"{view} This view is the output of a function that returns multiple views. Such functions do not allow "
            "the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
            "several views were made by one call, and a write to one would change the node of all",
            "x = x * 2, which makes a new tensor",
            rule="write.view",
        )
    refuse(
        RuntimeError,
        f"{view} This view was created inside a "
        "custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would "
        "override the custom backward associated with the custom Function, leading to incorrect gradients. This "
        "behavior is forbidden. You can fix this by cloning the output of the custom Function.",
        "a Function returned this view",
        "y.clone()",
        rule="write.view",
    )


# -- after a write -----------------------------------------------------------------------------------------------


def rebase(t: Tensor, node: Node, number: int = 0) -> None:
    """Give a tensor that was written to its new node; if it is a view, its base gets one as well."""
    base = t._base
    if base is None:
        first = not tracked(t)
        old_node = None if first else _node_before(t)
        set_origin(t, Output(node, number) if number else node)
        if first:
            _track_views(t, t, -1)
        else:
            _move_retained(t, old_node, node, number)
        return
    slices = CopySlices(base, t, node)
    first = not tracked(base)
    if not first:
        _move_retained(base, _node_before(base), slices, output_number(base))
    set_origin(base, slices)
    if first:
        _track_views(base, t, -1)
    old = t._origin.made if tracked(t) and type(t._origin) is Output else ""
    old_node = _node_before(t) if tracked(t) else None
    set_origin(t, Output(None, 0, version_owner(t)._writes, old))
    t._notes.pop("_hooks_of_view", None)
    read_again(t, old_node)


def _track_views(base: Tensor, written: Tensor, version: int) -> None:
    """The views of a tensor that becomes part of a graph belong to it from then on; `version` is that of their numbers,
    -1 if the base became part of it by a write.
    """
    # To set a flag is common, often on memory of NumPy, and must not cost a search through all objects.
    for view in views_beside(base, written, everywhere=version < 0):
        if not tracked(view):
            known = version >= 0 and (view._made or "_made_at" in view._notes)
            at = view._made_at if known else version
            set_origin(view, Output(None, 0, at, view._made))


def flagged(t: Tensor, value: bool) -> None:
    """Note that `requires_grad` of a leaf, or of a view without a node, was set."""
    origin = t._origin if tracked(t) else None
    base = t._base
    if type(origin) is Output:
        origin.own = value
        if not value and (base is None or not tracked(base)):
            _untrack(t)
    elif type(origin) is LeafOf and origin.leaf is not t:
        t._origin = None if value else origin
    elif base is not None:
        if value:
            set_origin(t, Output(None, 0, version_owner(t)._writes, t._made, own=True))
    elif value:
        if leaf_sizes.changed:
            leaf_sizes.come_back(t)
        _track_views(t, t, version_owner(t)._writes)
    else:
        t._keys &= ~KEY_AUTOGRAD
        untrack_views(t)


def untrack_views(base: Tensor) -> None:
    """The views of a tensor that has left the graph leave it too, unless they have nodes of their own."""
    for view in views_beside(base, base):
        origin = view._origin if tracked(view) else None
        if type(origin) is Output and origin.node is None and not origin.own:
            _untrack(view)


def _untrack(view: Tensor) -> None:
    view._keys &= ~KEY_AUTOGRAD
    view._made = view._origin.made


def turn(t: Tensor, node: Node) -> None:
    """Give a tensor its new node that now looks at its memory in another way. A gradient that it keeps is still that of
    its old node, as in PyTorch.
    """
    old = t._origin.made if tracked(t) and type(t._origin) is Output else ""
    t._notes.pop("_hooks_of_view", None)
    set_origin(t, node if t._base is None else Output(node, 0, version_owner(t)._writes, old))


def _node_before(t: Tensor) -> Node | None:
    """The node that a tensor in a graph had when somebody last looked."""
    origin: Any = t._origin
    return origin if origin is None or isinstance(origin, Node) else getattr(origin, "node", None)


def _move_retained(t: Tensor, old: Node | None, node: Node, number: int = 0) -> None:
    """A tensor that keeps its gradient keeps that of its new node.

    `number` is where PyTorch looks at the old node: under the new number of the tensor, or the old one of a base.
    """
    if "_retains" not in t._notes:
        return
    found = None if old is None or old.extra is None else old.extra.retained.pop(number, None)
    if found is None:
        refuse(
            RuntimeError,
            'out != nullptr INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/torch/csrc/autograd/variable.cpp":207, '
            "please report a bug to PyTorch.",
            "retain_grad was called before a write in place, and the node of that time keeps it under another number "
            "than the tensor has now: the tensor was not the first result, or has been turned in place since",
            "x = x * 2, which makes a new tensor",
            "x.retain_grad() after the write",
            rule="write.retained",
        )
    more(node).retained[0 if type(node) is CopySlices else output_number(t)] = found


def read_again(t: Tensor, before: Node | None = None) -> None:
    """Give a view of a tensor that was written to a node that reads it from its base. `before` is the node that a view
    had through which was written.
    """
    origin: Output = t._origin
    base = t._base
    assert base is not None
    if not tracked(base) and origin.node is None:
        return  # a leaf itself
    if origin.made:
        _refuse_made(origin, origin.made, by_other=True)
    origin.version = version_owner(t)._writes
    old = origin.node or before
    node = _reading_again(t, base, old)
    origin.node, origin.number = node, 0
    t._notes.pop("_hooks_of_view", None)  # those of the old node
    if old is not None:
        _move_retained(t, old, node)


def _reading_again(t: Tensor, base: Tensor, old: Node | None) -> Node:
    """A node that reads a view from its base; `old` is the node that the view had before."""
    steps = _steps(old, _node_before(base)) if tracked(base) else []
    looks = any(step in _LOOKS for step in steps)
    if not tracked(base) or is_plain(t, base) and not looks:
        return ViewAgain((edge_of(base) if tracked(base) else None,), base, t)
    hidden = shown_again(KEY_AUTOGRAD)
    try:
        with enable_grad():
            again = _looked_at_again(t, base, steps) if looks else None
            seen = look_of(t, base)(base) if again is None else again
            if not tracked(seen):
                refuse(
                    RuntimeError,
                    'new_fn INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/torch/csrc/autograd/variable.cpp":198, '
                    "please report a bug to PyTorch. ",
                    "the base was given numbers that were made in inference mode, and no view of these is recorded",
                    "base.data = numbers.clone()",
                    rule="write.view",
                )
            return seen._origin.node  # type: ignore[no-any-return]
    finally:
        hide_again(hidden)


_LOOKS = frozenset(("ViewAsRealBackward0", "ViewAsComplexBackward0", "ConjBackward0", "NegViewBackward0"))
"""Nodes of views that read the same memory as other numbers. PyTorch makes these views again as they were made."""

_PLAIN = frozenset(
    "AliasBackward0 AsStridedBackward0 AsStridedBackward1 DiagonalBackward0 ExpandBackward0 PermuteBackward0 "
    "SelectBackward0 SliceBackward0 SqueezeBackward0 SqueezeBackward1 SqueezeBackward2 TBackward0 TransposeBackward0 "
    "UnfoldBackward0 UnsqueezeBackward0 ViewBackward0".split()
)
"""Nodes of views by size, stride and offset alone."""


def _steps(node: Node | None, end: Node | None) -> list[str]:
    """The names of the views that lead from a base to one of its views, the first one first."""
    found: list[str] = []
    while node is not None and node is not end:
        name = type(node).__name__
        if name not in _LOOKS and name not in _PLAIN:
            break
        found.append(name)
        edge = node.edges[0] if node.edges else None
        node = edge if isinstance(edge, Node) else None
    return found[::-1]


def _looked_at_again(t: Tensor, base: Tensor, steps: list[str]) -> Tensor | None:
    """A view made again in PyTorch's steps: what is plain before the first look is one step, and each one after it."""
    from ..derivatives.ops import torch
    from ..derivatives.private_rows import neg_view

    looks: dict[str, Callable[[Tensor], Any]] = {
        "ViewAsRealBackward0": torch.view_as_real, "ViewAsComplexBackward0": torch.view_as_complex,
        "ConjBackward0": torch.conj, "NegViewBackward0": neg_view,
    }  # fmt: skip
    first = next(i for i, step in enumerate(steps) if step in _LOOKS)
    steps = steps[:1] * (first > 0) + steps[first:]
    last = max((i for i, step in enumerate(steps) if step in _PLAIN), default=-1)
    g = geometry_of(t)
    for step in reversed(steps[last + 1 :]):
        if step == "ViewAsRealBackward0":
            g = Geometry(g.size[:-1], tuple([n // 2 for n in g.stride[:-1]]), g.offset // 2)
        elif step == "ViewAsComplexBackward0":
            g = Geometry((*g.size, 2), (*[2 * n for n in g.stride], 1), 2 * g.offset)
    whole: Any = base
    for i, step in enumerate(steps):
        if step == "ViewAsComplexBackward0" and isinstance(view_as_complex(geometry_of(whole)), Reason):
            return None  # the pairs came from a plain step, whose size is not known
        if step in _LOOKS:
            whole = looks[step](whole)
        else:
            own = geometry_of(whole) if i < last else g  # the last step goes all the way
            whole = torch.as_strided(whole, own.size, own.stride, own.offset)
    alike = geometry_of(whole) == geometry_of(t) and whole._dtype is t._dtype
    return whole if alike and not (whole._keys ^ t._keys) & KEY_PROMISE else None


class ViewAgain(Node):
    """Reads a view from its base again, by its geometry."""

    __slots__ = ("base", "view")

    def __init__(self, edges: tuple, base: Tensor, view: Tensor):
        super().__init__(edges, view._array.shape, view._dtype)
        self.base, self.view = placed(base), geometry_of(view)
        note_device(self, view)

    def apply(self, grads: tuple) -> Any:
        from ..derivatives.helpers import into_strided

        view, base = self.view, self.base
        return [into_strided(grads[0], base, view.size, view.stride, view.offset, base.offset)]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), "_saved_size", "_saved_stride", "_saved_storage_offset"})

    def __getattr__(self, name: str) -> Any:
        if name in ("_saved_size", "_saved_stride", "_saved_storage_offset"):
            return {"_saved_size": self.view.size, "_saved_stride": self.view.stride}.get(name, self.view.offset)
        return super().__getattr__(name)


ViewAgain.__name__ = ViewAgain.__qualname__ = "AsStridedBackward0"


class CopySlices(Node):
    """A write through a view, as the base sees it: the gradient of the part goes through the op that wrote."""

    __slots__ = ("base", "look", "inner", "casts")
    inner: Node | None

    def __init__(self, base: Tensor, view: Tensor, inner: Node):
        first = edge_of(base) if tracked(base) else None
        super().__init__((first, *inner.edges[1:]), base._array.shape, base._dtype)
        self.base, self.look, self.inner = geometry_of(base), look_of(view, base), inner
        self.casts = inner.casts
        note_device(self, base)
        self.code = inner.code
        if inner.code is not None:
            self.at = inner.at

    def apply(self, grads: tuple) -> Any:
        from ..derivatives.ops import torch

        if self.inner is None:
            refuse_second_time(self)
        grad = grads[0]
        whole: Any = torch.empty_strided(self.base.size, self.base.stride, dtype=grad._dtype, device=grad.device)
        whole.copy_(grad)
        part = self.look(whole)
        # The op needs the gradient of the part, as if the part were its own input.
        results = list(self.inner.apply((part.clone(memory_format=torch.contiguous_format),)))
        own = results[0] if results else None
        if self.edges[0] is None:
            return [None, *results[1:]]
        if own is None:
            part.zero_()
        else:
            part.copy_(own)
        whole._notes["_counted"] = True  # PyTorch's gradient has been written to as often
        return [whole, *results[1:]]

    def release(self) -> None:
        self.inner = None  # what it has saved stays, for those who have the node itself


# -- how a view looks at its base --------------------------------------------------------------------------------


def is_plain(view: Tensor, base: Tensor) -> bool:
    """Whether a view reads the numbers of its base as they are: no parts of complex numbers, nothing conjugated."""
    alike = view._dtype is base._dtype or base._dtype.is_complex and _was_of_floats(view, base)
    return alike and not (view._keys ^ base._keys) & KEY_PROMISE


def _was_of_floats(view: Tensor, base: Tensor) -> bool:
    """Whether a view of floats was made before its base was given complex numbers, which lie elsewhere."""
    root, other = owner_of(view._array), owner_of(base._array)
    apart = not view._dtype.is_complex and root is not other
    return apart and (type(root) is not np.ndarray or root.dtype == view._array.dtype)


def look_of(view: Tensor, base: Tensor) -> Callable[[Tensor], Tensor]:
    """The function that looks at a tensor laid out as the base in the way in which the view looks at the base."""
    own, wanted = geometry_of(base), geometry_of(view)
    start = own.offset
    parts = base._dtype.is_complex and not view._dtype.is_complex
    pairs = view._dtype.is_complex and not base._dtype.is_complex
    promises = (view._keys ^ base._keys) & KEY_PROMISE
    if parts:
        own = Geometry((*own.size, 2), (*[2 * n for n in own.stride], 1), 2 * own.offset)
        start = own.offset
    elif pairs:
        wanted = Geometry((*wanted.size, 2), (*[2 * n for n in wanted.stride], 1), 2 * wanted.offset)

    def look(whole: Tensor) -> Any:
        from ..derivatives.ops import torch
        from ..derivatives.private_rows import neg_view

        if parts:
            whole = torch.view_as_real(whole)
        elif promises & KEY_CONJ:
            whole = whole.conj()
        if promises & KEY_NEG:
            whole = neg_view(whole)
        if own != wanted or not parts and not promises:
            whole = torch.as_strided(whole, wanted.size, wanted.stride, wanted.offset - start + whole.storage_offset())
        return torch.view_as_complex(whole) if pairs else whole

    return look


grad_flag.on_flag = flagged
