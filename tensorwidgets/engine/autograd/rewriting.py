"""Writes in place: a tensor that is written to gets a new node, and a write through a view gives its base one."""

from __future__ import annotations

import gc
from typing import Any

from ..errors.reasons import refuse
from ..geometry import Geometry
from ..tensor.tensor import KEY_AUTOGRAD, Tensor, geometry_of, version_owner
from .nodes import Node
from .place import Output, edge_of, node_of, put, tracked
from .reasons import plain_name

# -- checks before a write ---------------------------------------------------------------------------------------


def check_write(t: Tensor, op_name: str) -> None:
    """Refuse a write that the graph cannot record; called with recording on."""
    base = t._base
    if t.__dict__.get("_made") == "inference":
        _refuse_made(t, Output(None), "inference")
    if base is not None and (tracked(t) or tracked(base)):
        place: Any = t._place if tracked(t) else None
        made = place.made if type(place) is Output else ""
        if made:
            _refuse_made(t, place, made)
        if not tracked(base) or node_of(base) is None:
            _refuse_leaf(
                "a view of a leaf Variable that requires grad is being used in an in-place operation.",
                "requires_grad is set on the leaf that this is a view of: its value is where the gradient is taken",
            )
    elif tracked(t) and node_of(t) is None:
        _refuse_leaf(
            "a leaf Variable that requires grad is being used in an in-place operation.",
            "requires_grad is set on this leaf: its value is where the gradient is taken, so it must stay",
        )


def _refuse_leaf(message: str, because: str) -> None:
    refuse(
        RuntimeError,
        message,
        because or "requires_grad is set on this tensor, and no node would lead to what it was before",
        "x = x * 2, which makes a new tensor",
        "with torch.no_grad(): ...",
        "x.detach().clone()",
        rule="write.leaf",
    )


def _refuse_made(t: Tensor, place: Output, made: str, by_other: bool = False) -> None:
    happens = (
        "its base or another view of its base has been modified inplace" if by_other else "is being modified inplace"
    )
    name = plain_name(place.node) if place.node is not None else "View"
    view = f"Output {place.number} of {name} is a view of a view which" if place.node is not None else "A view"
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
    if made == "multiple":
        refuse(
            RuntimeError,
            f"Output {place.number} of {name} is a view and {happens}. This view is the output of a "
            "function that returns multiple views. Such functions do not allow the output views to be modified "
            "inplace. You should replace the inplace operation by an out-of-place one.",
            "several views were made by one call, and a write to one would change the node of all",
            "x = x * 2, which makes a new tensor",
            rule="write.view",
        )
    refuse(
        RuntimeError,
        f"Output {place.number} of {name} is a view and {happens}. This view was created inside a "
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
        _move_retained(t, node)
        put(t, Output(node, number) if number else node)
        return
    slices = CopySlices(base, t, node)
    first = not tracked(base)
    _move_retained(base, slices)
    put(base, slices)
    if first:
        _mark_views(base)
    old = t._place.made if tracked(t) and type(t._place) is Output else ""
    put(t, Output(None, 0, version_owner(t)._writes, old))
    read_again(t)


def turn(t: Tensor, node: Node) -> None:
    """Give a tensor its new node that now looks at its memory in another way."""
    _move_retained(t, node)
    old = t._place.made if tracked(t) and type(t._place) is Output else ""
    put(t, node if t._base is None else Output(node, 0, version_owner(t)._writes, old))


def _move_retained(t: Tensor, node: Node) -> None:
    """A tensor that keeps its gradient keeps that of its new node."""
    if not tracked(t) or "_retains" not in t.__dict__:
        return
    from .hooks import retain

    old = t._place if isinstance(t._place, Node) else t._place.node if t._place is not None else None
    if old is not None and old.extra is not None:
        old.extra.retained.pop(t._place.number if type(t._place) is Output else 0, None)
    retain(t, node)


def _mark_views(base: Tensor) -> None:
    """The other views of a tensor that just became part of a graph belong to it as well."""
    for other in gc.get_referrers(base):
        if isinstance(other, Tensor) and other._base is base and not other._keys & KEY_AUTOGRAD:
            put(other, Output(None, 0, -1))


def read_again(t: Tensor) -> None:
    """Give a view of a tensor that was written to a node that reads it from its base."""
    place: Output = t._place
    base = t._base
    assert base is not None
    if place.made:
        _refuse_made(t, place, place.made, by_other=True)
    place.version = version_owner(t)._writes
    if not tracked(base):
        return
    if node_of(base) is None and place.node is None:
        return  # a view of a leaf that was made before the leaf required a gradient
    place.node, place.number = ViewAgain((edge_of(base),), base, t), 0


class ViewAgain(Node):
    """Reads a view from its base again, by its geometry."""

    __slots__ = ("base", "view")

    def __init__(self, edges: tuple, base: Tensor, view: Tensor):
        super().__init__(edges, view._array.shape, view._dtype)
        self.base, self.view = geometry_of(base), _within(view, base)

    def apply(self, grads: tuple) -> Any:
        grad = grads[0]
        whole = _zeros(self.base, grad)
        _part(whole, self.base, self.view).add_(grad)
        return [whole]

    def __getattr__(self, name: str) -> Any:
        if name in ("_saved_size", "_saved_stride", "_saved_storage_offset"):
            return {"_saved_size": self.view.size, "_saved_stride": self.view.stride}.get(name, self.view.offset)
        return super().__getattr__(name)


ViewAgain.__name__ = ViewAgain.__qualname__ = "AsStridedBackward0"


class CopySlices(Node):
    """A write through a view, as the base sees it: the gradient of the part goes through the op that wrote."""

    __slots__ = ("base", "view", "inner")

    def __init__(self, base: Tensor, view: Tensor, inner: Node):
        first = edge_of(base) if tracked(base) else None
        super().__init__((first, *inner.edges[1:]), base._array.shape, base._dtype)
        self.base, self.view, self.inner = geometry_of(base), _within(view, base), inner
        self.code = inner.code
        if inner.code is not None:
            self.at = inner.at

    def apply(self, grads: tuple) -> Any:
        grad = grads[0]
        whole = _copy(self.base, grad)
        part = _part(whole, self.base, self.view)
        # The op needs the gradient of the part, as if the part were its own input.
        results = list(self.inner.apply((part.clone(),)))
        own = results[0] if results else None
        if self.edges[0] is None:
            return [None, *results[1:]]
        if own is None:
            part.zero_()
        else:
            part.copy_(own)
        return [whole, *results[1:]]

    def release(self) -> None:
        self.inner.release()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            return getattr(self.inner, name)
        return super().__getattr__(name)


def _within(view: Tensor, base: Tensor) -> Geometry:
    """The geometry of a view, in elements of its base."""
    return geometry_of(view)


def _zeros(g: Geometry, like: Tensor) -> Tensor:
    from ..derivatives.ops import torch

    result: Tensor = torch.empty_strided(g.size, g.stride, dtype=like._dtype).zero_()
    return result


def _copy(g: Geometry, grad: Tensor) -> Tensor:
    """A gradient in memory that is laid out as its tensor's."""
    from ..derivatives.ops import torch

    result: Tensor = torch.empty_strided(g.size, g.stride, dtype=grad._dtype)
    return result.copy_(grad)


def _part(whole: Tensor, base: Geometry, view: Geometry) -> Tensor:
    from ..derivatives.ops import torch

    result: Tensor = torch.as_strided(whole, view.size, view.stride, view.offset - base.offset)
    return result
