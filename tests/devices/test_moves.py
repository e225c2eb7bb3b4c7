"""Moves between main memory and GPUs, gradients there, files, the simulation's beginning and end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.devices.limits import NotOnDevice


@pytest.mark.usefixtures("gpu")
def test_a_tensor_that_is_there_is_returned_itself() -> None:
    x = tw.arange(6.0).reshape(2, 3)
    g = x.cuda()
    assert g.cuda() is g and g.to("cuda") is g and x.cpu() is x
    assert g.to("cuda", tw.float16).dtype is tw.float16 and g.to("cuda", copy=True) is not g
    assert g.is_cuda and not g.is_cpu and g.get_device() == 0 and g.data_ptr() % 512 == 0


@pytest.mark.usefixtures("gpu")
def test_results_stay_where_their_tensors_are() -> None:
    g = tw.ones(2, 3, device="cuda")
    assert repr(g + 1) == "tensor([[2., 2., 2.],\n        [2., 2., 2.]], device='cuda:0')"
    assert all(t.is_cuda for t in (2 * g, g.t(), g[0], g.sum(), g @ g.t(), tw.cat([g, g]), tw.rand_like(g)))
    assert (g + tw.tensor(2.0)).is_cuda


@pytest.mark.usefixtures("gpu")
def test_a_gradient_lies_where_its_tensor_lies() -> None:
    x = tw.arange(3.0).requires_grad_()
    g = tw.arange(3.0, device="cuda").requires_grad_()
    (g * g).sum().backward()
    ((x.cuda() ** 2).sum()).backward()
    assert g.grad.is_cuda and g.grad.tolist() == [0.0, 2.0, 4.0]
    assert x.grad.is_cpu and x.grad.tolist() == [0.0, 2.0, 4.0]


@pytest.mark.usefixtures("gpu")
def test_a_loss_with_a_quick_way_is_recorded_in_every_way() -> None:
    classes = tw.tensor([0, 1, 0])
    for device in ("cpu", "cuda"):
        x = tw.arange(6.0, device=device).reshape(3, 2).requires_grad_()
        for named in ({}, {"label_smoothing": 0.1}, {"weight": tw.ones(2, device=device)}):
            tw.nn.functional.cross_entropy(x, classes.to(device), **named).backward()
        assert x.grad.device.type == device


@pytest.mark.usefixtures("gpus")
def test_the_current_gpu() -> None:
    assert tw.cuda.device_count() == 2 and tw.cuda.current_device() == 0
    with tw.cuda.device(1):
        assert tw.ones(1, device="cuda").device == tw.device("cuda:1")
    with pytest.raises(RuntimeError, match="at least two devices, cuda:0 and cuda:1"):
        tw.ones(1, device="cuda:0") + tw.ones(1, device="cuda:1")


@pytest.mark.usefixtures("gpu")
def test_streams_of_random_numbers() -> None:
    tw.manual_seed(3)
    first = tw.rand(5, device="cuda")
    state = tw.cuda.get_rng_state()
    second = tw.rand(5, device="cuda")
    tw.cuda.set_rng_state(state)
    assert tw.equal(tw.rand(5, device="cuda"), second) and not tw.equal(first, second)
    tw.manual_seed(3)
    assert tw.equal(tw.rand(5, device="cuda"), first)


@pytest.mark.usefixtures("gpu")
def test_arrays_are_as_poor_as_cupys() -> None:
    refused = (
        lambda a: np.add(a, np.ones(3)),
        lambda a: np.add(a, a, where=a > 0),
        np.asarray,
        lambda a: a.resize(2),
    )
    assert [_says(call) for call in refused] == [
        "a NumPy array among the operands",
        "add.__call__(where=)",
        "implicit conversion to a NumPy array",
        "ndarray.resize",
    ]


def _says(call: Callable) -> str:
    try:
        call(tw.ones(3, device="cuda")._array)
    except NotOnDevice as error:
        return str(error)
    return ""


def test_the_simulation_does_not_end_under_a_tensor(capsys: pytest.CaptureFixture[str]) -> None:
    simulation = tw.cuda.simulate()
    assert capsys.readouterr().out.count("simulates 1 GPU") == 1
    assert "imulated" in tw.cuda.get_device_name() and tw.cuda.is_available()
    g = tw.ones(2, device="cuda")
    with pytest.raises(RuntimeError, match="cannot stop the simulation"):
        simulation.stop()
    del g
    simulation.stop()
    assert not tw.cuda.is_available()
    with pytest.raises(RuntimeError, match="Cannot access accelerator device when none is available."):
        tw.device(0)


@pytest.mark.usefixtures("gpu")
def test_route_names_the_gpu() -> None:
    g = tw.ones(2, device="cuda")
    assert "cuda:0, simulated" in str(tw.route("add", g, g))


def test_a_cell_that_starts_the_simulation_can_be_run_again() -> None:
    with tw.cuda.simulate(memory="8 MiB"):
        g = tw.ones(2, device="cuda")
        tw.cuda.simulate(memory="8 MiB")
        assert (g + 1).tolist() == [2, 2]
        with pytest.raises(RuntimeError, match="cannot start another simulation"):
            tw.cuda.simulate(memory="16 MiB")
        del g
        tw.cuda.simulate(memory="16 MiB")
        assert tw.cuda.mem_get_info()[1] == 16 << 20
        tw.cuda.simulate(memory="8 MiB").stop()
