"""Classes that are asked about calls, and modes, as in PyTorch."""

from __future__ import annotations

import gzip
import json
import sys
import warnings

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.dispatch.kinds import add_kind, forget_kind
from tensorwidgets.overrides import BaseTorchFunctionMode
from tests.engine.calls.freeze_overriding import REFERENCE, answer
from tests.engine.calls.overriding_cases import CASES

ANSWERS = json.loads(gzip.decompress(REFERENCE.read_bytes()))["answers"]


@pytest.mark.parametrize("name", CASES)
def test_classes_and_modes_are_asked_as_by_pytorch(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = answer(tw, name)
    assert found == ANSWERS[name]


@pytest.mark.torch
def test_frozen_answers_are_still_those_of_pytorch() -> None:
    import torch

    drifted = [name for name in CASES if answer(torch, name) != ANSWERS[name]]
    assert not drifted and list(ANSWERS) == list(CASES)


def test_a_kind_that_comes_while_a_mode_is_open_keeps_its_members() -> None:
    kind = None
    before = tw.Tensor.__dict__["stride"], tw.Tensor.__dict__["device"]
    with BaseTorchFunctionMode():
        kind = add_kind("spare", "of this test")
        try:
            kind.members({"get_device": lambda self: 7, "is_cpu": property(lambda self: "no")})
            plain, spare = tw.ones(2), tw.ones(2)
            spare._keys |= kind.key
            assert (plain.get_device(), spare.get_device(), plain.is_cpu, spare.is_cpu) == (-1, 7, True, "no")
        except BaseException:
            forget_kind("spare")
            raise
    assert (plain.get_device(), spare.get_device(), plain.is_cpu, spare.is_cpu) == (-1, 7, True, "no")
    forget_kind("spare")
    assert (plain.get_device(), plain.is_cpu) == (-1, True)
    assert (tw.Tensor.__dict__["stride"], tw.Tensor.__dict__["device"]) == before


class Told(tw.Tensor):
    """A class that answers with the name of the function."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__


def test_the_route_tells_of_a_class_that_is_asked() -> None:
    x = tw.ones(2).as_subclass(Told)
    assert "Told.__torch_function__ is asked" in repr(tw.route("add", x, 1))
    assert tw.add(x, 1) == "add"


def test_the_engine_asks_no_class_about_its_own_calls() -> None:
    x = tw.ones(2).as_subclass(Told)
    with tw._C.DisableTorchFunctionSubclass():
        copied = x.clone()
    assert copied.tolist() == [1, 1] and tw.Tensor.tolist(x) == [1, 1]
    assert tw.Tensor.shape.__get__(x) == (2,)


def test_recordings_list_the_calls_that_a_class_makes() -> None:
    class Twice(tw.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return super().__torch_function__(func, types, args, kwargs)

    x = tw.ones(2).as_subclass(Twice)
    with tw.recording() as calls:
        y = x + 1
    assert type(y) is Twice and "add" in [call.op for call in calls]


def test_a_mode_of_one_thread_is_not_asked_by_another() -> None:
    from concurrent.futures import ThreadPoolExecutor

    class Refuses(tw.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise AssertionError

    with ThreadPoolExecutor(1) as pool, Refuses():
        assert pool.submit(lambda: (tw.ones(2) + 1).tolist()).result() == [2, 2]


def test_a_class_declines_a_function_of_another_library(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def add(a, b): return a"
    foreign: dict = {"__name__": "torch.functional"}
    exec(code, foreign)
    add = foreign["add"]
    assert tw.Tensor.__torch_function__(add, (), (1, 2)) == 1
    monkeypatch.setitem(sys.modules, "torch", sys)
    assert tw.Tensor.__torch_function__(add, (), (1, 2)) is NotImplemented
    assert tw.Tensor.__torch_function__(tw.add, (), (tw.ones(1), 1)) == 2


@pytest.mark.torch
def test_pytorch_refuses_our_tensors() -> None:
    import torch

    for ours in (tw.ones(2), tw.ones(2).as_subclass(Told)):
        for call in (lambda: torch.norm(ours), lambda: torch.stack([torch.ones(2), ours])):  # noqa: B023 - at once
            if type(ours) is tw.Tensor:
                with pytest.raises(TypeError, match="all __torch_function__ handlers|no implementation found"):
                    call()
            else:
                assert call() in ("norm", "stack")
