"""Moves between main memory and GPUs, gradients there, files, the simulation's beginning and end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.devices import calls, counts
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


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("way", ["there", "through the host"])
def test_statistics_run_along_there(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batch norm writes to its statistics without counting it as a write, in 16 bits as well."""
    if way == "through the host":
        monkeypatch.setattr(calls, "is_always", lambda name: name == "native_batch_norm")
    for d in (tw.float32, tw.float16, tw.bfloat16):
        counts.through_host.clear()
        x = (tw.arange(24.0) * 5).sin().reshape(3, 2, 4).to(d)
        here, there = ([tw.zeros(2, dtype=d, device=at), tw.ones(2, dtype=d, device=at)] for at in ("cpu", "cuda"))
        tw.nn.functional.batch_norm(x, *here, training=True)
        tw.nn.functional.batch_norm(x.cuda(), *there, training=True)
        assert all(t.is_cuda and tw.allclose(t.cpu(), h, rtol=0.01) for t, h in zip(there, here, strict=True))
        assert there[0].ne(0).all() and [t._version for t in there] == [h._version for h in here]
        assert counts.through_host["native_batch_norm"] == (way != "there")


@pytest.mark.usefixtures("gpu")
def test_a_size_may_be_a_tensor_there() -> None:
    """Its product is computed on the GPU, and needs memory before the memory of the result is asked for."""
    x = tw.arange(3.0, device="cuda").view(1, 1, 3)
    assert tw.nn.functional.interpolate(x, tw.tensor(4, device="cuda")).tolist() == [[[0.0, 0.0, 1.0, 2.0]]]


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


@pytest.mark.usefixtures("gpu")
def test_parameters_stay_the_same_objects_when_a_module_moves() -> None:
    model, lazy = tw.nn.Linear(2, 3), tw.nn.LazyLinear(3)
    weight, optimizer = model.weight, tw.optim.SGD(model.parameters(), lr=0.1)
    model(tw.ones(1, 2)).sum().backward()
    gradient, before = weight.grad, weight.detach().clone()
    assert model.cuda().weight is weight and weight.is_cuda and weight.grad is gradient and gradient.is_cuda
    optimizer.step()
    assert tw.allclose(weight.cpu(), before - 0.1)
    assert lazy.cuda()(tw.ones(1, 4, device="cuda")).shape == (1, 3) and lazy.weight.is_cuda
    assert model.to("meta").weight is not weight


@pytest.mark.usefixtures("gpu")
def test_a_copy_between_devices_sends_its_gradient_back() -> None:
    for source, target in (("cuda", "cpu"), ("cpu", "cuda")):
        x = tw.ones(3, device=source, requires_grad=True)
        tw.zeros(3, device=target).copy_(x * 2).sum().backward()
        assert x.grad.device.type == source and x.grad.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.usefixtures("gpu")
def test_a_leaf_with_other_numbers_takes_the_gradient_of_before() -> None:
    for device in ("cpu", "cuda"):
        x = tw.ones(3, device=device, requires_grad=True)
        y = (x * 2).sum()
        x.data = tw.ones(3, device=device, dtype=tw.float64)
        y.backward()
        assert x.grad.device.type == device and x.grad.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.usefixtures("gpu")
def test_views_there_follow_their_base_into_a_graph() -> None:
    for device in ("cpu", "cuda"):
        base = tw.zeros(4, device=device)
        first, second = base[:2], base[2:]
        first.copy_(tw.ones(2, device=device, requires_grad=True))
        assert second.requires_grad and base.grad_fn.name() == "torch::autograd::CopySlices"
        x = tw.ones(4, 4, device=device, requires_grad=True)
        (x.t() @ x).sum().backward()
        x.diagonal().sum().backward()
        assert x.grad._version == 2


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("look", [tw.view_as_real, lambda z: z.imag[0], lambda z: z.conj(), lambda z: z.conj().imag])
def test_writes_through_views_of_complex_numbers(look: Callable) -> None:
    found = []
    for device in ("cpu", "cuda"):
        x = tw.tensor([[1 + 2j, 2 - 1j], [1j, 3 + 1j]], device=device, requires_grad=True)
        y = x * 1
        part = look(y)
        part.mul_(2)
        (y * y.conj()).real.sum().backward()
        found.append((y.tolist(), x.grad.tolist(), part.grad_fn.name()))
        plain, other = y.detach().clone(), y.detach().clone()
        look(plain).copy_(look(plain) * 3)
        look(other).fill_(1)
        look(other)[0] = 2
        found[-1] += (plain.tolist(), other.tolist())
    assert found[0] == found[1]


@pytest.mark.usefixtures("gpu")
def test_lengths_are_read_in_main_memory() -> None:
    rnn = tw.nn.utils.rnn
    x, lengths = tw.arange(24.0).reshape(4, 3, 2).cuda().requires_grad_(), tw.tensor([2, 4, 1])
    packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    assert packed.data.is_cuda and packed.sorted_indices.is_cuda and packed.batch_sizes.tolist() == [3, 2, 1, 1]
    packed = tw.nn.LSTM(2, 2).cuda()(packed)[0]
    padded, found = rnn.pad_packed_sequence(packed)
    padded.sum().backward()
    assert padded.is_cuda and found.is_cpu and found.tolist() == [2, 4, 1]
    assert x.grad.ne(0).any(2).sum(0).tolist() == [2, 4, 1]
    with pytest.raises(RuntimeError, match="a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor"):
        rnn.pack_padded_sequence(x, lengths.cuda(), enforce_sorted=False)
    steps = x.reshape(4, 3, 2).log_softmax(2)
    tw.nn.functional.ctc_loss(steps, tw.ones(3, 1, dtype=tw.long, device="cuda"), lengths, tw.tensor([1, 1, 1]))


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("call", [
    "x.to_sparse()", "x.to_sparse_csr()", "tw.sparse_coo_tensor(i, i[0].float())",
    "tw.zeros(2, device='cuda', layout=tw.sparse_coo)", "tw.quantize_per_tensor(x, 1.0, 0, tw.qint8)",
    "tw.nn.functional.embedding(i, x.requires_grad_(), sparse=True).sum().backward()",
])  # fmt: skip
def test_sparse_and_quantized_tensors_there_are_refused(call: str) -> None:
    names = {"tw": tw, "x": tw.eye(2, device="cuda"), "i": tw.tensor([[0, 1]], device="cuda")}
    with pytest.raises(NotImplementedError, match="sparse and quantized tensors on a GPU are for later"):
        eval(call, names)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("call", "message"), [
    ("tw.quantile(g, tw.tensor([0.5]))", "quantile() q tensor must be on the same device as the input tensor"),
    ("tw.stft(g, 2, window=tw.ones(2), return_complex=True)",
     "stft input and window must be on the same device but got self on cuda:0 and window on cpu"),
    ("tw.repeat_interleave(g, tw.tensor([1, 0, 2, 1]))",
     "Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 "
     "(when checking argument in method wrapper_CUDA__index_select)"),
    ("tw.nn.Conv1d(1, 1, 2)(g[None])",
     "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same"),
    ("tw.nn.Conv1d(1, 1, 2).cuda()(g[None].cpu())",
     "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same or input should be a "
     "MKLDNN tensor and weight is a dense tensor"),
])  # fmt: skip
def test_what_is_refused_across_devices(call: str, message: str) -> None:
    for required in (False, True):
        with pytest.raises(RuntimeError) as refused:
            eval(call, {"tw": tw, "g": tw.ones(4, device="cuda", requires_grad=required)})
        assert str(refused.value).splitlines()[0] == message
