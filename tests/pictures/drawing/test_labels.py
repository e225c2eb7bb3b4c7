"""What arrays are called: as in the source of the call, where it can be read."""

from __future__ import annotations

import numpy as np
import pytest

from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.arrays.labels import fallback, labels_of
from tests.pictures.parsed import parse


def names(picture: Picture) -> list[str]:
    page = parse(picture.html())
    return [cell.text() for cell in page.all("div", "tw-name")]


def test_from_the_source_of_the_call() -> None:
    x = np.arange(12).reshape(3, 4)
    assert names(show(x, x.T, x[1:, ::2])) == ["x", "x.T", "x[1:, ::2]"]
    assert names(show(
        x,  # a remark
        np.broadcast_to(x[:1], (3, 4)),
    )) == ["x", "np.broadcast_to(x[:1], (3, 4))"]  # fmt: skip


def test_two_calls_on_one_line_are_told_apart() -> None:
    a, b = np.ones(2), np.ones(3)
    assert [names(p) for p in (show(a), show(b, a))] == [["a"], ["b", "a"]]


def test_given_labels_win() -> None:
    x = np.ones(2)
    assert names(show(x, x, labels=["one", "two"])) == ["one", "two"]
    assert names(show(x, labels=["two\nlines"])) == ["two lines"]
    with pytest.raises(ValueError, match="one name for each of the 2 arrays"):
        show(x, x, labels=["one"])
    with pytest.raises(ValueError, match="a list with one name"):
        show(x, labels="x")


def test_the_parts_of_a_list_that_a_call_takes_apart() -> None:
    x = np.ones(2)
    both = [x, x]
    assert names(show(x, *both)) == ["x", "both[0]", "both[1]"]
    assert names(show(*both)) == ["both[0]", "both[1]"]


def test_letters_where_there_is_no_source() -> None:
    x = np.ones(2)
    both = [x, x]
    assert names(show(*iter(both))) == ["A", "B"]
    assert names(show(x, *both, x)) == ["x", "A", "B", "C"]
    assert names(eval("show(x, x)")) == ["A", "B"]
    short = names(show(np.concatenate([x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x]), x))
    assert short == ["A", "x"]
    assert labels_of(None, 2) == ("A", "B")
    assert fallback(28)[25:] == ("Z", "A1", "B1")
