"""An expression taken apart into its steps: `x.t()[1:].reshape(-1)` is x, .t(), [1:], .reshape(-1).

The engine walks it over an allow-list of syntax; Python's `eval` is never used. Each step is evaluated once, on the
result of the step before. A step that raises is kept with its exception, and the steps after it are not evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...engine.expressions import Stage, addition, chain, walk


@dataclass(frozen=True)
class Step:
    """One step: the source so far, the source that it adds, and its result."""

    before: str
    code: str
    value: Any = None
    error: Exception | None = None
    method: str = ""
    stage: Stage | None = None
    """The step as the engine took it, so that it can be asked what it does to other values."""

    @property
    def source(self) -> str:
        return self.before + self.code if self.stage is None else self.stage.text


def steps_of(source: str, names: Mapping[str, Any]) -> list[Step]:
    """The evaluated steps of an expression.

    >>> import numpy as np
    >>> [(s.code, s.value.shape) for s in steps_of("x.T[1:]", {"x": np.ones((2, 3))})]
    [('x', (2, 3)), ('.T', (3, 2)), ('[1:]', (2, 2))]
    """
    try:
        stages = chain(walk(source, names))
    except SyntaxError as wrong:
        raise ValueError(
            f"show.steps takes one expression, such as 'x.t()[1:]', and this is not one: {source!r}"
        ) from wrong
    except NameError as unknown:
        return [Step("", source.strip(), error=unknown)]
    results: list[Step] = []
    before: Stage | None = None
    for stage in stages:
        method = {"index": "[]", "name": "", "value": ""}.get(stage.kind, stage.callee)
        code = addition(stage, before, source)
        results.append(Step(before.text if before else "", code, stage.value, stage.error, method, stage))
        before = stage
    return results


def redo(step: Step, value: Any) -> Any:
    """The same step on another value."""
    assert step.stage is not None  # only a step that was taken can be asked again
    return step.stage.do(value)
