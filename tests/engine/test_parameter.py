"""Parameter: a tensor that a model learns; here it says so in print, in copies and in files."""

from __future__ import annotations

import copy
import io
import pickle

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.interop.parameter import Parameter


def by_file(x: Parameter) -> Parameter:
    file = io.BytesIO()
    tw.save(x, file)
    file.seek(0)
    return tw.load(file)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), by_file])
@pytest.mark.parametrize("flag", [True, False])
def test_a_parameter_stays_one(way, flag: bool) -> None:
    x = Parameter(tw.arange(3.0), flag)
    y = way(x)
    assert type(y) is Parameter
    assert y.requires_grad is flag
    assert repr(y) == repr(x)


def test_it_prints_as_pytorchs() -> None:
    assert repr(Parameter(tw.ones(2))) == "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    assert repr(Parameter(tw.ones(2), False)) == "Parameter containing:\ntensor([1., 1.])"
    assert repr(Parameter()) == "Parameter containing:\ntensor([], requires_grad=True)"


def test_it_shares_the_memory_that_it_is_made_of_and_results_are_plain() -> None:
    data = tw.ones(2)
    x = Parameter(data)
    data[0] = 5
    assert x[0] == 5
    assert type(x * 2) is tw.Tensor and type(x.detach()) is tw.Tensor


def test_a_promise_without_numbers_is_printed() -> None:
    x = tw.ones(2, device="meta", dtype=tw.complex64).conj()
    assert repr(x) == "tensor(..., device='meta', size=(2,), dtype=torch.complex64)"
