"""The picture of a move: bytes, path, a time that is said to be modelled, and a tensor that stays."""

from __future__ import annotations

import gc
import re

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets import show
from tensorwidgets.engine.devices.times import PATHS, seconds_of_copy
from tensorwidgets.pictures.operations.move import time_text


def test_a_gibibyte_takes_what_the_model_says() -> None:
    assert [time_text(seconds_of_copy(1 << 30, name)) for name, _, _ in PATHS] == [
        "89.5 ms", "43 ms", "21.5 ms", "2.4 ms", "457 µs",
    ]  # fmt: skip


def test_to_a_gpu_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    with tw.cuda.simulate(memory="8 MiB"):
        x = tw.ones(256, 4)
        g = x.to("cuda")
        there = show.move(x, "cuda")
        back = show.move(g, "cpu")
        stays = show.move(g, "cuda")
        del g
        gc.collect()
    assert repr(there).startswith("x is copied from cpu to cuda:0 (4,096 bytes)")
    assert "-- 4,096 bytes -->" in repr(there) and "pageable, 10.3 µs, modelled" in repr(there)
    assert repr(back).startswith("g is copied from cuda:0 to cpu (4,096 bytes)")
    assert "g is there already: the same object comes back" in repr(stays)
    assert "simulates 1 GPU" in capsys.readouterr().out


def test_what_cannot_be_moved() -> None:
    with pytest.raises(ValueError, match="far has no numbers to move: its device is meta"):
        show.move(tw.empty(3, device="meta"), "cuda", labels=["far"])
    with pytest.raises(TypeError, match="a list has no memory of its own"):
        show.move([1.0], "cuda")
    with pytest.raises(TypeError, match="has the layout sparse_coo"):
        show.move(tw.eye(3).to_sparse(), "cuda")


@pytest.mark.parametrize("device", ["potato", "cuda:x", "CUDA", "", None, 3.5, True, -1])
def test_what_is_no_device_is_named_with_a_way_out(device: object) -> None:
    with pytest.raises(ValueError, match=rf"{re.escape(repr(device))} is not one: write 'cuda', 'cuda:1', 'cpu'"):
        show.move(tw.ones(2), device, labels=["x"])


def test_a_device_is_given_by_name_number_or_as_a_device() -> None:
    drawn = {repr(show.move(np.ones(2), d, labels=["x"])) for d in ("cuda", "cuda:0", 0, tw.device("cuda", 0))}
    assert len(drawn) == 1 and drawn.pop().startswith("x is copied from cpu to cuda:0")
    assert "stays on cpu" in repr(show.move(np.ones(2), "cpu:0", labels=["x"]))


def test_nothing_is_copied_to_meta() -> None:
    told = repr(show.move(tw.ones(2), "meta", labels=["x"]))
    assert "nothing is copied" in told and "x keeps its numbers on cpu" in told and "GB/s" not in told


def test_its_words_are_escaped() -> None:
    html = show.move(tw.ones(2), "cuda", labels=["<x>"]).html()
    assert "<x>" not in html and "&lt;x&gt;" in html
