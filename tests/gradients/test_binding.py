"""The arguments of a recorded call have the same names whether the call is read anew or goes by a plan."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.autograd import binding
from tensorwidgets.engine.dispatch.registry import find

X, Y, POSITIVE = tw.ones(2, 3), tw.zeros(2, 3), tw.ones(2, 3) > 0

GROUPS: dict[str, list[tuple[tuple, dict]]] = {
    "flip": [((X, 0), {}), ((X, 1), {}), ((X, 0, 1), {}), ((X, 1, 0), {}), ((X, (1, 0)), {}), ((X, 1, 1), {})],
    "permute": [((X, 1, 0), {}), ((X, 0, 1), {}), ((X, (0, 1)), {})],
    "mul": [((X, X), {}), ((X, Y), {}), ((Y, X), {}), ((X, 2), {})],
    "where": [((POSITIVE, X, X), {}), ((POSITIVE, Y, X), {}), ((POSITIVE, X, Y), {})],
    "addcmul": [((X, X, X), {"value": 2}), ((X, Y, X), {"value": 3}), ((Y, X, X), {"value": 2})],
    "lerp": [((X, X, X), {}), ((X, Y, X), {}), ((X, Y, 0.5), {})],
    "transpose": [((X, 1, 1), {}), ((X, 0, 1), {}), ((X, 1, 0), {})],
    "narrow": [((X, 0, 0, 1), {}), ((X, 1, 1, 1), {}), ((X, 1, 0, 2), {})],
    "sum": [((X,), {}), ((X, 0), {}), ((X, 0, False), {}), ((X,), {"keepdim": True, "dim": 1})],
    "max": [((X,), {}), ((X, 0), {}), ((X, Y), {}), ((Y, X), {})],
    "clamp": [
        ((X, 0, 0), {}), ((X, 0, 1), {}), ((X, None, 1.0), {}), ((X, 1.0, None), {}), ((X, None, None), {}),
        ((X,), {"min": 0, "max": 0}), ((X,), {"max": 1, "min": 0}), ((X,), {"max": 0, "min": 0}),
        ((X,), {"min": 0, "max": 1}),
    ],
}  # fmt: skip


@pytest.mark.parametrize("op", GROUPS)
def test_a_plan_names_arguments_as_a_reading_does(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "_plans", {})
    row = find(op)
    for args, kwargs in [*GROUPS[op], *reversed(GROUPS[op])]:
        planned, read = binding.bound_arguments(row, args, kwargs), binding._read(row, args, kwargs)
        assert planned.keys() == read.keys()
        for name, value in read.items():
            assert planned[name] is value or _same_parts(planned[name], value), name
    assert None not in binding._plans.values()


def _same_parts(planned: Any, read: Any) -> bool:
    return type(planned) is type(read) is tuple and [*map(id, planned)] == [*map(id, read)]
