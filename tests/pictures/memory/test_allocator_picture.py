"""The picture of an allocator: what it says is what happened, from ours and from a snapshot of anybody."""

from __future__ import annotations

import pickle
import random
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tensorwidgets import show
from tensorwidgets.engine.memory.caching import CachingAllocator, OutOfMemoryError, SimulatedDriver
from tensorwidgets.engine.memory.caching.history import History
from tensorwidgets.engine.memory.caching.snapshot import dump, snapshot
from tensorwidgets.pictures.arrays.plain_pickle import read_plain
from tensorwidgets.pictures.memory.allocator_history import Moment
from tensorwidgets.pictures.memory.allocator_rows import WIDE

MIB = 1 << 20


def fragmented() -> CachingAllocator:
    """44 MiB, of which 10 MiB in one run are refused although 15 are free."""
    gpu = CachingAllocator(SimulatedDriver(44 * MIB))
    gpu.record, gpu.what = History(), "simulated GPU"
    held = [gpu.allocate(size) for size in (6 * MIB, 734_003, 7 * MIB, 5 * MIB, 53 * MIB // 4)]
    gpu.free(held[2])
    gpu.allocate(3 * MIB)
    with pytest.raises(OutOfMemoryError):
        gpu.allocate(10 * MIB)
    return gpu


OUT_OF_MEMORY = """\
Out of memory, with memory to spare (simulated GPU, 44 MiB)
history   + a 6  + b 0.70  + c 7  + d 5  + e 13.25    − c  + f 3  [+ 10 ✕]
in use        6      6.70  13.70  18.70      31.95  24.95  27.95     27.95
reserved     20        22     22     22         36     36     36        36
large      20 MiB  [a 6] [f 3] ·4· [d 5] ·2·
small      2 MiB   [b 0.70] ·1.30·
large      14 MiB  [e 13.25]
driver     8 MiB   ·8 not reserved·
requested          !10 MiB in one run!

+ 10 MiB ✕: free: 7.30 MiB cached + 8 MiB not reserved = 15.30 MiB; largest hole: 8 MiB
10 MiB must be one run in one segment, and no hole is that long. Freeing d opens a hole of 11 MiB
and lets it in; freeing f, only 7 MiB."""


def test_a_refusal_says_where_the_free_bytes_are_and_what_makes_room() -> None:
    text = repr(show.allocator(fragmented()))
    assert text.startswith(OUT_OF_MEMORY)
    assert "From test_allocator_picture.py, line " in text
    assert "gpu.allocate(10 * MIB)" in text


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (1, "+ a 6 MiB: no free block holds it: the driver gives a segment of 20 MiB"),
        (3, "+ c 7 MiB: the smallest free block that holds it, 14 MiB, is split: 7 MiB stay free"),
        (5, "Rounding takes 0.75 MiB."),
        (6, "− c: its 7 MiB are a free block"),
        (7, "+ f 3 MiB: the smallest free block that holds it, 7 MiB, is split: 4 MiB stay free"),
        (-1, "largest hole: 8 MiB"),
        (0, "at first: 0 blocks in use"),
    ],
)
def test_every_step_is_explained(step: int, sentence: str) -> None:
    assert sentence in " ".join(repr(show.allocator(fragmented(), step=step)).split("\n"))


def test_merging_is_explained() -> None:
    gpu = CachingAllocator(SimulatedDriver(64 * MIB))
    gpu.record = History()
    a, b, _ = gpu.allocate(2 * MIB), gpu.allocate(3 * MIB), gpu.allocate(4 * MIB)
    gpu.free(a)
    gpu.free(b)
    assert "it merges with the free 2 MiB beside it: a free block of 5 MiB" in repr(show.allocator(gpu))
    gpu.record_stream(c := gpu.allocate(MIB), 1)
    gpu.free(c)
    assert "it waits: another stream still uses it" in repr(show.allocator(gpu))
    gpu.empty_cache()
    assert "1 segment without a block in use, 2 MiB, back to the driver" in repr(show.allocator(gpu))


def cells(html: str) -> list[tuple[str, int]]:
    """The cells of the rows: their titles, and how wide they are."""
    rows = re.search(r'<table class="tw-allocator".*?</table>', html, re.S)
    assert rows
    widths = [
        int(w) for n, w in re.findall(r'<col span="(\d+)" style="width:(\d+)px">', rows[0]) for _ in range(int(n))
    ]
    found = []
    for line in re.findall(r"<tr.*?</tr>", rows[0], re.S):
        at = 1
        for attributes in re.findall(r"<td([^>]*)>", line):
            span = int((re.search(r'colspan="(\d+)"', attributes) or ["", "1"])[1])
            title = (re.search(r'title="([^"]*)"', attributes) or ["", ""])[1]
            found.append((title, sum(widths[at : at + span])))
            at += span
    return found


def test_blocks_are_as_wide_as_they_are_large() -> None:
    drawn = {title.partition(" | ")[0]: width for title, width in cells(show.allocator(fragmented()).html())}
    assert drawn["a"] == round(WIDE * 6 / 20)
    assert drawn["d"] == round(WIDE * 5 / 20)
    assert drawn["e"] + drawn["rounding of e"] == round(WIDE * 14 / 20)


def test_a_cell_of_the_history_is_linked_to_its_block() -> None:
    html = show.allocator(fragmented()).html()
    for number in (0, 1, 3, 4, 5):
        assert len(re.findall(rf'class="[^"]*\bi-b{number}\b', html)) >= 2


def test_a_file_is_drawn_as_its_snapshot(tmp_path: Path) -> None:
    facts = snapshot([fragmented()])
    dump(facts, tmp_path / "snapshot.pickle")
    assert show.allocator(tmp_path / "snapshot.pickle").html() == show.allocator(facts).html()
    assert "gpu.allocate" not in repr(show.allocator(facts))  # the author of a file may not choose what is read here


def test_a_pickle_that_asks_for_more_is_refused(tmp_path: Path) -> None:
    for number, wrong in enumerate((print, Path("x"), {1, 2}, b"bytes")):
        path = tmp_path / f"{number}.pickle"
        path.write_bytes(pickle.dumps({"segments": [], "device_traces": [wrong]}))
        with pytest.raises(ValueError, match="more than plain data"):
            show.allocator(path)
    path.write_text("hello", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^3\.pickle is not a snapshot of an allocator: it is damaged, or not"):
        show.allocator(path)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_pickles_of_every_protocol_are_read(protocol: int) -> None:
    facts = snapshot([fragmented()])
    assert read_plain(pickle.dumps(facts, protocol=protocol)) == facts
    numbers = [0, 255, 256, 65535, 65536, -1, 1 << 31, 1 << 62, -(1 << 62), 0.5, None, True, False, "é", "x" * 300, ()]
    numbers += [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], {}, [[]], {"a": {}}]
    assert read_plain(pickle.dumps(numbers, protocol=protocol)) == numbers


def test_damaged_pickles_raise_value_errors_alone() -> None:
    data = pickle.dumps(snapshot([fragmented()]))
    rng = random.Random(0)
    outcomes = set()
    for _ in range(400):
        damaged = bytearray(data[: rng.choice((len(data), rng.randrange(len(data))))])
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            repr(show.allocator(read_plain(bytes(damaged))))
            outcomes.add("read")
        except ValueError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def hostile() -> dict[str, Any]:
    text = '<img src=x onerror="alert(1)">\u202e'
    frame = {"filename": f"/tmp/a{text}", "name": f"b{text}", "line": 1}
    event = {"action": "alloc", "addr": 0, "size": 600, "stream": 0, "frames": [frame, text, 3]}
    block = {"size": 2 * MIB, "requested_size": 600, "state": "active_allocated", "frames": [text]}
    segment = {"address": 0, "total_size": 2 * MIB, "segment_type": text, "blocks": [block]}
    return {"segments": [segment], "device_traces": [[event, {"action": text}]], "allocator_settings": text}


def test_without_a_gpu_of_ours_that_of_pytorch_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, free = snapshot([fragmented()]), 8 * MIB
    memory = SimpleNamespace(_snapshot=lambda: facts)
    cuda = SimpleNamespace(is_initialized=lambda: True, memory=memory, mem_get_info=lambda device: (free, 44 * MIB))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda))
    assert repr(show.allocator()).startswith(OUT_OF_MEMORY.replace("simulated GPU", "GPU 0"))
    cuda.is_initialized = lambda: False
    with pytest.raises(ValueError, match="no caching allocator is in use"):
        show.allocator()


def test_text_of_a_snapshot_is_escaped() -> None:
    picture = show.allocator(hostile())
    assert "<img" not in picture.html() and "\u202e" not in repr(picture)
    assert "&lt;img" in picture.html()


def test_a_long_history_has_a_chart_and_a_window() -> None:
    gpu = CachingAllocator(SimulatedDriver(1 << 30))
    gpu.record = History()
    for number in range(500):
        gpu.allocate(1000 * number + 1)
    html = show.allocator(gpu, step=250).html()
    text = repr(show.allocator(gpu, step=250))
    assert "step 250 of 500" in text and "[+ ip 0.24]" in text
    assert html.count("i-h") == 8
    assert len(html) < 140_000
    assert "segments more" in text


def test_a_step_that_does_not_exist_is_refused() -> None:
    with pytest.raises(IndexError, match="there is no step 9: there are 8 steps"):
        show.allocator(fragmented(), step=9)


def test_nothing_allocated() -> None:
    assert "Nothing was allocated yet." in repr(show.allocator(CachingAllocator(SimulatedDriver(MIB))))


@pytest.mark.parametrize(
    ("sign", "bad", "shown"),
    [
        ("+ a 7.02", False, "+ a 7.02"), ("+ ixo 7.02", False, "+ ixo"), ("− weights", False, "− weigh…"),
        ("+ weights 3", False, "+ weigh…"), ("+ 15.10 ✕", True, "+ ✕"), ("− 20.00 seg", False, "− seg"),
    ],
)  # fmt: skip
def test_a_step_shows_a_number_whole_or_not_at_all(sign: str, bad: bool, shown: str) -> None:
    assert Moment(sign, "", "", bad).fitting == shown
