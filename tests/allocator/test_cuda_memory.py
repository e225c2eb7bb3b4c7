"""torch.cuda's functions of memory on a simulated GPU, and without one."""

from __future__ import annotations

import gc
import inspect
import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import tensorwidgets as torch
from tensorwidgets import show
from tensorwidgets.engine.memory.caching.by_device import ALLOCATORS

MIB = 1 << 20


@pytest.fixture
def gpu(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """A simulated GPU of 44 MiB."""
    with torch.cuda.simulate(memory="44 MiB"):
        yield
        gc.collect()
    capsys.readouterr()


def floats(mebibytes: float) -> torch.Tensor:
    return torch.empty(int(mebibytes * MIB) // 4, device="cuda")


@pytest.mark.usefixtures("gpu")
def test_figures_follow_tensors() -> None:
    cuda = torch.cuda
    assert (cuda.memory_allocated(), cuda.memory_reserved(), cuda.mem_get_info()) == (0, 0, (44 * MIB, 44 * MIB))
    x = floats(6)
    assert (cuda.memory_allocated(), cuda.memory_reserved("cuda:0")) == (6 * MIB, 20 * MIB)
    assert cuda.mem_get_info() == (24 * MIB, 44 * MIB)
    view = x[1:]
    del x
    assert cuda.memory_allocated() == 6 * MIB
    del view
    assert (cuda.memory_allocated(), cuda.memory_reserved()) == (0, 20 * MIB)
    assert (cuda.max_memory_allocated(), cuda.max_memory_reserved()) == (6 * MIB, 20 * MIB)
    cuda.reset_peak_memory_stats()
    assert cuda.max_memory_allocated() == 0
    cuda.empty_cache()
    assert cuda.memory_reserved() == 0
    assert cuda.memory_stats()["num_device_free"] == 1
    cuda.reset_accumulated_memory_stats()
    assert cuda.memory_stats_as_nested_dict()["num_device_free"] == 0
    assert "device ID 0" in cuda.memory_summary()
    assert cuda.list_gpu_processes().startswith(f"GPU:0\nprocess {os.getpid():>10d} uses")
    assert cuda.get_allocator_backend() == "native"


@pytest.mark.usefixtures("gpu")
def test_out_of_memory_with_memory_to_spare() -> None:
    a, b, c, d, e = floats(6), floats(0.7), floats(7), floats(5), floats(13.25)
    del c
    f = floats(3)
    with pytest.raises(torch.OutOfMemoryError, match="44.00 MiB of which 8.00 MiB is free") as refused:
        floats(10)
    assert refused.value.reason.facts["makes_room"] == (d.data_ptr(), e.data_ptr())  # type: ignore[attr-defined]
    picture = show.allocator()
    assert repr(picture).startswith("Out of memory, with memory to spare (simulated GPU, 44 MiB)")
    assert isinstance(refused.value, torch.cuda.OutOfMemoryError)
    del refused, d
    assert floats(10).data_ptr() == f.data_ptr() + 3 * MIB
    assert a.data_ptr() % 512 == b.data_ptr() % 512 == 0


@pytest.mark.usefixtures("gpu")
def test_a_bound() -> None:
    torch.cuda.set_per_process_memory_fraction(0.5)
    assert torch.cuda.memory.get_per_process_memory_fraction() == 0.5
    with pytest.raises(torch.OutOfMemoryError, match="22.00 MiB allowed"):
        floats(30)
    torch.cuda.set_per_process_memory_fraction(1.0)
    assert floats(30).numel()
    with pytest.raises(TypeError, match="Invalid type for fraction argument, must be `float`"):
        torch.cuda.set_per_process_memory_fraction(1)
    with pytest.raises(ValueError, match=r"Invalid fraction value: 1.5. Allowed range: 0~1"):
        torch.cuda.set_per_process_memory_fraction(1.5)


@pytest.mark.usefixtures("gpu")
def test_history_has_the_lines_where_tensors_begin_and_end(tmp_path: Path) -> None:
    memory = torch.cuda.memory
    memory._record_memory_history(clear_history=True)
    memory._set_memory_metadata("first")
    frame = inspect.currentframe()
    assert frame is not None
    x = torch.ones(1000, device="cuda")
    began = frame.f_lineno - 1
    del x
    ended = frame.f_lineno - 1
    trace = memory._snapshot()["device_traces"][0]
    lines = {event["action"]: event["frames"][0]["line"] for event in trace}
    assert (lines["segment_alloc"], lines["alloc"], lines["free_requested"]) == (began, began, ended)
    assert trace[0]["user_metadata"] == memory._get_memory_metadata() == "first"
    memory._dump_snapshot(tmp_path / "s.pickle")
    assert "− a: its 4 K are a free block" not in repr(show.allocator(tmp_path / "s.pickle", step=1))
    memory._record_memory_history(None)
    floats(1)
    assert memory._snapshot()["device_traces"] == [[]]
    assert [s["segment_type"] for s in memory.memory_snapshot()] == ["small"]


@pytest.mark.usefixtures("gpu")
def test_settings_are_followed() -> None:
    torch.cuda.memory._set_allocator_settings("large_segment_size_mb:40")
    x = floats(2)
    assert torch.cuda.memory_reserved() == 40 * MIB
    assert x.numel()


def test_a_gpu_leaves_with_its_allocator(capsys: pytest.CaptureFixture[str]) -> None:
    with torch.cuda.simulate(count=2, memory="4 MiB"):
        assert sorted(ALLOCATORS) == [0, 1]
        x = torch.ones(10, device="cuda:1")
        assert (torch.cuda.memory_allocated(0), torch.cuda.memory_allocated(1)) == (0, 512)
        del x
    gc.collect()
    assert not ALLOCATORS
    assert "simulates 2 GPUs" in capsys.readouterr().out


def test_without_a_gpu() -> None:
    memory = torch.cuda.memory
    assert (memory.memory_allocated(), memory.max_memory_reserved(), memory.memory_stats()) == (0, 0, {})
    memory.empty_cache()
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        memory.mem_get_info()
    for refused in (memory._snapshot, memory.reset_peak_memory_stats, memory._record_memory_history):
        with pytest.raises(AttributeError, match=r"module 'torch\._C' has no attribute '_cuda_"):
            refused()
    with pytest.raises(ValueError, match="no caching allocator is in use"):
        show.allocator()


@pytest.mark.parametrize(
    ("old", "new"), [("memory_cached", "memory_reserved"), ("max_memory_cached", "max_memory_reserved")]
)
def test_old_names_warn(old: str, new: str) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert getattr(torch.cuda, old)() == 0
    assert [str(w.message) for w in seen] == [f"`torch.cuda.{old}` has been renamed to `torch.cuda.{new}`"]
    assert seen[0].filename == __file__
