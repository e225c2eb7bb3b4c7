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
    with pytest.raises(RuntimeError, match=r"torch\.cuda\.Stream requires CUDA support"):
        torch.cuda.Stream()


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    ("call", "waits"),
    [
        ("h * 2", False), ("h.t()", False), ("h[3:]", False), ("h.sum()", False), ("h.nonzero()", True),
        ("h[h > 1]", True), ("torch.equal(h, h)", True), ("h.sum().item()", True), ("bool(h[0])", True),
        ("h.tolist()", True), ("repr(h)", True), ("h.cpu()", True), ("h.to('cpu', non_blocking=True)", False),
        ("h.to('cpu', torch.float64, True)", False), ("pinned.to('cuda')", True), ("pinned.cuda(0)", True),
        ("pinned.to('cuda', non_blocking=True)", False), ("pinned.cuda(0, True)", False), ("h.copy_(pinned)", True),
        ("h.copy_(pinned, non_blocking=True)", False), ("pinned.copy_(h)", True), ("h.copy_(h + 1)", False),
    ],
)  # fmt: skip
def test_the_program_waits_where_it_reads_and_for_copies(call: str, waits: bool) -> None:
    names = {"torch": torch, "h": torch.ones(100, device="cuda"), "pinned": torch.ones(100).pin_memory()}
    torch.cuda.synchronize()
    names["h"] += 1
    assert not torch.cuda.current_stream().query()
    eval(call, names)
    assert torch.cuda.current_stream().query() == waits
    names.clear()


@pytest.mark.usefixtures("gpu")
def test_a_copy_that_nobody_waits_for_is_pinned() -> None:
    g = torch.ones(3, device="cuda")
    assert g.to("cpu", non_blocking=True).is_pinned() and not g.to("cpu").is_pinned()
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.ones(3, device="cuda", pin_memory=True)


@pytest.mark.usefixtures("gpus")
def test_what_streams_and_events_refuse() -> None:
    for made in (torch.cuda.current_stream, torch.cuda.default_stream, torch.cuda.Stream):
        with pytest.raises(ValueError, match="Expected a cuda device, but got: cpu"):
            made(torch.device("cpu"))
    with pytest.raises(RuntimeError, match="Expected cuda stream priority to be less than or equal to 0, got 5"):
        torch.cuda.Stream(priority=5)
    assert torch.cuda.Stream(priority=-100).priority == -5
    one, other = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    one.record(torch.cuda.current_stream(0))
    other.record(torch.cuda.current_stream(1))
    with pytest.raises(RuntimeError, match="CUDA error: invalid resource handle"):
        one.elapsed_time(other)


@pytest.mark.usefixtures("gpus")
def test_a_stream_can_be_kept_busy() -> None:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    torch.cuda._sleep(2_000_000)
    end.record()
    assert not end.query() and torch.cuda.current_stream(1).query()
    end.synchronize()
    assert begin.elapsed_time(end) == pytest.approx(2)


@pytest.mark.usefixtures("gpus")
def test_old_constructors_know_the_number_of_a_gpu() -> None:
    assert torch.cuda.FloatTensor(1, device=1).get_device() == 1 and torch.cuda.FloatTensor(1).get_device() == 0
    x = torch.ones(2, device="cuda")
    with torch.cuda.device(1):
        assert [x.new([0, 1]).get_device(), x.new([0, 1], device=1).get_device()] == [0, 1]
        assert [torch.cuda.FloatTensor(1, device=d).get_device() for d in (None, 0)] == [1, 0]


@pytest.mark.usefixtures("gpus")
def test_storages_on_a_gpu() -> None:
    s = torch.tensor([1.5, 2.5]).storage().cuda(1)
    assert isinstance(s.double(), torch.cuda.DoubleStorage) and not isinstance(s.cpu(), torch.cuda.FloatStorage)
    assert {getattr(s, name)().get_device() for name in ("byte", "int", "half", "double")} == {1}
    assert s.is_shared() and s.untyped().is_shared() and torch.cuda.LongStorage([3]).tolist() == [3]
    x = torch.ones(4, device="cuda")
    x.untyped_storage().resize_(32)
    x.untyped_storage().resize_(0)
    assert (x.shape, x.untyped_storage().nbytes()) == ((4,), 0)
    x.untyped_storage().resize_(16).fill_(0)
    assert x.tolist() == [0, 0, 0, 0]


def test_a_name_that_torch_cuda_lacks() -> None:
    with pytest.raises(AttributeError, match="module 'tensorwidgets.cuda' has no attribute 'spam'"):
        _ = torch.cuda.spam
    assert torch.cuda.random.manual_seed is torch.cuda.manual_seed
    assert torch.cuda.streams.Stream is torch.cuda.Stream
