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


class Kept(tw.nn.Parameter):
    """A parameter with a word, made as libraries make theirs: by `__new__` alone."""

    word: str

    def __new__(cls, data: tw.Tensor, word: str = "", requires_grad: bool = True) -> Kept:
        made = tw.Tensor._make_subclass(cls, data, requires_grad)
        made.word = word
        return made


def test_a_class_of_parameters_is_made_and_printed_as_by_pytorch() -> None:
    kept = Kept(tw.arange(2.0), word="w")
    assert isinstance(kept, tw.nn.Parameter) and kept.word == "w" and kept.is_leaf
    assert repr(kept) == "Parameter containing:\nParameter(Kept([0., 1.], requires_grad=True))"
    layer = tw.nn.Linear(2, 2)
    layer.kept = kept
    assert [name for name, _ in layer.named_parameters()] == ["weight", "bias", "kept"]
    assert type(copy.deepcopy(kept)) is Kept


def test_what_is_computed_from_a_class_of_parameters_is_a_tensor() -> None:
    kept = Kept(tw.arange(2.0))
    for made in (kept + 1, kept[0], kept.detach(), kept.clone(), kept.data, tw.stack([kept, kept])):
        assert type(made) is tw.Tensor
    (kept * kept).sum().backward()
    assert kept.grad is not None and kept.grad.tolist() == [0, 2] and type(kept.grad) is tw.Tensor


def test_classes_say_that_their_results_are_plain() -> None:
    class Plain(tw.Tensor):
        __torch_function__ = tw._C._disabled_torch_function_impl

    class Below(Plain):
        pass

    class Stays(tw.Tensor):
        pass

    x = tw.ones(2)
    assert type(x.as_subclass(Plain) + 1) is type(x.as_subclass(Below).detach()) is tw.Tensor
    assert type(x.as_subclass(Stays) + 1) is Stays
    assert type(tw.Tensor._make_subclass(Stays, x) * 2) is Stays


def test_a_leaf_of_a_class_shares_memory_and_version() -> None:
    class Mine(tw.Tensor):
        pass

    x = tw.arange(4.0)
    mine = tw.Tensor._make_subclass(Mine, x, True)
    assert type(mine) is Mine and mine.requires_grad and mine.is_leaf and mine.data_ptr() == x.data_ptr()
    x.add_(1)
    assert mine._version == x._version == 1
    tracked = tw.ones(2, requires_grad=True) * 2
    assert not tw.Tensor._make_subclass(Mine, tracked).requires_grad
    for given, error, message in (
        ((Mine, tw.arange(3), True), RuntimeError, "Only Tensors of floating point and complex dtype can require"),
        ((3, x), TypeError, r"cls must be a type \(got int\)"),
        ((int, x), TypeError, "Creating a Tensor subclass from a class that does not inherit from Tensor"),
        ((Mine, 3), TypeError, r"_make_subclass\(\): argument 'data' \(position 2\) must be Tensor, not int"),
    ):
        with pytest.raises(error, match=message):
            tw.Tensor._make_subclass(*given)


def test_copies_pickles_and_files_of_a_class_of_parameters_are_parameters() -> None:
    class Local(tw.nn.Parameter): ...

    weight = Local(tw.ones(2))
    weight.label = "mine"  # type: ignore[attr-defined]
    file = io.BytesIO()
    tw.save(weight, file)
    file.seek(0)
    for made in (copy.copy(weight), pickle.loads(pickle.dumps(weight)), tw.load(file)):
        assert type(made) is tw.nn.Parameter and made.requires_grad and made.label == "mine"
    assert type(copy.deepcopy(weight)) is Local and not hasattr(copy.deepcopy(weight), "label")


def test_a_parameter_is_made_with_what_another_keeps() -> None:
    weight = tw.nn.Linear(2, 3).weight
    kept = dict(weight.__dict__)
    made = type(weight)(weight.to("meta"), **kept)
    assert made.is_meta and made.shape == (3, 2) and made.requires_grad and isinstance(made, tw.nn.Parameter)
    weight.tag = 3
    with pytest.raises(TypeError, match=r"^Parameter.__new__\(\) got an unexpected keyword argument 'tag'$"):
        type(weight)(weight, **weight.__dict__)
