"""A tensor's numbers are in an array, also where NumPy would make a number of one without dimensions."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.dispatch.registry import OPS

FORMS = {
    "x": lambda x: (x(),),
    "x, x": lambda x: (x(), x()),
    "x, 0.5": lambda x: (x(), 0.5),
    "x, 0": lambda x: (x(), 0),
    "x, 0, 1": lambda x: (x(), 0, 1),
    "x, x, x": lambda x: (x(), x(), x()),
}


@pytest.mark.parametrize("requires_grad", [False, True])
def test_every_result_is_an_array(requires_grad: bool) -> None:
    def x() -> tw.Tensor:
        return tw.tensor(1.75, requires_grad=requires_grad)

    returned, bare = 0, []
    for name, op in sorted(OPS.items()):
        for form, arguments in FORMS.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    result = op.function(*arguments(x))
                except Exception:  # most ops refuse most forms
                    continue
            returned += 1
            bare += [f"{name}({form})" for t in _tensors(result) if isinstance(t._array, np.generic)]
    assert returned > 500
    assert not bare


def _tensors(value: Any) -> Iterator[tw.Tensor]:
    if isinstance(value, tw.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _tensors(part)
