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


def test_only_what_can_have_a_gradient_requires_one() -> None:
    for data in (tw.ones(2, dtype=tw.int64), tw.quantize_per_tensor(tw.ones(2), 0.1, 0, tw.quint8)):
        with pytest.raises(RuntimeError, match="^Only Tensors of floating point and complex dtype can require grad"):
            Parameter(data)
        kept = Parameter(data, requires_grad=False)
        assert not kept.requires_grad
        assert repr(kept) == f"Parameter containing:\n{data!r}"
    with pytest.raises(AttributeError, match="^'list' object has no attribute 'detach'$"):
        Parameter([1.0])
    assert Parameter().stride() == (1,)


@pytest.mark.parametrize("layout", ["sparse_coo", "sparse_csr"])
def test_a_sparse_tensor_can_be_one(layout: str) -> None:
    x = Parameter(tw.eye(2).to_sparse(layout=getattr(tw, layout)))
    assert type(x) is Parameter and x.is_leaf and x.requires_grad
    lines = repr(x).splitlines()
    assert lines[0] == "Parameter containing:"
    assert lines[-1].endswith("requires_grad=True)")
    (x.to_dense() * 3).sum().backward()
    assert x.grad.layout is getattr(tw, layout)
    assert x.grad.to_dense().tolist() == [[3, 0], [0, 3]]
