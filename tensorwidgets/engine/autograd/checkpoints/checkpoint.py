"""`checkpoint`: what a function saves for its gradient is thrown away, and computed again when it is needed.

There are two ways. With `use_reentrant=True` the call is one node, whose backward calls the function again and starts a
backward pass of its own. With `use_reentrant=False` the call is recorded as usual, but nodes keep an empty slot for
each tensor; the first one that is asked for its tensor calls the function again, which fills all slots.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any

from ...calling.for_users import call_users
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.generator import States, put_back, states_of
from ...tensor.grad_mode import enable_grad, grad_enabled, inference_enabled, no_grad
from ...tensor.tensor import Tensor
from ...tensor.thread_state import autocast_as, autocast_now, carried
from ..backward import backward
from ..functions.function import Function
from ..functions.saved_tensors import SavedTensors
from ..hooks.on_saved import saved_tensors_hooks
from ..nodes import Node
from ..origin import tracked
from ..passes.running import under_way
from ..saved import refuse_inference
from .parts import UNTRACKED

PASS_IT = (
    "the use_reentrant parameter should be passed explicitly. {} use_reentrant=False is recommended, but if you need "
    "to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
    "differences between the two variants."
)


class _Everywhere(threading.local):
    """What applies to all calls of this thread, whatever they were given; None leaves it to them."""

    early_stop: bool | None = None
    debug: bool | None = None
    group: GraphExecGroup | None = None
    """The block of `GraphExecGroup` that is open, if any."""


_everywhere = _Everywhere()
carried.append(_everywhere)


@contextmanager
def _for_all(name: str, value: bool | None) -> Iterator[None]:
    before = getattr(_everywhere, name)
    setattr(_everywhere, name, value)
    try:
        yield
    finally:
        setattr(_everywhere, name, before)


def set_checkpoint_early_stop(enable: bool) -> AbstractContextManager[None]:
    """A block whose checkpoints end their second call as soon as everything is there, or run it to its end.

    >>> import tensorwidgets as torch
    >>> def f(x):
    ...     y = x.exp()
    ...     print("done")
    ...     return y
    >>> x = torch.zeros(2, requires_grad=True)
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(f, x, use_reentrant=False)
    done
    >>> y.sum().backward()
    done
    """
    return _for_all("early_stop", enable)


def set_checkpoint_debug_enabled(enabled: bool | None) -> AbstractContextManager[None]:
    """A block that overrides `debug=`, which adds nothing to the errors here."""
    return _for_all("debug", enabled)


class GraphExecGroup:
    """A block whose backward passes share what a checkpoint computes again: its function is called once for all.

    The passes must go through different parts of the graph. It matters to `use_reentrant=False` alone.

    >>> import tensorwidgets as torch
    >>> def f(x):
    ...     print("called")
    ...     y = x.exp()
    ...     return y, y.sin()
    >>> x = torch.zeros(2, requires_grad=True)
    >>> y, z = checkpoint(f, x, use_reentrant=False)
    called
    >>> with GraphExecGroup():
    ...     (grad,) = torch.autograd.grad(z.sum(), y)
    ...     torch.autograd.grad(y, x, grad)
    called
    (tensor([0.5403, 0.5403]),)
    """

    def __enter__(self) -> GraphExecGroup:
        if _everywhere.group is not None:
            refuse(
                RuntimeError,
                f"GraphExecGroup contexts cannot be nested. Already inside group {_everywhere.group}",
                "a checkpoint would not know which of the two blocks it shares its tensors with",
                "leave the outer block first",
                rule="checkpoint.group",
            )
        _everywhere.group = self
        return self

    def __exit__(self, *exc: object) -> None:
        _everywhere.group = None


def noop_context_fn() -> tuple[AbstractContextManager, AbstractContextManager]:
    """A `context_fn` that does nothing."""
    return nullcontext(), nullcontext()


class CheckpointError(RuntimeError):
    """What is raised where a function does something else when it is called again."""


def checkpoint(
    function: Callable,
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Calls a function without keeping what its gradient needs; the backward pass calls it again.

    This takes time and saves memory. Random numbers are the same the second time, unless `preserve_rng_state` is False.
    `early_stop` ends the second call as soon as everything is there.

    >>> import tensorwidgets as torch
    >>> def f(x):
    ...     print("called")
    ...     return x.exp().sin()
    >>> x = torch.zeros(2, requires_grad=True)
    >>> y = checkpoint(f, x, use_reentrant=False)
    called
    >>> y.sum().backward()
    called
    >>> x.grad
    tensor([0.5403, 0.5403])
    """
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint: "
            + PASS_IT.format(
                "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
            )
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        forward, again = context_fn()
        early_stop = early_stop if _everywhere.early_stop is None else _everywhere.early_stop
        return _recorded(function, args, kwargs, preserve, _facts(determinism_check), early_stop, forward, again)
    _refuse_unknown(kwargs)
    if context_fn is not noop_context_fn or debug:
        refuse(
            ValueError,
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False.",
            "with use_reentrant=True the whole call is one node",
            "use_reentrant=False",
            rule="checkpoint.arguments",
        )
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Tensor, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Calls functions one after the other, in `segments` parts of which all but the last are checkpoints.

    >>> import tensorwidgets as torch
    >>> x = torch.zeros(2, requires_grad=True)
    >>> checkpoint_sequential([torch.exp, torch.sin, torch.cos, torch.tanh], 2, x, use_reentrant=False)
    tensor([0.5826, 0.5826], grad_fn=<TanhBackward0>)
    """
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint.checkpoint_sequential: "
            + PASS_IT.format("In version 2.9 we will raise an exception if use_reentrant is not passed.")
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    _refuse_unknown(kwargs)
    every: Sequence[Callable] = list(functions.children()) if _is_container(functions) else functions
    length = len(every) // segments
    done = 0
    for begin in range(0, length * (segments - 1), length):  # of more segments than functions this is PyTorch's refusal
        done = begin + length
        part = _in_turn(every[begin:done])
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return _in_turn(every[done:])(input)


def _is_container(functions: Any) -> bool:
    """Whether functions are the modules of a `Sequential`, and not a list or a module of another kind."""
    return hasattr(functions, "children") and hasattr(functions, "append")


def _in_turn(functions: Sequence[Callable]) -> Callable:
    def call(value: Tensor) -> Any:
        for function in functions:
            value = function(value)
        return value

    return call


def _refuse_unknown(kwargs: dict) -> None:
    if kwargs:
        refuse(
            ValueError,
            "Unexpected keyword arguments: " + ",".join(kwargs),
            "with use_reentrant=True the function gets positional arguments only",
            "use_reentrant=False",
            rule="checkpoint.arguments",
        )


def _numbers_of(args: Sequence) -> States:
    """The states of the streams of random numbers that a call may draw from: the CPU's, and those of its arguments."""
    return states_of([a.device for a in args if isinstance(a, Tensor)])


def _called_again(
    function: Callable, args: Sequence, kwargs: dict, numbers: States | None, autocast: dict, context: Any = None
) -> Any:
    """Call a function as the first time: recorded, in the same dtypes, and with the same random numbers."""
    now = None if numbers is None else [(stream, stream.get_state()) for stream, _ in numbers]
    try:
        if numbers is not None:
            put_back(numbers)
        with enable_grad(), autocast_as(autocast), context or nullcontext():
            return call_users(function, *args, **kwargs)
    finally:
        if now is not None:
            put_back(now)


# -- one node ----------------------------------------------------------------------------------------------------


class CheckpointFunction(Function):
    """The node of a call with `use_reentrant=True`."""

    @staticmethod
    def forward(ctx: Any, function: Callable, preserve: bool, *args: Any) -> Any:
        if not any(isinstance(a, Tensor) and tracked(a) for a in args):
            warn(UNTRACKED)
        ctx.called, ctx.numbers = function, _numbers_of(args) if preserve else None
        ctx.autocast = autocast_now()
        ctx.others = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*[a for a in args if isinstance(a, Tensor)])
        ctx.tensors_at = [n for n, a in enumerate(args) if isinstance(a, Tensor)]
        with no_grad():
            return call_users(function, *args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if under_way.passes and under_way.passes[-1].wanted is not None:
            refuse(
                RuntimeError,
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument.",
                "the node starts a backward pass of its own, which adds to .grad of all leaves",
                "use_reentrant=False",
                rule="checkpoint.inputs",
            )
        given = list(ctx.others)
        for place, t in zip(ctx.tensors_at, ctx.saved_tensors, strict=True):
            given[place] = t.detach().requires_grad_(tracked(t))
        outputs = _called_again(ctx.called, given, {}, ctx.numbers, ctx.autocast)
        flat = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [(o, g) for o, g in zip(flat, grads, strict=True) if isinstance(o, Tensor) and tracked(o)]
        if not pairs:
            refuse(
                RuntimeError,
                "none of output has requires_grad=True, this checkpoint() is not necessary",
                "the function has no gradient",
                "function(*args)",
                rule="checkpoint.none",
            )
        backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *[a.grad if isinstance(a, Tensor) else None for a in given])


# -- empty slots ------------------------------------------------------------------------------------------------


class _Slot:
    """What a node keeps for a tensor: its number among those that the call saved."""

    __slots__ = ("number", "__weakref__")

    def __init__(self, number: int) -> None:
        self.number = number


class _NoPass:
    """Stands for the backward pass where somebody looks at a saved tensor outside of one."""

    __slots__ = ("__weakref__",)


class _Enough(BaseException):
    """Ends the second call: everything is there."""


class Checkpoint(Node):
    """Holds the arguments of a call, and is named where they were written to."""

    __slots__ = ()


class _Frame:
    """One call that may be made again."""

    def __init__(self, call: Callable[[Sequence], Any], args: tuple, facts: Callable | None, early_stop: bool):
        self.call, self.facts, self.early_stop = call, facts, early_stop
        self.others = [None if isinstance(a, Tensor) else a for a in args]
        self.tensors_at = [n for n, a in enumerate(args) if isinstance(a, Tensor)]
        tensors = tuple([args[n] for n in self.tensors_at])
        self.kept = SavedTensors(tensors, [-1] * len(tensors))
        self.node = Checkpoint((), (), None)
        self.slots: list[weakref.ref[_Slot]] = []
        self.seen: list[Any] = []
        """The facts of each saved tensor."""
        self.finished = False
        self.again: weakref.WeakKeyDictionary[Any, dict[int, Tensor]] = weakref.WeakKeyDictionary()
        """What the second call saved and no node has taken yet, by number, for each pass or group of passes. A pass
        knows its nodes, and these know this frame, so a strong reference would keep the whole graph alive.
        """

    def pack(self, t: Tensor) -> _Slot:
        slot = _Slot(len(self.slots))
        self.slots.append(weakref.ref(slot))
        self.seen.append(None if self.facts is None else self.facts(t))
        return slot

    def unpack(self, slot: _Slot) -> Tensor:
        now: Any = _everywhere.group or (under_way.passes[-1] if under_way.passes else _NoPass())
        if now not in self.again:
            self._fill(now)
        value = self.again[now].pop(slot.number, None)
        if value is None:
            extra = ""
            if _everywhere.group is not None:
                extra = (
                    "Performing two backward calls that overlap (i.e. require the same saved activation in order to "
                    "compute gradients) is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
                )
            refuse(
                CheckpointError,
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                f"{extra}If you are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise "
                "please open an issue with details on your use case.",
                "each tensor is handed out once in a backward pass and then forgotten",
                "a, b = ctx.saved_tensors",
                rule="checkpoint.twice",
            )
        return value  # type: ignore[no-any-return]

    def _fill(self, now: Any) -> None:
        """Call the function again; each tensor that it saves goes to its slot."""
        given = list(self.others)
        with enable_grad():
            for number, t in zip(self.tensors_at, self.kept.unpacked(self.node), strict=True):
                given[number] = t
        count = 0
        values: dict[int, Tensor] = {}

        def put(t: Tensor) -> Tensor:
            nonlocal count
            if tracked(t):  # any other is handed out as it is
                t = t.detach()
            if count == len(self.slots):
                if self.finished:
                    _refuse_other("trying to save more tensors during recomputation than during the original forward "
                                  "pass.")  # fmt: skip
                return t
            if self.slots[count]() is not None:
                values[count] = t
            count += 1
            if self.early_stop and count == len(self.slots):
                raise _Enough
            return t

        try:
            with saved_tensors_hooks(put, lambda t: t):
                self.call(given)
        except _Enough:
            pass
        self._check(values, count)
        self.again[now] = values

    def _check(self, values: dict[int, Tensor], count: int) -> None:
        if count != len(self.slots):
            _refuse_other(
                "A different number of tensors was saved during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.slots)}\n"
                f"Number of tensors saved during recomputation: {count}."
            )
        lines = []
        facts = self.facts or (lambda value: None)
        for number, value in values.items():
            before, after = self.seen[number], facts(value)
            if after != before:
                lines += [f"tensor at position {number}:", f"saved metadata: {before}", f"recomputed metadata: {after}"]
        if lines:
            _refuse_other(
                "Recomputed values for the following tensors have different metadata than during the forward pass.\n"
                + "\n".join(lines)
                + "\n."
            )


def _refuse_other(message: str) -> None:
    refuse(
        CheckpointError,
        f"torch.utils.checkpoint: {message}",
        "the function has to do the same each time that it is called: it may depend on its arguments only",
        rule="checkpoint.other",
    )


def _facts(determinism_check: str) -> Callable | None:
    """What is compared of a saved tensor."""
    if determinism_check == "none":
        return None
    if determinism_check != "default":
        refuse(
            ValueError,
            f"determinism_check should be one of ['default', 'none'], but got {determinism_check}",
            "sizes, dtypes and devices are compared, or nothing",
            rule="checkpoint.arguments",
        )
    return lambda t: {"shape": t.shape, "dtype": t.dtype, "device": t.device}


def _recorded(
    function: Callable,
    args: tuple,
    kwargs: dict,
    preserve: bool,
    facts: Callable | None,
    early_stop: bool,
    forward: Any,
    again: Any,
) -> Any:
    """Call a function with empty slots for what nodes save."""
    if not grad_enabled():
        return call_users(function, *args, **kwargs)
    if not inference_enabled() and any(t.is_inference() for t in args if isinstance(t, Tensor)):
        refuse_inference()
    numbers, autocast = _numbers_of(args) if preserve else None, autocast_now()

    def call(given: Sequence) -> Any:
        return _called_again(function, given, kwargs, numbers, autocast, again)

    frame = _Frame(call, args, facts, early_stop)
    with ExitStack() as contexts:
        contexts.enter_context(saved_tensors_hooks(frame.pack, frame.unpack))
        contexts.enter_context(forward)
        result = call_users(function, *args, **kwargs)
    frame.finished = True
    return result


__all__ = [
    "CheckpointError", "CheckpointFunction", "GraphExecGroup", "checkpoint", "checkpoint_sequential", "noop_context_fn",
    "set_checkpoint_debug_enabled", "set_checkpoint_early_stop",
]  # fmt: skip
