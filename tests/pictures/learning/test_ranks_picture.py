"""The picture of a step by several ranks: what it says is what was noted, by ours and by PyTorch's profiler."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets import distributed as dist
from tensorwidgets.pictures import show

TRACES = [Path(__file__).with_name(f"trace_of_rank_{rank}.json") for rank in (0, 1)]


def noted(rank: int, begin: float, late: float) -> dict[str, Any]:
    """What a rank notes of a step with two buckets."""
    step = {
        "forward": [begin, begin + 0.1], "backward": [begin + 0.12, begin + 0.9], "sent": begin + 0.5 + late,
        "filled": [[0, 1 << 20, begin + 0.3 + late], [1, 2048, begin + 0.5 + late]],
    }  # fmt: skip
    calls = [
        {"bucket": 0, "came": begin + 0.3 + late, "met": begin + 0.5, "done": begin + 0.6},
        {"bucket": 1, "came": begin + 0.6, "met": begin + 0.7, "done": begin + 0.9},
        {"bucket": -1, "came": begin, "met": begin, "done": begin},
    ]
    return {"rank": rank, "steps": [step], "calls": calls}


def test_it_says_who_waits_for_whom() -> None:
    text = repr(show.ranks([noted(0, 50, 0), noted(1, 50, 0.2)]))
    assert text.startswith("Step 0 of 2 ranks (2 buckets, 1.1 MB, 900 ms)")
    assert "rank 0 for rank 1, 200 ms" in text and "1,048,576" in text
    assert "rank 0: waits 400 ms of 900 ms, for rank 1" in text and "give it less to compute" in text
    equal = repr(show.ranks([noted(0, 5, 0), noted(1, 5, 0)]))
    assert "the ranks: are ready within 0 ms" in equal and "nobody" in equal and "for rank" not in equal


def test_a_record_is_drawn_and_so_is_its_file(tmp_path: Path) -> None:
    dist.init_process_group("gloo", rank=0, world_size=1)
    try:
        model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
        with dist.record(tmp_path / "ranks.json") as log:
            for _ in range(3):
                model(torch.ones(1, 4)).sum().backward()
            with pytest.raises(RuntimeError, match="recorded already"):
                dist.record().__enter__()
        model(torch.ones(1, 4)).sum().backward()
    finally:
        dist.destroy_process_group()
    assert [len(log.ranks), len(log.ranks[0]["steps"])] == [1, 3]
    assert [call["bucket"] for call in log.ranks[0]["calls"] if call["call"] == "all_reduce"] == [0, 0, 0]
    text = repr(show.ranks(log))
    assert text.startswith("Step 2 of 1 rank (1 bucket, 80 bytes, ") and "rank 0: is alone and waits for nobody" in text
    assert repr(show.ranks(tmp_path / "ranks.json")) == text
    assert repr(show.ranks(str(tmp_path / "ranks.json"), step=0)).startswith("Step 0 of 1 rank")
    with pytest.raises(ValueError, match="there are 3 steps, numbered from 0: 3 is not one of them"):
        show.ranks(log, step=3)
    with pytest.raises(ValueError, match="no step of DistributedDataParallel was recorded"):
        show.ranks([{"rank": 0, "steps": [], "calls": []}])


def test_what_is_no_record(tmp_path: Path) -> None:
    for wrong, word in ((3, "an int"), ([1], "a list"), (torch.ones(2), "a Tensor")):
        with pytest.raises(TypeError, match=f"show.ranks draws what .* this is none of them: {word}"):
            show.ranks(wrong)
    (tmp_path / "notes.json").write_text("hello", encoding="utf-8")
    for source in (tmp_path / "notes.json", [tmp_path / "notes.json"]):
        with pytest.raises(ValueError, match=r"notes\.json is not a file that torch"):
            show.ranks(source)


def test_pytorchs_profiler_is_drawn_as_our_record() -> None:
    text = repr(show.ranks(TRACES))
    assert text.startswith("Step 1 of 2 ranks (3 buckets, 121 ms)") and text == repr(show.ranks(TRACES[::-1]))
    assert "rank 0 for rank 1, 44 ms" in text and "rank 0: waits 47 ms of 121 ms, for rank 1" in text
    assert repr(show.ranks(TRACES, step=0)).startswith("Step 0 of 2 ranks (3 buckets, ")


def test_each_bucket_has_its_class_and_the_axis_is_full() -> None:
    html = show.ranks(TRACES).html()
    rows = re.search(r'<table class="tw-ranks".*?</table>', html, re.S)
    assert rows is not None and all(f'class="i-bucket{n}"' in rows[0] for n in range(3))
    for line in re.findall(r"<tr.*?</tr>", rows[0], re.S):
        cells = re.findall("<td[^>]*>", line)
        spans = [int(found[1]) if (found := re.search(r'colspan="(\d+)"', cell)) else 1 for cell in cells]
        assert sum(spans) in (122, 123)


TRACED = """\
import os, sys
import torch.distributed as dist
from torch import nn, ones, profiler
dist.init_process_group("gloo", init_method=f"file://{sys.argv[1]}/meet", rank=0, world_size=1)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 4))
model(ones(1, 4)).sum().backward()
with profiler.profile(activities=[profiler.ProfilerActivity.CPU]) as noted:
    model(ones(1, 4)).sum().backward()
noted.export_chrome_trace(f"{sys.argv[1]}/trace.json")
os._exit(0)
"""
"""A process of its own: where PyTorch frees the model, it may wait for ever for a thread that waits for Python."""


@pytest.mark.torch
def test_a_trace_of_pytorch_has_these_names(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", TRACED, str(tmp_path)], check=True)
    names = {event["name"] for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]}
    assert {event["name"] for event in json.loads(TRACES[0].read_text())["traceEvents"]} - names <= {
        "autograd::engine::evaluate_function: MeanBackward0"
    }
    assert "Step 0 of 1 rank (1 bucket" in repr(show.ranks([tmp_path / "trace.json"]))
