"""What code for any device asks: the environment, the default device, torch.accelerator, torch.get_device_module."""

from __future__ import annotations

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.devices import gpus as engine_gpus


def test_the_environment_starts_the_simulation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine_gpus, "_asked", False)
    monkeypatch.setenv("TENSORWIDGETS_GPU", "simulated, count=2, memory=8 MiB")
    try:
        assert torch.ones(2, device="cuda").is_cuda and torch.cuda.device_count() == 2
        assert torch.cuda.mem_get_info()[1] == 8 << 20
        assert capsys.readouterr().out.startswith("tensorwidgets simulates 2 GPUs of 8 MiB")
    finally:
        engine_gpus.stop()


@pytest.mark.parametrize("text", ["real", "simulated, cuont=2", "simulated 2"])
def test_other_words_in_the_environment_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="TENSORWIDGETS_GPU=.* is not understood"):
        engine_gpus.read_environment(text)


@pytest.mark.usefixtures("gpus")
def test_the_default_device_is_the_current_gpu() -> None:
    torch.set_default_device("cuda")
    try:
        assert torch.get_default_device() == torch.device("cuda:0")
        assert repr(torch.arange(2)) == "tensor([0, 1], device='cuda:0')"
        made = (torch.tensor([1.0]), torch.rand(2), torch.randperm(3), torch.nn.Linear(2, 2).weight, torch.eye(2))
        assert all(t.is_cuda for t in made) and torch.from_numpy(torch.zeros(1).cpu().numpy()).is_cpu
        torch.cuda.set_device(1)
        assert torch.ones(1).device == torch.get_default_device() == torch.device("cuda:1")
        with torch.device("cpu"):
            assert torch.ones(1).is_cpu
    finally:
        torch.set_default_device(None)
    with torch.device("cuda:1"):
        assert torch.ones(1).device.index == 1
    assert torch.ones(1).is_cpu


def test_a_default_device_that_is_not_there_is_refused_with_the_first_tensor() -> None:
    torch.set_default_device("cuda")
    try:
        with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
            torch.ones(2)
    finally:
        torch.set_default_device("cpu")
    assert torch.ones(2).is_cpu


def test_without_an_accelerator() -> None:
    accelerator = torch.accelerator
    assert not accelerator.is_available() and accelerator.device_count() == 0
    assert accelerator.current_accelerator() is None and torch.get_device_module() is torch.cpu
    for question in (accelerator.synchronize, accelerator.memory_allocated, accelerator.current_device_index):
        with pytest.raises(RuntimeError, match="Cannot access accelerator device when none is available."):
            question()


@pytest.mark.usefixtures("gpus")
def test_with_an_accelerator() -> None:
    accelerator = torch.accelerator
    assert accelerator.current_accelerator() == torch.device("cuda") and accelerator.device_count() == 2
    g = torch.ones(1000, device=accelerator.current_accelerator())
    assert accelerator.memory_allocated() == torch.cuda.memory_allocated() == 4096
    with accelerator.device_index(1):
        assert accelerator.current_device_index() == torch.cuda.current_device() == 1
        assert accelerator.memory_allocated() == 0
    accelerator.synchronize()
    del g
    assert torch.get_device_module() is torch.get_device_module("cuda:1") is torch.cuda
    assert (
        torch.cuda.can_device_access_peer(0, 1)
        and torch.float64 in accelerator.get_device_capability()["supported_dtypes"]
    )


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("meta", "Device 'meta' does not have a corresponding module registered as 'torch.meta'."),
        (1, "Invalid value of device '1', expect torch.device, str, or None"),
    ],
)
def test_a_device_without_a_module(device: object, message: str) -> None:
    with pytest.raises(RuntimeError) as refused:
        torch.get_device_module(device)
    assert str(refused.value) == message
