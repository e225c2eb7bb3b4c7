"""A backward pass as a picture: the gradients are those of backward(), and nothing is touched by drawing them."""

from __future__ import annotations

import gc
import math
import re
import weakref
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.graphs.gradients import Pass, pass_of
from tensorwidgets.pictures.drawing.tokens import CLASH
from tensorwidgets.pictures.operations.gradients.backward import pass_picture
from tests.pictures.operations.graph_programs import PROGRAMS
from tests.pictures.parsed import parse

WHOLE = [name for name in PROGRAMS if name not in ("freed", "written")]


def walk(torch: Any, name: str) -> tuple[Pass, Any, dict[str, Any]]:
    result, names = PROGRAMS[name](torch)
    gradient = None if result.numel() == 1 else torch.ones(tuple(result.shape))
    return pass_of(result, "y", names, gradient), result, names


def norm(grad: Any) -> float:
    return float((grad.detach() ** 2).sum()) ** 0.5


@pytest.mark.parametrize("name", WHOLE)
def test_the_gradients_are_those_of_backward(name: str) -> None:
    done, result, names = walk(tw, name)
    assert sorted(turn.step for turn in done.turns) == list(range(len(done.tape.steps)))
    result.backward(*([] if result.numel() == 1 else [tw.ones(tuple(result.shape))]))
    for turn in done.turns:
        step = done.tape.steps[turn.step]
        if step.is_leaf and step.label in names:
            assert turn.total is not None and turn.total.norm is not None
            assert math.isclose(turn.total.norm, norm(names[step.label].grad), rel_tol=1e-5, abs_tol=1e-12)
    assert done.turns[-1].waiting == 0 and done.turns[-1].kept == 0


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_pytorchs_passes_are_ours(name: str) -> None:
    import torch

    def told(library: Any) -> list[Any]:
        done, _, _ = walk(library, name)
        return [(t.step, [p.sender for p in t.parts], t.total and t.total[:3], [s for s, _ in t.sends], t.frees, t.kept,
                 t.waiting, t.refused) for t in done.turns]  # fmt: skip

    assert told(tw) == told(torch)


@pytest.mark.torch
def test_drawing_leaves_pytorchs_graph_alone() -> None:
    import torch

    x = torch.ones(3, requires_grad=True)
    h = x.exp()
    ran: list[int] = []
    h.register_hook(lambda grad: ran.append(1))
    y = (h * x).sum()
    picture = show.backward(y)
    assert x.grad is None and not ran and "sum of 2 [5.437, 5.437, 5.437]" in repr(picture)
    y.backward()
    assert ran == [1] and x.grad is not None and abs(float(x.grad[0]) - 5.4366) < 1e-3


def test_drawing_leaves_the_graph_alone() -> None:
    x = tw.ones(3, requires_grad=True)
    h = x.exp()
    ran: list[str] = []
    h.register_hook(lambda grad: ran.append("tensor"))
    h.grad_fn.register_hook(lambda *grads: ran.append("node"))
    h.retain_grad()
    y = (h * x).sum()
    picture = show.backward(y)
    assert x.grad is None and h.grad is None and ran == []
    y.backward()
    assert ran == ["tensor", "node"] and "sum of 2 [5.437, 5.437, 5.437]" in repr(picture)


def test_where_branches_meet_the_parts_are_drawn() -> None:
    x = tw.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    text = repr(show.backward(y))
    assert "from step 2 (2,): [1, 2]\n  + from step 2 (2,): [1, 2]\n  = sum (2,): [2, 4]" in text
    assert "step 3, x: 2 gradients meet, from steps 2 and 2: their sum is [2, 4] and is added to .grad" in text
    grids = parse(show.backward(y).html()).all("caption")
    assert [grid.text() for grid in grids] == ["from step 2(2,)", "from step 2(2,)", "sum(2,)"]


def test_what_is_freed_and_when() -> None:
    x = tw.ones(1000, requires_grad=True)
    y = x.exp().sin().sum()
    done = pass_of(y, "y", {"x": x})
    assert done.kept == 4000
    assert [(turn.kept, turn.waiting, len(turn.frees)) for turn in done.turns] == [
        (4000, 4000, 0), (4000, 4000, 0), (0, 4000, 1), (0, 0, 0)
    ]  # fmt: skip
    assert "0 bytes, frees A" in repr(pass_picture(done))


def test_a_pass_that_fails_ends_in_red() -> None:
    h = tw.ones(3, requires_grad=True) + 1
    y = h * h.exp()
    h.add_(1)
    picture = show.backward(y.sum())
    assert "✗ refused" in repr(picture) and "expected version 0 instead" in repr(picture)
    assert "The steps after it are not reached." in repr(picture) and CLASH in picture.html()
    assert re.search(r"\d steps not reached\.", repr(picture))


def test_a_step_on_the_way() -> None:
    x = tw.ones(2, 3, requires_grad=True)
    done = pass_of((x * x.exp()).sum(), "y", {"x": x})
    rows = repr(pass_picture(done, 2)).splitlines()
    assert "▶ 3" in rows[4] and rows[5].endswith("1 of 2 parts")
    covered = pass_picture(done, 2, hidden=True)
    assert "norm" in repr(pass_picture(done, 2)) and "?" in repr(covered).splitlines()[4]
    assert "to x" in repr(pass_picture(done, 2)) and "to x" not in repr(covered)


def test_five_thousand_nodes() -> None:
    y = x = tw.ones(1, requires_grad=True)
    for _ in range(2500):
        y = y.sin() + x
    picture = show.backward(y, labels=["y"])
    assert repr(picture).startswith("Backward from y (5,000 nodes, 1 leaf)\n")
    assert len(picture.html()) < 60_000


@pytest.mark.parametrize("few", [20, 2000])
def test_many_branches_of_one_node_are_folded_as_in_the_graph(few: int) -> None:
    x = tw.ones(3, requires_grad=True)
    y = tw.stack([x * float(k) for k in range(few)]).sum()
    backward, graph = show.backward(y, labels=["y"]), show.graph(y, labels=["y"])
    for picture in (backward, graph):
        assert f"{few - 2:,} times the row above again" in repr(picture)
        assert len(picture.html()) < 22_000
    assert f"sum of {few}" in repr(backward)


@pytest.mark.parametrize("name", ["recurrent", "deep", "chain"])
def test_long_passes_are_folded(name: str) -> None:
    done, _, _ = walk(tw, name)
    page = parse(pass_picture(done).html())
    (sheet,) = page.all("table", "tw-backward")
    spans = [row.all("th")[0].text().split("–") for row in sheet.all("tr")[1:]]
    numbers = [k for span in spans for k in range(int(span[0]), int(span[-1]) + 1)]
    assert numbers == list(range(1, len(done.turns) + 1)) and len(spans) <= 60
    inside = next(int(span[0]) for span in spans if len(span) > 1)
    assert f"step {inside + 1} is one of these" in repr(pass_picture(done, inside))


def test_what_has_no_pass_is_refused() -> None:
    x = tw.ones(3, requires_grad=True)
    with pytest.raises(ValueError, match=r"h has 3 elements.*show\.backward\(h\.sum\(\)\)"):
        h = x * 2
        show.backward(h)
    assert "backward starts with [1, 1, 1]" in repr(pass_picture(pass_of(h, "h", {}, tw.ones(3)), 0))
    with pytest.raises(ValueError, match=r"size \(2,\), and h has \(3,\)"):
        show.backward(h, gradient=tw.ones(2))
    with pytest.raises(ValueError, match=r"show\.backward\(\(h \* 2\)\.sum\(\)\)"):
        show.backward(h * 2)
    with pytest.raises(TypeError, match="gradient= is a tensor of the size of h, not a str"):
        show.backward(h, gradient="ones")
    with pytest.raises(TypeError, match="not from a node"):
        show.backward(h.grad_fn)
    with pytest.raises(ValueError, match=r"show\.backward\(\(x \* 2\)\.sum\(\)\)"):
        show.backward(x)


def test_a_picture_keeps_no_tensor() -> None:
    x = tw.ones(3, requires_grad=True)
    h = x.exp()
    y = (h * x).sum()
    alive = [weakref.ref(t) for t in (x, h, y)]
    done = pass_of(y, "y", {"x": x})
    picture = pass_picture(done)
    del x, h, y
    gc.collect()
    assert [reference() for reference in alive] == [None, None, None] and "x leaf" in repr(picture)


def test_functions_and_sparse_gradients() -> None:
    done, _, _ = walk(tw, "own_function")
    assert any(done.tape.steps[turn.step].name == "BothBackward" for turn in done.turns)
    table = tw.ones(10, 4, requires_grad=True)
    picture = show.backward(tw.gather(table, 0, tw.zeros(1, 4, dtype=tw.int64), sparse_grad=True).sum())
    assert "table leaf" in repr(picture) and "(10, 4)" in repr(picture)


def test_a_checkpoint_is_drawn_without_adding_to_grad() -> None:
    w, x = tw.ones(3, requires_grad=True), tw.ones(3, requires_grad=True)

    def part(t: Any) -> Any:
        return (t * w).exp()

    for again in (True, False):
        y = tw.utils.checkpoint.checkpoint(part, x * 1, use_reentrant=again).sum()
        text = repr(show.backward(y))
        assert w.grad is None and x.grad is None
        assert ("use_reentrant=False can be drawn" in text) is again
        y.backward()
        assert w.grad is not None
        w.grad = x.grad = None


def test_a_pass_that_fails_counts_the_whole_graph_and_says_a_sentence() -> None:
    x = tw.ones(3, requires_grad=True)
    y = (x * x.exp()).sum()
    y.backward()
    text = repr(show.backward(y))
    assert text.startswith("Backward from y (3 nodes, 1 leaf)") and "2 steps not reached" in text
    assert "\nThe tensors that MulBackward0 had saved were freed" in text


def test_columns_stay_while_the_steps_go_on() -> None:
    """The heads of a pass that is walked ask for the room of the longest entry, whatever the step."""
    x = tw.ones(2, 3, requires_grad=True)
    done = pass_of((x * x.exp()).sum(), "y", {"x": x})
    heads = [parse(pass_picture(done, at).html()).all("th")[:5] for at in range(len(done.turns) + 1)]
    widths = [[head.style.get("width") for head in row] for row in heads]
    assert widths[0][1] and widths[0][3] and all(row == widths[0] for row in widths)
