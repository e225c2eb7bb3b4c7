"""The old constructors, type names and small questions answer as PyTorch's do."""

from __future__ import annotations

import pickle

import pytest

import tensorwidgets as tw
from tests.engine.calls.calls import OLD
from tests.engine.calls.calls_asked import differences, frozen, live


@pytest.mark.parametrize("name", sorted(OLD))
def test_calls_give_what_pytorch_gives(name: str) -> None:
    wanted = frozen(name)
    assert len(wanted) > 100
    assert differences(wanted) == []


@pytest.mark.torch
@pytest.mark.parametrize("name", sorted(OLD))
def test_the_frozen_answers_are_pytorchs(name: str) -> None:
    assert live(name) == frozen(name)


@pytest.mark.torch
@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("name", sorted(OLD))
def test_other_calls_give_what_pytorch_gives(name: str, seed: str) -> None:
    assert differences(live(name, seed)) == []


def test_of_another_tensor_it_is_a_view() -> None:
    x = tw.zeros(2)
    view = tw.Tensor(x)
    view[0] = 5
    assert view._base is x
    assert x.tolist() == [5, 0]


def test_of_a_storage_it_looks_at_that_storage() -> None:
    storage = tw.FloatStorage([1, 2, 3])
    x = tw.FloatTensor(storage)
    x[0] = 7
    assert storage.tolist() == [7, 2, 3]
    assert x.storage() is storage


def test_it_is_made_in_the_default_dtype() -> None:
    try:
        tw.set_default_tensor_type(tw.DoubleTensor)
        assert tw.Tensor([1]).dtype is tw.get_default_dtype() is tw.float64
        assert tw.FloatTensor([1]).dtype is tw.float32
        tw.set_default_tensor_type("torch.FloatTensor")
        assert tw.Tensor([1]).dtype is tw.float32
    finally:
        tw.set_default_dtype(tw.float32)


@pytest.mark.parametrize(
    ("wanted", "error", "message"),
    [
        ("foo", ModuleNotFoundError, "No module named 'foo'"),
        (3, TypeError, "invalid type object: only floating-point types are supported as the default type"),
        (tw.LongTensor, TypeError, "only floating-point types are supported as the default type"),
        ("torch.LongTensor", TypeError, "only floating-point types are supported as the default type"),
        (tw.Tensor, TypeError, "invalid type object: only floating-point types are supported as the default type"),
        ("torch.cuda.FloatTensor", TypeError,
            "type torch.cuda.FloatTensor not available. Torch not compiled with CUDA enabled."),
        (tw.cuda.HalfTensor, TypeError,
            "type torch.cuda.HalfTensor not available. Torch not compiled with CUDA enabled."),
    ],
)  # fmt: skip
def test_other_default_types_are_refused(wanted, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        tw.set_default_tensor_type(wanted)
    assert str(caught.value) == message
    assert tw.get_default_dtype() is tw.float32


def test_a_subclass_makes_its_own() -> None:
    class Mine(tw.Tensor):
        pass

    x = Mine([1, 2])
    assert type(x) is Mine
    assert x.tolist() == [1, 2]


def test_type_names_are_found_again_by_pickle() -> None:
    assert pickle.loads(pickle.dumps(tw.FloatTensor)) is tw.FloatTensor


def test_the_smallest_numbers_cannot_be_flushed_from_python() -> None:
    assert tw.set_flush_denormal(True) is False
    with pytest.raises(RuntimeError, match="flush_denormal expects a bool, but got int"):
        tw.set_flush_denormal(3)
