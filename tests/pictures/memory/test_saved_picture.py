"""What a graph keeps alive: each storage once, whose it is, who holds it, and what checkpointing would save."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.graphs.checkpoints import Plan, alone, best_plan
from tensorwidgets.pictures.arrays.graphs.tape import tape_of
from tensorwidgets.pictures.memory.saved import kept_picture
from tests.pictures.operations.freeze_graph import facts
from tests.pictures.parsed import parse


def flat(picture: Any) -> str:
    return " ".join(repr(picture).split())


def layers(torch: Any) -> tuple[Any, list[Any]]:
    ws = [torch.ones(64, 64, requires_grad=True) for _ in range(16)]
    z = torch.ones(32, 64)
    for w in ws:
        z = (z @ w).tanh()
    return z.sum(), ws


def test_each_storage_belongs_to_the_graph_to_a_name_or_to_a_leaf() -> None:
    x, w = tw.ones(3, 4), tw.ones(4, 5, requires_grad=True)
    h = x @ w
    loss = ((h.exp() * h) @ w.t()).sum()
    text = flat(show.saved(loss))
    assert "The graph" not in text and text.startswith("What the graph of loss keeps alive (5 storages, 308 bytes)")
    assert "only the graph 120 bytes (freed with the graph); named here, too 108 bytes" in text
    assert "leaves 80 bytes (alive anyway)" in text
    (kept,) = re.findall(r"B 60 bytes (.*?) nothing", text)
    assert kept.startswith("Exp its result (3, 5) line ") and "loss = ((h.exp() * h) @ w.t()).sum()" in kept
    assert "w (leaf)" in text


def test_a_name_elsewhere_makes_a_storage_its_own() -> None:
    def made() -> tuple[Any, Any]:
        inner = tw.ones(5, requires_grad=True).exp()
        return inner, (inner * inner).sum()

    kept, y = made()
    assert "kept" in flat(show.saved(y)) and "only the graph" not in flat(show.saved(y))
    del kept
    assert "only the graph 20 bytes" in flat(show.saved(y))


def test_storages_that_are_alike_share_a_row() -> None:
    out, ws = layers(tw)
    text = flat(show.saved(out))
    assert "B, D, F, … 122,880 bytes (15 × 8,192 bytes)" in text
    assert "ws[1], ws[2], ws[3], ws[4] and 11 more (leaf)" in text
    assert len(parse(show.saved(out).html()).all("tr")) < 8
    assert len(ws) == 16


def test_what_was_freed_is_said() -> None:
    out, _ = layers(tw)
    out.backward()
    assert "32 nodes freed what they kept: backward has already run." in flat(show.saved(out))
    x = tw.ones(3, requires_grad=True)
    with tw.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), tw.tensor):
        y = x.exp()
    assert "Hooks keep 1 tensor in a form of their own, which is not counted." in flat(show.saved(y))
    assert "plus keeps nothing for backward" in flat(show.saved(x + 1, labels=["plus"])).replace(":", "")


def test_written_to_since() -> None:
    assert "✗ written to since" in repr(kept_picture(facts(tw, "written"), "y"))


def test_checkpointing_in_parts() -> None:
    out, _ = layers(tw)
    tape = tape_of(out, "out", {})
    plan = best_plan(tape)
    assert isinstance(plan, Plan) and plan.inputs == (plan.parts - 1) * 8192 < plan.peak < 17 * 8192
    assert plan.peak == min((parts - 1) * 8192 + -(-17 // parts) * 8192 for parts in range(1, 18))
    assert f"With torch.utils.checkpoint in {plan.parts} parts" in flat(show.saved(out))
    leaf = tw.ones(3, requires_grad=True)
    assert best_plan(tape_of(leaf * leaf, "y", {})) is None


def test_a_checkpointed_graph_keeps_what_the_plan_says() -> None:
    """Each part keeps its input: the same bytes that the plan counts between the parts."""
    plan = best_plan(tape_of(layers(tw)[0], "out", {}))
    assert plan is not None and plan.parts > 1
    ws = [tw.ones(64, 64, requires_grad=True) for _ in range(16)]

    def part(z: Any, mine: Any) -> Any:
        for w in mine:
            z = (z @ w).tanh()
        return z

    kept = []
    z = tw.ones(32, 64)
    for k in range(plan.parts):
        mine = ws[16 * k // plan.parts : 16 * (k + 1) // plan.parts]
        z = tw.utils.checkpoint.checkpoint(part, z, mine, use_reentrant=False)
        kept.append(z)
    assert sum(t.untyped_storage().nbytes() for t in kept[:-1]) == plan.inputs
    tape = tape_of(z.sum(), "out", {})
    assert alone(tape) == [] and all(k.state == "hooked" for step in tape.steps for k in step.kept)


def test_a_storage_lights_with_those_who_keep_it() -> None:
    page = parse(kept_picture(facts(tw, "shared"), "y").html())
    (sheet,) = page.all("table", "tw-saved")
    cells = [td for td in sheet.all("td") if "i-storage0" in td.classes]
    assert len(cells) == 2 and len({td.attributes["title"] for td in cells}) == 1


def test_what_has_no_graph_is_refused() -> None:
    plain = tw.ones(2)
    with pytest.raises(ValueError, match=r"then show\.saved\(result\)"):
        show.saved(plain)
    with pytest.raises(TypeError, match=r"show\.saved draws .* not an array of NumPy"):
        show.saved(np.ones(2))


@pytest.mark.torch
def test_pytorchs_graph_is_drawn_as_ours() -> None:
    import torch

    def rows(picture: Any) -> list[str]:
        text = re.sub(r"(line \d+: .*?|row \d+ of the graph)(?=  |$)", "", repr(picture), flags=re.MULTILINE)
        return [" ".join(line.split()) for line in text.splitlines()]

    for name in ("shared", "layer", "written", "part_of_a_storage", "indices", "freed"):
        assert rows(kept_picture(facts(tw, name), "y")) == rows(kept_picture(facts(torch, name), "y")), name
    with torch.autograd.set_detect_anomaly(True):
        y = torch.ones(3, requires_grad=True).exp()
    assert "y = torch.ones(3, requires_grad=True).exp()" in repr(show.saved(y))


def test_five_thousand_nodes() -> None:
    y = x = tw.ones(1, requires_grad=True)
    for _ in range(2500):
        y = y.sin() + x
    picture = show.saved(y)
    assert " × 4 bytes)" in repr(picture) and len(picture.html()) < 10_000
