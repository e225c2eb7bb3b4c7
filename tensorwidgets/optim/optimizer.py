"""Optimizer: parameters in groups, a state for each parameter, and a step that changes both."""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from ..engine.autograd.hooks.handles import RemovableHandle
from ..engine.declare.fast_calls import PLAIN
from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from ..nn.modules.base.handles import register
from ..nn.modules.base.tree import clear_gradient
from .parameters import for_others
from .parameters.groups import completed, listed
from .parameters.groups import required as required

_BEFORE_STEP: OrderedDict[int, Callable] = OrderedDict()
_AFTER_STEP: OrderedDict[int, Callable] = OrderedDict()
"""Hooks of all optimizers."""


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before every step of every optimizer."""
    return register(_BEFORE_STEP, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after every step of every optimizer."""
    return register(_AFTER_STEP, hook)


class Optimizer:
    """The base of all optimizers, also of users' own, which define `step`.

    `state` holds what an optimizer remembers of a parameter, `param_groups` the parameters and their settings.
    """

    state: defaultdict[Any, Any]
    param_groups: list[dict[str, Any]]

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._optimizer_step_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._optimizer_step_post_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._optimizer_state_dict_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._optimizer_state_dict_post_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._optimizer_load_state_dict_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._optimizer_load_state_dict_post_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._patch_step_function()
        groups = listed(params)
        self.state = defaultdict(dict)
        self.param_groups = []
        for group in groups:
            self.add_param_group(group)

    def _patch_step_function(self) -> None:
        """Put the class's step among its hooks, once. Wrappers that skip `__init__` call this as well."""
        cls = type(self)
        if not hasattr(cls.step, "hooked"):
            cls.step = _among_hooks(cls.step)  # type: ignore[method-assign]

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for hooks in (
            "_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks",
            "_optimizer_state_dict_post_hooks", "_optimizer_load_state_dict_pre_hooks",
            "_optimizer_load_state_dict_post_hooks",
        ):  # fmt: skip
            self.__dict__.setdefault(hooks, OrderedDict())
        self._patch_step_function()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = [type(self).__name__ + " ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"\nParameter Group {number}" if number else f"Parameter Group {number}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"]) if self.param_groups else lines[0] + ")"

    @staticmethod
    def profile_hook_step(func: Callable[..., Any]) -> Callable[..., Any]:
        """A step with the hooks before and after it, for a class that puts it in place itself."""
        return _among_hooks(func)

    _group_tensors_by_device_and_dtype = staticmethod(for_others._group_tensors_by_device_and_dtype)

    def _cuda_graph_capture_health_check(self) -> None:
        """Steps of PyTorch's optimizers ask whether a GPU records them. Here: never."""

    _accelerator_graph_capture_health_check = _cuda_graph_capture_health_check

    # -- stepping ------------------------------------------------------------------------------------------------

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if set_to_none and type(parameter) in PLAIN:
                    parameter._notes.pop("_grad", None)
                else:
                    clear_gradient(parameter, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; a closure computes the loss again, and its result is returned."""
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with settings of their own, such as layers that are trained from now on."""
        self.param_groups.append(completed(param_group, self.defaults, self.param_groups))

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return new arguments."""
        return register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return register(self._optimizer_step_post_hooks, hook)

    # -- state ---------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The state and the groups, with a number in place of each parameter."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        first = 0
        for group in self.param_groups:
            # A parameter that is there twice has its last place in the first group that has it.
            numbers |= {id(p): n for n, p in enumerate(group["params"], first) if id(p) not in numbers}
            first += len(group["params"])
            packed = {key: value for key, value in group.items() if key != "params"}
            groups.append(packed | {"params": [numbers[id(parameter)] for parameter in group["params"]]})
        state = {numbers[id(k)] if isinstance(k, Tensor) else k: value for k, value in self.state.items()}
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            answer = hook(self, result)
            if answer is not None:
                result = answer
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the state and the settings of another optimizer of the same parameters."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            answer = hook(self, state_dict)
            if answer is not None:
                state_dict = answer
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(own["params"]) != len(new["params"]) for own, new in zip(groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        parameters = dict(
            zip(
                chain.from_iterable(group["params"] for group in saved),
                chain.from_iterable(group["params"] for group in groups),
                strict=True,
            )
        )
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in parameters:
                device_steps = any(
                    group.get("fused") or group.get("capturable") for group in saved if key in group["params"]
                )
                state[parameters[key]] = _fitted(value, parameters[key], None, device_steps)
            else:
                state[key] = value
        for own, new in zip(groups, saved, strict=True):
            new["params"] = own["params"]
            if "param_names" in own and "param_names" not in new:
                new["param_names"] = own["param_names"]
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict`."""
        return register(self._optimizer_state_dict_pre_hooks, hook, prepend=prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`; it may return another one."""
        return register(self._optimizer_state_dict_post_hooks, hook, prepend=prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before loading; it may return another one."""
        return register(self._optimizer_load_state_dict_pre_hooks, hook, prepend=prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` after loading."""
        return register(self._optimizer_load_state_dict_post_hooks, hook, prepend=prepend)


def _fitted(value: Any, parameter: Tensor, key: Any, device_steps: bool) -> Any:
    """A saved value as the state of a parameter: floating-point tensors take its dtype and device, but for `step`."""
    if isinstance(value, Tensor):
        if key == "step":
            return value.to(dtype=torch.float32, device=parameter.device) if device_steps else value
        if parameter.is_floating_point():
            return value.to(dtype=parameter.dtype, device=parameter.device)
        return value.to(device=parameter.device)
    if isinstance(value, dict):
        return {k: _fitted(v, parameter, k, device_steps) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_fitted(v, parameter, None, device_steps) for v in value)  # type: ignore[call-arg]
    return value


def _among_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step with the hooks before and after it."""

    @functools.wraps(step)
    def wrapped(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        args = (self, *args)
        if not (_BEFORE_STEP or self._optimizer_step_pre_hooks or self._optimizer_step_post_hooks or _AFTER_STEP):
            return step(*args, **kwargs)
        for hook in chain(_BEFORE_STEP.values(), self._optimizer_step_pre_hooks.values()):
            answer = hook(self, args, kwargs)
            if answer is None:
                continue
            if not (isinstance(answer, tuple) and len(answer) == 2):
                raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), but got {answer}.")
            args, kwargs = answer
        result = step(*args, **kwargs)
        for hook in chain(self._optimizer_step_post_hooks.values(), _AFTER_STEP.values()):
            hook(self, args, kwargs)
        return result

    wrapped.hooked = True  # type: ignore[attr-defined]
    return wrapped


def __getattr__(name: str) -> Any:
    """What optimizers of other people import from here."""
    if not name.startswith("__") and name in vars(for_others):
        return getattr(for_others, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
