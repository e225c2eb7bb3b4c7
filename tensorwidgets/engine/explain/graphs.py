"""Which tensor of the program is an error of autograd about? Read from the graphs that its names lead to.

Works for PyTorch's graphs as far as they tell: nodes, what they saved and at which version, and in anomaly mode the
lines. Nothing is computed and no hook is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..autograd import facts, foreign
from ..errors.reasons import Reason
from ..interop.foreign_arrays import OURS, TORCH, library_of

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


MOST_NODES, ITEMS = 20_000, 100


def with_graph(reason: Reason, used: Mapping[str, Any], around: Mapping[str, Any]) -> Reason:
    """A reason that was read from a message, with what the graphs tell: `used` are the names of the expression."""
    more, instead = told_by_graph(reason, used, around)
    because = f"{reason.because} {more}" if more else reason.because
    return replace(reason, because=because, instead=instead or reason.instead)


def told_by_graph(reason: Reason, used: Mapping[str, Any], around: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """What the graphs tell of a refusal, as sentences, and what to write instead if they tell that as well."""
    told = _TOLD.get(reason.rule)
    if told is None:
        return "", ()
    tensors = list(tensors_in(used)), list(tensors_in(around))
    if told is _unrecorded:
        return told(reason, *tensors), _ways_to_record(reason, tensors[1])
    if told is _no_grad_yet:
        return told(reason, *tensors), _ways_to_gradient(reason, tensors[0])
    if told is _several:
        names = [name for name, _ in _large(tensors[0]) if name.isidentifier()][:1]
        return told(reason, *tensors), tuple(re.sub(r"\by\b", names[0], way) for way in reason.instead if names)
    return told(reason, *tensors), ()


def _ways_to_record(reason: Reason, around: list[tuple[str, Any]]) -> tuple[str, ...]:
    """What makes a result require a gradient: that depends on what in the program does."""
    if not reason.message.startswith("element"):
        return ()
    if any(t.requires_grad and t.is_leaf for _, t in around):
        cut = "no_grad, .detach(), .data, .item(), torch.tensor(...) or argmax()"
        return (f"a result that is computed from them without {cut} on the way",)
    frozen = _frozen(around)
    if frozen:
        model = frozen[0].partition(".")[0]
        return (f"for p in {model}.parameters(): p.requires_grad_(), before the computation",)
    return ()


def _ways_to_gradient(reason: Reason, used: list[tuple[str, Any]]) -> tuple[str, ...]:
    """What gives a tensor a gradient: that depends on why it has none."""
    for name, t in used[:1]:
        if not t.requires_grad:
            return (f"{name}.requires_grad_() before the computation",)
        return reason.instead[:1] if t.is_leaf else reason.instead[1:]
    return ()


def _frozen(around: list[tuple[str, Any]]) -> list[str]:
    """The parameters of models that require no gradient."""
    parameters = {id(t): name for name, t in reversed(around) if type(t).__name__ == "Parameter"}
    of = {id(t): t for _, t in around}
    return [name for key, name in reversed(parameters.items()) if not of[key].requires_grad]


def _listed(names: list[str]) -> str:
    """Up to four names as words: ``a, b and 3 more``."""
    more = [f"{len(names) - 4} more"] if len(names) > 4 else []
    *head, last = names[:4] + more
    return f"{', '.join(head)} and {last}" if head else last


def tensors_in(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tensors that names lead to: themselves, or in lists, dictionaries, and attributes of objects."""
    for name, value in list(names.items()):
        if name.startswith("_") or isinstance(value, ModuleType):
            continue
        if library_of(value) in (OURS, TORCH):
            yield name, value
        elif isinstance(getattr(value, "_parameters", None), dict) and not isinstance(value, type):
            yield from ((f"{name}.{path}", p) for path, p in list(value.named_parameters())[:ITEMS])
        elif isinstance(value, (list, tuple)):
            yield from ((f"{name}[{k}]", v) for k, v in enumerate(value[:ITEMS]) if library_of(v) in (OURS, TORCH))
        elif isinstance(value, dict) or type(getattr(value, "__dict__", None)) is dict and not isinstance(value, type):
            inside = value if isinstance(value, dict) else vars(value)
            for key, v in list(inside.items())[:ITEMS]:
                if library_of(v) in (OURS, TORCH):
                    yield (f"{name}[{key!r}]" if isinstance(value, dict) else f"{name}.{key}"), v


def _nodes(tensors: Iterable[tuple[str, Any]]) -> list[Any]:
    found: dict[int, Any] = {}
    left = [t.grad_fn for _, t in tensors if t.requires_grad and not t._is_view() and t.grad_fn is not None]
    while left and len(found) < MOST_NODES:
        node = left.pop()
        if id(node) not in found:
            found[id(node)] = node
            left += [to for to, _ in node.next_functions if to is not None]
    return list(found.values())


def _kept_by(node: Any) -> list[Any]:
    ours = type(node).__module__.partition(".")[0] == "tensorwidgets"
    return list(facts.kept_by(node) if ours else foreign.kept_by(node))


def _line_of(node: Any) -> str:
    ours = type(node).__module__.partition(".")[0] == "tensorwidgets"
    found = facts.line_of(node) if ours else foreign.line_of(node)
    return f", recorded by line {found[0]} of {found[2]}: {found[1]}" if found is not None else ""


def _same_memory(tensor: Tensor, tensors: Iterable[tuple[str, Any]]) -> list[str]:
    address = tensor.untyped_storage().data_ptr()
    return [name for name, t in tensors if _address(t) == address]


def _address(t: Tensor) -> int:
    try:
        return int(t.untyped_storage().data_ptr())
    except (RuntimeError, NotImplementedError, ValueError):  # a sparse tensor has no storage, nor has a lazy parameter
        return -1


# -- what each kind of error is about ------------------------------------------------------------------------------


def _changed(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    versions = foreign.VERSIONS.search(reason.message)
    if versions is None:
        return ""
    known = "saved_by" in reason.facts  # of our own errors: they say which node it was, and the lines
    for tensors in (used, around):
        found = [pair for node in _nodes(tensors) for pair in _refused(node, reason.message, versions)]
        if found:
            # Backward asks the youngest node first.
            node, kept = max(found, key=lambda pair: pair[0]._sequence_nr())
            names = _same_memory(kept.tensor, around)
            if known:
                return f"The tensor is the memory of {' and '.join(names[:4])}." if names else ""
            who = f", the memory of {' and '.join(names[:4])}" if names else ""
            name = "its own result" if kept.name.startswith("result") else f"its argument {kept.name!r}"
            anomaly = "" if _line_of(node) else " PyTorch notes lines in anomaly mode only."
            return f"It is {node.name()} that saved {name}{who}{_line_of(node)}.{anomaly}"
    return ""


def _refused(node: Any, message: str, versions: re.Match) -> list[tuple[Any, Any]]:
    """The node with each tensor of its that an error may be about: of the size and the versions that it names."""
    size = re.search(r"\[\S+ (\[[\d, ]*\])\]", message)
    wanted = size[1] if size is not None else None
    return [(node, kept) for kept in _kept_by(node)
            if kept.state == "changed" and (kept.now, kept.version) == (int(versions[1]), int(versions[2]))
            and wanted in (None, str(list(kept.tensor.shape)))]  # fmt: skip


def _freed(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    for name, t in [*used, *around]:
        nodes = [node for node in _nodes([(name, t)]) if any(kept.state == "freed" for kept in _kept_by(node))]
        if nodes:
            # This pass has freed what it came through, from the youngest node on; the oldest was freed before it began.
            first = min(nodes, key=lambda node: node._sequence_nr())
            when = " in an earlier pass" if len(nodes) > 1 else ""
            shared = _goes_through(first, t, around)
            more = f" The graph of {shared} goes through it as well." if shared else ""
            return f"In the graph of {name}, {first.name()} freed what it had saved{when}{_line_of(first)}.{more}"
    return ""


def _goes_through(node: Any, t: Any, around: list[tuple[str, Any]]) -> str:
    """The name of another result whose graph has a node, and which is no part of the graph of this one."""
    inside = {id(one) for one in _nodes([("", t)])}
    for other, u in around:
        apart = u is not t and u.requires_grad and u.grad_fn is not None and id(u.grad_fn) not in inside
        if apart and any(one is node for one in _nodes([(other, u)])):
            return other
    return ""


def _unrecorded(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    plain = [name for name, t in used if not t.requires_grad]
    said = f"{' and '.join(plain[:4])} {'requires' if len(plain) == 1 else 'require'} no gradient. " if plain else ""
    if not reason.message.startswith("element"):
        return said.strip()
    wanting = list(dict.fromkeys(name for name, t in around if t.requires_grad and t.is_leaf))
    if not wanting:
        frozen = _frozen(around)
        if frozen:
            parameters, require = ("parameter", "requires") if len(frozen) == 1 else ("parameters", "require")
            return f"{said}The {parameters} {_listed(frozen)} {require} none."
        return f"{said}No tensor that is named here requires one."
    requires, them = ("requires", "it") if len(wanting) == 1 else ("require", "them")
    return f"{said}{_listed(wanting)} {requires} one, but no recorded operation leads from {them} to this."


def _no_grad_yet(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    for name, t in used[:1]:
        if not t.requires_grad:
            return f"{name} requires no gradient."
        if not t.is_leaf:
            return f"{name} was computed, by {t.grad_fn.name()}, so it is no leaf, and has no .grad."
        return f"{name} is a leaf that requires a gradient, and no backward pass has reached it yet."
    return ""


def _written(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    if "view" in reason.message.partition("Variable")[0]:
        for name, t in used:
            if t._is_view():
                names = [other for other, one in around if one is t._base]
                return f"{name} is a view of {names[0] if names else 'a leaf'}."
    leaves = [name for name, t in used if t.requires_grad and t.is_leaf]
    return f"The leaf is {leaves[0]}." if leaves else ""


def _large(used: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The results with several elements; a leaf is what a gradient is taken of."""
    return [(name, t) for name, t in used if t.grad_fn is not None and t.numel() != 1]


def _several(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    large = _large(used)
    if re.search(r"\d", reason.because):
        return f"It is {large[0][0]}." if large else ""
    return f"{large[0][0]} has {large[0][1].numel()} elements." if large else ""


def _made(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    quiet = [name for name, t in used if t.is_inference()]
    return f"It is {' and '.join(quiet[:4])}." if quiet else ""


def _viewed(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    made = re.match(r"Output \d+ of (\w+)", reason.message)
    for name, t in used:
        if t._is_view():
            bases = [other for other, one in around if one is t._base]
            by = f", made by {made[1]}" if made else ""
            return f"{name} is a view{f' of {bases[0]}' if bases else ''}{by}."
    return ""


_TOLD = {
    "autograd.version": _changed, "autograd.second_time": _freed, "autograd.none": _unrecorded,
    "write.leaf": _written, "autograd.scalar": _several, "autograd.inference": _made, "write.view": _viewed,
    "autograd.no_grad_yet": _no_grad_yet,
}  # fmt: skip
