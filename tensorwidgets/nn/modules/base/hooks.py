"""Which functions are called around `forward`, and in which order?

Hooks of all modules come before those of one module. Without any hook, a call is a call of `forward`.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ....engine.autograd.hooks.handles import RemovableHandle
from ....engine.tensor.tensor import Tensor
from .backward_hooks import BackwardHook, warn_of_partial_hooks
from .handles import register
from .state import Stateful, WithModule

FORWARD_PRE: OrderedDict[int, Callable] = OrderedDict()
FORWARD: OrderedDict[int, Callable] = OrderedDict()
FORWARD_WITH_KWARGS: OrderedDict[int, bool] = OrderedDict()
FORWARD_ALWAYS: OrderedDict[int, bool] = OrderedDict()
BACKWARD_PRE: OrderedDict[int, Callable] = OrderedDict()
BACKWARD: OrderedDict[int, Callable] = OrderedDict()
"""Hooks of all modules."""

_full: bool | None = None
"""Whether the backward hooks of all modules are full ones; None as long as there is none."""


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, args)` before every `forward` of every module."""
    return register(FORWARD_PRE, hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after every `forward` of every module."""
    return register(FORWARD, hook, (FORWARD_WITH_KWARGS, with_kwargs), (FORWARD_ALWAYS, always_call))


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_output)` when backward arrives at a module, for every module."""
    return register(BACKWARD_PRE, hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` when backward has passed through a module, for every module."""
    return _register_for_all(hook, full=True)


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """The old kind of hook, which sees the last node of a module alone."""
    return _register_for_all(hook, full=False)


def _register_for_all(hook: Callable[..., Any], full: bool) -> RemovableHandle:
    global _full
    if _full is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook. "
            "Please use only one of them."
        )
    _full = full
    return register(BACKWARD, hook)


class Hooked(Stateful):
    """The part of `Module` that registers hooks, and calls `forward` among them."""

    forward: Callable[..., Any]
    _forward_pre_hooks: OrderedDict[int, Callable]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks: OrderedDict[int, Callable]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _backward_pre_hooks: OrderedDict[int, Callable]
    _backward_hooks: OrderedDict[int, Callable]
    _is_full_backward_hook: bool | None

    # -- registering ---------------------------------------------------------------------------------------------

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments."""
        flag = (self._forward_pre_hooks_with_kwargs, with_kwargs)
        return register(self._forward_pre_hooks, hook, flag, prepend=prepend)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output.

        With `always_call`, it is called after an exception, too.
        """
        flags = (self._forward_hooks_with_kwargs, with_kwargs), (self._forward_hooks_always_called, always_call)
        return register(self._forward_hooks, hook, *flags, prepend=prepend)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when backward arrives; what it returns replaces the gradients."""
        return register(self._backward_pre_hooks, hook, prepend=prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after backward; what it returns replaces `grad_input`."""
        _choose_backward_hooks(self, full=True)
        return register(self._backward_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """The old kind of hook, which sees the last node of the module alone."""
        _choose_backward_hooks(self, full=False)
        return register(self._backward_hooks, hook)

    # -- calling -------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (
            self._backward_hooks  # the first that a module lacks whose __init__ did not call that of Module
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or FORWARD
            or FORWARD_PRE
            or BACKWARD
            or BACKWARD_PRE
        ):
            return self.forward(*args, **kwargs)
        called: set[int] = set()
        outcome: list[Any] = [None, args, kwargs]
        try:
            return _call_among_hooks(self, outcome, called)
        except Exception:
            _after_an_error(self, outcome, called)
            raise

    _call_impl = __call__
    """PyTorch's name, which classes call that wrap a call of their base."""


def _choose_backward_hooks(module: Any, full: bool) -> None:
    if module._is_full_backward_hook is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks on a single Module. "
            "Please use only one of them."
        )
    module._is_full_backward_hook = full


def _call_among_hooks(module: Any, outcome: list[Any], called: set[int]) -> Any:
    full = [*BACKWARD.values()] if _full else []
    partial = [] if _full else [*BACKWARD.values()]
    (full if module._is_full_backward_hook else partial).extend(module._backward_hooks.values())
    before = [*BACKWARD_PRE.values(), *module._backward_pre_hooks.values()]

    for key, hook in (*FORWARD_PRE.items(), *module._forward_pre_hooks.items()):
        _ask_before(module, hook, key in module._forward_pre_hooks_with_kwargs, outcome)
    around = BackwardHook(module, full, before) if full or before else None
    if around is not None:
        outcome[1] = around.around_inputs(outcome[1])

    args, kwargs = outcome[1:]
    outcome[0] = module.forward(*args, **kwargs)
    for key, hook in (*FORWARD.items(), *module._forward_hooks.items()):
        called.add(key)
        _ask_after(module, key, hook, outcome)

    if around is not None:
        if not isinstance(outcome[0], (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
                f"received {type(outcome[0])}",
                stacklevel=3,
            )
        outcome[0] = around.around_outputs(outcome[0])
    if partial:
        _hang_on_last_node(module, partial, outcome)
    return outcome[0]


def _ask_before(module: Any, hook: Callable[..., Any], with_kwargs: bool, outcome: list[Any]) -> None:
    if not with_kwargs:
        answer = hook(module, outcome[1])
        if answer is not None:
            outcome[1] = answer if isinstance(answer, tuple) else (answer,)
        return
    answer = hook(module, outcome[1], outcome[2])
    if answer is not None:
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise RuntimeError(
                f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {answer}."
            )
        outcome[1:] = answer


def _ask_after(module: Any, key: int, hook: Callable[..., Any], outcome: list[Any]) -> None:
    result, args, kwargs = outcome
    if key in module._forward_hooks_with_kwargs or key in FORWARD_WITH_KWARGS:
        answer = hook(module, args, kwargs, result)
    else:
        answer = hook(module, args, result)
    if answer is not None:
        outcome[0] = answer


def _hang_on_last_node(module: Any, hooks: list[Callable[..., Any]], outcome: list[Any]) -> None:
    tensor = outcome[0]
    while not isinstance(tensor, Tensor):
        if isinstance(tensor, dict):
            tensor = next(value for value in tensor.values() if isinstance(value, Tensor))
        else:
            tensor = tensor[0]
    node = tensor.grad_fn
    if node is not None:
        for hook in hooks:
            node.register_hook(WithModule(hook, module))
        warn_of_partial_hooks(outcome[1], outcome[0], node)


def _after_an_error(module: Any, outcome: list[Any], called: set[int]) -> None:
    """Call the hooks that are to be called always, unless they were; their own errors become warnings."""
    for table, always, whose in (
        (FORWARD, FORWARD_ALWAYS, "global module"),
        (module._forward_hooks, module._forward_hooks_always_called, "module"),
    ):
        for key, hook in [*table.items()]:
            if key not in always or key in called:
                continue
            try:
                _ask_after(module, key, hook, outcome)
            except Exception as error:
                warnings.warn(
                    f"{whose} forward hook with ``always_call=True`` raised an exception that was silenced as "
                    f"another error was raised in forward: {error}",
                    stacklevel=3,
                )
