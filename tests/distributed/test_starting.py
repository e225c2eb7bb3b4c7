"""Becoming a rank, and refusals before it."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest

import tensorwidgets as torch
from tensorwidgets import distributed as dist
from tensorwidgets.distributed.groups import NOT_INITIALISED

RENDEZVOUS = "Error initializing torch.distributed using "


def test_nothing_is_loaded_before_the_first_rank() -> None:
    code = (
        "import sys, tensorwidgets as t; assert not any('distributed' in m for m in sys.modules); "
        "d = t.distributed; d.init_process_group('gloo', rank=0, world_size=1); d.all_reduce(t.ones(1)); "
        "d.destroy_process_group(); assert 'mpi4py' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize(
    "call",
    [
        lambda: dist.all_reduce(torch.ones(1)), dist.get_rank, dist.get_world_size, dist.get_backend, dist.barrier,
        lambda: dist.new_group([0]), lambda: dist.P2POp(dist.isend, torch.ones(1), 0),
        lambda: dist.all_gather_object([None], 1), lambda: torch.utils.data.DistributedSampler([1, 2]),
    ],
)  # fmt: skip
def test_a_call_before_init_is_refused(call) -> None:
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).startswith(NOT_INITIALISED)


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({"backend": "nccl"}, RuntimeError, "Distributed package doesn't have NCCL built in"),
        ({"backend": "foo"}, AssertionError, "Unknown backend type foo"),
        ({"init_method": "foo://x"}, RuntimeError, "No rendezvous handler for foo://"),
        ({"timeout": 3}, TypeError, "Expected timeout argument to be of type datetime.timedelta, got 3"),
        ({"store": object(), "init_method": "env://"}, AssertionError, "Cannot specify both init_method and store."),
        ({"store": object(), "rank": -1, "world_size": -1}, AssertionError, "world_size must be positive if using st"),
        ({"rank": -1}, ValueError, f"{RENDEZVOUS}env:// rendezvous: environment variable RANK expected, but not set"),
        ({"rank": -1, "init_method": "tcp://localhost:1"}, ValueError, f"{RENDEZVOUS}tcp:// rendezvous: rank paramet"),
        ({"world_size": 2}, RuntimeError, "rank 0 of 2: this process was started alone, so the others are not there"),
    ],
)  # fmt: skip
def test_wrong_starts_are_refused(given: dict, kind: type, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(kind) as caught:
        dist.init_process_group(**({"rank": 0, "world_size": 1} | given))
    assert str(caught.value).startswith(said) and not dist.is_initialized()
    if given.get("world_size") == 2:
        note = caught.value.__notes__[0]
        assert "spawn(function, nprocs=2)" in note and "distributed.run -n 2 train.py" in note and "kernel" in note


def test_the_environment_says_which_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "localhost", "MASTER_PORT": "1"}.items():
        monkeypatch.setenv(name, value)
    dist.init_process_group(timeout=timedelta(seconds=5))
    try:
        assert (dist.get_rank(), dist.get_world_size(), dist.get_backend()) == (0, 1, "undefined")
        assert list(torch.utils.data.DistributedSampler(range(3), shuffle=False)) == [0, 1, 2]
        with pytest.raises(RuntimeError, match="no connection to itself"):
            dist.irecv(torch.ones(1), 0)
        for wrong in (
            lambda: dist.broadcast(torch.ones(1), "0"),
            lambda: dist.reduce(torch.ones(1), group_dst=0.0),
            lambda: dist.isend(torch.ones(1), 0, tag="a"),
            lambda: dist.new_group(["0"]),
        ):
            with pytest.raises(
                TypeError,
                match=r"(?s)^\w*\(\): incompatible function arguments. The .*a (rank|tag) is an int, not (str|fl)",
            ):
                wrong()
        with pytest.raises(RuntimeError, match="when running the callback: ValueError: invalid literal"):
            dist.all_reduce(torch.ones(1), async_op=True).get_future().then(lambda f: int("no")).wait()
    finally:
        dist.destroy_process_group()
    assert dist.group.WORLD is None
    with pytest.raises(AssertionError, match="Process group cannot be None"):
        dist.destroy_process_group()


def test_an_address_by_tcp_has_a_port() -> None:
    with pytest.raises(ValueError, match=f"^{RENDEZVOUS}tcp:// rendezvous: port number missing"):
        dist.init_process_group("gloo", init_method="tcp://localhost", rank=0, world_size=1)
    assert not dist.is_initialized()


def test_an_operation_is_made_of_one() -> None:
    assert dist.ReduceOp(dist.ReduceOp.SUM) == dist.ReduceOp.SUM
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        dist.ReduceOp("sum")


@pytest.mark.parametrize("sizes", [3, "2", [2.0], 0])
def test_split_sizes_are_whole_numbers(sizes: object) -> None:
    dist.init_process_group("gloo", rank=0, world_size=1)
    try:
        with pytest.raises(TypeError, match=r"^all_to_all_single\(\): incompatible function arguments"):
            dist.all_to_all_single(torch.zeros(2), torch.ones(2), sizes)
    finally:
        dist.destroy_process_group()


def test_whether_a_rank_is_outside_of_a_group() -> None:
    outside = dist.GroupMember.NON_GROUP_MEMBER
    assert [dist._rank_not_in_group(given) for given in (None, outside, 3)] == [False, True, False]
    assert dist.distributed_c10d._rank_not_in_group is dist._rank_not_in_group
