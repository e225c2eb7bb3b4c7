"""What is alive, what a cell did to it, and who else saw it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.memory.census import census, change
from tensorwidgets.pictures.memory.memory import memory
from tensorwidgets.pictures.memory.memory_map import BINS
from tests.pictures.parsed import Element, parse


def bands(text: str) -> dict[str, str]:
    """What each name reads, part by part, from the text of a map."""
    lines = text.splitlines()
    start, stop = (lines[1].index(head) for head in ("what it reads", "storage"))
    rows = [line for line in lines[2:] if line[start : start + 1] in ("#", "+", ".", "Δ")]
    return {line.split()[0]: line[start:stop].split()[0] for line in rows}


def told(before: dict[str, Any], act: Any, cell: str = "") -> tuple[Any, str]:
    """What the map says after `act` has changed the names."""
    names = dict(before)
    first = census(names)
    act(names)
    last = census(names)
    found = change(first, last)
    return found, repr(memory(last, found, {}, cell))


def test_names_views_storages_and_devices() -> None:
    x = tw.arange(12.0).reshape(3, 4)
    a = np.arange(6.0)
    text = repr(show.memory(x=x, y=x.t(), row=x[1], a=a, b=a[::2], c=x.clone(), w=tw.empty(4, device="meta"), n=3))
    assert text.startswith(
        "What is alive, and who shares (7 names, 4 storages, 144 bytes, and 16 bytes planned on meta)"
    )
    found = bands(text)
    assert found["row"] == "....####...." and found["b"] == "#.#.#." and found["x"] == "#" * 12
    where = text.splitlines()[1].index("storage")
    storages = {line.split()[0]: line[where] for line in text.splitlines()[2:9]}
    assert storages["x"] == storages["y"] == storages["row"] != storages["c"]
    assert storages["a"] == storages["b"] != storages["x"]
    assert "meta" in text


def test_arrays_inside_of_lists_and_dictionaries_have_names() -> None:
    text = repr(show.memory(pair=[np.ones(2), 3], table={"w": np.ones(3)}, _hidden=np.ones(1)))
    assert "pair[0]" in text and "table['w']" in text and "_hidden" not in text


def test_a_write_is_seen_by_everyone_who_shares() -> None:
    x = tw.arange(12.0).reshape(3, 4)
    names = {"x": x, "y": x.t(), "row": x[1], "c": x.clone()}

    def act(names: dict[str, Any]) -> None:
        names["row"][0] = 99

    found, text = told(names, act, "row[0] = 99")
    assert list(found.written) == ["A"] and not found.new and not found.freed
    assert "row[0] = 99: wrote A[4] -> bytes 16..19, seen by x[1, 0], y[0, 1], row[0]" in text
    assert "c lies elsewhere and keeps its values" in text
    assert list(bands(text).values()) == ["####Δ#######", "####Δ#######", "....Δ###....", "############"]


def test_new_and_freed_memory() -> None:
    def act(names: dict[str, Any]) -> None:
        names["z"] = np.zeros(5)
        del names["a"]

    found, text = told({"a": np.ones(4), "keep": np.ones(2)}, act, "z = np.zeros(5)")
    assert [s.nbytes for s in found.new] == [40] and found.freed == (("a", 32),) and not found.written
    assert "allocated B (40 bytes) for z" in text and "32 bytes that were a are free again" in text


def test_a_view_is_no_new_memory() -> None:
    a = np.arange(8.0)
    found, text = told({"a": a}, lambda names: names.update(b=names["a"][2:]))
    assert not found.new and "allocated nothing" in text


@pytest.mark.parametrize("seed", range(30))
def test_every_written_place_is_found(seed: int) -> None:
    """A random write through one of several views, compared with NumPy's own comparison."""
    dice = random.Random(seed)

    def views(base: np.ndarray) -> dict[str, np.ndarray]:
        return {"base": base, "grid": base.reshape(4, 6).T, "back": base[::-2], "part": base[5:17]}

    base = np.arange(24, dtype=dice.choice(["int16", "float32", "int64"]))
    names, numbers = views(base), views(np.arange(24))
    before = base.copy()
    target = names[dice.choice(list(names))]

    def act(names: dict[str, Any]) -> None:
        flat = [tuple(i) for i in np.ndindex(target.shape)]
        for index in dice.sample(flat, dice.randint(1, 3)):
            target[index] = -7

    found, text = told(names, act)
    places = set(np.flatnonzero(before != base).tolist())
    item = base.itemsize
    assert {byte for run in found.written["A"].runs() for byte in run} == {
        byte for k in places for byte in range(k * item, (k + 1) * item)
    }
    assert found.written["A"].count == len(places) and found.written["A"].first == min(places) * item
    for name, band in bands(text).items():
        reads = set(numbers[name].ravel().tolist())
        assert {k for k, mark in enumerate(band) if mark in "#Δ"} == reads
        assert {k for k, mark in enumerate(band) if mark == "Δ"} == reads & places


def test_large_storages_are_cut_into_parts() -> None:
    x = np.zeros(3000)
    names = {"x": x, "half": x[:1500], "last": x[-1:]}
    page = parse(show.memory(names).html())
    tables = [t for t in page.all("table") if "tw-memory" not in t.classes]
    solid = [[("135deg" not in td.attributes["style"]) for td in table.all("td")] for table in tables]
    assert [len(table) for table in solid] == [BINS] * 3
    assert solid[1] == [True] * 12 + [False] * 12 and solid[2] == [False] * 23 + [True]


@pytest.mark.parametrize("size", [17, 4096, 100_000, 262_144, 262_145, 1_000_000, 3_000_001])
def test_writes_are_counted_exactly_at_every_size(size: int) -> None:
    dice = np.random.default_rng(size)
    x = np.zeros(size, np.float32)
    for number in (1, 2, min(size, 1000)):
        wanted = np.sort(dice.choice(size, number, replace=False))
        x[:] = 0
        first = census({"x": x})
        x[wanted] = 1
        found = change(first, census({"x": x})).written["A"]
        assert found.exact and found.count == number and found.first == 4 * wanted[0]
        assert {byte // 4 for run in found.runs() for byte in run} == set(wanted.tolist())
        words = f"wrote A[{wanted[0]}]" if number == 1 else f"wrote {number:,} places of A, the first A[{wanted[0]}]"
        assert words in repr(memory(census({"x": x}), change(first, census({"x": x})), {}, "x[...] = 1"))


def test_what_is_too_large_to_be_copied_is_told_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorwidgets.pictures.arrays.contents.keep.__defaults__", (1000, 1 << 30))
    x, small = np.zeros(1 << 16), np.zeros(8)
    found, text = told({"x": x, "small": small}, lambda names: names["x"].__setitem__(slice(70, 72), 1), "x[70:72] = 1")
    assert "wrote to A: 1 block of 4,096 bytes differs, which is 1 to 512 places" in text
    assert "check sums" in text and list(found.written) == ["A"]
    monkeypatch.setattr("tensorwidgets.pictures.arrays.contents.keep.__defaults__", (1000, 1000))
    found, text = told({"x": x, "small": small}, lambda names: names["x"].__setitem__(3, 1), "x[3] = 1")
    assert "Whether A was written to is not known" in text and not found.written


def test_dozens_of_names_stay_a_picture() -> None:
    shared = np.arange(20.0)
    names = {f"n{k}": np.ones(k + 1) for k in range(60)} | {f"v{k}": shared[k:] for k in range(9)}
    picture = show.memory(names)
    page = parse(picture.html())
    assert "and 3 more names: v6, v7, v8" in page.text()
    assert "also alive" in page.text() and "more storages" in page.text()
    assert len(picture.html()) < 120_000


def test_arrays_of_a_list_that_are_alike_are_told_together() -> None:
    text = repr(show.memory(losses=[np.ones(1) for _ in range(30)], big=np.zeros(9000), pair=[np.ones(2), np.ones(2)]))
    assert "losses[2] to losses[29]  28 × (1,) float64  224 bytes  cpu" in text
    assert [line.split()[0] for line in text.splitlines()[2:7]] == [
        "losses[0]",
        "losses[1]",
        "big",
        "pair[0]",
        "pair[1]",
    ]


def rows(page: Element) -> list[Element]:
    return page.all("table", "tw-memory")[0].children


def test_boxes_span_exactly_their_names() -> None:
    a, b = np.ones(3), np.ones(4)
    page = parse(show.memory(a=a, a2=a[1:], b=b, m=tw.empty(2, device="meta")).html())
    table = page.all("table", "tw-memory")[0]
    lines = [child for child in table.children if child.tag == "tr"]
    width = 4
    grid: dict[tuple[int, int], bool] = {}
    for i, line in enumerate(lines):
        j = 0
        for cell in line.children:
            while grid.get((i, j)):
                j += 1
            for di in range(int(cell.attributes.get("rowspan", 1))):
                for dj in range(int(cell.attributes.get("colspan", 1))):
                    assert not grid.get((i + di, j + dj))
                    grid[i + di, j + dj] = True
    assert {i for i, _ in grid} == set(range(len(lines)))
    assert all((i, j) in grid for i in range(len(lines)) for j in range(width))
    only_here = parse(show.memory(a=a, b=b).html()).all("table", "tw-memory")[0]
    assert [len(line.children) for line in only_here.children if line.tag == "tr"] == [3, 3, 1, 3]


def test_arrays_and_models_are_given_as_they_are() -> None:
    x = np.zeros(4)
    y = x[::2]
    assert repr(show.memory(x, y)) == repr(show.memory({"x": x}, y=y)) == repr(show.memory(x=x, y=y))
    numbered = {1: x}
    assert "numbered[1]" in repr(show.memory(numbered))
    layer = tw.nn.Linear(2, 1)
    assert "layer.weight" in repr(show.memory(layer))


@pytest.mark.parametrize("left", [8, 0])
def test_a_storage_that_was_cut_has_the_bytes_that_are_left(left: int) -> None:
    x = tw.arange(4.0)
    names = {"x": x, "steps": x[::2]}
    x.untyped_storage().resize_(left)
    told = repr(show.memory(names))
    assert f"(2 names, 1 storage, {left} bytes)" in told and f"A {left} bytes" in told
    assert f"needs 16 of {left} bytes: the storage was cut" in told
    assert f"needs 12 of {left} bytes: the storage was cut" in told


def test_nothing_alive() -> None:
    assert "no name leads to an array" in repr(show.memory({"n": 3}))


@pytest.mark.torch
def test_pytorch_and_numpy_share() -> None:
    import torch

    t = torch.arange(6.0)
    a = t.numpy()

    def act(names: dict[str, Any]) -> None:
        names["t"].mul_(2)

    found, text = told({"t": t, "a": a[::2]}, act, "t.mul_(2)")
    assert list(found.written) == ["A"]
    assert "PyTorch and NumPy, 2 names" in memory(census({"t": t, "a": a})).html()
    assert "seen by t[1]" in text or "wrote 5 places of A" in text


def test_bars_of_storages_are_to_scale() -> None:
    page = parse(show.memory(a=np.ones(3), b=np.zeros(1_000_000), c=np.zeros(500_000)).html())
    wide = [div.style["width"] for div in page.all("div") if div.style.get("height") == "3px"]
    assert wide == ["0.8%", "100%", "50%"]
    assert "to scale" in page.text() and "to scale" not in parse(show.memory(a=np.ones(3)).html()).text()


def test_a_large_storage_is_said_to_be_aligned() -> None:
    words = "it begins at a multiple of 64 bytes"
    assert words in show.memory({"x": tw.empty(1 << 20)}).html()
    assert words not in show.memory({"x": tw.empty(100)}).html()
    whole = np.empty((1 << 20) + 128, np.uint8)
    shifted = whole[-whole.ctypes.data % 64 + 8 :]
    assert words not in show.memory({"x": np.frombuffer(memoryview(shifted), np.uint8)}).html()


def test_outputs_that_a_notebook_remembers_are_counted_apart() -> None:
    x = np.ones(100)
    old: dict[int, Any] = {2: x[:3], 4: np.ones(4), 7: {"a": tw.ones(2)}, 8: "text"}
    said = "Out[4] and Out[7] keep 40 bytes more that no name leads to: %reset -f out frees them."
    assert said in repr(show.memory({"x": x, "Out": old, "_oh": old})).replace("\n", " ")
    for alone in ({"x": x}, {"x": x, "Out": {}, "_oh": {}}, {"x": x, "Out": old}):
        assert "%reset" not in repr(show.memory(alone))
    many = {k: np.ones(1) for k in range(9)}
    assert "Out[0], Out[1], Out[2] and 6 more keep 72 bytes" in repr(show.memory({"Out": many, "_oh": many}))
