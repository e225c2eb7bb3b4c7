"""What a node keeps until the backward pass, and the check that nobody has changed it since."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..derivatives.declaring import Derivative
from ..dispatch.kinds import NonStridedArray
from ..errors.reasons import refuse
from ..tensor.grad_flag import can_require, refuse_version
from ..tensor.grad_mode import grad_enabled, no_grad
from ..tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_INFERENCE, KEY_MOVED, KEY_NAMES
from ..tensor.lookups import storage_of
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from ..tensor.type_names import type_name
from ..tensor.versions import version_owner
from ..tensor.wrapping import LeafOf, wrap
from . import writes
from .nodes import FREED, Node, count_of
from .origin import Output, node_of, set_origin
from .saved_facts import FACTS, Like, fact_of

if TYPE_CHECKING:
    from .formulas import FormulaNode

_BARE = ~(KEY_AUTOGRAD | KEY_NAMES | KEY_CLASS | KEY_MOVED)

ABSENT: Any = type("Absent", (), {"__slots__": ()})()
"""What stands where the call names no argument, or no formula needs it."""

SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved "
    "tensors after calling backward."
)


class KeptResult(weakref.ref):
    """A result that its own node keeps: the array, and a weak reference to the tensor, so that no cycle holds the two.

    The tensor counts the writes to the result; a view has its base for that.
    """

    __slots__ = ("array", "dtype", "keys", "again", "count", "counter")
    array: Any
    dtype: Any
    keys: int
    again: Any
    count: list[int]
    """The version that the result had last, once it was written to: the tensor may be gone when backward comes."""
    counter: Any
    """What counts the writes in place of the tensor, once its storage counts for several."""

    __eq__, __hash__ = object.__eq__, object.__hash__

    def owner(self) -> Any:
        """What counts the writes to the result; None if it is gone."""
        return getattr(self, "counter", None) or self()

    def version(self, saved: int) -> int:
        """The version now; the `saved` one where nobody wrote."""
        owner = self.owner()
        if owner is not None:
            return (owner if owner._counter is None else owner._counter)._writes
        count = getattr(self, "count", None)
        return saved if count is None else count[0]

    def maker(self, node: Node) -> Any:
        """The node that the result belongs to: of a view that was written to, the one that reads it from its base."""
        again = getattr(self, "again", None)
        return (None if again is None else again()) or node


def kept_result(t: Tensor) -> KeptResult:
    """What a node keeps of its result."""
    kept = KeptResult(version_owner(t))
    kept.array, kept.dtype, kept.keys = t._array, t._dtype, t._keys & _BARE
    return kept


_new = object.__new__


class Packed(NamedTuple):
    """A tensor that the user's hooks keep, in whatever form."""

    held: Any
    unpack: Callable[[Any], Tensor]
    number: int
    """Which result of its own node it is; -1 for an input."""
    origin: Any
    """Where the tensor was in the graph."""


def bare(t: Tensor) -> Tensor:
    """The same elements without an origin in the graph, a name or a class."""
    result = _new(Tensor)
    result._array, result._dtype, result._base, result._keys = t._array, t._dtype, None, t._keys & _BARE
    return result


def keep(node: FormulaNode, derivative: Derivative, bound: dict, results: Tensor, needed: tuple[bool, ...],
         lists: dict[str, int] | None, written: tuple[Tensor, int] | None = None) -> None:  # fmt: skip
    """Save what the formulas of the needed gradients will use.

    Of a call that wrote, `written` is the owner of the version and the version before, at which arguments were read.
    """
    values: list[Any] = []
    versions: list[Any] = []
    unpacked: list[tuple[str, int, Any, int]] = []
    nowhere, hooks = True not in needed, state.hooks
    saves = False
    for name, use, number in _places(derivative, needed):
        if not use and not nowhere:
            given = bound.get(name, ABSENT)  # PyTorch keeps a number whether or not a formula needs it
            values.append(given if type(given) in _NUMBERS and name not in derivative.inputs else ABSENT)
            versions.append(None)
            continue
        value = bound.get(name, ABSENT)
        if value is ABSENT:
            if number == 0 and isinstance(results, Tensor):
                value = results
            else:
                value = _to_keep(name, bound, results)
        kind = type(value)
        if kind in _NEVER_TENSORS and name != "other" or kind is tuple and all([type(v) is int for v in value]):
            values.append(value)
            versions.append(None)
            continue
        if nowhere and not use and (derivative.node in _NUMBERS_AS_TENSORS or _has_tensors(value)):
            value = ABSENT  # no gradient will read it
        version: Any = None
        if isinstance(value, Tensor):
            owner = version_owner(value)
            version = owner._writes
            if written is not None and number < 0 and owner is written[0]:
                version = written[1]
            if hooks:
                unpacked.append((name, len(values), value, number))
            elif number >= 0:
                value = kept_result(value)
            elif value._keys & KEY_INFERENCE:
                refuse_version() if "_no_counter" in value._notes else refuse_inference()
            saves = True
        elif isinstance(value, (tuple, list)) and any([isinstance(v, Tensor) for v in value]):
            version = tuple([version_owner(v)._writes if isinstance(v, Tensor) else 0 for v in value])
            value = tuple(value)
            if hooks:
                unpacked.append((name, len(values), value, -1))
            saves = True
        elif name == "other" and value is not ABSENT and derivative.node in _NUMBERS_AS_TENSORS:
            version = FREED
        values.append(value)
        versions.append(version)
    if saves:
        writes.watch()
    if unpacked:
        for _, place, value, number in sorted(unpacked, key=lambda one: _place_in_pytorch(derivative, one[0])):
            if isinstance(value, tuple):
                values[place] = tuple([_packed_if_tensor(v, node) for v in value])
            else:
                values[place] = packed(value, number, node)
    node.values, node.lists = tuple(values), lists
    if versions.count(None) < len(versions):
        node.versions = tuple(versions)


def _has_tensors(value: Any) -> bool:
    return isinstance(value[0] if isinstance(value, (tuple, list)) and value else value, Tensor)


def remember_view(node: FormulaNode, view: Tensor) -> None:
    """Of a write into a view, the result that is kept is what the view reads from its base, as long as it does so."""
    for value in node.values or ():
        if type(value) is KeptResult:
            value.again = weakref.ref(view._origin.node)


_NUMBERS_AS_TENSORS = frozenset(("MulBackward0", "DivBackward0", "DivBackward2"))


def kept_names(derivative: Derivative, needed: tuple[bool, ...]) -> tuple[bool, ...]:
    """Which of the names in `derivative.keeps` are kept: those that the formulas of the needed gradients use, and as in
    PyTorch more, so a later write to one is refused even if no formula that runs needs it. PyTorch leaves out what one
    formula alone reads, of an op with several inputs that is no way back itself.
    """
    return tuple([use for _, use, _ in _places(derivative, needed)])


def _places(derivative: Derivative, needed: tuple[bool, ...]) -> tuple[tuple[str, bool, int], ...]:
    """For each name in `derivative.keeps`, whether it is kept, and which result it is; -1 for an input."""
    known = derivative.kept_by.get(needed)
    if known is None:
        wanted = {name for name, n in zip(derivative.inputs, needed, strict=True) if n}
        used = {p for f in derivative.formulas if wanted & set(f.inputs) for p in f.parameters}
        everything = len(derivative.inputs) < 2 or "backward" in derivative.op
        known = derivative.kept_by[needed] = tuple([
            (name, everything or name in used or is_result(name) or _read_by_several(name, derivative),
             _result_number(name))
            for name in derivative.keeps
        ])  # fmt: skip
    return known


def _read_by_several(name: str, derivative: Derivative) -> bool:
    readers = [f for f in derivative.formulas if name in f.parameters]
    return len(readers) > 1 or len(readers[0].inputs) > 1


_NUMBERS = frozenset((bool, int, float))
_NEVER_TENSORS = frozenset((type(ABSENT), type(None), bool, int, float, str, Like))


def _place_in_pytorch(derivative: Derivative, name: str) -> tuple[bool, str]:
    """Where PyTorch keeps a value among others: arguments by their names, then results."""
    from .saved_names import torch_names

    return is_result(name), (torch_names(name, derivative) or [name])[0]


def is_result(name: str) -> bool:
    """Whether the name of something kept says a result, or one of several."""
    return name.startswith("result") and (name == "result" or name[6:].isdigit())


def _to_keep(name: str, bound: dict, results: Tensor) -> Any:
    if name in bound:
        return bound[name]
    base, fact = _base_and_fact(name)
    if fact in FACTS and base in bound:
        value = bound[base]
        if isinstance(value, (tuple, list)):
            return tuple([fact_of(v, fact) for v in value])
        return fact_of(value, fact)
    if name.startswith("result"):
        flat = results if isinstance(results, (tuple, list)) else (results,)
        number = int(name[6:] or 0) if name[6:].isdigit() or not name[6:] else -1
        if 0 <= number < len(flat):
            return flat[number]
        if fact in FACTS:
            inner = base[6:]
            return fact_of(flat[int(inner or 0)], fact)
    return ABSENT


@cache
def _base_and_fact(name: str) -> tuple[str, str]:
    base, _, fact = name.rpartition("_")
    return base, fact


def _result_number(name: str) -> int:
    digits = name[6:]
    return int(digits or 0) if name.startswith("result") and (digits.isdigit() or not digits) else -1


def refuse_inference() -> NoReturn:
    """Refuse to save a tensor that was made in inference mode."""
    refuse(
        RuntimeError,
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
        "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
        "writes to such a tensor are not counted, so a later change could not be noticed",
        "t.clone() in its place, for the tensor t that was made in inference mode",
        "with torch.no_grad(): in place of inference_mode",
        rule="autograd.inference",
    )


def packed(t: Tensor, number: int, node: Node | None) -> Packed:
    given = t
    if number >= 0:
        given = bare(t)
        given._writes = version_owner(t)._writes
        if not isinstance(t._array, NonStridedArray):
            given._storage = storage_of(t)
        if node is not None and can_require(t):
            _set_origin_of(given, node, f"result{number}")
    return pack(t, number, given, *state.hooks[-1])


def pack_arguments(derivative: Derivative, bound: dict, needed: tuple[bool, ...]) -> None:
    """Pack what a call that failed would have saved: PyTorch does so before it computes."""
    keeps = kept_names(derivative, needed)
    used = [name for name, use in zip(derivative.keeps, keeps, strict=True) if use and name in bound]
    for name in sorted(used, key=lambda one: _place_in_pytorch(derivative, one)):
        value = bound[name]
        for one in value if isinstance(value, (tuple, list)) else (value,):
            _packed_if_tensor(one, None)


def _packed_if_tensor(value: Any, node: Node | None) -> Any:
    """A value of a list: where an index takes a whole dimension, it is None."""
    return packed(value, -1, node) if isinstance(value, Tensor) else value


def pack(t: Tensor, number: int, given: Tensor, pack_hook: Callable, unpack_hook: Callable) -> Packed:
    """Pack a tensor with the user's functions; `number` says which result of its node it is, -1 an input.

    `given` is what the functions get: the tensor with its place in the graph, or its numbers alone.
    """
    origin: Any = ABSENT
    if t._keys & KEY_AUTOGRAD:
        own = t._origin is None or getattr(t._origin, "own", False)
        origin = LeafOf(t) if own else t._origin
    counted = version_owner(given)
    version = counted._writes
    before = state.hooks
    state.put("hooks", ())
    try:
        with no_grad():
            held = pack_hook(given)
    finally:
        state.put("hooks", before)
    if counted._writes != version:
        refuse(
            RuntimeError,
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot "
            "be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if "
            "you need to perform in-place operations on the input to a pack hook.",
            "the hook gets the tensor itself, which others still use",
            "x.clone() in the hook",
            rule="autograd.hooks",
        )
    return Packed(held, unpack_hook, number, None if number >= 0 else origin)


# -- the way back ------------------------------------------------------------------------------------------------


def values_of(node: FormulaNode) -> dict[str, Any]:
    """What a node kept, by name; tensors that were written to since are refused."""
    values, versions = node.values, node.versions
    if values is None:
        refuse_second_time(node)
    if versions is None:
        return {name: v for name, v in zip(node.derivative.keeps, values, strict=True) if v is not ABSENT}
    result = {}
    try:
        for name, value, version in zip(node.derivative.keeps, values, versions, strict=True):
            if value is not ABSENT:
                result[name] = value if version is None else unpack(node, name, value, version)
    except RuntimeError:
        _refuse_first(node, values, versions)
        raise
    return result


def _refuse_first(node: FormulaNode, values: tuple, versions: tuple) -> None:
    """Refuse the tensor that PyTorch looks at first: arguments come before results, by their names."""
    by_name = sorted(zip(node.derivative.keeps, values, versions, strict=True),
                     key=lambda kept: _place_in_pytorch(node.derivative, kept[0]))  # fmt: skip
    for name, value, version in by_name:
        if version is not None and type(value) is not Packed:
            unpack(node, name, value, version)


def unpack(node: Node, name: str, value: Any, version: Any, whole: bool = False) -> Any:
    """A saved tensor, as formulas use it: with its origin in the graph if that is recorded, bare otherwise.

    A Function gets it `whole`, with its origin in any case.
    """
    if type(value) is tuple:
        return tuple([unpack(node, name, v, n) for v, n in zip(value, version, strict=True)])
    if isinstance(value, Packed):
        return _unpacked(node, value, whole)
    if isinstance(value, KeptResult):
        owner, now = value.owner(), value.version(version)
        if now != version:
            refuse_changed(node, name, value, version, now)
        result = wrap(value.array, value.dtype)
        result._keys = value.keys
        if whole or grad_enabled():
            _set_origin_of(result, value.maker(node), name)
        if owner is not None:
            result._counter = owner if owner._counter is None else owner._counter
        return result
    if not isinstance(value, Tensor):
        return value
    if has_left(value, node):
        refuse(
            RuntimeError,
            "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, "
            "please use out-of-place `.detach()` instead",
            f"{node.name()} saved this tensor as a part of the graph, and detach_() has taken it out of the graph",
            "y = x.detach()",
            rule="autograd.detached",
        )
    now = version_owner(value)._writes
    if now != version:
        if value._keys & KEY_AUTOGRAD:
            node_of(value)  # of a view that has lost its node, which is refused first
        refuse_changed(node, name, value, version, now)
    return bare(value) if value._keys & KEY_AUTOGRAD and not whole and not grad_enabled() else value


def _set_origin_of(t: Tensor, node: Node, name: str) -> None:
    number = int(name[6:]) if name[6:].isdigit() else 0
    derivative = getattr(node, "derivative", None)
    if derivative is not None and derivative.results is not None:
        number = derivative.results.index(number) if number in derivative.results else count_of(node)
    if number < count_of(node):  # the last results may have no gradient
        set_origin(t, Output(node, number) if number else node)


def _unpacked(node: Node, kept: Packed, whole: bool) -> Any:
    held = kept.unpack(kept.held)
    if not isinstance(held, Tensor):
        refuse(
            TypeError,
            f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type_name(held)}",
            "the second function of saved_tensors_hooks must return a tensor",
            rule="autograd.hooks",
        )
    if kept.origin is ABSENT and not held._keys & KEY_AUTOGRAD:
        return held  # nothing has to be said of it, so that the user gets back what the hook has returned
    result = bare(held)
    if whole or grad_enabled():
        if kept.number >= 0:
            _set_origin_of(result, node, f"result{kept.number}")
        elif kept.origin is not ABSENT:
            set_origin(result, kept.origin)
    return result


def has_left(value: Tensor, node: Node) -> bool:
    """Whether ``detach_()`` has taken a tensor out of the graph since a node saved it."""
    return value._notes.get("_left_at", -1) > node.number


def refuse_second_time(node: Node) -> NoReturn:
    """Refuse to use what was freed by the first backward pass."""
    refuse(
        RuntimeError,
        SECOND_TIME,
        f"the tensors that {node.name()} had saved were freed by the first backward pass through it",
        "loss.backward(retain_graph=True) the first time, if no parameter is changed in between",
        "compute the result again before the second time",
        "(loss1 + loss2).backward(), for two losses of one computation",
        "h = h.detach(), for a state that goes from one step of training into the next",
        rule="autograd.second_time",
    )


def refuse_changed(node: Node, name: str, value: Any, version: int, now: int) -> None:
    """Refuse a saved tensor that was written to since."""
    from .reasons import changed

    changed(node, name, value, version, now)
