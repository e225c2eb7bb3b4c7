"""Streams and events of a simulated GPU: the order of work, modelled times, and memory that waits for a stream."""

from __future__ import annotations

import pytest

import tensorwidgets as torch


@pytest.mark.usefixtures("gpu")
def test_calls_go_to_the_stream_of_the_block() -> None:
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        inside = torch.cuda.current_stream()
        g = torch.ones(1000, device="cuda")
    segment = next(s for s in torch.cuda.memory_snapshot() if s["address"] <= g.data_ptr())
    assert inside == s and segment["stream"] == s.cuda_stream != 0
    assert torch.cuda.current_stream() == torch.cuda.default_stream() != s
    assert repr(torch.cuda.default_stream()) == "<torch.cuda.Stream device=cuda:0 cuda_stream=0x0>"
    assert torch.accelerator.current_stream().stream_id == 0
    with torch.Stream() as t:
        assert torch.cuda.current_stream() == t
    assert torch.cuda.stream(None).__enter__() is None


@pytest.mark.usefixtures("gpu")
def test_times_are_modelled_and_views_take_none() -> None:
    g = torch.ones(1000, 300, device="cuda")
    torch.cuda.synchronize()
    begin, end, later = (torch.cuda.Event(enable_timing=True) for _ in range(3))
    begin.record()
    h = g * 2
    end.record()
    h.t(), h[3:], h.view(-1)
    later.record()
    with pytest.raises(RuntimeError, match="Both events must be completed before calculating elapsed time."):
        begin.elapsed_time(end)
    assert not end.query()
    later.synchronize()
    # 5 microseconds, and two million four hundred thousand bytes at 2,400 GB/s
    assert begin.elapsed_time(end) == pytest.approx(0.005 + 0.001) and end.elapsed_time(later) == 0
    with pytest.raises(ValueError, match="Both events must be created with argument 'enable_timing=True'."):
        begin.elapsed_time(torch.cuda.Event())
    with pytest.raises(ValueError, match="Both events must be recorded before calculating elapsed time."):
        begin.elapsed_time(torch.cuda.Event(enable_timing=True))


@pytest.mark.usefixtures("gpu")
def test_a_stream_waits_for_another() -> None:
    one, other = torch.cuda.Stream(), torch.cuda.Stream()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    g = torch.ones(10, device="cuda")
    torch.cuda.synchronize()
    begin.record(other)
    with torch.cuda.stream(one):
        g + 1
    other.wait_stream(one)
    with torch.cuda.stream(other):
        g + 2
    other.record_event(end)
    assert not one.query() and not other.query()
    other.synchronize()
    assert one.query() and begin.elapsed_time(end) == pytest.approx(0.01, rel=1e-2)


@pytest.mark.usefixtures("gpu")
def test_memory_that_another_stream_uses_waits_for_it() -> None:
    s = torch.cuda.Stream()
    g = torch.ones(1000, device="cuda")
    with torch.cuda.stream(s):
        g + 1
    g.record_stream(s)
    address = g.data_ptr()
    del g
    assert torch.ones(1000, device="cuda").data_ptr() != address
    torch.cuda.synchronize()
    assert torch.ones(1000, device="cuda").data_ptr() == address


@pytest.mark.usefixtures("gpus")
def test_an_event_marks_streams_of_one_device() -> None:
    event = torch.cuda.Event()
    assert repr(event) == "<torch.cuda.Event uninitialized>" and event.query()
    event.record(torch.cuda.Stream(device=0))
    with pytest.raises(RuntimeError, match="Event device 0 does not match recording stream's device 1."):
        event.record(torch.cuda.Stream(device="cuda:1"))
    with torch.cuda.stream(torch.cuda.Stream(device=1)):
        assert torch.cuda.current_device() == 1
    assert torch.cuda.current_device() == 0


def test_without_a_gpu_streams_belong_to_the_cpu() -> None:
    assert repr(torch.Stream()) == "torch.Stream device_type=cpu, device_index=-1, stream_id=0"
    assert repr(torch.Event()) == "torch.Event device_type=cpu, device_index=-1, event_flag=0, event_id=0"
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        torch.cuda.Stream()
