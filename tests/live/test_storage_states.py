"""StorageExplorer in thousands of states: what it says is what NumPy does, and what its sliders allow is what fits."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.live import StorageExplorer
from tensorwidgets.pictures import Layout
from tests.live.walking import control, explained, press, walk
from tests.parts import thorough_but
from tests.pictures.parsed import keys, parse
from tests.pictures.rule import views


def ours() -> Any:
    return tw.arange(12.0).reshape(3, 4)


def numpys() -> Any:
    return np.arange(12.0).reshape(3, 4)


def inside(size: tuple[int, ...], stride: tuple[int, ...], offset: int, held: int) -> bool:
    """Every element that a view reads, one by one."""
    if offset < 0 or any(n < 0 for n in size):
        return False
    ends = list(product(*((0, n - 1) for n in size)))
    places = [offset + sum(i * s for i, s in zip(index, stride, strict=True)) for index in ends if 0 not in size]
    return all(0 <= place < held for place in places)


def moved(numbers: tuple[int, ...], d: int, to: int) -> tuple[int, ...]:
    return (*numbers[:d], to, *numbers[d + 1 :])


def check_numbers(w: StorageExplorer) -> None:
    if w.reason is None:
        layout = Layout.of(w._now.value)
        assert (w.size, w.stride, w.offset) == (layout.size, layout.stride, layout.offset)
        assert w.expression == w.views[w.view]


def check_edges(w: StorageExplorer, held: int, negative: bool) -> None:
    """The legal part of each slider is exactly what lies within the storage, as the others stand."""
    for c in w.controls:
        if c["kind"] != "slider":
            continue
        what, _, d = c["name"].partition(" ")
        now = {"size": tuple(w.size), "stride": tuple(w.stride), "offset": w.offset}
        for number in range(max(c["least"], -3), min(c["most"], held + 1) + 1):
            asked = dict(now)
            asked[what] = number if what == "offset" else moved(now[what], int(d), number)  # type: ignore[arg-type]
            fits = inside(asked["size"], asked["stride"], asked["offset"], held)  # type: ignore[arg-type]
            fits = fits and (negative or min(asked["stride"], default=0) >= 0)  # type: ignore[type-var]
            assert fits == (c["low"] <= number <= c["high"]), (c, number, now)
        if c["high"] < c["most"]:
            assert "element would be at place" in c["beyond"]


def check_cells(w: StorageExplorer) -> None:
    """Each drawn cell carries the place that NumPy's own strides give it, and the number that lies there."""
    view = w._shown[0].value
    array = view if isinstance(view, np.ndarray) else view.numpy()
    if not 0 < array.size <= 400 or len(w._shown) > 1:
        return
    drawn = views(parse(w.html))[w._hands["view"] if w._hands else -1]
    root = w._roots[0].value
    memory = np.lib.array_utils.byte_bounds(root if isinstance(root, np.ndarray) else root.numpy())
    address = array.__array_interface__["data"][0]
    # What the root does not hold is a copy, and lies in memory of its own.
    start = address - (memory[0] if memory[0] <= address < memory[1] else np.lib.array_utils.byte_bounds(array)[0])
    places = [start + int(np.dot(index, array.strides)) for index in np.ndindex(array.shape)]
    wide = array.itemsize
    assert [keys(cell)[0][1] for cell in drawn] == [place // wide for place in places]
    said = [cell.attributes["title"] for cell in drawn]
    assert all(f"bytes {place}..{place + wide - 1}" in title for place, title in zip(places, said, strict=True))


@pytest.mark.parametrize("make", [ours, numpys])
@pytest.mark.parametrize("seed", thorough_but(range(8), range(24)))
def test_walks(make: Any, seed: int) -> None:
    w = StorageExplorer(make(), labels=["x"])
    walk(w, seed, 30, lambda: check_numbers(w))
    if w.reason is None:
        check_cells(w)


@pytest.mark.parametrize("make", [ours, numpys])
@pytest.mark.parametrize("seed", thorough_but(range(3), range(8)))
def test_sliders_end_where_the_storage_does(make: Any, seed: int) -> None:
    w = StorageExplorer(make(), labels=["x"])

    def check() -> None:
        if w.reason is None and w.expression.count("as_strided") == 1 and w._ground() is w._grounds[0]:
            check_edges(w, 12, make is numpys)
            check_cells(w)

    press(w, "size 0", 2)
    walk(w, seed, 12, check, odd=0)


def test_an_edge_says_why_in_the_engines_words() -> None:
    w = StorageExplorer(ours(), labels=["x"])
    size = control(w, "size 0")
    assert (size["low"], size["high"], size["most"]) == (0, 3, 13)
    assert size["beyond"] == "The last element would be at place 15, and the storage ends at place 11."
    w.size = (4, 4)
    assert w.reason is not None and w.reason.because == size["beyond"]
    assert w.reason.rule == "strided.bounds" and w.expression == "x.as_strided((4, 4), (4, 1), 0)"
    assert size["beyond"] in w.html and "requiring a storage size of 64" in w.html
    # What is drawn is called what it is: not what was refused.
    assert "x: size (3, 4), stride (4, 1), offset 0" in repr(w)
    w.expression = "x.t().view(12)"
    assert w.reason.rule == "view.span" and "x.t(): size (4, 3), stride (1, 4), offset 0" in repr(w)


def test_numpys_arrays_step_back_and_stop_at_the_start() -> None:
    w = StorageExplorer(numpys(), labels=["x"])
    w.expression = "x[::-1]"
    assert (w.stride, w.offset, w.reason) == ((-4, 1), 8, None)
    slider = control(w, "stride 0")
    assert (slider["low"], slider["high"]) == (-4, 0)
    assert slider["below"] == "The first element would be at place -2, and the storage begins at place 0."
    w.stride = (-3, 1)
    assert w.reason is None and w._now.value.tolist() == [[8, 9, 10, 11], [5, 6, 7, 8], [2, 3, 4, 5]]


def test_buttons_say_their_code_and_do_it() -> None:
    w = StorageExplorer(ours(), labels=["x"])
    done = []
    for name in ("t", "slice", "expand", "unfold", "diagonal", "reverse"):
        press(w, "over")
        code = control(w, name)["code"]
        press(w, name)
        assert w.expression == code and w.reason is None
        done.append((code, w.size, w.stride, w.offset))
    assert done == [
        ("x.t()", (4, 3), (1, 4), 0), ("x[1:]", (2, 4), (4, 1), 4), ("x.expand(2, 3, 4)", (2, 3, 4), (0, 4, 1), 0),
        ("x.unfold(0, 2, 1)", (2, 4, 2), (4, 1, 4), 0), ("x.diagonal()", (3,), (5,), 0),
        ("x.flip(0)", (3, 4), (4, 1), 0),
    ]  # fmt: skip


def test_several_views_and_the_way_back() -> None:
    w = StorageExplorer(ours(), labels=["x"])
    press(w, "keep")
    press(w, "t")
    assert w.views == ("x", "x.t()") and w.view == 1
    press(w, "view", "1: x")
    press(w, "slice")
    assert w.views == ("x[1:]", "x.t()") and w.view == 0
    press(w, "drop")
    assert w.views == ("x.t()",)
    press(w, "back")
    assert w.views == ("x[1:]", "x.t()")
    w.views = ("x", "x[0]", "x[:, 0]")
    assert [t.count("x[") for t in w.views] == [0, 1, 1] and w.html.count('class="tw-view"') == 3


def test_the_order_of_setting_does_not_matter() -> None:
    one, other = StorageExplorer(ours(), labels=["x"]), StorageExplorer(ours(), labels=["x"])
    one.size, one.stride, one.offset = (5,), (2,), 3
    other.offset, other.stride, other.size = 3, (2,), (5,)
    assert one.html == other.html and one.expression == other.expression == "x.as_strided((5,), (2,), 3)"
    assert one.reason is None


def test_views_write_through() -> None:
    """A live view is a view: what is written into the array is seen when it is drawn anew."""
    x = ours()
    w = StorageExplorer(x, labels=["x"])
    w.expression = "x.t()"
    x[2, 3] = 99.0
    press(w, "offset", 0)
    assert ">99<" in w.html


@pytest.mark.parametrize(("make", "copy"), [(ours, "x.flip(0)"), (numpys, "x[::-1].copy()")])
def test_the_code_of_a_moved_copy_does_not_grow(make: Any, copy: str) -> None:
    w = StorageExplorer(make(), labels=["x"])
    w.expression = copy
    for k in range(6):
        press(w, "size 0", 1 + k % 2)
    assert w.expression.count("as_strided") == 1 and copy in w.expression
    assert np.asarray(w._now.value).tolist() == make().tolist()[:0:-1]
    w.expression = "x[1:]"
    press(w, "size 0", 1)
    assert "flip" not in w.expression and "copy" not in w.expression


@pytest.mark.torch
@pytest.mark.parametrize("seed", range(20))
def test_walks_on_pytorch(seed: int) -> None:
    import torch

    w = StorageExplorer(torch.arange(12.0).reshape(3, 4), labels=["x"])
    twin = StorageExplorer(ours(), labels=["x"])
    import random

    from tests.live.walking import step

    one, other = random.Random(seed), random.Random(seed)
    for _ in range(30):
        step(w, one, 0)
        step(twin, other, 0)
        assert (w.size, w.stride, w.offset, w.expression) == (twin.size, twin.stride, twin.offset, twin.expression)
        assert (w.reason is None) == (twin.reason is None)
        assert [{**c, "code": ""} for c in w.controls] == [{**c, "code": ""} for c in twin.controls]


def test_a_tensor_that_refuses_strides_gives_its_reason() -> None:
    scales, zeros = tw.tensor([0.02, 0.1, 1.0]), tw.tensor([128, 0, 3])
    q = tw.quantize_per_channel(tw.linspace(-2, 4, 12).reshape(3, 4), scales, zeros, 0, tw.quint8)
    w = StorageExplorer(q, labels=["q"])
    press(w, "stride 0", 1)
    assert w.reason is not None and "uniformly quantized" in w.reason.message and w.status.startswith("Refused: ")
    press(w, "stride 0", 4)
    press(w, "back")
    explained(w)
