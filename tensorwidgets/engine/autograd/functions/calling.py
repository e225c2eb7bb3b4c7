"""A call of a Function: its arguments, its context, and `forward`."""

from __future__ import annotations

from inspect import signature
from typing import Any

from ...errors.reasons import refuse
from ...tensor.grad_mode import grad_enabled, no_grad
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.passed import hide_again, shown_again
from ...tensor.tensor import Tensor
from ...tensor.thread_state import transforms
from ..nodes import Node
from ..origin import edge_of, tracked
from .contexts import Context
from .node import FunctionNode
from .results import Results


def call(cls: Any, args: tuple, kwargs: dict) -> Any:
    """Call `forward` of a Function and record it."""
    apart = cls._has_own_context()
    if transforms.under_way and not apart:
        refuse(
            RuntimeError,
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
            "override the setup_context staticmethod. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
            "a transform calls forward with tensors of its own, so what is saved is said in setup_context",
            "def forward(x) and def setup_context(ctx, inputs, output)",
            rule="function.transforms",
        )
    if kwargs or apart and _takes_defaults(cls.forward, args):
        args = _in_places(cls, args, kwargs, apart)
    ctx: FunctionNode = cls._backward_cls.__new__(cls._backward_cls)
    tensors = [a for a in args if isinstance(a, Tensor)]
    recording = grad_enabled() and any(tracked(t) for t in tensors)
    edges = tuple([edge_of(t) if recording and tracked(t) else None for t in tensors])
    Node.__init__(ctx, edges, (), None)
    ctx.needs_input_grad = tuple([isinstance(a, Tensor) and tracked(a) for a in args])
    ctx._count = len(args)
    ctx._places = tuple([place for place, a in enumerate(args) if isinstance(a, Tensor)])
    if cls.clear_saved_tensors_on_access is not False or cls.boxed_grads_call is not False:
        _check_class_flag(cls, "clear_saved_tensors_on_access")
        _check_class_flag(cls, "boxed_grads_call")
    ctx.own = {}
    before = shown_again(KEY_AUTOGRAD)
    try:
        with no_grad():
            if apart:
                output = cls.forward(*args)
                cls.setup_context(Context(ctx), args, output)
            else:
                output = cls.forward(Context(ctx), *args)
    finally:
        hide_again(before)
    return Results(ctx, cls, tensors, recording).of(output)


def _check_class_flag(cls: Any, name: str) -> None:
    value = getattr(cls, name)
    if type(value) is not bool:
        refuse(
            RuntimeError,
            f"{name} must be a bool, got {type(value).__name__}",
            "set it to True or False in the class",
            rule="argument.type",
        )


def _in_places(cls: Any, args: tuple, kwargs: dict, bind: bool) -> tuple:
    """The arguments of a call in the places that `forward` has for them.

    A `forward` without `ctx` gets its defaults too, since `setup_context` and `backward` see all its arguments.
    """
    if bind:
        bound = signature(cls.forward).bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
    if not kwargs:
        return args
    names = list(signature(cls.forward).parameters.values())[0 if bind else 1 :]
    places = [p.name for p in names if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for name in kwargs:
        if name not in places:
            _refuse_argument(f"forward() got an unexpected keyword argument '{name}'")
        if places.index(name) < len(args):
            _refuse_argument(f"forward() got multiple values for argument '{name}'")
    last = max(map(places.index, kwargs))
    for place in range(len(args), last):
        if places[place] not in kwargs:
            _refuse_argument(f"forward() missing required argument: '{places[place]}' (position {place})")
    return (*args, *[kwargs[name] for name in places[len(args) : last + 1]])


def _refuse_argument(message: str) -> None:
    refuse(
        TypeError,
        message,
        "backward returns a gradient for each place, so arguments by name are put in their places",
        "F.apply(x, 2)",
        rule="function.arguments",
    )


def _takes_defaults(forward: Any, args: tuple) -> bool:
    """Whether a call without keywords may leave anything out; where it does not, there is nothing to bind."""
    code = getattr(forward, "__code__", None)
    return code is None or code.co_kwonlyargcount or len(args) != code.co_argcount
