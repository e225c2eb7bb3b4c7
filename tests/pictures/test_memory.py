"""What is alive, what a cell did to it, and who else saw it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.census import census, change
from tensorwidgets.pictures.memory import BINS, memory
from tests.pictures.parsed import Element, parse


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
    lines = [line.split() for line in text.splitlines()]
    assert text.startswith("What is alive, and who shares (7 names, 4 storages, 160 bytes)")
    bands = {line[0]: next(w for w in line if set(w) <= set("#.Δ") and line.index(w) > 1) for line in lines[2:9]}
    assert bands["row"] == "....####...." and bands["b"] == "#.#.#." and bands["x"] == "#" * 12
    storages = {line[0]: line[line.index(bands[line[0]]) + 1] for line in lines[2:9]}
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
    assert "c lie elsewhere and keep their values" in text
    bands = [line.split()[-5] for line in text.splitlines()[2:6]]
    assert bands == ["####Δ#######", "####Δ#######", "....Δ###....", "############"]


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
def test_every_written_byte_is_found(seed: int) -> None:
    """A random write through one of several views, held against NumPy's own comparison."""
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
    bytes_before, bytes_after = before.view(np.uint8), base.view(np.uint8)
    differ = set(np.flatnonzero(bytes_before != bytes_after).tolist())
    assert {byte for run in found.written["A"] for byte in run} == differ
    places = {byte // base.itemsize for byte in differ}
    for line, name in zip(text.splitlines()[2:6], names, strict=True):
        band = line.split()[-5]
        reads = set(numbers[name].ravel().tolist())
        assert {k for k, mark in enumerate(band) if mark in "#Δ"} == reads
        assert {k for k, mark in enumerate(band) if mark == "Δ"} == reads & places


def test_large_storages_are_cut_into_parts() -> None:
    x = np.zeros(3000)
    names = {"x": x, "half": x[:1500], "last": x[-1:]}
    page = parse(show.memory(names).html())
    bands = [t for t in page.all("table") if "tw-memory" not in t.classes]
    solid = [[("linear-gradient" not in td.attributes["style"]) for td in band.all("td")] for band in bands]
    assert [len(band) for band in solid] == [BINS] * 3
    assert solid[1] == [True] * 12 + [False] * 12 and solid[2] == [False] * 23 + [True]


def test_a_write_to_a_large_storage_is_found_by_its_sum() -> None:
    x = np.zeros(1 << 20)

    def act(names: dict[str, Any]) -> None:
        names["x"][70_000] = 1

    found, text = told({"x": x}, act)
    assert [(run.start <= 560_000 < run.stop) for run in found.written["A"]] == [True]
    assert "Δ" in text


def test_dozens_of_names_stay_a_picture() -> None:
    shared = np.arange(20.0)
    names = {f"n{k}": np.ones(k + 1) for k in range(60)} | {f"v{k}": shared[k:] for k in range(9)}
    picture = show.memory(names)
    page = parse(picture.html())
    assert "and 3 more names: v6, v7, v8" in page.text()
    assert "also alive" in page.text() and "more storages" in page.text()
    assert len(picture.html()) < 120_000


def rows(page: Element) -> list[Element]:
    return page.all("table", "tw-memory")[0].children


def test_boxes_span_exactly_their_names() -> None:
    a, b = np.ones(3), np.ones(4)
    page = parse(show.memory(a=a, a2=a[1:], b=b, m=tw.empty(2, device="meta")).html())
    table = page.all("table", "tw-memory")[0]
    lines = [child for child in table.children if child.tag == "tr"]
    width = len(table.all("col")) and 5
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
