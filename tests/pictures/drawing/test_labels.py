"""What arrays are called: as in the source of the call, where it can be read."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.live import BroadcastExplorer, StorageExplorer
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.arrays.labels import fallback, labels_of, named
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


def test_a_view_without_a_name_is_called_view() -> None:
    x = np.ones(2)
    both = [x, x]
    assert names(eval("show(x)")) == ["view"]
    assert names(eval("show(x, x)")) == names(show(*iter(both))) == ["view1", "view2"]
    assert names(show(x, *both, x)) == ["x", "view2", "view3", "view4"]
    short = names(show(np.concatenate([x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x]), x))
    assert short == ["view1", "x"]
    view2 = x
    assert names(show(view2, *iter(both))) == ["view2", "view3", "view4"]


def test_the_same_call_twice_may_be_two_arrays() -> None:
    x = np.ones(2)
    assert names(show(np.ones(2), np.ones(2), x.copy())) == ["view1", "view2", "x.copy()"]
    assert names(show(x, x)) == ["x", "x"]


def test_operands_without_a_name_are_letters_that_no_other_has() -> None:
    assert labels_of(None, 2) == ("A", "B")
    assert fallback(28)[25:] == ("Z", "A1", "B1")
    assert named(["B", None, "A", None]) == ("B", "C", "A", "D")
    A, B = np.ones((3, 4)), np.ones(4)
    assert repr(show.broadcast((3, 1), B)).startswith("A + B,")
    assert repr(show.broadcast(A, (4,))).startswith("A + B,")
    assert repr(show.broadcast((4,), A)).startswith("B + A,")
    assert repr(show.einsum("ij,j", (3, 4), B)).startswith("einsum('ij,j', A, B)")
    assert repr(show.einsum("j,ij", B, (3, 4))).startswith("einsum('j,ij', B, A)")
    assert BroadcastExplorer((4,), A)._labels == ["B", "A"]


def no_letter_is_a_name(text: str, used: str, lettered: str) -> None:
    """The storage of a picture is called `lettered`, since `used` is the name of something else in it."""
    assert re.search(rf"\b{lettered}\b", text), text
    assert not re.search(rf"\bstorage {used}\b|\b{used} \d+ bytes|frees {used}\b", text), text


def test_a_storage_never_has_the_name_of_an_array() -> None:
    A = torch.ones(2, 3, requires_grad=True)
    C = A.detach()
    unnamed = {"A": A, "C": C, "show": show}
    no_letter_is_a_name(repr(show(A, A.t())), "A", "storage B")
    no_letter_is_a_name(repr(show(A, A.clone(), C)), "[AC]", "storage D")
    no_letter_is_a_name(repr(StorageExplorer(A.t())), "A", "storage B")
    no_letter_is_a_name(repr(show.steps("A.t().reshape(-1)")), "A", "storage C, new")
    no_letter_is_a_name(repr(show.memory(A=A, B=C)), "[AB]", "C 24 bytes")
    no_letter_is_a_name(repr(show.graph((A * A.exp()).sum())), "[AC]", "D 24 bytes")
    no_letter_is_a_name(repr(show.saved((A * A.exp()).sum())), "[AC]", "storage B")
    no_letter_is_a_name(repr(show.backward((A * A.exp()).sum())), "A", "frees B")
    # Nothing in a call without a source is called A but its first storage.
    for call, said in (
        ("show(C[:])", "view: size (2, 3)"), ("show.graph(A * A)", "The graph of output"),
        ("show.saved(A * A)", "What the graph of output"), ("show.backward((A * A).sum())", "Backward from output"),
        ("show.versions(A)", "Saves and writes of tensor"), ("show.memory(C)", "\nthing "),
        ("show(C.to_sparse())", "tensor: 6 values"), ("show.move(C, 'cuda')", "tensor is copied"),
        ("show.training([2.0, 1.0])", "Training run"),
    ):  # fmt: skip
        assert said in repr(eval(call, unnamed)), call
