"""Why? `why()` explains what each step of an expression did in memory, or why it raised an error.

>>> import tensorwidgets as tw
>>> x = tw.arange(6).reshape(2, 3)
>>> why("x.t().reshape(-1)", x=x)
x
    input: int64 [2, 3], stride (3, 1), 48 bytes
x.t()
    view of x: int64 [3, 2], stride (1, 3), 0 bytes allocated
    Sizes and strides change their order together; no element moves.
x.t().reshape(-1)
    copy: int64 [6], stride (1,), 48 bytes allocated
    Dimensions 0 and 1 would have to become one: that needs stride 2 * 3 = 6 in dimension 0, which has 1.

Nothing is computed before `why` is called: every error carries its `Reason`, and the rest is derived here.
"""

from __future__ import annotations

import html
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from .. import geometry
from ..errors import reasons
from ..errors.reasons import Reason
from ..expressions import walk
from ..interop.foreign_arrays import facts_of, is_array
from .errors import reason_of
from .frames import Place, body_of, harmless, names_around, names_for, place_of, visible
from .layers import layer_of, loss_made, names_missing, sample_of, ways_for, words_about
from .messages.patterns import reason_from_message
from .steps import Step, sentence, steps_of
from .unknown_names import reason_of_name

if TYPE_CHECKING:
    import numpy as np

    from ..tensor.tensor import Tensor


class Explanation:
    """The answer of `why`, which prints as plain text."""

    def __init__(
        self,
        steps: list[Step] | None = None,
        reason: Reason | None = None,
        text: str = "",
        notes: tuple[str, ...] = (),
        instead: tuple[str, ...] | None = None,
    ):
        self.steps = steps or []
        """What each step did, in order; empty if only the error is known."""
        self.reason = reason
        """The `Reason` of the error, or of the last copy that strides made necessary."""
        self._text = text
        self.notes = notes
        """What the program tells beside the reason: which layer it was, and which tensors by name."""
        self.instead = instead if instead is not None else (reason.instead if reason is not None else ())
        """What to write instead, in this program."""

    def __repr__(self) -> str:
        lines = [line for step in self.steps for line in step.lines()]
        if not lines and self.reason is not None:
            lines = _reason_lines(self.reason, self.notes, self.instead)
        return "\n".join(([self._text] if self._text else []) + lines)

    def _repr_mimebundle_(self, include: object | None = None, exclude: object | None = None) -> dict[str, str]:
        """What a notebook shows: the text, and a picture if the reason has one."""
        plain = {"text/plain": repr(self)}
        if self.reason is None or Reason.draw is None:
            return plain
        inputs = [step.text for step in self.steps if step.outcome == "input"]
        picture = Reason.draw(self.reason, inputs, self.steps[-1].text if self.steps else "")
        if picture is None:
            return plain
        text = f'<pre style="margin:0 0 8px;white-space:pre-wrap">{html.escape(repr(self))}</pre>'
        return {**plain, "text/html": text + picture._repr_mimebundle_()["text/html"]}

    @property
    def allocated(self) -> int:
        """Bytes of all storages that the steps allocated."""
        return sum(step.allocated for step in self.steps)


def why(question: Any = None, /, **names: Any) -> Explanation:
    """Explain the last error, an expression given as text, or a lambda.

    ``why()`` explains the last error; ``why("x.t().view(-1)", x=x)`` and ``why(lambda: x.t().view(-1))`` evaluate the
    expression step by step and explain each step. Names that are not passed as keywords are looked up in the caller.
    PyTorch tensors and NumPy arrays work as well.

    >>> import numpy as np
    >>> why("a.T.reshape(-1)", a=np.ones((2, 3))).reason.facts["dims"]
    (0, 1)
    """
    if question is None:
        return _why_last()
    if isinstance(question, BaseException):
        return _why_error(question)
    if isinstance(question, str):
        return _explained(question, names_for(question, names, sys._getframe(1)))
    if callable(question):
        return _why_call(question)
    reasons.refuse(
        TypeError,
        f"why() explains an expression (a string or a lambda) or an error, not {type(question).__name__!r}",
        "A value does not record how it was computed.",
        "why('x.t().view(-1)', x=x)",
        "why(lambda: x.t().view(-1))",
        rule="why.question",
    )


def _reason_lines(reason: Reason, notes: tuple[str, ...], instead: tuple[str, ...]) -> list[str]:
    said = [sentence(reason.because)] * bool(reason.because) + [*notes, *(f"Instead: {way}" for way in instead)]
    return [f"{reason.error.__name__}: {reason.message}", *(f"    {line}" for line in "\n".join(said).splitlines())]


def _explained(text: str, names: Mapping[str, Any]) -> Explanation:
    steps = steps_of(walk(text, names))
    return Explanation(steps, _reason_in(steps))


def _reason_in(steps: list[Step]) -> Reason | None:
    return next((s.reason for s in reversed(steps) if s.reason is not None), None)


# -- errors ----------------------------------------------------------------------------------------------------------


def _why_last() -> Explanation:
    """Explain the error that is being handled, or else the last one that Python showed or the engine raised."""
    handled = sys.exception()
    if handled is not None:
        return _why_error(handled)
    shown = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if reasons.latest is not None:
        reason, seen = reasons.latest
        if shown is None or (id(shown) == seen and getattr(shown, "reason", None) is not reason):
            return Explanation(reason=reason)
    if shown is not None:
        return _why_error(shown)
    return Explanation(text="There has been no error to explain.")


def _why_error(error: BaseException) -> Explanation:
    """Explain an error; the last error stays the last one, whatever is refused meanwhile."""
    kept = reasons.latest
    try:
        return _about(error)
    finally:
        reasons.latest = kept


def _about(error: BaseException) -> Explanation:
    place = place_of(error)
    steps = _steps_again(place, error) if place is not None else []
    known = next((s.reason for s in reversed(steps) if s.reason is not None), None)
    if known is not None:
        return Explanation(steps, known)
    reason = reason_of(error)
    try:
        reason, notes, instead = _in_program(error, reason, place)
    except Exception:
        # A tensor or module class of somebody else may refuse any question; the explanation of the message still holds.
        notes, instead = (), None
    if instead is None and not reason.instead and (known := reason_from_message(error)) is not None:
        instead = known.instead
    return Explanation(steps, reason, "", notes, instead)


_INSIDE = ("shape.count", "expand.size")
"""Rules whose ways out are spelled for a tensor that the user has: not for one inside a layer."""


def _in_program(
    error: BaseException, reason: Reason, place: Place | None
) -> tuple[Reason, tuple[str, ...], tuple[str, ...] | None]:
    """What a program tells of an error: the tensors of its graphs by name, and the layer that it was raised in."""
    from .graphs import told_by_graph, with_graph

    notes: list[str] = []
    instead: tuple[str, ...] | None = None
    if reason.rule.startswith(("autograd.", "write.")):
        used, around = place.names if place is not None else {}, names_around(error)
        if hasattr(error, "reason"):
            more, ways = told_by_graph(reason, used, around)
            notes, instead = [more] if more else [], ways or None
        else:
            reason = with_graph(reason, used, around)
    if reason.rule == "truth.count" and (loss := loss_made(error)):
        because = f"{loss}(...) makes a loss, and takes no tensors to compare: these go into the next parentheses."
        reason = replace(reason, rule="loss.reduction", because=because, instead=(f"nn.{loss}()(input, target)",))
    if reason.rule == "unknown" or not reason.because:
        more, ways = names_missing(error)
        if not more:
            more, ways = sample_of(error)
        if not more and (named := reason_of_name(error, "", place)) is not None:
            reason = named
        notes, instead = [more] if more else [], ways or None
    layer = layer_of(error)
    if layer is not None:
        notes.append(words_about(layer))
        if instead is None:
            instead = ways_for(layer, reason) or (() if reason.rule in _INSIDE else None)
    return reason, tuple(notes), instead


def _steps_again(place: Place, error: BaseException) -> list[Step]:
    """The steps that led to an error, evaluated again if that is safe; empty if they end in a different way."""
    if not harmless(place.node):
        return []
    kept = reasons.latest
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the program has shown them
            stages = walk(place.text, place.names, place.held)
    except Exception:
        return []  # the expression cannot be evaluated step by step, so only the error itself is explained
    finally:
        reasons.latest = kept
    last = stages[-1].error if stages else None
    if last is None or type(last) is not type(error) or str(last) != str(error):
        return []
    return steps_of(stages)


# -- lambdas ---------------------------------------------------------------------------------------------------------


def _why_call(function: Callable[[], Any]) -> Explanation:
    body = body_of(function)
    if body is not None and harmless(body.node):
        try:
            return _explained(body.text, body.names)
        except Exception as refused:
            if not getattr(getattr(refused, "reason", None), "rule", "").startswith("expression."):
                raise
    return _run(function, body.text if body is not None else "the call")


def _run(function: Callable[[], Any], text: str) -> Explanation:
    """Call a function whose source cannot be evaluated step by step, and explain its result."""
    from ..modes.recording import recording

    names = visible(function) if isinstance(function, FunctionType) else {}
    with recording() as calls:
        try:
            value = function()
        except Exception as error:
            return _why_error(error)
    steps = [Step(f"{c.op}({c.asked()})", c.outcome, shown=c.answered(), allocated=c.allocated) for c in calls]
    return Explanation([*steps, _result(text, value, names)])


def _result(text: str, value: Tensor | np.ndarray, names: Mapping[str, Any]) -> Step:
    facts = facts_of(value)
    if facts is None:
        return Step(text, "value", shown=repr(value)[:60])
    from .graphs import tensors_in

    broken = geometry.why_not_contiguous(facts.geometry.size, facts.geometry.stride)
    order_words = "It is contiguous." if broken is None else f"It is not contiguous: {broken.because}"
    arrays = {name: known for name, known in names.items() if is_array(known)} | dict(tensors_in(names))
    for name, known in arrays.items():
        if known is value:
            return Step(text, "itself", order_words, facts, 0, name)
    sharing = [n for n, known in arrays.items() if _share(known, value)]
    if sharing:
        return Step(text, "view", f"It shares memory with {', '.join(sharing)}. {order_words}", facts, 0, sharing[0])
    others = ", ".join(n for n in names if n in arrays)
    alone = f"It shares no memory with {others}. " if others else ""
    return Step(text, "new", alone + order_words, facts, facts.storage_nbytes)


def _share(a: Tensor | np.ndarray, b: Tensor | np.ndarray) -> bool:
    one, other = facts_of(a), facts_of(b)
    return one is not None and other is not None and one.shares(other)
