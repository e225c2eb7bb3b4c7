"""A backward pass step by step, as facts: which gradients arrive where, what they add up to, and what is freed.

The nodes of the graph compute it, ours or PyTorch's, one after the other. Nothing is added to `.grad`, the graph keeps
what it had saved, and hooks of tensors and nodes are not run.
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, NamedTuple

from ..models.left_alone import left_alone, modules_behind
from ..models.modules import imported
from ..sources import is_array, library_of
from ..values import with_article
from .checkpoints import alone
from .tape import Step, Tape, in_ctx, leaf_of, unpackers_of, walked

ROWS, COLUMNS = 4, 6
"""How many elements of a gradient are kept to be drawn."""


class Gradient(NamedTuple):
    """What is known of a gradient."""

    size: tuple[int, ...]
    dtype: str
    nbytes: int = 0
    norm: float | None = None
    """Of all elements; None of what has no norm, such as a sparse gradient."""
    values: tuple[tuple[Any, ...], ...] = ()
    """The first elements: those of the first matrix, where it has more than two dimensions."""

    @property
    def numel(self) -> int:
        count = 1
        for n in self.size:
            count *= n
        return count


class Part(NamedTuple):
    """A gradient that was sent to a node or a leaf."""

    sender: int
    """The turn that sent it; -1 for the gradient that backward starts with."""
    gradient: Gradient


class Turn(NamedTuple):
    """One node, or leaf, when its gradient is complete."""

    step: int
    """Its number in the steps of the graph."""
    parts: tuple[Part, ...]
    """What arrived, in this order; more than one is added up."""
    total: Gradient | None
    """The sum; None of a node whose results got no gradient. Of several results that of the first that did."""
    sends: tuple[tuple[int, Gradient], ...] = ()
    """The steps that it sends gradients to."""
    frees: tuple[int, ...] = ()
    """Storages that nothing else keeps, and that backward lets go of here."""
    kept: int = 0
    """Bytes that only the graph keeps, after this turn."""
    waiting: int = 0
    """Bytes of gradients that are on the way, after this turn."""
    refused: str = ""
    """The first line of the error that ends the pass here, without its hint."""
    because: str = ""
    """The reason of the error, if it has one."""


class Pass(NamedTuple):
    """A backward pass."""

    tape: Tape
    turns: tuple[Turn, ...]
    kept: int
    """Bytes that only the graph keeps before it."""
    label: str = ""


def pass_of(root: Any, label: str, names: Mapping[str, Any], gradient: Any = None) -> Pass:
    """The backward pass from a tensor; `gradient` is what it starts with, 1 for a single element."""
    tape, nodes = walked(root, label, names, "show.backward")
    first, number = _start(root, label, gradient)
    with _left_as_it_was(root, nodes):
        turns = tuple(_turns(tape, nodes, first, number))
    return Pass(tape, turns, sum(tape.storages[k] for k in alone(tape)), label)


@contextmanager
def _left_as_it_was(root: Any, nodes: list[Any]) -> Iterator[None]:
    """With random numbers, and the modules that a checkpoint calls again, as they were afterwards."""
    library = imported(library_of(root))
    hooks = [hook for n in nodes if leaf_of(n) is None for hook in unpackers_of(n)]
    with left_alone(library, modules_behind(hooks)), _computed_once(library):
        yield


@contextmanager
def _computed_once(library: Any) -> Iterator[None]:
    """With each checkpoint computed again once, and not for each tensor that it gives back."""
    there: Any = sys.modules.get(f"{library.__name__}.utils.checkpoint") if library is not None else None
    group = there.GraphExecGroup() if hasattr(there, "GraphExecGroup") else nullcontext()
    try:
        group.__enter__()
    except RuntimeError:  # the program is in a group of its own
        group = nullcontext()
    try:
        yield
    finally:
        group.__exit__(None, None, None)


def _start(root: Any, label: str, gradient: Any) -> tuple[Any, int]:
    if not is_array(root):
        raise TypeError("show.backward draws the pass from a tensor, not from a node: show.backward(loss)")
    if gradient is None and root.numel() != 1:
        whole = label if label.isidentifier() else f"({label})"
        raise ValueError(
            f"{label} has {root.numel():,} elements, and a gradient says how each of them counts. Draw "
            f"show.backward({whole}.sum()), or give one: show.backward({label}, gradient=...)"
        )
    if gradient is not None and not is_array(gradient):
        raise TypeError(f"gradient= is a tensor of the size of {label}, not {with_article(type(gradient).__name__)}")
    if gradient is not None and tuple(gradient.shape) != tuple(root.shape):
        raise ValueError(
            f"the gradient has size {tuple(gradient.shape)}, and {label} has {tuple(root.shape)}: they must be equal"
        )
    with _recording_nothing(root):
        start = root.detach().new_ones(tuple(root.shape)) if gradient is None else gradient.detach()
    return start, int(getattr(root, "output_nr", 0))


class _Waiting:
    """The gradients that have arrived at a node or leaf."""

    def __init__(self) -> None:
        self.grads: dict[int, Any] = {}
        self.parts: list[Part] = []
        self.nbytes = 0

    def add(self, number: int, grad: Any, sender: int) -> int:
        """Add a gradient; return by how many bytes more are on the way."""
        self.parts.append(Part(sender, gradient_facts(grad)))
        old = self.grads.get(number)
        if old is not None:
            self.grads[number] = old + grad
            return 0
        self.grads[number] = grad
        more = self.parts[-1].gradient.nbytes
        self.nbytes += more
        return more


def _turns(tape: Tape, nodes: list[Any], first: Any, number: int) -> Iterator[Turn]:
    place = {id(n): k for k, n in enumerate(nodes)}
    missing = [0] * len(nodes)
    for n in nodes:
        for to, _ in n.next_functions:
            if to is not None:
                missing[place[id(to)]] += 1
    only = set(alone(tape))
    holders = _holders(tape, only)
    kept = sum(tape.storages[s] for s in only)
    waiting: dict[int, _Waiting] = {}
    root = next(k for k, n in enumerate(nodes) if not missing[k])
    ready = [(0, -_age(nodes[root]), root)]
    waiting[root] = _Waiting()
    on_the_way = waiting[root].add(number, first, -1)
    turn = 0
    while ready:
        _, _, k = heapq.heappop(ready)
        n, here = nodes[k], waiting.pop(k, None) or _Waiting()
        on_the_way -= here.nbytes
        total = next((here.grads[key] for key in sorted(here.grads)), None)
        facts = None if total is None else here.parts[0].gradient if len(here.parts) == 1 else gradient_facts(total)
        sends: list[tuple[int, Gradient]] = []
        frees: list[int] = []
        refused = because = ""
        if leaf_of(n) is None:
            results: list[Any] = []
            try:
                _refuse_without_memory(tape.steps[k])
                results = _sent(n, here.grads) if here.grads else [None] * len(n.next_functions)
            except Exception as error:
                refused = str(error).split("\n")[0].partition(" Hint:")[0] or type(error).__name__
                because = getattr(getattr(error, "reason", None), "because", "")
            for (to, to_number), grad in zip(n.next_functions, results, strict=False):
                if to is None:
                    continue
                at = place[id(to)]
                if grad is not None:
                    there = waiting.setdefault(at, _Waiting())
                    on_the_way += there.add(to_number, grad, turn)
                    sends.append((at, there.parts[-1].gradient))
                missing[at] -= 1
                if not missing[at]:
                    heapq.heappush(ready, (leaf_of(to) is None, -_age(to), at))
            for s in [one.storage for one in tape.steps[k].kept if one.storage in only and not in_ctx(one)]:
                holders[s] -= 1
                if not holders[s] and not refused:
                    frees.append(s)
                    kept -= tape.storages[s]
        yield Turn(k, tuple(here.parts), facts, tuple(sends), tuple(frees), kept, on_the_way, refused, because)
        if refused:
            return
        turn += 1


def _refuse_without_memory(step: Step) -> None:
    """A node that would read memory that is not there would end the process."""
    gone = [kept.name for kept in step.kept if kept.state == "gone"]
    if gone:
        raise ValueError(f"the storage of what it saved as {gone[0]} was made empty since (resize_)")


def _holders(tape: Tape, only: set[int]) -> list[int]:
    counts = [0] * len(tape.storages)
    for step in tape.steps:
        for kept in step.kept:
            if kept.storage in only:
                counts[kept.storage] += 1
    return counts


def _age(node: Any) -> int:
    return int(node._sequence_nr())


def _sent(node: Any, grads: Mapping[int, Any]) -> list[Any]:
    """What a node sends to each of its edges."""
    if node.name() == "CheckpointFunctionBackward":
        raise ValueError(
            "a checkpoint with use_reentrant=True calls backward() in its node, and drawing that would add to .grad; "
            "use_reentrant=False can be drawn"
        )
    count = max(max(grads) + 1, len(getattr(node, "_input_metadata", ())))
    given = tuple([grads.get(k) for k in range(count)])
    if library_of(node) == "tensorwidgets":
        return _engine().sent_by(node, given)  # type: ignore[no-any-return]
    some = next(iter(grads.values()))
    with _recording_nothing(some):
        results = node(*given) if callable(node) else _sent_by_function(node, given, some)
        each = zip(node.next_functions, results if isinstance(results, (tuple, list)) else [results], strict=False)
        return [grad if grad is None or to is None else _fitted(grad, to, number) for (to, number), grad in each]


def _fitted(grad: Any, to: Any, number: int) -> Any:
    """A gradient of PyTorch's as its engine hands it on: summed over what was broadcast, and of the same dtype."""
    leaf = leaf_of(to)
    known = getattr(to, "_input_metadata", ())
    wanted = leaf if leaf is not None else known[number] if number < len(known) else grad
    if grad.is_sparse:
        return grad
    if grad.shape != wanted.shape:
        grad = grad.sum_to_size(tuple(wanted.shape))
    if grad.dtype != wanted.dtype:
        grad = grad.real if grad.is_complex() and not wanted.dtype.is_complex else grad
        grad = grad.to(wanted.dtype)
    return grad


@cache
def _engine() -> Any:
    from ....engine.autograd import facts

    return facts


def _sent_by_function(node: Any, given: tuple, some: Any) -> list[Any]:
    """What the backward of a Function of PyTorch returns, without the entries of inputs that are not tensors."""
    if getattr(node, "materialize_grads", True):
        sizes = [m.shape for m in node._input_metadata]
        given = tuple([some.new_zeros(tuple(sizes[k])) if g is None else g for k, g in enumerate(given)])
    results = node.apply(*given)
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    edges = node.next_functions
    if len(results) == len(edges):
        return results
    wanted = iter([r for r, needed in zip(results, node.needs_input_grad, strict=False) if needed])
    return [None if to is None else next(wanted, None) for to, _ in edges]


@contextmanager
def _recording_nothing(tensor: Any) -> Iterator[None]:
    """With recording of gradients off in the library of a tensor."""
    library = imported(library_of(tensor))
    off = getattr(library, "no_grad", nullcontext)
    with off():
        yield


# -- facts ---------------------------------------------------------------------------------------------------------


def gradient_facts(grad: Any) -> Gradient:
    """What is known of a gradient: size, dtype, norm, and its first elements."""
    size, dtype = tuple(map(int, grad.shape)), str(grad.dtype).rpartition(".")[2]
    nbytes = _nbytes(grad)
    try:
        grad = grad.detach()
        if not size:
            value = grad.item()
            return Gradient(size, dtype, nbytes, abs(value), ((value,),))
        values = _first(grad, size)
        if sum(map(len, values)) == grad.numel():
            norm = math.sqrt(sum([abs(v) ** 2 for line in values for v in line]))
        else:
            norm = float(grad.norm())
        return Gradient(size, dtype, nbytes, norm, values)
    except (RuntimeError, NotImplementedError, TypeError, OverflowError):  # sparse, nested, on the device meta
        return Gradient(size, dtype, nbytes)


def _nbytes(grad: Any) -> int:
    return int(grad.numel()) * int(grad.element_size())


def _first(grad: Any, size: tuple[int, ...]) -> tuple[tuple[Any, ...], ...]:
    for _ in size[:-2]:
        if not len(grad):
            return ()
        grad = grad[0]
    if len(size) == 1:
        return (tuple(grad[:COLUMNS].tolist()),)
    return tuple([tuple(line) for line in grad[:ROWS, :COLUMNS].tolist()])
