"""Losses are scaled and steps left out as PyTorch 2.13 does it, and blocks of two precisions are off or refused."""

from __future__ import annotations

import pytest

import tensorwidgets as torch
from tensorwidgets import amp


def scaled_steps(scaler: amp.GradScaler, w: torch.Tensor, optimizer: torch.optim.SGD, bad: int) -> list[tuple]:
    found = []
    for i in range(6):
        optimizer.zero_grad()
        loss = (w * w).sum() * (float("inf") if i == bad else 1)
        scaler.scale(loss).backward()
        if i % 2:
            scaler.unscale_(optimizer)
        assert scaler.step(optimizer) is None
        scaler.update()
        found.append((round(w[0].item(), 6), scaler.get_scale(), scaler._get_growth_tracker()))
    return found


def test_a_step_with_infinite_gradients_is_left_out_and_the_scale_shrinks() -> None:
    w = torch.nn.Parameter(torch.ones(2))
    scaler = amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    assert scaled_steps(scaler, w, torch.optim.SGD([w], 0.1), bad=3) == [
        (0.8, 8.0, 1), (0.64, 16.0, 0), (0.512, 16.0, 1), (0.512, 8.0, 0), (0.4096, 8.0, 1), (0.32768, 16.0, 0),
    ]  # fmt: skip
    other = amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.state_dict() == {
        "scale": 16.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2, "_growth_tracker": 0,
    }  # fmt: skip


def test_the_order_of_calls_is_checked_in_pytorchs_words() -> None:
    w = torch.nn.Parameter(torch.ones(2))
    optimizer, scaler = torch.optim.SGD([w], 0.1), amp.GradScaler("cpu")
    with pytest.raises(AssertionError, match="Attempted step but _scale is None"):
        scaler.step(optimizer)
    scaler.scale(w.sum()).backward()
    with pytest.raises(AssertionError, match=r"^No inf checks were recorded prior to update\."):
        scaler.update()
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="has already been called on this optimizer since the last update"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match=r"^step\(\) has already been called since the last update\(\)\."):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match=r"^unscale_\(\) is being called after step\(\)\."):
        scaler.unscale_(optimizer)
    with pytest.raises(ValueError, match="outputs must be a Tensor or an iterable of Tensors"):
        scaler.scale(3)
    with pytest.raises(RuntimeError, match="The source state dict is empty"):
        scaler.load_state_dict({})


def test_gradients_of_16_bits_are_not_divided() -> None:
    w = torch.nn.Parameter(torch.ones(2, dtype=torch.float16))
    scaler = amp.GradScaler("cpu", init_scale=2.0)
    scaler.scale(w.sum()).backward()
    with pytest.raises(ValueError, match="Attempting to unscale FP16 gradients"):
        scaler.step(torch.optim.SGD([w], 0.1))


def test_without_a_gpu_a_scaler_for_it_is_off() -> None:
    with pytest.warns(UserWarning, match="GradScaler is enabled, but CUDA is not available"):
        scaler = amp.GradScaler()
    x = torch.ones(2)
    assert not scaler.is_enabled() and scaler.scale(x) is x and scaler.get_scale() == 1 and scaler.state_dict() == {}
    with pytest.warns(FutureWarning, match=r"Please use `torch.amp.GradScaler\('cuda', args...\)` instead"):
        assert isinstance(torch.cuda.amp.GradScaler(enabled=False), amp.GradScaler)


def test_a_block_that_is_off_changes_nothing() -> None:
    with torch.autocast("cpu", enabled=False), amp.autocast("cuda", enabled=False, dtype=torch.bfloat16):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.float32
        assert not torch.is_autocast_enabled("cpu")
    assert amp.autocast("cuda", enabled=False)(lambda x: x + 1)(2) == 3
    with pytest.warns(UserWarning, match="CUDA is not available or torch_xla is imported. Disabling autocast"):
        assert not torch.autocast("cuda")._enabled
    with pytest.warns(UserWarning, match="In CPU autocast, but the target dtype is not supported"):
        assert not torch.autocast("cpu", dtype=torch.float64)._enabled
    assert amp.is_autocast_available("cpu") and not amp.is_autocast_available("meta")


def test_marks_of_functions_change_nothing() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        @amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
        def forward(ctx, x):  # type: ignore[no-untyped-def]
            return 2 * x

        @staticmethod
        @amp.custom_bwd(device_type="cuda")
        def backward(ctx, grad):  # type: ignore[no-untyped-def]
            return 2 * grad

    x = torch.ones(2, requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2, 2]
