"""One explanation of a refusal, for the exception, `why()`, pictures and hints.

A refusal is a value before it is an exception: the pure functions of `geometry` return a `Reason` that holds
PyTorch's exception type and message (to the character, so that it can be searched for), our own explanation, the
numbers behind it, and what to write instead. The caller raises it; `why()`, pictures and hints read it.

>>> r = Reason("view.span", RuntimeError, "view size is not compatible", because="dims 0 and 1 do not merge",
...            instead=("x.reshape(-1)",), facts={"stride": (1, 4)})
>>> print(r.note())
dims 0 and 1 do not merge
Instead: x.reshape(-1)
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn, TypeVar

from .package import PACKAGE

T = TypeVar("T")

latest: tuple[Reason, int] | None = None
"""The last refusal, and the id of `sys.last_value` at that time: `why()` compares it to see which came later."""


@dataclass(frozen=True, eq=False)
class Reason:
    """Why something is refused, in PyTorch's words and in ours."""

    rule: str
    """The rule that refused, as a dotted name that hints and pictures look up: ``view.span``."""
    error: type[Exception]
    message: str
    because: str = ""
    instead: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    draw: ClassVar[Any] = None
    """Draws the picture of a reason, if there is one; the package sets it, because pictures are a floor above."""

    def note(self) -> str:
        """The explanation that is added below PyTorch's message."""
        lines = [self.because] if self.because else []
        lines += [f"Instead: {way}" for way in self.instead]
        return "\n".join(lines)

    def exception(self) -> Exception:
        """The exception to raise: PyTorch's type and message, our note, and this object as ``.reason``."""
        global latest
        error = self.error(self.message)
        self.explain(error)
        error.reason = self  # type: ignore[attr-defined]
        error._render_traceback_ = _render_traceback  # type: ignore[attr-defined]
        handled = sys.exception()
        if handled is not None and _is_ours(handled):
            error.__suppress_context__ = True
        latest = (self, id(getattr(sys, "last_value", None)))
        return error

    def explain(self, error: Exception) -> None:
        """Add the explanation to an exception."""
        note = self.note()
        if note:
            error.add_note(note)

    def refuse(self) -> NoReturn:
        raise self.exception()


def sure(answer: T | Reason) -> T:
    """What a rule answered, where that is no refusal; a refusal is raised.

    >>> sure((2, 3))
    (2, 3)
    """
    if isinstance(answer, Reason):
        answer.refuse()
    return answer


def _is_ours(handled: BaseException) -> bool:
    """Whether our own code raised an exception and replaces it by a better one."""
    trace = handled.__traceback__
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(PACKAGE)


def _render_traceback() -> list[str]:
    """The hook that IPython calls to show an exception: the traceback without our frames."""
    from .tracebacks import render

    return render()


def refuse(
    error: type[Exception],
    message: str,
    because: str = "",
    *instead: str,
    rule: str = "",
    **facts: Any,
) -> NoReturn:
    """Raise a refusal that no rule of `geometry` returned."""
    raise Reason(rule or error.__name__, error, message, because, instead, facts).exception()
