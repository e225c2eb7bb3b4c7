"""One explanation, told in four places.

A refusal is a value before it is an exception: the pure functions of `geometry` return a `Reason` that holds
PyTorch's exception type and message (to the character, so that it can be searched for), our own words on what stands
in the way, the numbers behind those words, and what to write instead. The edge raises it; `why()`, pictures and hints
read it.

>>> r = Reason("view.span", RuntimeError, "view size is not compatible", because="dims 0 and 1 do not merge",
...            instead=("x.reshape(-1)",), facts={"stride": (1, 4)})
>>> print(r.note())
dims 0 and 1 do not merge
Instead: x.reshape(-1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn


@dataclass(frozen=True, eq=False)
class Reason:
    """Why something is refused, in PyTorch's words and in ours."""

    rule: str
    """Which rule said no, as a dotted name that hints and pictures can look for: ``view.span``."""
    error: type[Exception]
    message: str
    because: str = ""
    instead: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def note(self) -> str:
        """The explanation that is added below PyTorch's message."""
        lines = [self.because] if self.because else []
        lines += [f"Instead: {way}" for way in self.instead]
        return "\n".join(lines)

    def exception(self) -> Exception:
        """The exception to raise: PyTorch's type and message, our note, and this object as ``.reason``."""
        error = self.error(self.message)
        note = self.note()
        if note:
            error.add_note(note)
        error.reason = self  # type: ignore[attr-defined]
        return error

    def refuse(self) -> NoReturn:
        raise self.exception()


def refuse(
    error: type[Exception],
    message: str,
    because: str = "",
    *instead: str,
    rule: str = "",
    **facts: Any,
) -> NoReturn:
    """Raise a one-off refusal, for places where no rule of `geometry` stands behind it."""
    raise Reason(rule or error.__name__, error, message, because, instead, facts).exception()
