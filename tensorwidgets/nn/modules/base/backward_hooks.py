"""How does a hook of a module see the gradients of its inputs and outputs?

Two functions that do nothing are put into the graph, one around the inputs and one around the outputs. Hooks of their
nodes see the gradients: those of the outputs first, and when backward has passed through the module, those of the
inputs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ....autograd import Function
from ....engine.errors.warnings import warn
from ....engine.tensor.grad_mode import grad_enabled
from ....engine.tensor.tensor import Tensor


class BackwardHookFunction(Function):
    """Returns its tensors unchanged, and adds a node to the graph."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        return grads


class BackwardHook:
    """The hooks of one call of a module."""

    def __init__(self, module: Any, hooks: Sequence[Callable], pre_hooks: Sequence[Callable]):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs: tuple | None = None
        self.inputs: list[int] | None = None
        """Which arguments are tensors; None if no node was put around them."""
        self.outputs: list[int] | None = None
        self.input_count = self.output_count = -1

    def around_inputs(self, args: tuple) -> tuple:
        """The arguments, behind a node if one of them requires a gradient."""
        args, self.inputs = _behind_a_node(args, self._on_inputs)
        self.input_count = len(args)
        return args

    def around_outputs(self, result: Any) -> Any:
        """The result, behind a node if it requires a gradient."""
        results = result if isinstance(result, tuple) else (result,)
        results, self.outputs = _behind_a_node(results, self._on_outputs)
        self.output_count = len(results)
        return results if isinstance(result, tuple) else results[0]

    def _on_outputs(self, _: Any, grads: tuple) -> Any:
        assert self.outputs is not None
        seen = self.grad_outputs = _spread(self.outputs, grads, self.output_count)
        for hook in self.pre_hooks:
            answer = hook(self.module, seen)
            if answer is None:
                continue
            if len(answer) != len(seen):
                raise RuntimeError(
                    f"Backward pre hook returned an invalid number of grad_output, got {len(answer)}, "
                    f"but expected {len(seen)}"
                )
            seen = self.grad_outputs = answer
        if self.inputs is None:
            self._without_inputs(seen)
        return tuple(seen[i] for i in self.outputs)

    def _without_inputs(self, seen: tuple) -> None:
        """No input requires a gradient, so no other node will call the hooks."""
        warn(
            "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
            "require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
            "#torch.nn.Module.register_full_backward_hook for more details."
        )
        for hook in self.hooks:
            answer = hook(self.module, (None,) * self.input_count, seen)
            if answer is not None and not (isinstance(answer, tuple) and all(each is None for each in answer)):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or None "
                    "for all gradients."
                )
        self.grad_outputs = None

    def _on_inputs(self, grads: tuple, _: Any) -> Any:
        if self.grad_outputs is None:
            return None  # backward came to the inputs on a way that is not through the outputs
        assert self.inputs is not None
        seen = _spread(self.inputs, grads, self.input_count)
        for hook in self.hooks:
            answer = hook(self.module, seen, self.grad_outputs)
            if answer is None:
                continue
            if len(answer) != len(seen):
                raise RuntimeError(
                    f"Backward hook returned an invalid number of grad_input, got {len(answer)}, "
                    f"but expected {len(seen)}"
                )
            seen = answer
        self.grad_outputs = None
        return tuple(seen[i] for i in self.inputs)


def _spread(places: list[int], values: tuple, count: int) -> tuple:
    """Values at their places, None at the others."""
    spread: list[Any] = [None] * count
    for place, value in zip(places, values, strict=True):
        spread[place] = value
    return tuple(spread)


def _behind_a_node(values: tuple, on_grads: Callable) -> tuple[tuple, list[int] | None]:
    places = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
    if not (grad_enabled() and any(values[i].requires_grad for i in places)):
        return values, None
    passed = BackwardHookFunction.apply(*[values[i] for i in places])
    node = next(t.grad_fn for t in passed if t.grad_fn is not None)

    def hook(*grads: Any) -> Any:  # its name is in what a refusal says
        return on_grads(*grads)

    node.register_hook(hook)
    result = list(values)
    for i, value in zip(places, passed, strict=True):
        result[i] = value
    return (tuple(result) if type(values) is tuple else type(values)(*result)), places


def warn_of_partial_hooks(inputs: Any, result: Any, node: Any) -> None:
    """Warn where a hook of the old kind, which hangs on the last node alone, misses gradients."""
    results, given = _tensors(result), _tensors(inputs)
    if results is None:
        _warn("on a Module that does not return a single Tensor or a tuple of Tensors", "output", FULL)
        return
    if given is None:
        _warn("on a Module that does not take as input a single Tensor or a tuple of Tensors", "input", FULL)
        return
    ends = {t.grad_fn for t in results if t.grad_fn is not None}
    if not ends or (len(ends) == 1 and node not in ends):
        _warn("when outputs are nested in python data structure", "output", "", article="a ", hook="hook")
    elif len(ends) > 1:
        _warn("when outputs are generated by different autograd Nodes", "output", FULL, article="a ", hook="hook")
    elif {t.grad_fn for t in given if t.grad_fn is not None} != {edge[0] for edge in node.next_functions}:
        _warn("when the forward contains multiple autograd Nodes", "input", FULL, article="a ", hook="hook")


FULL = " Please use register_full_backward_hook to get the documented behavior."


def _warn(where: str, missed: str, advice: str, article: str = "", hook: str = "hooks") -> None:
    warnings.warn(
        f"Using {article}non-full backward {hook} {where} is deprecated and will be removed in future versions. "
        f"This hook will be missing some{' of the' if not article else ''} grad_{missed}.{advice}",
        FutureWarning,
        stacklevel=4,
    )


def _tensors(value: Any) -> tuple[Tensor, ...] | None:
    if isinstance(value, Tensor):
        return (value,)
    if isinstance(value, tuple) and all(isinstance(each, Tensor) for each in value):
        return value
    return None
