"""Which tensor of the program is an error of autograd about? Read from the graphs that its names lead to.

Works for PyTorch's graphs as far as they tell: nodes, what they saved and at which version, and in anomaly mode the
lines. Nothing is computed and no hook is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..autograd import facts, foreign
from ..errors.reasons import Reason
from ..interop.foreign_arrays import OURS, TORCH, library_of

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


MOST_NODES, ITEMS = 20_000, 100


def with_graph(reason: Reason, used: Mapping[str, Any], around: Mapping[str, Any]) -> Reason:
    """A reason that was read from a message, with what the graphs tell: `used` are the names of the expression."""
    told = _TOLD.get(reason.rule)
    more = told(reason, list(tensors_in(used)), list(tensors_in(around))) if told is not None else ""
    return replace(reason, because=f"{reason.because} {more}") if more else reason


def tensors_in(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tensors that names lead to: themselves, or in lists, dictionaries, and attributes of objects."""
    for name, value in list(names.items()):
        if name.startswith("_"):
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
    for tensors in (used, around):
        found = [pair for node in _nodes(tensors) for pair in _refused(node, reason.message, versions)]
        if found:
            # Backward asks the youngest node first.
            node, kept = max(found, key=lambda pair: pair[0]._sequence_nr())
            names = _same_memory(kept.tensor, around)
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
            first = max(nodes, key=lambda node: node._sequence_nr())
            others = len(nodes) - 1
            more = f" and {others} more node{'s' if others > 1 else ''}" if others else ""
            they = "they" if others else "it"
            return f"In the graph of {name}, {first.name()}{more} freed what {they} had saved{_line_of(first)}."
    return ""


def _unrecorded(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    plain = [name for name, t in used if not t.requires_grad]
    said = f"{' and '.join(plain[:4])} {'requires' if len(plain) == 1 else 'require'} no gradient. " if plain else ""
    if not reason.message.startswith("element"):
        return said.strip()
    wanting = list(dict.fromkeys(name for name, t in around if t.requires_grad and t.is_leaf))
    if not wanting:
        return f"{said}No tensor that is named here requires one."
    requires, them = ("requires", "it") if len(wanting) == 1 else ("require", "them")
    more = f" and {len(wanting) - 4} more" if len(wanting) > 4 else ""
    return f"{said}{', '.join(wanting[:4])}{more} {requires} one, but no recorded operation leads from {them} to this."


def _written(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    if "view" in reason.message.partition("Variable")[0]:
        for name, t in used:
            if t._is_view():
                names = [other for other, one in around if one is t._base]
                return f"{name} is a view of {names[0] if names else 'a leaf'}."
    leaves = [name for name, t in used if t.requires_grad and t.is_leaf]
    return f"The leaf is {leaves[0]}." if leaves else ""


def _several(reason: Reason, used: list[tuple[str, Any]], around: list[tuple[str, Any]]) -> str:
    large = [(name, t) for name, t in used if t.requires_grad and t.numel() != 1]
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
}  # fmt: skip
