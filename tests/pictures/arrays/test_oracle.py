"""Whatever the strides are, the cells of a picture name exactly the offsets that the array itself holds."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tensorwidgets.pictures import show
from tensorwidgets.pictures.parts.lens import CELLS, WHOLE
from tests.parts import thorough_but
from tests.pictures.arrays.generated import numpy_view, shapes, torch_view
from tests.pictures.parsed import Element, cells, keys, parse

DTYPES = ["uint8", "int16", "int32", "int64", "float32", "float64"]


def flat(x: Any) -> list[int]:
    """The values of an array in reading order."""
    return [int(v) for v in (x.ravel() if isinstance(x, np.ndarray) else x.reshape(-1)).tolist()]


def check(views: list[Any], total: int) -> int:
    """Holds a picture against its arrays; the number of cells that were compared."""
    page = parse(show(*views, labels=[f"v{k}" for k in range(len(views))]).html())
    tables = page.all("table", "tw-view")
    assert len(tables) == len(views)
    for view, table in zip(views, tables, strict=True):
        assert [keys(td) for td in cells(table)] == [[("A", k)] for k in flat(view)]
        assert [td.text() for td in cells(table)] == [str(k) for k in flat(view)]
    for strip in page.all("table", "tw-storage"):
        check_strip(strip, views, total)
    return sum(len(cells(table)) for table in tables)


def check_strip(strip: Element, views: list[Any], total: int) -> None:
    reads = [Counter(flat(view)) for view in views]
    drawn = cells(strip)
    first = keys(drawn[0])[0][1] if drawn else 0
    assert len(drawn) == (total if total <= WHOLE else CELLS) and first + len(drawn) <= total
    assert [keys(td) for td in drawn] == [[("A", k)] for k in range(first, first + len(drawn))]
    for k, td in enumerate(drawn, first):
        counts = [read[k] for read in reads]
        assert ("tw-unread" in td.classes) == (sum(counts) == 0)
        assert ("tw-many" in td.classes) == any(n > 1 for n in counts)
        assert td.text() == ("" if sum(counts) == 0 else str(k))
    if total <= 16:
        check_lanes(strip, views, reads, total)


def check_lanes(strip: Element, views: list[Any], reads: list[Counter[int]], total: int) -> None:
    """The lanes say of each view where it does not read, and where it reads more than once."""
    for number, read in enumerate(reads):
        lane = next(row for row in strip.all("tr") if row.all("th") and row.all("th")[0].text() == f"v{number}")
        marks: list[str] = []
        for td in lane.all("td")[:-1]:
            width = int(td.attributes.get("colspan", 1))
            marks += [td.text()] * width if td.text() else [""] * width
        assert len(marks) == total
        for k, mark in enumerate(marks):
            if read[k] > 1:
                assert mark == f"×{read[k]}"
            else:
                assert (mark == "") == (read[k] == 0) and not mark.startswith("×")


def base_of(dice: random.Random) -> np.ndarray:
    shape = shapes(dice)
    return np.arange(int(np.prod(shape)), dtype=dice.choice(DTYPES)).reshape(shape)


@pytest.mark.parametrize("seed", thorough_but(range(14), range(40)))
def test_numpy(seed: int) -> None:
    dice = random.Random(seed)
    compared = 0
    for _ in range(50):
        base = base_of(dice)
        if base.size > 200:
            continue
        compared += check([numpy_view(dice, base) for _ in range(dice.randint(1, 3))], base.size)
    assert compared > 200


@pytest.mark.parametrize("seed", thorough_but(range(4), range(10)))
def test_ours(seed: int) -> None:
    import tensorwidgets as tw

    dice = random.Random(seed)
    compared = 0
    for _ in range(40):
        shape = shapes(dice)
        base = tw.arange(int(np.prod(shape)), dtype=getattr(tw, dice.choice(DTYPES))).reshape(shape)
        if base.numel() > 200:
            continue
        compared += check([torch_view(dice, base) for _ in range(dice.randint(1, 3))], base.numel())
    assert compared > 200


@pytest.mark.torch
@pytest.mark.parametrize("seed", range(20))
def test_pytorch(seed: int) -> None:
    import torch

    dice = random.Random(seed)
    compared = 0
    for _ in range(50):
        shape = shapes(dice)
        base = torch.arange(int(np.prod(shape)), dtype=getattr(torch, dice.choice(DTYPES))).reshape(shape)
        if base.numel() > 200:
            continue
        compared += check([torch_view(dice, base) for _ in range(dice.randint(1, 3))], base.numel())
    assert compared > 200


@pytest.mark.parametrize("seed", thorough_but(range(7), range(20)))
def test_a_window_is_counted_in_words(seed: int) -> None:
    """Of a large array the drawn cells are right, and the others are counted."""
    dice = random.Random(seed)
    base = np.arange(dice.randint(2000, 9000), dtype=np.int32)
    rows = dice.randint(2, 40)
    view = base[: base.size // rows * rows].reshape(rows, -1)[:: dice.choice([1, 2, -1])]
    if dice.random() < 0.5:
        view = view.T
    page = parse(show(view, labels=["v"]).html())
    (table,) = page.all("table", "tw-view")
    drawn = cells(table)
    assert 16 <= len(drawn) <= 480
    offsets = [number for td in drawn for _, number in keys(td)]
    heads = [(th.attributes["scope"], th.text()) for th in table.all("th")]
    kept = [[int(text) for scope, text in heads if scope == s and text.isdigit()] for s in ("row", "col")]
    assert offsets == [int(view[i, j]) for i in kept[0] for j in kept[1]]
    if len(drawn) < view.size:
        assert f"{view.size - len(drawn):,} of {view.size:,} cells are not drawn" in page.text()
    (strip,) = page.all("table", "tw-storage")
    inside = [number for td in cells(strip) for _, number in keys(td)]
    assert inside == list(range(inside[0], inside[0] + CELLS)) and int(view.flat[0]) in inside
    read = set(flat(view))
    assert [("tw-unread" in td.classes) for td in cells(strip)] == [k not in read for k in inside]
    assert [td.text() for td in cells(strip)] == [str(k) if k in read else "" for k in inside]
