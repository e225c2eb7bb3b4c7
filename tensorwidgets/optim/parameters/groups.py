"""Which parameters does an optimizer change, and with which settings? Parameters come in groups."""

from __future__ import annotations

import warnings
from typing import Any

from ...engine.ops.small.questions import typename
from ...engine.tensor.tensor import Tensor


class Required:
    """Says of a setting that every group must give it."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = Required()


def listed(params: Any) -> list[dict[str, Any]]:
    """What an optimizer is given, as a list of groups."""
    if isinstance(params, Tensor):
        raise TypeError(
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
            + typename(params)
        )
    groups = list(params)
    if not groups:
        raise ValueError("optimizer got an empty parameter list")
    return groups if isinstance(groups[0], dict) else [{"params": groups}]


def completed(group: Any, defaults: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """A group with all its settings, checked; the dictionary is the caller's own, as in PyTorch."""
    if not isinstance(group, dict):
        raise TypeError(f"param_group must be a dict, but got {type(group)}")
    _separate_names(group)
    for parameter in group["params"]:
        if not isinstance(parameter, Tensor):
            raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(parameter)}")
        if not defaults.get("differentiable") and not (parameter.is_leaf or parameter.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")
    for name, default in defaults.items():
        if default is required and name not in group:
            raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
        group.setdefault(name, default)
    _check_once(group, others)
    return group


def _separate_names(group: dict[str, Any]) -> None:
    """Turn pairs of name and parameter into two lists."""
    params = group["params"]
    if isinstance(params, Tensor):
        params = [params]
    elif isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
            "will change between runs. Please use a list instead."
        )
    given = list(params)
    names = [each[0] for each in given if isinstance(each, tuple)]
    group["params"] = [each[1] if isinstance(each, tuple) else each for each in given]
    if names:
        if len(names) != len(given):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        group["param_names"] = names


def _check_once(group: dict[str, Any], others: list[dict[str, Any]]) -> None:
    """Each parameter belongs to one group; either all groups name theirs, or none does."""
    own = set(group["params"])
    if len(own) != len(group["params"]):
        warnings.warn(
            "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
            "see github.com/pytorch/pytorch/issues/40967 for more information",
            stacklevel=5,
        )
    named = "param_names" in group
    for other in others:
        if named != ("param_names" in other):
            raise ValueError(
                "all optimizer param groups should be with/without names. cannot add param group "
                f"{'with' if named else 'without'} names to the optimizer"
            )
    if any(not own.isdisjoint(other["params"]) for other in others):
        raise ValueError("some parameters appear in more than one parameter group")
