"""What did each step of an expression do in memory: a view or a copy, why, and how many bytes?

A step is judged by its result, not by its name: the result either shares the storage of an operand or it does not.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from .. import geometry
from ..dispatch.kinds import NonStridedArray
from ..errors.reasons import Reason
from ..expressions import Stage, chain
from ..expressions.brief import brief
from ..expressions.names import QUANTIZING, VIEWS
from ..geometry import Geometry
from ..interop.foreign_arrays import NUMPY, Facts, facts_of, is_array
from ..layouts.quantized.rows import quantization_report
from ..tensor.tensor import Tensor
from .errors import reason_for
from .messages.patterns import reason_from_message
from .mirrors import flat

if TYPE_CHECKING:
    import numpy as np


_PERMUTES = frozenset(
    "t T transpose swapaxes swapdims permute permute_dims movedim moveaxis mT H mH adjoint matrix_transpose".split()
)
_RESHAPE_VIEWS = frozenset(
    "view reshape flatten ravel unflatten view_as reshape_as squeeze unsqueeze expand_dims".split()
)
_EXPANDS = frozenset("expand expand_as broadcast_to broadcast_tensors broadcast_arrays".split())
_RESHAPES = frozenset("reshape reshape_as flatten ravel contiguous".split())
_COPIES = frozenset(
    """
clone copy contiguous ascontiguousarray asfortranarray reshape reshape_as flatten ravel repeat tile
repeat_interleave narrow_copy getitem index_select masked_select take gather take_along_dim flip fliplr flipud
rot90 roll to type type_as astype float double half bfloat16 int long short char byte bool cfloat cdouble cat
concatenate concat stack hstack vstack dstack column_stack new_tensor conj_physical tensor array
""".split()
)
"""Ops whose result contains the elements of their operands and no others."""


_OF_THE_TENSOR = frozenset(
    "requires_grad_ detach_ t_ transpose_ swapaxes_ swapdims_ squeeze_ unsqueeze_ as_strided_ rename_".split()
)
"""Ops with the mark of a write that change the tensor and not its elements."""
_SELECTIONS = frozenset("index_select masked_select take gather take_along_dim".split())


@dataclass(frozen=True, eq=False)
class Step:
    """One step of an expression and what it did in memory."""

    text: str
    outcome: str
    """input | view | itself | copy | new | in place | value | refused"""
    because: str = ""
    facts: Facts | None = None
    """Size, stride, offset, dtype and storage of the result, if it is an array."""
    allocated: int = 0
    """Bytes of the storages that the step allocated."""
    shares: str = ""
    """The text of the earliest step whose storage the result shares."""
    shown: str = ""
    """A result that is not an array, as text."""
    reason: Reason | None = None
    instead: tuple[str, ...] = ()
    error: Exception | None = None

    def lines(self) -> Iterator[str]:
        """The lines of the printed step: the expression, what it did, and why."""
        yield self.text
        yield f"    {self._head()}"
        if self.because:
            yield f"    {sentence(self.because)}"
        for way in self.instead:
            yield f"    Instead: {way}"

    def _head(self) -> str:
        if self.outcome == "refused":
            return f"refused: {type(self.error).__name__}: {str(self.error).splitlines()[0] if str(self.error) else ''}"
        if self.facts is None:
            return f"{self.outcome}: {self.shown}" if self.shown else self.outcome
        kind = {
            "view": f"view of {self.shares}",
            "itself": f"{self.shares} itself",
            "in place": f"{self.shares}, written in place",
        }
        meta = not self.facts.start and self.facts.nbytes > 0
        cost = f"{self.allocated} bytes allocated"
        if self.outcome == "input":
            cost = "0 bytes" if meta else f"{self.facts.nbytes} bytes"
        cost += ", on meta" if meta else ""
        return f"{kind.get(self.outcome, self.outcome)}: {_layout(self.facts)}, {cost}"


def _layout(f: Facts) -> str:
    offset = f", offset {f.geometry.offset}" if f.geometry.offset else ""
    names = f", names {f.names}" if f.names else ""
    return f"{f.dtype} {list(f.geometry.size)}{names}, stride {f.geometry.stride}{offset}"


def steps_of(stages: list[Stage]) -> list[Step]:
    """The steps for the stages of an expression. Stages that only computed a number, such as `x.numel()`, are omitted.

    >>> import numpy as np
    >>> from ..expressions import walk
    >>> for step in steps_of(walk("x.T.reshape(-1)", {"x": np.ones((2, 3))})):
    ...     print(step.text, step.outcome, step.allocated)
    x input 0
    x.T view 0
    x.T.reshape(-1) copy 48
    """
    kept = {id(s) for s in chain(stages)} | {id(stages[-1])} if stages else set()
    results: list[Step] = []
    names: set[str] = set()
    for stage in stages:
        if stage.kind == "name" and stage.text in names:
            continue
        if id(stage) in kept or stage.failed or any(True for _ in _arrays(stage.value)):
            names.add(stage.text)
            results.append(step_of(stage, stages))
    return results


def step_of(stage: Stage, stages: list[Stage]) -> Step:
    """Describe what one stage did."""
    if stage.error is not None:
        return _refused(stage, stages)
    results = list(_arrays(stage.value))
    if not results:
        return Step(stage.text, "value", shown=_short(stage.value))
    facts = facts_of(results[0])
    if facts is None:
        return Step(stage.text, "value", shown=_short(stage.value))
    if stage.kind == "name":
        return Step(stage.text, "input", facts=facts)
    operands = [a for value in (*stage.args, *stage.kwargs.values()) for a in _arrays(value)]
    text = _text_of(stage, stages)
    several = f"There are {len(results)} results; this is the first. " if len(results) > 1 else ""
    for a in operands:
        if a is results[0]:
            step = _same(stage, text.get(id(a), "the operand"), facts)
            return replace(step, because=several + step.because)
    for a in operands:
        source = facts_of(a)
        if source is not None and source.shares(facts):
            because = several + _why_view(stage.callee, source, facts) + _read_otherwise(a, results[0])
            return Step(stage.text, "view", because, facts, 0, text.get(id(a), "an operand"))
    fresh = _fresh_bytes(results, operands)
    if stage.callee not in _COPIES or not operands:
        return Step(stage.text, "new", several + _why_new(stage, operands, facts), facts, fresh)
    because, reason = _why_copy(stage, facts_of(operands[0]), facts)
    return Step(stage.text, "copy", several + because, facts, fresh, reason=reason)


def _arrays(value: Any) -> Iterator[Any]:
    if is_array(value):
        yield value
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _arrays(v)


def _short(value: Any) -> str:
    if isinstance(value, Tensor) and isinstance(value._array, NonStridedArray):
        return (
            f"{value._dtype._name} {list(value._array.shape)}, {str(value.layout)[6:]}, {value._nnz()} stored elements"
        )
    return brief(value, 60)


def _text_of(stage: Stage, stages: list[Stage]) -> dict[int, str]:
    """The text of each operand of a stage, by the operand's id."""
    return {id(stages[i].value): stages[i].text for i in stage.inputs}


def _fresh_bytes(results: list[Any], operands: list[Any]) -> int:
    known = _Storages()
    for operand in operands:
        known.add(operand)
    return sum(known.add(result) for result in results)


class _Storages:
    """Sorted, disjoint ranges of memory, so that each of many results is compared only with its neighbours."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, array: Tensor | np.ndarray) -> int:
        """Add an array's storage; return its bytes if it is new, 0 if it overlaps one that was added before."""
        facts = facts_of(array)
        if facts is None or not facts.start:  # without numbers, as on meta, it has no bytes
            return 0
        start, end = facts.start, facts.start + facts.storage_nbytes
        at = bisect_right(self.starts, start)
        if at and self.ends[at - 1] > start or at < len(self.starts) and self.starts[at] < end:
            return 0
        self.starts.insert(at, start)
        self.ends.insert(at, end)
        return facts.storage_nbytes


# -- refused ---------------------------------------------------------------------------------------------------------


def _refused(stage: Stage, stages: list[Stage]) -> Step:
    assert stage.error is not None
    reason = reason_for(stage.error, stage.kind, stage.callee, stage.args, stage.kwargs)
    because = reason.because
    if reason.rule == "view.span" and stage.args:
        facts = facts_of(stage.args[0])
        if facts is not None:
            because += f" A copy takes {facts.nbytes} bytes."
    ways = tuple(spelled(way, stage, stages) for way in reason.instead)
    if reason.rule == "numpy.grad" and stage.args and isinstance(stage.args[0], (list, tuple)):
        ways = ("np.array([t.item() for t in tensors])", "torch.stack(tensors).detach().numpy()")
    if reason.rule == "shape.count" and not ways:
        ways = _ways_to_flatten(stage, stages)
    if not ways and (known := reason_from_message(stage.error)) is not None:
        ways = tuple(spelled(way, stage, stages) for way in known.instead)
    if reason.rule == "index.convert" and stage.kind == "index" and bool(getattr(stage.args[1], "ndim", None)):
        ways = (f"[items[i] for i in {_parenthesized(_text_of(stage, stages).get(id(stage.args[1]), 'x'))}.tolist()]",)
    if reason.rule == "device.mixed":
        ways = _ways_to_one_device(stage, stages) or ways
    if reason.rule == "truth.count":
        ways = _ways_about_truth(stage, stages, ways)
    if "out" in stage.kwargs and reason.rule == "write.cast" and "result" in reason.facts:
        ways = (f"an out= of dtype {reason.facts['result']}",)
    return Step(stage.text, "refused", because, reason=reason, instead=ways, error=stage.error)


def _ways_to_flatten(stage: Stage, stages: list[Stage]) -> tuple[str, ...]:
    """The rows of a batch, where somebody has counted their elements wrong."""
    facts = facts_of(stage.args[0]) if stage.args else None
    size = () if facts is None else facts.geometry.size
    asked = stage.args[1:] if len(stage.args) != 2 else stage.args[1]
    if len(size) < 3 or not isinstance(asked, (tuple, list)) or len(asked) != 2:
        return ()
    return (f"{spelled('x.flatten(1)', stage, stages)}, which makes rows of {prod(size[1:])}",)


def _ways_to_one_device(stage: Stage, stages: list[Stage]) -> tuple[str, ...]:
    """The operands by name that are not where another one is: to the GPU first, as the rest is mostly there."""
    text, arrays = _text_of(stage, stages), [a for a in flat((*stage.args, *stage.kwargs.values())) if is_array(a)]
    places = list(dict.fromkeys(str(a.device) for a in arrays if hasattr(a, "device")))
    if len(places) != 2 or "meta" in places:
        return ()
    places.sort(key=lambda place: place == "cpu")  # the GPU first
    ways = []
    for target, other in (places, places[::-1]):
        named = [text.get(id(a), "") for a in arrays if str(a.device) == other]
        ways += [f"{_parenthesized(name)}.to({target!r})" for name in named[:1] if name]
    return tuple(ways)


def _ways_about_truth(stage: Stage, stages: list[Stage], ways: tuple[str, ...]) -> tuple[str, ...]:
    """What stands for Python's `and`, `or`, `not` and `in`, which need one answer, where each element has its own."""
    text = _parenthesized(_text_of(stage, stages).get(id(stage.args[0]), "a")) if stage.args else "a"
    if stage.callee in ("and", "or"):
        sign = "&" if stage.callee == "and" else "|"
        return (f"{text} {sign} (...), for each element, with a comparison on either side in parentheses", *ways)
    if stage.callee == "not" and str(stage.args[0].dtype).endswith("bool"):
        return (f"~{text}, for each element of a mask", *ways)
    if stage.callee in ("in", "not in"):
        return (
            f"any(t is {text} for t in tensors), for the same tensor",
            f"any(torch.equal(t, {text}) for t in tensors), for equal elements",
        )
    return ways


def spelled(way: str, stage: Stage, stages: list[Stage]) -> str:
    """Spell a suggestion with the operands of the expression: `x.reshape(6)` becomes `a.t().reshape(6)`."""
    text = _text_of(stage, stages)
    if way.startswith("t.") and (made := [a for a in stage.args if is_array(a) and _of_inference(a)]):
        return re.sub(
            r"^t(?=\.)",
            _parenthesized(text.get(id(made[0]), "t")),
            way.partition(", for the tensor t that was made")[0],
        )
    operands = [text.get(id(a), "") for a in stage.args[:2]]
    if not all(operands[:1]):
        return way
    first = operands[0]
    if way.startswith("x = x"):
        way = way.replace("x = x", "x = x" if first.isidentifier() else "x", 1)
    if re.match(r"x\b", way):
        return re.sub(r"(?<![\w.'\"])x(?=[.\[ ])", lambda _: _parenthesized(first), way)
    if len(operands) == 2 and all(operands) and re.match(r"[ab]\b(?! \w)", way):
        names = {"a": operands[0], "b": operands[1]}
        code, comma, words = way.partition(", ")  # what follows says more about it: there, a is an article
        code = re.sub(r"(?<![\w.'\"])[ab](?![\w('\"])", lambda m: _parenthesized(names[m.group()]), code)
        return code + comma + words
    return way


def _of_inference(array: Any) -> bool:
    return bool(getattr(array, "is_inference", bool)())


def _parenthesized(text: str) -> str:
    """An operand as text, in parentheses if a following dot or operator would change its meaning."""
    node = ast.parse(text, mode="eval").body
    return f"({text})" if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)) else text


def sentence(text: str) -> str:
    """Text as a sentence: with a capital letter, unless it begins with a name, and a full stop.

    >>> sentence("the first has size [2, 3]"), sentence("item() is for one element"), sentence("a size is a number")
    ('The first has size [2, 3].', 'item() is for one element.', 'A size is a number.')
    """
    if not text:
        return text
    first = text.split()[0]
    a_word = first.isalpha() and len(first) > 1 and first not in LOWERCASE_NAMES
    head = text[0].upper() if a_word or first == "a" else text[0]
    return head + text[1:] + ("" if text[-1] in ".:;" else ".")


LOWERCASE_NAMES = frozenset("dim stack view reshape expand clone dot mm mv cat".split())
"""Names of ops and arguments, which keep, as one letter does, their lower case at the start of a sentence."""


# -- why -------------------------------------------------------------------------------------------------------------


def _same(stage: Stage, operand: str, facts: Facts) -> Step:
    if stage.callee in _OF_THE_TENSOR:
        because = "Only this tensor changes, its sizes, strides or flags: nothing is written to the memory."
        return Step(stage.text, "itself", because, facts, 0, operand)
    if stage.callee.endswith("_") and not stage.callee.endswith("__"):
        because = "Written in place: every tensor that shares the storage sees the change."
        return Step(stage.text, "in place", because, facts, 0, operand)
    because = "There was nothing to do."
    if stage.callee == "contiguous":
        because = "It is already contiguous, so nothing is copied."
    elif stage.callee in _COPIES:
        because = "It already is what was requested, so nothing is copied."
    return Step(stage.text, "itself", because, facts, 0, operand)


def _why_view(callee: str, before: Facts, after: Facts) -> str:
    old, new = before.geometry, after.geometry
    if before.itemsize != after.itemsize or before.dtype != after.dtype:
        return f"The same bytes, read as {after.dtype} with {_bytes(after.itemsize)} per element."
    if callee in _PERMUTES:
        return "Sizes and strides change their order together; no element moves."
    if callee in _EXPANDS or any(s == 0 and n > 1 for n, s in zip(new.size, new.stride, strict=True)):
        zeros = [d for d, (n, s) in enumerate(zip(new.size, new.stride, strict=True)) if s == 0 and n > 1]
        if zeros:
            d = zeros[0]
            return f"Dimension {d} has stride 0: all of its {new.size[d]} indices read the same elements."
    if callee in ("getitem", "select", "narrow"):
        return _why_slice(old, new)
    if callee in _RESHAPE_VIEWS:
        return "Strides can express the new shape, so no element moves."
    if callee == "diagonal":
        return f"A step along the diagonal is a step along both dimensions: stride {new.stride[-1]}."
    if old == new:
        return "Size, stride and offset are the same, and so is the storage."
    return "Only size, stride or offset differ; the storage is the same."


def _bytes(n: int) -> str:
    return f"{n} byte{'' if n == 1 else 's'}"


def _read_otherwise(before: Any, after: Any) -> str:
    """What becomes of each number when the view is read, if it is not so of the tensor that it was made of."""
    said = ""
    for flag, how in (("is_conj", "conjugated"), ("is_neg", "negated")):
        if getattr(after, flag, bool)() and not getattr(before, flag, bool)():
            said += f" Each number is read {how}."
    return said


def _why_slice(old: Geometry, new: Geometry) -> str:
    changes = []
    if new.offset != old.offset:
        changes.append(f"the offset goes from {old.offset} to {new.offset}")
    strides = {s for n, s in zip(new.size, new.stride, strict=True) if n > 1}
    if any(s < 0 for s in strides):
        changes.append("a negative stride reads backwards")
    elif not strides <= {*old.stride, 0}:
        changes.append("a larger stride skips elements")
    if not changes and prod(new.size) < prod(old.size):
        changes.append("fewer elements remain")
    elif not changes:
        more = len(new.size) - len(old.size)
        changes.append(
            "a dimension of size 1 " + ("is added" if more > 0 else "is removed") if more else "nothing moves"
        )
    return f"Integers and slices change only size, stride and offset: {' and '.join(changes)}."


def _why_new(stage: Stage, operands: list[Any], facts: Facts) -> str:
    if not operands:
        return "Created in a new storage."
    if stage.callee in QUANTIZING:
        return _why_rounded(operands[0], stage.value)
    stretched = [
        f for f in map(facts_of, operands) if f is not None and 0 < prod(f.geometry.size) < prod(facts.geometry.size)
    ]
    together = stage.kind == "operator" or len(operands) > 1
    if stretched and together and _broadcasts(operands, facts.geometry.size):
        sizes = " and ".join(str(list(f.geometry.size)) for f in stretched[:2])
        return f"Computed into a new storage; stride 0 broadcasts {sizes} without copying."
    return "Computed into a new storage."


def _why_rounded(values: Tensor, value: Tensor) -> str:
    """What quantization did to the values; for tensors of this package, also how many were clipped."""
    rounded = "Each value is rounded to the nearest multiple of the scale"
    if isinstance(value, Tensor) and value.is_quantized:
        report = quantization_report(values, value)
        return f"{rounded}, in a new storage; {report.clipped} of {value.numel()} exceed the range and are clipped."
    return f"{rounded}, in a new storage."


def _broadcasts(operands: list[Any], size: tuple[int, ...]) -> bool:
    known = [f.geometry.size for f in map(facts_of, operands) if f is not None]
    return geometry.broadcast(*known) == size


def _why_copy(stage: Stage, before: Facts | None, after: Facts) -> tuple[str, Reason | None]:
    """Why a copy was necessary, and the `Reason` if a rule of geometry decided it."""
    callee = stage.callee
    if before is None:
        return "The values are written to a new storage.", None
    if before.dtype != after.dtype:
        return (
            f"Every element is converted from {before.dtype} ({_bytes(before.itemsize)}) to {after.dtype} "
            f"({_bytes(after.itemsize)}).",
            None,
        )
    if callee in _RESHAPES and not (callee == "flatten" and before.library == NUMPY):
        result = geometry.view(before.geometry, after.geometry.size)
        if isinstance(result, Reason):
            return result.because, result
        broken = geometry.why_not_contiguous(before.geometry.size, before.geometry.stride)
        if broken is not None:
            return broken.because, broken
    if callee == "getitem":
        return f"{_index_words(stage.args[1])}: no stride leads from each selected element to the next.", None
    if callee in ("repeat", "tile", "repeat_interleave"):
        return "Every repetition is written to memory; expand() would read the same elements with stride 0.", None
    if callee in ("flip", "fliplr", "flipud", "rot90"):
        return "A tensor cannot have negative strides, so the elements are written in reverse order.", None
    if callee in VIEWS:
        return "No strides over the old storage can express the result.", None
    if callee in ("cat", "concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack"):
        return "A tensor has one storage, so the elements of all operands are written to a new one.", None
    if callee in _SELECTIONS:
        return "The elements that the index selects are written to a new storage.", None
    if callee == "new_tensor":
        return "The values are written to a new storage.", None
    return f"{callee}() copies its operand.", None


def _index_words(key: Any) -> str:
    for k in key if isinstance(key, tuple) else (key,):
        if is_array(k):
            mask = str(k.dtype).rpartition(".")[2] == "bool"
            return "The index is a mask" if mask else "The index contains a tensor"
        if isinstance(k, list):
            return "The index contains a list"
    return "The index selects elements one by one"
