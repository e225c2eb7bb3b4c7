"""What an engine answers when it is asked for gradients, and whether two answers agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.gradients.graphs import graph, name
from tests.gradients.operators.samples import Sample, TrackingUnpacker
from tests.gradients.operators.settled import settled
from tests.operators.compare import numbers

RTOL = 1e-6
SEED = 42
"""What PyTorch's database draws every random sample from."""
Op = Callable[..., Any]
Answer = dict[str, Any]
"""Plain data: `names` and `graphs` of the results, gradients as arrays under `first`, `opened` and `second`."""


def ask(
    torch: Any, op: Op, sample: Sample, blob: bytes, order: int = 1, graphs: bool = False, depth: int = 0,
    unpacker_class: type[TrackingUnpacker] = TrackingUnpacker,
) -> Answer:  # fmt: skip
    """Call an operator and differentiate what it returns.

    `first` are the gradients of all tracked inputs. With order 2 there are `opened`, the same made by
    ``create_graph=True``, and `second`, the gradients of those; with a depth, `behind` are the nodes so near behind the
    opened ones. What is refused is kept as text.
    """
    found: Answer = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for create_graph in (False, True)[:order]:
            stage = "call"
            try:
                unpacker = unpacker_class(torch, blob, sample.tracked)
                input, args, named = unpacker.unpack(sample.given)
                torch.manual_seed(SEED)
                result = op(input, *args, **named)
                if not create_graph:
                    outputs = flat(torch, result)
                    found["names"] = [name(t) if t.requires_grad else "-" for t in outputs]
                    if graphs:
                        found["graphs"] = [graph(t) for t in outputs if t.requires_grad]
                tracked = [t for t in flat(torch, settled(sample.op, sample.settle)(result)) if t.requires_grad]
                if not tracked or not unpacker.leaves:
                    found["values"] = [array(t) for t in flat(torch, result)]
                    return found
                weights = [like(torch, t, seed) for seed, t in enumerate(tracked)]
                for weight in weights if create_graph else ():
                    weight.requires_grad_()
                if not create_graph:
                    found["values"] = [array(t) for t in tracked]
                leaves, stage = unpacker.leaves, "opened" if create_graph else "first"
                first = torch.autograd.grad(
                    tracked, leaves, weights, allow_unused=True, create_graph=create_graph
                )  # fmt: skip
                found[stage] = [array(t) for t in first]
                if create_graph:
                    if depth:
                        found["behind"] = [graph(t, depth=depth) for t in first if t is not None]
                    stage = "second"
                    again = [t for t in first if t is not None and t.requires_grad]
                    found["second"] = []
                    if again:
                        more = [like(torch, t, 100 + seed) for seed, t in enumerate(again)]
                        second = torch.autograd.grad(again, leaves + weights, more, allow_unused=True)
                        found["second"] = [array(t) for t in second]
            except Exception as error:  # whatever it is, it is the answer
                text = str(error).strip().split("\n")[0]
                found[stage] = f"{type(error).__name__}: {text}"
                if not create_graph and stage == "call":
                    return found
    return found


def flat(torch: Any, result: Any) -> list[Any]:
    """All tensors of a result, in order."""
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [t for part in result for t in flat(torch, part)]
    return []


def like(torch: Any, t: Any, seed: int) -> Any:
    """Random weights for a tensor: short numbers, which every dtype can hold."""
    dice = np.random.default_rng(seed)
    size = tuple(t.shape)
    values = np.round(dice.standard_normal(size) * 8) / 8
    if t.is_complex():
        values = values + 1j * np.round(dice.standard_normal(size) * 8) / 8
    return torch.tensor(np.asarray(values).tolist(), dtype=t.dtype, device=t.device).reshape(size)


def array(t: Any) -> Any:
    """A gradient as a NumPy array, in a dtype that NumPy has."""
    if t is None:
        return None
    t = t.detach().resolve_neg().cpu()
    if getattr(t, "_is_zerotensor", bool)():  # PyTorch's zeros without memory
        t = t.clone()
    return numbers(t.cfloat() if str(t.dtype) == "torch.complex32" else t)


# --- comparing ---


def differences(ours: Answer, theirs: Answer, order: int = 1) -> dict[str, str]:
    """What is wrong with our answer, by part: `call`, `first`, `second`, `names`, `graphs`; nothing where all agree."""
    found = {}
    if "call" in ours or "call" in theirs:
        a, b = ours.get("call", "no error"), theirs.get("call", "no error")
        return {} if a == b else {"call": f"{a} for {b}"}
    checks = {"names": _text, "graphs": _text, "first": _gradients}
    checks |= {"opened": _gradients, "second": _second, "behind": _text} if order > 1 else {}
    for part, check in checks.items():
        if part in ours or part in theirs:
            told = check(ours.get(part), theirs.get(part))
            if told:
                found[part] = told
    if "values" in theirs and _gradients(ours.get("values"), theirs["values"]):
        for part in found.keys() & {"first", "opened", "second"}:
            found[part] = f"(the results differ already) {found[part]}"
    return found


def _text(ours: Any, theirs: Any) -> str:
    if ours == theirs:
        return ""
    if not isinstance(ours, list) or not isinstance(theirs, list) or len(ours) != len(theirs):
        return f"{ours!r} for {theirs!r}"
    return next(f"{a!r} for {b!r}" for a, b in zip(ours, theirs, strict=True) if a != b)


def _gradients(ours: Any, theirs: Any) -> str:
    """Whether two lists of gradients agree: the same absent, the rest of equal dtype, size and numbers."""
    if isinstance(ours, str) or isinstance(theirs, str) or ours is None or theirs is None:
        return "" if ours == theirs else f"{told(ours)} for {told(theirs)}"
    if len(ours) != len(theirs):
        return f"{len(ours)} gradients for {len(theirs)}"
    return next(filter(None, (_gradient(i, a, b) for i, (a, b) in enumerate(zip(ours, theirs, strict=True)))), "")


def _second(ours: Any, theirs: Any) -> str:
    """The same, where an absent gradient is as good as zeros: which one it is depends on how a formula is written."""
    if isinstance(ours, list) and isinstance(theirs, list):
        longest = max(len(ours), len(theirs))  # nothing at all where no gradient could be differentiated
        ours, theirs = ours or [None] * longest, theirs or [None] * longest
        if len(ours) == len(theirs):
            ours, theirs = _with_zeros(ours, theirs), _with_zeros(theirs, ours)
    return _gradients(ours, theirs)


def _with_zeros(these: list[Any], others: list[Any]) -> list[Any]:
    return [np.zeros_like(b) if a is None and b is not None else a for a, b in zip(these, others, strict=True)]


def _gradient(at: int, ours: Any, theirs: Any) -> str:
    if ours is None or theirs is None:
        return (
            ""
            if ours is theirs
            else f"input {at}: {'None' if ours is None else 'a gradient'} for "
            + ("None" if theirs is None else "a gradient")
        )
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"input {at}: {ours.dtype}{list(ours.shape)} for {theirs.dtype}{list(theirs.shape)}"
    finite = np.abs(theirs[np.isfinite(theirs)])
    part = {"f4": 1e-4, "c8": 1e-4, "f2": 1e-2}.get(ours.dtype.str[1:], RTOL)
    good = np.isclose(ours, theirs, rtol=part, atol=part / 10 * max(1.0, finite.max(initial=0)), equal_nan=True)
    if good.all():
        return ""
    bad = tuple(int(i) for i in np.argwhere(~good)[0])
    return f"input {at}: {ours[bad]!r} for {theirs[bad]!r} at {list(bad)} ({int((~good).sum())} of {good.size} differ)"


def told(answer: Any) -> str:
    return answer if isinstance(answer, str) else "no result that is tracked" if answer is None else "gradients"
