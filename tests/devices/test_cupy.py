"""Our code for real GPUs beside a module that stands in for CuPy. No line of it has run on a GPU here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.devices import cupy_arrays
from tensorwidgets.engine.devices import gpus as engine_gpus
from tensorwidgets.engine.memory.places import forget
from tests.devices import stand_in_cupy


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The stand-in, found as CuPy."""
    monkeypatch.setattr(stand_in_cupy, "__spec__", ModuleSpec("cupy", None))
    monkeypatch.setitem(sys.modules, "cupy", stand_in_cupy)
    monkeypatch.setattr(engine_gpus, "_real", None)
    monkeypatch.setattr(engine_gpus, "_generators", {})
    yield stand_in_cupy
    found = engine_gpus._real
    if isinstance(found, cupy_arrays.CupyGpus):
        forget(stand_in_cupy.ndarray, found.places[0])


def test_cupy_is_imported_at_the_first_question_about_a_gpu() -> None:
    code = (
        "import sys, tensorwidgets as torch; torch.ones(2).sum(); torch.device('cuda:0'); "
        "print('tensorwidgets.engine.devices.cupy_arrays' in sys.modules); torch.cuda.is_available(); "
        "print('tensorwidgets.engine.devices.cupy_arrays' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_moves_views_and_addresses(cupy: ModuleType) -> None:
    x = torch.arange(6.0).reshape(2, 3).t()
    g = x.cuda()
    assert torch.cuda.get_device_name() == "A stand-in" and torch.cuda.mem_get_info() == (3 << 30, 4 << 30)
    assert isinstance(g._array, cupy.ndarray) and g.device == torch.device("cuda:0")
    assert g.stride() == (1, 3) and g.data_ptr() % 512 == 0 and g[1].data_ptr() == g.data_ptr() + 4
    assert torch.equal(g.cpu(), x) and g.cpu().stride() == (1, 3)
    assert repr(g[0]) == "tensor([0., 3.], device='cuda:0')"
    g.t()[0, 1] = 9
    assert g.tolist() == [[0.0, 3.0], [9.0, 4.0], [2.0, 5.0]] and x[1, 0] == 1


def test_kernels_are_carried_by_numpys_protocols(cupy: ModuleType) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    g = x.cuda()
    for result, wanted in (
        (g + 1, x + 1), (g @ g.t(), x @ x.t()), (g.sum(0), x.sum(0)), (g.softmax(1), x.softmax(1)),
        (torch.cat([g, g]), torch.cat([x, x])), (g[g > 2], x[x > 2]), (g.max(1).values, x.max(1).values),
    ):  # fmt: skip
        assert result.is_cuda and torch.allclose(result.cpu(), wanted)
    assert "by CuPy" in str(torch.route("add", g, g))


def test_memory_is_shared_with_other_libraries(cupy: ModuleType) -> None:
    theirs = cupy.zeros((2, 3), np.float32)
    for ours in (torch.from_dlpack(theirs), torch.as_tensor(theirs)):
        ours += 1
        assert ours.data_ptr() == theirs.data.ptr and ours.device.type == "cuda"
    assert theirs.get().tolist() == [[2.0] * 3] * 2

    class Numba:  # an array that speaks the older protocol alone
        __cuda_array_interface__ = theirs.__cuda_array_interface__

    assert torch.as_tensor(Numba()).data_ptr() == theirs.data.ptr
    about = ours.t().__cuda_array_interface__
    assert about == {
        "typestr": "<f4", "shape": (3, 2), "strides": (4, 12), "data": (theirs.data.ptr, False), "version": 2,
    }  # fmt: skip
    assert ours.__dlpack_device__() == (2, 0) and ours.__dlpack__(stream=7) == ("a capsule of CuPy", 7)


def test_streams_are_cupys(cupy: ModuleType) -> None:
    s = torch.cuda.Stream()
    with torch.cuda.stream(s):
        assert torch.cuda.current_stream() == s
    assert torch.cuda.current_stream().cuda_stream == 0
    begin, end = s.record_event(torch.cuda.Event(enable_timing=True)), torch.cuda.Event(enable_timing=True)
    end.record()
    assert begin.elapsed_time(end) == 1.5 and s.query()
    torch.ones(2, device="cuda").record_stream(s)


def test_the_simulation_takes_the_place_of_a_real_gpu(cupy: ModuleType) -> None:
    assert torch.cuda.get_device_name() == "A stand-in"
    with torch.cuda.simulate():
        assert "imulated" in torch.cuda.get_device_name()
        with pytest.raises(RuntimeError, match="a simulated GPU cannot read the memory of a real one"):
            torch.from_dlpack(cupy.zeros((2,)))
    assert torch.cuda.get_device_name() == "A stand-in"


@pytest.mark.parametrize(
    ("function", "outcome", "error", "message"),
    [
        ("driverGetVersion", 0, RuntimeError, "Found no NVIDIA driver on your system."),
        ("getDeviceCount", 0, RuntimeError, "No CUDA GPUs are available"),
        ("getDeviceCount", "cudaErrorNoDevice", RuntimeError, "No CUDA GPUs are available"),
        ("getDeviceCount", "cudaErrorInsufficientDriver", RuntimeError, "is too old .found version 12080."),
    ],
)
def test_what_is_missing_decides_the_refusal(
    cupy: ModuleType, monkeypatch: pytest.MonkeyPatch, function: str, outcome: object, error: type, message: str
) -> None:
    def answer() -> object:
        if isinstance(outcome, str):
            raise cupy.runtime.CUDARuntimeError(outcome)
        return outcome

    monkeypatch.setattr(cupy.runtime, function, answer)
    assert not torch.cuda.is_available()
    with pytest.raises(error, match=message):
        torch.ones(2).cuda()
