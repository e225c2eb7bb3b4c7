"""Saves and writes of one memory: versions, lines, and red where a write crosses a save."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.graphs.history import history_of
from tensorwidgets.pictures.drawing.tokens import CLASH
from tests.pictures.parsed import parse


def crossed(torch: Any) -> tuple[Any, ...]:
    x = torch.ones(3, requires_grad=True)
    h = x + 1
    y = h * h.exp()
    h.add_(1)
    z = h.sin()
    return h, y, z


def test_a_write_that_crosses_a_save_is_red() -> None:
    h, y, z = crossed(tw)
    text = repr(show.versions(h))
    rows = [line for line in text.splitlines() if "line" in line or "now" in line]
    assert re.match(r"│ ●    0 +Mul saves self +line \d+: y = h \* h\.exp\(\)", rows[0])
    assert re.match(r"■─✗    1 +✗ write crosses 1 save +line \d+: h\.add_\(1\)", rows[1])
    assert re.match(r"│ ┊ ●  1 +Sin saves self +line \d+: z = h\.sin\(\)", rows[2])
    assert rows[3].startswith("● ✗ ✓  1        now ✗ 1 save out of date ✓ 1 save unchanged")
    assert re.search(r"h: Mul saved it at version 0, and line \d+ made it version 1", text)
    assert CLASH in show.versions(h).html()
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        y.sum().backward()
    z.sum().backward()
    assert show.versions(h).html().count(CLASH) and "Sin" not in repr(show.versions(h))


def test_without_a_crossing_nothing_is_red() -> None:
    h = tw.ones(3, requires_grad=True) + 1
    h.add_(1)
    y = h.exp() * h
    picture = show.versions(h)
    assert CLASH not in picture.html() and "now ✓ 1 save unchanged" in repr(picture)
    assert "every save is of version 1" in repr(picture) and y.grad_fn is not None
    plain = tw.ones(2)
    assert "no graph here has saved it" in repr(show.versions(plain))


def test_what_shares_the_memory_shares_the_versions() -> None:
    h = tw.ones(4, requires_grad=True) + 1
    part = h[:2].detach()
    y = h * h
    part.zero_()
    history = history_of(part, "part", {"h": h, "y": y, "part": part})
    assert history.now == 1 and history.names == ("h",) and history.saves[0].kept == ("other", "self")
    assert "h shares this memory and its versions." in repr(show.versions(part, y))


def test_saves_are_found_in_results_that_have_no_name() -> None:
    def result(h: Any) -> list[Any]:
        return [h * h]

    h = tw.ones(4, requires_grad=True) + 1
    held = [result(h)]
    assert len(history_of(h, "h", {"h": h}, held[0]).saves) == 1
    assert len(history_of(h, "h", {"h": h}).saves) == 0
    assert history_of(h, "h", {"h": h}, [held[0][0].grad_fn]).saves[0].node == "Mul"


def test_many_writes_and_saves_are_folded() -> None:
    h = tw.ones(4, requires_grad=True) + 1
    kept = []
    for k in range(300):
        kept += [h.sin(), h.cos()] if k < 30 else []
        h.add_(1)
    picture = show.versions(h)
    rows = parse(picture.html()).all("tr")
    assert len(rows) < 30 and len(picture.html()) < 42_000 and len(kept) == 60
    assert "(version 300, " in repr(picture).splitlines()[0] and "more writes" in repr(picture)
    assert "60 saves out of date" in repr(picture)


def test_what_has_no_versions_is_refused() -> None:
    with pytest.raises(TypeError, match="not of an array of NumPy"):
        show.versions(np.ones(2))
    with pytest.raises(TypeError, match="not of 'int'"):
        show.versions(3)
    with tw.inference_mode():
        quiet = tw.ones(2)
    with pytest.raises(ValueError, match=r"quiet was made in inference mode.*quiet\.clone\(\)"):
        show.versions(quiet)


@pytest.mark.torch
def test_pytorchs_versions_are_ours() -> None:
    import torch

    def told(library: Any) -> tuple[Any, ...]:
        h, y, z = crossed(library)
        history = history_of(h, "h", {"h": h, "y": y, "z": z})
        return history.now, [save[:3] for save in history.saves], [write.version for write in history.writes]

    assert told(torch) == told(tw)
    h, y, z = crossed(torch)
    text = repr(show.versions(h))
    assert "line not known" in text and "PyTorch does not note lines." in text and y is not z
