"""copy, deepcopy and pickle of tensors: what shares memory before shares it after."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

import tensorwidgets as tw


def by_pickle(x):
    return pickle.loads(pickle.dumps(x))


def by_old_pickle(x):
    return pickle.loads(pickle.dumps(x, protocol=2))


WAYS = [copy.deepcopy, by_pickle, by_old_pickle]
ALL_WAYS = [copy.copy, *WAYS]


def look(x) -> tuple:
    return x.shape, x.stride(), x.storage_offset(), x.dtype, x.requires_grad, x.device, x.is_conj(), x.is_neg()


TENSORS: dict[str, Callable] = {
    "plain": lambda: tw.arange(6.0),
    "transposed": lambda: tw.arange(6.0).reshape(2, 3).t(),
    "part": lambda: tw.arange(12).reshape(3, 4)[1:, ::2],
    "expanded": lambda: tw.ones(1, 3).expand(4, 3),
    "scalar": lambda: tw.tensor(3),
    "empty": lambda: tw.ones(0, 3),
    "empty part": lambda: tw.ones(4)[2:2],
    "bfloat16": lambda: tw.ones(3, dtype=tw.bfloat16),
    "float8": lambda: tw.ones(3).to(tw.float8_e5m2),
    "complex": lambda: tw.tensor([1j, 2.0]),
    "leaf": lambda: tw.ones(2, requires_grad=True),
    "meta": lambda: tw.ones(2, 3, device="meta").t(),
    "bool": lambda: tw.tensor([True, False]),
}


@pytest.mark.parametrize("way", ALL_WAYS)
@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_comes_back_as_it_was(name: str, way) -> None:
    x = TENSORS[name]()
    y = way(x)
    assert y is not x
    assert look(y) == look(x)
    assert repr(y) == repr(x)
    assert y._base is None
    assert y.untyped_storage().nbytes() == x.untyped_storage().nbytes()


@pytest.mark.parametrize("way", WAYS)
def test_memory_is_copied_once_and_stays_shared(way) -> None:
    x = tw.arange(6.0).reshape(2, 3)
    rows, columns, again = way([x[1], {"t": x.t()}, x[1]])
    rows[0] = 50
    assert columns["t"][0, 1].item() == 50
    assert again.untyped_storage() is rows.untyped_storage()
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("way", WAYS)
def test_one_object_stays_one_object(way) -> None:
    x = tw.ones(2)
    a, b = way([x, x])
    assert a is b


@pytest.mark.parametrize("way", WAYS)
def test_storages_travel_with_their_tensors(way) -> None:
    x = tw.arange(3.0)
    y, typed, untyped = way([x, x.storage(), x.untyped_storage()])
    assert y.untyped_storage() is untyped
    assert y.storage() is typed


def test_a_part_takes_its_whole_storage_along() -> None:
    x = tw.zeros(10_000)
    assert len(pickle.dumps(x[:2])) > 40_000
    assert len(pickle.dumps(x[:2].clone())) < 1000


def test_copy_shares() -> None:
    x = tw.arange(3.0)
    y = copy.copy(x)
    y.add_(1)
    assert x.tolist() == [1, 2, 3]
    assert y.untyped_storage() is x.untyped_storage()
    assert x._version == 0


@pytest.mark.parametrize("way", ALL_WAYS)
def test_the_users_attributes_travel_and_ours_do_not(way) -> None:
    x = tw.arange(3.0)
    x.note = ["hi"]
    x.add_(1)
    x.storage()
    y = way(x[1:])
    assert not hasattr(y, "note")
    z = way(x)
    assert z.note == ["hi"]
    assert (z.note is x.note) == (way is copy.copy)
    assert z._version == 1


def test_gradients_are_copied_with_deepcopy_alone() -> None:
    x = tw.ones(2, requires_grad=True)
    x.grad = tw.zeros(2)
    deep = copy.deepcopy(x)
    assert deep.grad.tolist() == [0, 0]
    assert deep.grad is not x.grad
    assert copy.copy(x).grad is None
    assert by_pickle(x).grad is None


def test_promises_are_kept_by_deepcopy_and_passed_on_by_the_others() -> None:
    x = tw.tensor([1 + 2j, 3j]).conj()
    for way, promised in ((copy.copy, True), (by_pickle, True), (copy.deepcopy, False)):
        assert way(x).is_conj() is promised
        assert way(x.imag).is_neg() is promised
        assert way(x).tolist() == [1 - 2j, -3j]
        assert way(x.imag).tolist() == [-2, -3]


def test_read_only_memory_comes_back_writable() -> None:
    x = tw.frombuffer(b"abcd", dtype=tw.uint8)
    for way in WAYS:
        y = way(x)
        y[0] = 0
        assert y.tolist() == [0, 98, 99, 100]
    assert x.tolist() == [97, 98, 99, 100]


class Mine(tw.Tensor):
    """A subclass, of the module, so that pickle finds it. It makes tensors of its class, so deepcopy takes them."""

    def new_empty(self, *args, **kwargs):
        return tw.Tensor.new_empty(self, *args, **kwargs).as_subclass(Mine)


@pytest.mark.parametrize("way", ALL_WAYS)
def test_subclasses_stay_what_they_are(way) -> None:
    x = Mine([1, 2])
    x.note = 3
    y = way(x)
    assert type(y) is Mine
    assert y.note == 3
    assert y.tolist() == [1, 2]


def test_state_can_be_set_as_in_old_pickles() -> None:
    x = tw.zeros(1)
    x.__setstate__((tw.LongStorage(range(6)), 1, (2, 2), (3, 1)))
    assert x.tolist() == [[1, 2], [4, 5]]
    x.__setstate__({"note": 1})
    assert x.note == 1
    with pytest.raises(ValueError):
        x.__setstate__((1, 2))


@pytest.mark.torch
@pytest.mark.parametrize("name", [n for n in TENSORS if n != "float8"])
def test_pytorch_says_the_same(name: str) -> None:
    """The same tensor, made by the same words, after the same way, looks the same on both engines."""
    import torch

    for way in (copy.copy, copy.deepcopy, by_pickle):
        ours, theirs = way(TENSORS[name]()), None
        globals()["tw"] = torch
        try:
            theirs = way(TENSORS[name]())
            wanted = [*map(str, look(theirs)), repr(theirs), theirs._version]
            shared = theirs.untyped_storage().nbytes()
        finally:
            globals()["tw"] = tw_here
        assert [*map(str, look(ours)), repr(ours), ours._version] == wanted
        assert ours.untyped_storage().nbytes() == shared


tw_here = tw
