"""What is computed from a tensor of the user's own class is of that class; what PyTorch keeps plain stays plain."""

from __future__ import annotations

import copy
import pickle

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.interop.parameter import Parameter


class Mine(tw.Tensor):
    """A class of a user's."""


class Nearer(Mine):
    """A class made from it."""


def mine() -> Mine:
    found = tw.arange(6.0).reshape(2, 3).as_subclass(Mine)
    assert isinstance(found, Mine)
    return found


RESULTS = {
    "index": lambda s: s[0],
    "gather": lambda s: s[tw.tensor([0])],
    "operator": lambda s: s + 1,
    "reflected": lambda s: 1 + s,
    "plain on the left": lambda s: tw.ones(2, 3) + s,
    "comparison": lambda s: s == s,
    "reduction": lambda s: s.sum(),
    "named result": lambda s: s.max(0).values,
    "property": lambda s: s.T,
    "data": lambda s: s.data,
    "pieces": lambda s: s.split(1)[0],
    "a list": lambda s: tw.stack([s, s]),
    "cast": lambda s: s.to(tw.int64),
    "fresh": lambda s: s.new_zeros(2),
    "module": lambda s: tw.linalg.norm(s),
    "iterated": lambda s: next(iter(s)),
    "copied": copy.copy,
    "as_tensor": lambda s: tw.as_tensor(s),
    "pickled": lambda s: pickle.loads(pickle.dumps(s)) + 1,
}


@pytest.mark.parametrize("made", RESULTS)
def test_results_are_of_the_class(made: str) -> None:
    assert type(RESULTS[made](mine())) is Mine


def test_what_is_written_to_stays_itself() -> None:
    s, plain = mine(), tw.zeros(2, 3)
    assert s.add_(1) is s and s[0].tolist() == [1, 2, 3]
    view = s[1]
    view.zero_()
    assert s[1].tolist() == [0, 0, 0] and view._base is s._base
    written = plain.add_(s)
    assert type(written) is Mine and written.data_ptr() == plain.data_ptr() and type(plain) is tw.Tensor


def test_what_is_plain() -> None:
    s = mine()
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        copied = tw.tensor(s)
    for plain in (copied, s.as_subclass(tw.Tensor), s.as_subclass(tw.Tensor) + 1):
        assert type(plain) is tw.Tensor
    assert type(s.shape) is tw.Size and s.numpy().sum() == 15 and float(s.sum()) == 15.0
    assert type(Parameter(tw.ones(2)) + 1) is tw.Tensor


def test_the_class_that_is_made_from_the_other_wins() -> None:
    near = tw.ones(2, 3).as_subclass(Nearer)
    assert type(near + mine()) is type(mine() + near) is Nearer


def test_the_route_tells_of_it() -> None:
    assert "the result becomes a Mine" in repr(tw.route("add", mine(), 1))


def test_a_refusal_leaves_the_class() -> None:
    s = mine()
    with pytest.raises(RuntimeError):
        s.view(4)
    assert type(s + 1) is Mine
