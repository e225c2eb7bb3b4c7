"""A call computes the same whether it is recorded, made under no_grad, or made of tensors without gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import tensorwidgets as torch
from tensorwidgets.engine.dispatch.registry import OPS
from tests.parts import Part, in_parts

FORMS: dict[str, Callable[[Any], tuple]] = {
    "x": lambda x: (x,),
    "x, x": lambda x: (x, x),
    "x, 0.5": lambda x: (x, 0.5),
    "x, 1": lambda x: (x, 1),
    "x, 0.5, True": lambda x: (x, 0.5, True),
    "[x, x]": lambda x: ([x, x],),
}
OTHERWISE = {
    "adjoint_view": "its second argument is a spelling",
    "apply_": "refused for a tensor that requires a gradient",
    "from_dlpack": "refused for a tensor that requires a gradient",
    "map_": "refused for a tensor that requires a gradient",
    "resize_": "refused for a tensor that requires a gradient",
    "resize_as_": "refused for a tensor that requires a gradient",
}
"""Ops that answer otherwise, and why."""


def _answer(function: Callable, arguments: Callable[[Any], tuple], requires_grad: bool) -> Any:
    """What a call returns and the next random number, or the error that refuses it."""
    torch.manual_seed(0)
    x = torch.arange(12.0).reshape(3, 4) / 12 + 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments(x.requires_grad_(requires_grad)))
        except Exception as error:
            return type(error).__name__
    several = result if isinstance(result, (tuple, list)) else (result,)
    return [numbers(value) for value in several], torch.rand(1).item()


def numbers(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return str([numbers(part) for part in value])
    if not isinstance(value, torch.Tensor):
        return str(value)
    value = value.detach()
    return str(value if value.is_meta else value.to_dense().tolist())


@in_parts(3)
def test_a_call_computes_the_same_recorded_or_not(part: Part) -> None:
    computed, differ, asked = 0, set(), dict(part.of(sorted(OPS.items())))
    for name, op in asked.items():
        for form, arguments in FORMS.items():
            recorded = _answer(op.function, arguments, True)
            with torch.no_grad():
                unrecorded = _answer(op.function, arguments, True)
                plain = _answer(op.function, arguments, False)
            computed += isinstance(plain, tuple)
            written = name.endswith("_") or name == "setitem"  # which is refused for a leaf
            refused = isinstance(recorded, str) and (written or isinstance(plain, tuple))  # the latter: no derivative
            if unrecorded != plain or recorded != plain and not refused:
                differ.add((name, form))
    assert computed > part.least(170, 340)
    assert {name for name, _ in differ} - OTHERWISE.keys() == set(), differ
    assert OTHERWISE.keys() & asked.keys() == {name for name, _ in differ}
