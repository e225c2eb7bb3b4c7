"""Why a step copied, and why one was refused: the engine's own reasons, also asked on behalf of other libraries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Any

from ...engine.errors.reasons import Reason
from ...engine.geometry import Geometry, why_not_contiguous
from ...engine.geometry import view as view_as
from ..arrays.layout import Layout
from ..arrays.values import shape_text

ALWAYS = {
    "clone": "clone always copies: that is what it is for.",
    "copy": "copy always copies: that is what it is for.",
    "repeat": "repeat writes every repetition out; expand would read the same elements again.",
    "tile": "tile writes every repetition out; expand would read the same elements again.",
    "[]": "An index that is a list, an array or a mask picks elements one by one; strides can only step evenly.",
    "take": "take picks elements one by one; strides can only step evenly.",
    "index_select": "index_select picks elements one by one; strides can only step evenly.",
    "flatten": "The elements are not one after the other in memory, so one dimension cannot step through them.",
    "astype": "Another type takes other bytes.",
    "to": "Another type or device takes other bytes.",
    "roll": "roll moves elements; no stride steps over an edge and on.",
    "flip": "flip writes the elements in reverse: a stride cannot be negative here.",
}


def copy_reason(method: str, before: Layout, after: Layout) -> Reason:
    """Why the step had to copy: which two dimensions do not merge, or what kind of step it is."""
    if method in ("reshape", "flatten", "ravel", "view", "unflatten"):
        asked = view_as(Geometry(before.size, before.stride, before.offset), after.size)
        if isinstance(asked, Reason):
            return asked
    if method == "contiguous":
        why = why_not_contiguous(before.size, before.stride)
        if why is not None:
            return why
    return Reason("copy", RuntimeError, "", because=ALWAYS.get(method, "This step writes its result into new memory."))


def refused(error: Exception, before: Layout | None, code: str = "") -> tuple[str, str, Mapping[str, Any]]:
    """Our words for a refusal, the library's own message, and the numbers behind the words."""
    message = str(error).splitlines()[0] if str(error) else type(error).__name__
    reason = getattr(error, "reason", None)
    if not isinstance(reason, Reason) and before is not None and is_refused_view(error, before):
        reason = _of_view(before, code)
    if isinstance(reason, Reason) and reason.because:
        return reason.because, f"{type(error).__name__}: {message}", reason.facts
    return message, type(error).__name__, {}


def is_refused_view(error: Exception, before: Layout) -> bool:
    """Whether a view was refused because its elements do not lie in even steps."""
    return "view size is not compatible" in str(error) and before.in_elements and before.numel > 2


def _of_view(before: Layout, code: str) -> Reason:
    """Why PyTorch refused a view: the engine is asked for the size that the code names."""
    size, stride = shape_text(before.size), shape_text(before.stride)
    because = f"Size {size} with stride {stride} cannot be read in that shape by even steps."
    numbers = re.fullmatch(r"\.view\(\(?([-\d, ]+)\)?\)", code)
    if numbers:
        asked = [int(n) for n in numbers[1].split(",") if n.strip()]
        known = prod(n for n in asked if n != -1)
        asked = [before.numel // max(known, 1) if n == -1 else n for n in asked]
        result = view_as(Geometry(before.size, before.stride, before.offset), tuple(asked))
        if isinstance(result, Reason) and result.because:
            return result
    return Reason("view.span", RuntimeError, "", because)


def ways_out(error: Exception) -> tuple[str, ...]:
    """What to write instead."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, Reason):
        return reason.instead
    if "Use .reshape(...) instead" in str(error):
        return (".reshape(...) in its place", ".contiguous() before it")
    return ()
