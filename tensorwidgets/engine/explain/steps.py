"""What each step of an expression did in memory: a view or a copy, why, and how many bytes.

A step is judged by what came of it, not by its name: the result shares the storage of an operand, or it does not.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

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

_TURNS = frozenset(
    "t T transpose swapaxes swapdims permute permute_dims movedim moveaxis mT H mH adjoint matrix_transpose".split()
)
_SHAPES = frozenset("view reshape flatten ravel unflatten view_as reshape_as squeeze unsqueeze expand_dims".split())
_STRETCHES = frozenset("expand expand_as broadcast_to broadcast_tensors broadcast_arrays".split())
_RESHAPES = frozenset("reshape reshape_as flatten ravel contiguous".split())
_COPIES = frozenset(
    """
clone copy contiguous ascontiguousarray asfortranarray reshape reshape_as flatten ravel repeat tile
repeat_interleave narrow_copy getitem index_select masked_select take gather take_along_dim flip fliplr flipud
rot90 roll to type type_as astype float double half bfloat16 int long short char byte bool cfloat cdouble cat
concatenate concat stack hstack vstack dstack column_stack new_tensor conj_physical tensor array
""".split()
)
"""Names of what gives the numbers of its operands and no others."""


@dataclass(frozen=True, eq=False)
class Step:
    """One step, and what it did."""

    text: str
    outcome: str
    """given | view | itself | copy | new | in place | value | refused"""
    because: str = ""
    facts: Facts | None = None
    """Size, stride, offset, dtype and storage of what came of it, where that is an array."""
    allocated: int = 0
    """Bytes of the storage that it brought into being."""
    shares: str = ""
    """The text of the earliest step whose storage it reads."""
    shown: str = ""
    """A value that is no array, as text."""
    reason: Reason | None = None
    instead: tuple[str, ...] = ()
    error: Exception | None = None

    def lines(self) -> Iterator[str]:
        """The step as text: what it is, then why."""
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
        cost = f"{self.allocated} bytes allocated"
        if self.outcome == "given":
            cost = f"{self.facts.nbytes} bytes" if self.facts.start or not self.facts.nbytes else "0 bytes, on meta"
        return f"{kind.get(self.outcome, self.outcome)}: {_layout(self.facts)}, {cost}"


def _layout(f: Facts) -> str:
    offset = f", offset {f.geometry.offset}" if f.geometry.offset else ""
    names = f", names {f.names}" if f.names else ""
    return f"{f.dtype} {list(f.geometry.size)}{names}, stride {f.geometry.stride}{offset}"


def steps_of(stages: list[Stage]) -> list[Step]:
    """What the stages did, those left out that only asked for a number on the way.

    >>> import numpy as np
    >>> from ..expressions import walk
    >>> for step in steps_of(walk("x.T.reshape(-1)", {"x": np.ones((2, 3))})):
    ...     print(step.text, step.outcome, step.allocated)
    x given 0
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
    """What one stage did."""
    if stage.error is not None:
        return _refused(stage, stages)
    results = list(_arrays(stage.value))
    if not results:
        return Step(stage.text, "value", shown=_short(stage.value))
    facts = facts_of(results[0])
    if facts is None:
        return Step(stage.text, "value", shown=_short(stage.value))
    if stage.kind == "name":
        return Step(stage.text, "given", facts=facts)
    operands = [a for value in (*stage.args, *stage.kwargs.values()) for a in _arrays(value)]
    text = _text_of(stage, stages)
    several = f"{len(results)} results; the first is told. " if len(results) > 1 else ""
    for a in operands:
        if a is results[0]:
            return _same(stage, text.get(id(a), "the operand"), facts)
    for a in operands:
        of = facts_of(a)
        if of is not None and of.shares(facts):
            because = several + _why_view(stage.callee, of, facts)
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
        return f"{value._dtype._name} {list(value._array.shape)}, {str(value.layout)[6:]}, {value._nnz()} elements kept"
    return brief(value, 60)


def _text_of(stage: Stage, stages: list[Stage]) -> dict[int, str]:
    """The operands of a stage by their text."""
    return {id(stages[i].value): stages[i].text for i in stage.inputs}


def _fresh_bytes(results: list[Any], operands: list[Any]) -> int:
    known = _Storages()
    for operand in operands:
        known.add(operand)
    return sum(known.add(result) for result in results)


class _Storages:
    """Ranges of memory, in order, so that ten thousand results are compared with their neighbours alone."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.without_bytes: set[int] = set()

    def add(self, array: Any) -> int:
        """The bytes of an array's storage where none that is known shares them; from then on it is known."""
        facts = facts_of(array)
        if facts is None:
            return 0
        if not facts.start:
            new = facts.identity not in self.without_bytes
            self.without_bytes.add(facts.identity)
            return facts.storage_nbytes if new else 0
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
    return Step(stage.text, "refused", because, reason=reason, instead=ways, error=stage.error)


def spelled(way: str, stage: Stage, stages: list[Stage]) -> str:
    """A way out in the names of the expression: `x.reshape(6)` as `a.t().reshape(6)`, `a @ b` by its two operands."""
    text = _text_of(stage, stages)
    operands = [text.get(id(a), "") for a in stage.args[:2]]
    if not all(operands[:1]):
        return way
    own = operands[0]
    if way.startswith("x = x"):
        way = way.replace("x = x", "x = x" if own.isidentifier() else "x", 1)
    if re.match(r"x\b", way):
        return re.sub(r"(?<![\w.'\"])x(?=[.\[ ])", lambda _: _closed(own), way)
    if len(operands) == 2 and all(operands) and re.match(r"[ab]\b", way):
        names = {"a": operands[0], "b": operands[1]}
        return re.sub(r"(?<![\w.'\"])[ab](?![\w('\"])", lambda m: _closed(names[m.group()]), way)
    return way


def _closed(text: str) -> str:
    """An operand that a dot or an operator can stand beside."""
    node = ast.parse(text, mode="eval").body
    return f"({text})" if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)) else text


def sentence(text: str) -> str:
    """Our words as they stand on a line of their own.

    >>> sentence("the first has size [2, 3]"), sentence("item() is for one element")
    ('The first has size [2, 3].', 'item() is for one element.')
    """
    if not text:
        return text
    first = text.split()[0]
    head = text[0].upper() if first.isalpha() and first not in KEPT_SMALL else text[0]
    return head + text[1:] + ("" if text[-1] in ".:;" else ".")


KEPT_SMALL = frozenset("x y a b dim stack view reshape expand clone dot mm mv cat".split())
"""Names of ops and of variables, which begin a sentence in small letters."""


# -- why -------------------------------------------------------------------------------------------------------------


def _same(stage: Stage, operand: str, facts: Facts) -> Step:
    if stage.callee.endswith("_") and not stage.callee.endswith("__"):
        because = "Written through to the storage: everything that reads it sees the change."
        return Step(stage.text, "in place", because, facts, 0, operand)
    because = "Nothing had to be done."
    if stage.callee == "contiguous":
        because = "Its elements lie in order already."
    elif stage.callee in _COPIES:
        because = "It is what was asked for already."
    return Step(stage.text, "itself", because, facts, 0, operand)


def _why_view(callee: str, before: Facts, after: Facts) -> str:
    old, new = before.geometry, after.geometry
    if before.itemsize != after.itemsize or before.dtype != after.dtype:
        return f"The same bytes, read as {after.dtype} of {after.itemsize} bytes each."
    if callee in _TURNS:
        return "The strides change places with the sizes, and no element moves."
    if callee in _STRETCHES or any(s == 0 and n > 1 for n, s in zip(new.size, new.stride, strict=True)):
        zeros = [d for d, (n, s) in enumerate(zip(new.size, new.stride, strict=True)) if s == 0 and n > 1]
        if zeros:
            d = zeros[0]
            return f"Dimension {d} has stride 0: its {new.size[d]} indices read the same elements."
    if callee in ("getitem", "select", "narrow"):
        return _why_slice(old, new)
    if callee in _SHAPES:
        return "The old dimensions step evenly enough for the new ones to be said in strides."
    if callee == "diagonal":
        return f"One step along the diagonal is one along both dimensions: stride {new.stride[-1]}."
    return "Size, stride and offset are new, and the storage is the same."


def _why_slice(old: Geometry, new: Geometry) -> str:
    changes = []
    if new.offset != old.offset:
        changes.append(f"the start moves from {old.offset} to {new.offset}")
    if any(s < 0 for s in new.stride):
        changes.append("a negative stride steps back")
    elif not set(new.stride) <= {*old.stride, 0}:
        changes.append("a longer stride skips elements")
    if not changes:
        changes.append("fewer indices are left")
    return f"Numbers and slices are arithmetic: {' and '.join(changes)}."


def _why_new(stage: Stage, operands: list[Any], facts: Facts) -> str:
    if not operands:
        return "A storage of its own, made from numbers."
    if stage.callee in QUANTIZING:
        return _why_rounded(operands[0], stage.value)
    stretched = [
        f for f in map(facts_of, operands) if f is not None and 0 < prod(f.geometry.size) < prod(facts.geometry.size)
    ]
    together = stage.kind == "operator" or len(operands) > 1
    if stretched and together and _broadcasts(operands, facts.geometry.size):
        sizes = " and ".join(str(list(f.geometry.size)) for f in stretched[:2])
        return f"Computed into a storage of its own; {sizes} is stretched by strides of 0, which costs nothing."
    return "Computed into a storage of its own."


def _why_rounded(values: Any, value: Any) -> str:
    """What became of values that were put on a ladder; how many were clipped is told of our own tensors."""
    told = "Each value is put on the nearest rung of a ladder"
    if isinstance(value, Tensor) and value.is_quantized:
        report = quantization_report(values, value)
        return f"{told}, in a storage of its own; {report.clipped} of {value.numel()} were clipped at its ends."
    return f"{told}, in a storage of its own."


def _broadcasts(operands: list[Any], size: tuple[int, ...]) -> bool:
    known = [f.geometry.size for f in map(facts_of, operands) if f is not None]
    return geometry.broadcast(*known) == size


def _why_copy(stage: Stage, before: Facts | None, after: Facts) -> tuple[str, Reason | None]:
    """Why a copy had to be made, and the reason object where a rule of geometry says so."""
    callee = stage.callee
    if before is None:
        return "The numbers are written into a storage of their own.", None
    if before.dtype != after.dtype:
        return (
            f"{after.dtype} has {after.itemsize} bytes an element, and other ones than {before.dtype}.",
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
        return f"{_picks(stage.args[1])}: the elements picked have no common stride.", None
    if callee in ("repeat", "tile", "repeat_interleave"):
        return "Every repetition is written out; expand() would read one of them again by a stride of 0.", None
    if callee in ("flip", "fliplr", "flipud", "rot90"):
        return "A tensor's strides are 0 or more, so reading backwards needs the elements written backwards.", None
    if callee in VIEWS:
        return "Its elements are not where strides could reach them.", None
    if callee in ("cat", "concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack"):
        return "Tensors of several storages become one, so each is written into it.", None
    return f"{callee}() copies whatever it is given.", None


def _picks(key: Any) -> str:
    for k in key if isinstance(key, tuple) else (key,):
        if is_array(k):
            mask = str(k.dtype).rpartition(".")[2] == "bool"
            return "The index is a mask" if mask else "The index holds a tensor"
        if isinstance(k, list):
            return "The index holds a list"
    return "The index picks one by one"
