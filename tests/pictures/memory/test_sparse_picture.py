"""The picture of a sparse tensor, held against the tensor itself: values, what is left out, which cells light up."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tests.pictures.elsewhere import told_elsewhere
from tests.pictures.parsed import Element, parse


def pairs(cell: Element) -> set[str]:
    return {c for c in cell.classes if c.startswith("k-A")}


def tables(x: Any) -> list[list[list[Element]]]:
    """The grid, then the rows that are kept, as cells."""
    page = parse(show(x, labels=["x"]).html())
    found = [t for t in page.all("table") if t.all("td") and "tw-sheet" not in t.classes and not t.all("table")]
    return [[row.all("td") for row in table.all("tr") if row.all("td")] for table in found]


def cells_of(rows: list[list[Element]]) -> list[list[Element]]:
    return [[cell for cell in row if cell.attributes.get("title")] for row in rows if row]


def some(seed: int, lib: Any) -> tuple[Any, list[list[float]], list[list[int]], list[float]]:
    rng = random.Random(seed)
    height, width, n = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 9)
    at = [[rng.randrange(height) for _ in range(n)], [rng.randrange(width) for _ in range(n)]]
    values = [float(rng.randint(1, 9)) for _ in range(n)]
    dense = [[0.0] * width for _ in range(height)]
    for i, j, v in zip(*at, values, strict=True):
        dense[i][j] += v
    return lib.sparse_coo_tensor(at, values, (height, width)), dense, at, values


def check(x: Any, dense: list[list[float]], at: list[list[int]], values: list[float]) -> None:
    grid, *_, kept = [cells_of(t) for t in tables(x)]
    assert [[float(cell.text()) for cell in row] for row in grid if row] == dense
    *_, last = [row for row in kept if row]
    assert [float(cell.text()) for cell in last] == values
    for n, cell in enumerate(last):
        assert pairs(cell) == {f"k-A{n}"}
    for i, row in enumerate([row for row in grid if row]):
        for j, cell in enumerate(row):
            owners = {f"k-A{n}" for n in range(len(values)) if (at[0][n], at[1][n]) == (i, j)}
            assert pairs(cell) == owners
            assert bool(owners) == ("left out" not in cell.attributes["title"])


@pytest.mark.parametrize("seed", range(30))
def test_cells_are_those_of_the_tensor(seed: int) -> None:
    x, dense, at, values = some(seed, tw)
    check(x, dense, at, values)
    y = x.coalesce()
    for z in (y, y.to_sparse_csr()):
        check(z, dense, y.indices().tolist(), y.values().tolist())


@pytest.mark.torch
@pytest.mark.parametrize("seed", range(30, 40))
def test_pytorchs_are_drawn_alike(seed: int) -> None:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs, *rest = some(seed, torch)
        check(theirs, *rest)
        assert repr(show(theirs, labels=["x"])) == repr(show(some(seed, tw)[0], labels=["x"]))


def test_pointers_light_up_their_row() -> None:
    x = tw.tensor([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]).to_sparse_csr()
    _, pointers, _ = [cells_of(t) for t in tables(x)]
    (row,) = [r for r in pointers if r]
    assert [cell.text() for cell in row] == ["0", "2", "2", "3"]
    assert [pairs(cell) for cell in row] == [{"k-A0", "k-A1"}, set(), {"k-A2"}, set()]
    assert "row 1 has none" in row[1].attributes["title"]


def test_blocks_and_dense_parts() -> None:
    x = tw.arange(16.0).reshape(4, 4).triu().to_sparse_bsr((2, 2))
    text = repr(show(x, labels=["x"]))
    assert "x: 12 values are kept for 16 elements" in text
    assert "x[3, 3]: values[2][1, 1] = 15, at block (1, 1)" in text
    h = tw.sparse_coo_tensor([[0, 2]], [[1.0, 2.0], [3.0, 4.0]], (3, 2))
    assert "x[2, 1]: values[1][1] = 4, at (2,)" in repr(show(h, labels=["x"]))


def test_text_says_the_same() -> None:
    x = tw.sparse_coo_tensor([[0, 1, 1], [2, 2, 2]], [3.0, 4.0, 5.0], (2, 3))
    text = repr(show(x, labels=["x"]))
    assert "0  (0)  (0)  3\n1  (0)  (0)  9" in text
    assert "x[1, 2]: values[1] + values[2] = 4 + 5 = 9" in text
    assert "indices            48 bytes\nvalues             12 bytes" in text
    assert "as a dense tensor  24 bytes" in text
    assert "coalesce() does it for good" in text
    assert "nothing is kept" in repr(show(tw.sparse_coo_tensor((2, 2)), labels=["x"]))


def test_a_large_one_draws_its_edges() -> None:
    n = 100_000
    x = tw.sparse_coo_tensor(tw.stack([tw.arange(n), tw.arange(n)]), tw.arange(float(n)), (n, n))
    picture = show(x, labels=["x"])
    assert len(picture.html().encode()) < 60_000
    assert f"x[{n - 1}, {n - 1}]: values[{n - 1}]" in repr(picture)
    assert "Of the list of 100,000 entries 99,990 are not drawn." in repr(picture)


def words() -> bytes:
    """What a notebook is given of a picture."""
    return show(tw.eye(3).to_sparse_csr(), labels=["x"]).html().encode()


def test_the_picture_is_the_same_in_every_process() -> None:
    assert told_elsewhere("tests.pictures.memory.test_sparse_picture") == words()


def test_several_are_refused() -> None:
    with pytest.raises(TypeError, match="one sparse tensor at a time"):
        show(tw.eye(2).to_sparse(), tw.eye(2))


def test_a_plan_keeps_nothing() -> None:
    text = repr(show(tw.eye(3).to_sparse().to("meta"), labels=["x"]))
    assert text.startswith("x: 9 elements, none of them there (float32, sparse_coo, meta)")


def test_the_map_of_memory_lists_what_is_kept() -> None:
    values = tw.ones(2)
    x = tw.sparse_coo_tensor([[0, 1], [1, 0]], values, (2, 2))
    text = repr(show.memory(x=x, rows=x.coalesce().to_sparse_csr(), values=values))
    for name in ("x.indices", "x.values", "rows.crow_indices", "rows.col_indices", "rows.values"):
        assert name in text
    assert "x.values" in text.partition("reads the same storage")[0]


def test_what_the_lists_leave_out_is_seen_and_counted() -> None:
    text = repr(show(tw.eye(400).to_sparse_bsr((4, 4)), labels=["x"]))
    assert "Of the list of 100 blocks 90 are not drawn." in text
    assert "0  1  2  3  4  …91  96  97  98  99  100\n" in text and "…90" in text
    assert "13 are not drawn" in repr(show(tw.arange(24.0).reshape(2, 3, 4).to_sparse(), labels=["x"]))


def test_long_indices_have_room_above_their_cells() -> None:
    x = tw.sparse_coo_tensor([[0, 999_999], [5, 7]], [1.0, 2.0], (1_000_000, 1_000_000))
    (table,) = parse(show(x, labels=["x"]).html()).all("table", "tw-view")
    heads = [th.text() for th in table.all("th") if th.attributes.get("scope") == "col"]
    assert heads[5:9] == ["5", "…", "999994", "999995"]
    assert int(table.style["min-width"].removesuffix("px")) >= 13 * 6 * 7


def test_what_is_left_out_of_a_bool_is_false() -> None:
    assert "1  (False)     True\n" in repr(show(tw.tensor([[True, False], [False, True]]).to_sparse(), labels=["x"]))
