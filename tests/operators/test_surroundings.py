"""A call computes the same whatever surrounds it, and a gradient is the same however it is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import tensorwidgets as torch
from tensorwidgets.engine.dispatch.registry import OPS
from tests.gradients.test_recorded_or_not import FORMS, numbers
from tests.parts import Part, in_parts


class _PassesOn(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        return func(*args, **(kwargs or {}))


class _Subclass(torch.Tensor):
    pass


@contextmanager
def _deterministic() -> Iterator[None]:
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


SURROUNDINGS: dict[str, Callable[[], Any]] = {
    "inference": torch.inference_mode,
    "anomaly": torch.autograd.detect_anomaly,
    "hooks": lambda: torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t),
    "mode": _PassesOn,
    "recording": torch.recording,
    "no autocast": lambda: torch.autocast("cpu", enabled=False),
    "deterministic": _deterministic,
}
OTHER_KINDS: dict[str, Callable[[Any], Any]] = {
    "subclass": lambda x: x.as_subclass(_Subclass),
    "leaf of a layer": lambda x: torch.nn.Parameter(x, requires_grad=False),
    "later in a storage": lambda x: torch.cat([torch.zeros(1), x.reshape(-1)])[1:].view_as(x),
    "negative view": lambda x: torch.complex(torch.zeros(x.shape), -x).conj().imag,
}
CONVERSIONS = frozenset("bfloat16 bool cdouble cfloat cpu double flip float half int long short tile".split())
TO_SPARSE = frozenset(f"to_sparse{layout}" for layout in ("", "_coo", "_csr", "_csc", "_bsr", "_bsc"))
OTHERWISE = {
    **dict.fromkeys(((name, "mode") for name in CONVERSIONS), "a mode is given the method, which is called otherwise"),
    **dict.fromkeys(((name, "subclass") for name in TO_SPARSE), "refused for a subclass"),
    **dict.fromkeys((("detach_", kind) for kind in OTHER_KINDS if kind[0] != "l"), "refused for a view"),
    ("detach_", "later in a storage"): "refused for a view",
    ("from_dlpack", "negative view"): "refused",
}
"""Where ops answer otherwise, and why."""
UNTOLD = frozenset(("empty_like", "new_empty"))
"""Ops whose numbers mean nothing."""


def _argument() -> Any:
    return torch.arange(12.0).reshape(3, 4) / 12 + 0.1


def _answer(function: Callable, arguments: Callable[[Any], tuple], x: Any) -> Any:
    """What a call returns and the next random number, or the error that refuses it."""
    torch.manual_seed(0)
    try:
        result = function(*arguments(x))
    except Exception as error:
        return type(error).__name__
    return [numbers(value) for value in (result if isinstance(result, (tuple, list)) else (result,))]


@in_parts(3)
def test_a_call_computes_the_same_whatever_surrounds_it(part: Part) -> None:
    computed, differ, asked = 0, set(), part.of(sorted(OPS.keys() - UNTOLD))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in asked:
            function = OPS[name].function
            for arguments in FORMS.values():
                plain = _answer(function, arguments, _argument())
                if isinstance(plain, str):
                    continue
                computed += 1
                for surrounding, enter in SURROUNDINGS.items():
                    x = _argument()
                    with enter():
                        if _answer(function, arguments, x) != plain:
                            differ.add((name, surrounding))
                for kind, made in OTHER_KINDS.items():
                    if _answer(function, arguments, made(_argument())) != plain:
                        differ.add((name, kind))
    assert computed > part.least(170, 340)
    assert differ == {(name, kind) for name, kind in OTHERWISE if name in asked}


def _names(function: Callable, arguments: Callable[[Any], tuple], x: Any) -> Any:
    """The names of what a call returns, or the error that refuses it."""
    torch.manual_seed(0)
    try:
        result = function(*arguments(x.refine_names("A", "B")))
    except Exception as error:
        return type(error).__name__
    results = result if isinstance(result, (tuple, list)) else (result,)
    return [value.names for value in results if isinstance(value, torch.Tensor)]


@in_parts(3)
def test_names_are_the_same_whatever_surrounds_a_call(part: Part) -> None:
    surroundings = {**SURROUNDINGS, "autocast": lambda: torch.autocast("cpu")}
    asked, differ, named = part.of(sorted(OPS.keys() - UNTOLD)), set(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in asked:
            function = OPS[name].function
            for arguments in FORMS.values():
                plain = _names(function, arguments, _argument())
                if isinstance(plain, str):
                    continue
                named += ("A", "B") in plain
                for surrounding, enter in surroundings.items():
                    with enter():
                        if _names(function, arguments, _argument()) != plain:
                            differ.add((name, surrounding))
    assert named > part.least(60, 120)
    assert {pair for pair in differ if pair not in OTHERWISE} == set()
