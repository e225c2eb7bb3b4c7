"""Ranks with a part of the batch each train as one process with all of it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

import tensorwidgets as torch
from tensorwidgets import distributed as dist
from tensorwidgets.multiprocessing.programs import run_program
from tensorwidgets.nn.parallel.buckets import assign
from tensorwidgets.utils.checkpoint import checkpoint
from tests.distributed.networks import NETWORKS, Tied, Unused, trained

DDP = torch.nn.parallel.DistributedDataParallel


def test_two_ranks_equal_one_process(tmp_path: Path) -> None:
    run_program("tests.distributed.networks", [str(tmp_path)], 2, module=True, timeout=120)
    ranks = [torch.load(tmp_path / f"{rank}.pt") for rank in (0, 1)]
    for name in NETWORKS:
        alone = trained(name)
        assert len(alone) > 3 and ("grad of idle.weight" in alone) is False
        for found in ranks:
            assert list(found[name, 0]) == list(alone), name
            for key, value in alone.items():
                assert (found[name, 0][key] - value).abs().max() < 1e-6, (name, key)
                assert found[name, 0][key].equal(found[name, 1][key]), (name, key)
                assert found[name, 0][key].equal(ranks[0][name, 0][key]), (name, key)


@pytest.fixture
def alone() -> Iterator[None]:
    dist.init_process_group("gloo", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def test_a_model_needs_ranks() -> None:
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        DDP(torch.nn.Linear(2, 2))


def test_names_have_a_prefix(alone: None) -> None:
    model = DDP(torch.nn.Linear(2, 2))
    assert list(model.state_dict()) == ["module.weight", "module.bias"]
    assert repr(model).splitlines()[:2] == [
        "DistributedDataParallel(", "  (module): Linear(in_features=2, out_features=2, bias=True)"
    ]  # fmt: skip
    again = pickle.loads(pickle.dumps(model))
    assert again.module.weight.equal(model.module.weight) and again.reducer is not model.reducer
    with pytest.warns(FutureWarning, match="`broadcast_buffers` is deprecated. Use `forward_sync_buffers`"):
        assert not DDP(torch.nn.Linear(2, 2), broadcast_buffers=False).forward_sync_buffers


def test_refusals(alone: None) -> None:
    for module, given, kind, said in [
        (torch.nn.ReLU(), {}, RuntimeError, "DistributedDataParallel is not needed when a module doesn't have any"),
        (torch.nn.Linear(2, 2), {"device_ids": [0]}, ValueError, "device_ids [0], output_device None, and module para"),
        (torch.nn.Linear(2, 2), {"device_ids": [0, 1]}, ValueError, "can only be None or contain a single element."),
        (torch.nn.LazyLinear(2), {}, RuntimeError, "Modules with uninitialized parameters can't be used with `Distri"),
    ]:
        with pytest.raises(kind) as caught:
            DDP(module, **given)
        assert said in str(caught.value)
    with pytest.raises(ValueError, match="SyncBatchNorm expected input tensor to be on GPU or XPU or privateuseone"):
        torch.nn.SyncBatchNorm(2)(torch.ones(3, 2))
    assert torch.nn.SyncBatchNorm(2).eval()(torch.ones(3, 2)).shape == (3, 2)
    with pytest.raises(TypeError, match="Communication hook must be callable."):
        DDP(torch.nn.Linear(2, 2)).register_comm_hook(None, 3)


def test_unused_parameters_are_named(alone: None) -> None:
    model = DDP(Unused())
    model(torch.ones(1, 4))[0].sum().backward()
    with pytest.raises(RuntimeError) as caught:
        model(torch.ones(1, 4))
    said = str(caught.value)
    assert said.startswith("Expected to have finished reduction in the prior iteration before starting a new one.")
    assert "Parameter indices which did not receive grad for rank 0: 2 3 4 5\n" in said
    assert "idle.weight, idle.bias, aside.weight, aside.bias" in caught.value.__notes__[0]


def test_gradients_stay_under_no_sync_and_are_sent_with_the_next(alone: None) -> None:
    model = DDP(torch.nn.Linear(2, 1), gradient_as_bucket_view=True)
    sent = []
    model.reducer._send = lambda bucket, send=model.reducer._send: (sent.append(bucket.number), send(bucket))
    with model.no_sync():
        model(torch.ones(1, 2)).sum().backward()
    assert sent == [] and model.module.weight.grad.tolist() == [[1, 1]]
    with model.no_sync():
        y = model(torch.ones(1, 2))
    y.sum().backward()  # what counts is where the forward was
    y = model(torch.ones(1, 2))
    with model.no_sync():
        y.sum().backward()
    assert sent == [0] and model.module.weight.grad.tolist() == [[3, 3]]
    assert model.module.weight.grad._base is not None
    assert torch.autograd.grad(model(torch.ones(1, 2)).sum(), model.module.bias)[0].tolist() == [1] and sent == [0]


def test_buckets_follow_the_order_of_gradients(alone: None) -> None:
    """PyTorch's sizes: one bucket at first, then a small one and large ones in the order in which gradients came."""
    model = DDP(torch.nn.Sequential(*[torch.nn.Linear(300, 300) for _ in range(6)]), bucket_cap_mb=0.5)
    sizes = []
    for _ in range(3):
        model(torch.ones(1, 300)).sum().backward()
        sizes.append(model._get_ddp_logging_data()["bucket_sizes"])
    assert sizes == ["2167200", *["722400, 722400, 722400"] * 2]
    assert {0, 1} < {*model.reducer.buckets[2].indices} and 10 in model.reducer.buckets[0].indices
    model = DDP(model.module, bucket_cap_mb=0.5, find_unused_parameters=True)
    assert model._get_ddp_logging_data()["bucket_sizes"] == "1200, 722400, 722400, 721200"
    model = DDP(model.module, bucket_cap_mb_list=[1, 0.5])  # the caps of buckets, in the order in which they fill
    assert model._get_ddp_logging_data()["bucket_sizes"] == "362400, 722400, 1082400"
    mixed = [torch.zeros(4), torch.zeros(4, dtype=torch.float64), torch.zeros(4)]
    assert assign(mixed, [1000], [False] * 3) == [[0, 2], [1]] and assign(mixed, [1], [False, False, True]) == [
        [0], [1], [2]
    ]  # fmt: skip


def test_hooks_see_the_gradients_of_this_rank(alone: None) -> None:
    model = DDP(torch.nn.Linear(2, 1))
    finished = []
    for p in model.parameters():
        p.register_post_accumulate_grad_hook(lambda p: finished.append(model.reducer.finished))
    model(torch.ones(1, 2)).sum().backward()
    assert finished == [False, False] and model.reducer.finished


def test_a_gradient_that_nobody_expected_is_refused(alone: None) -> None:
    """Of a part that a backward of its own computes: its buckets have left without it."""

    class Half(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.last = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.last(checkpoint(self.first, x, use_reentrant=True))

    x = torch.ones(1, 2, requires_grad=True)
    with pytest.raises(RuntimeError, match="(?s)^Expected to mark a variable ready only once. .*marked as ready twice"):
        DDP(Half(), find_unused_parameters=True)(x).sum().backward()
    with pytest.warns(UserWarning, match="You passed find_unused_parameters=true to DistributedDataParallel"):
        model = DDP(Half(), static_graph=True, find_unused_parameters=True)
    model(x).sum().backward()
    assert model.module.first.weight.grad is not None


def test_sparse_gradients_are_added_up(alone: None) -> None:
    model = DDP(torch.nn.Embedding(4, 2, sparse=True))
    model(torch.tensor([1, 1, 3])).sum().backward()
    assert model.module.weight.grad.is_sparse
    assert model.module.weight.grad.to_dense().tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]


def test_tied_weights_are_one_parameter(alone: None) -> None:
    model = DDP(Tied())
    assert len(model.reducer.parameters) == 3
