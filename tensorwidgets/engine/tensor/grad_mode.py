"""Whether operations are recorded for gradients: `no_grad`, `enable_grad`, `inference_mode`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from inspect import isgeneratorfunction
from threading import get_ident
from typing import Any

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..types.class_paths import ShownByPath
from .thread_state import state, unusual_threads
from .type_names import type_name


def grad_enabled() -> bool:
    """Whether gradient recording is on in this thread; it is, unless it was switched off.

    >>> import tensorwidgets as torch
    >>> torch.is_grad_enabled()
    True
    """
    return state.enabled


def inference_enabled() -> bool:
    """Whether this thread is in inference mode.

    >>> import tensorwidgets as torch
    >>> torch.is_inference_mode_enabled()
    False
    """
    return state.inference


def decorated(context: Callable[[], Any], function: Callable) -> Callable:
    """A function that runs in a new context at each call. A generator has it while it runs, not while its caller does.

    >>> decorated(no_grad, grad_enabled)()
    False
    """
    if isinstance(function, type):
        warn(
            "Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
            "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
            "the `__init__` method and nothing else.",
            FutureWarning,
        )
    if isgeneratorfunction(function):
        return _decorated_generator(context, function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with context():
            return function(*args, **kwargs)

    return call


def _decorated_generator(context: Callable[[], Any], function: Callable) -> Callable:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Iterator:
        running = function(*args, **kwargs)
        goes_on: Callable[[], Any] = lambda: running.send(None)  # noqa: E731
        while True:
            try:
                with context():
                    result = goes_on()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield result
                goes_on = partial(running.send, sent)
            except GeneratorExit:  # the caller closes it, which the function may handle
                with context():
                    running.close()
                raise
            except BaseException as error:
                goes_on = partial(running.throw, error)

    return call


class _DecoratorContextManager:
    """A context manager that is a decorator as well. Libraries inherit from it."""

    def clone(self) -> Any:
        """A new context like this one, for each call of a decorated function."""
        return type(self)()

    def __call__(self, function: Callable) -> Callable:
        return decorated(self.clone, function)


class GradContext(_DecoratorContextManager, ShownByPath):
    """A context manager and decorator that changes the gradient settings of this thread."""

    def _switch(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> None:
        self._before = grad_enabled(), inference_enabled()
        try:
            self._switch()
        except BaseException:  # an interrupt: without `__enter__` there is no `__exit__`
            GradContext.__exit__(self)
            raise

    def __exit__(self, *exc: object) -> None:
        if self._before[0]:  # at once, before Python looks for an interrupt
            state.__dict__.pop("enabled", None)
        state.put("enabled", self._before[0])
        state.put("inference", self._before[1])


class _RemembersBefore(GradContext):
    """A context that says what it changes back to."""

    @property
    def prev(self) -> bool:
        """Whether calls were recorded before the block; False before there was one."""
        return bool(getattr(self, "_before", (False,))[0])


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """A context that can be used as a decorator with and without a call: ``@no_grad`` and ``@no_grad()``."""

    def __new__(cls, orig_func: Callable | None = None) -> Any:
        stretch = object.__new__(cls)
        if orig_func is None:
            return stretch
        stretch.__init__()  # type: ignore[misc]
        return stretch(orig_func)


class no_grad(_NoParamDecoratorContextManager, _RemembersBefore):
    """Nothing is recorded for gradients; writes to leaves are allowed.

    >>> with no_grad():
    ...     grad_enabled()
    False
    """

    _before = False, False  # what a block that was never entered goes back to

    def __init__(self) -> None:
        pass

    def _switch(self) -> None:
        state.put("enabled", False)


def not_recorded(function: Callable[[], Any]) -> Any:
    """Call a function under `no_grad`, with fewer steps where nothing else is set for this thread.

    >>> not_recorded(grad_enabled)
    False
    """
    unusual = state.__dict__
    if unusual:
        with no_grad():
            return function()
    here = get_ident()
    try:  # from here on, so that an interrupt by the user leaves nothing behind
        unusual_threads.add(here)
        unusual["enabled"] = False
        return function()
    finally:
        unusual.pop("enabled", None)
        if unusual:
            state.put("inference", False)
        else:
            unusual_threads.discard(here)


class enable_grad(_NoParamDecoratorContextManager, GradContext):
    """Recording for gradients is on again."""

    def _switch(self) -> None:
        state.put("enabled", True)


class set_grad_enabled(_RemembersBefore):
    """Recording for gradients on or off: from the call on, or for a `with` block."""

    def __init__(self, mode: bool):
        if type(mode) is not bool:
            refuse(
                TypeError,
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {type_name(mode)}",
                "pass True or False",
                rule="argument.type",
            )
        self.mode, self._before = mode, (grad_enabled(), inference_enabled())
        state.put("enabled", mode)

    def _switch(self) -> None:
        state.put("enabled", self.mode)

    def __enter__(self) -> None:
        state.put("enabled", self.mode)

    def clone(self) -> GradContext:
        return type(self)(self.mode)

    def __call__(self, function: Callable) -> Callable:
        state.put("enabled", self._before[0])  # as a decorator it does not affect the code around the function
        return super().__call__(function)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


def is_multithreading_enabled() -> bool:
    """What `set_multithreading_enabled` has set."""
    return state.multithreading


class set_multithreading_enabled(GradContext):
    """Whether a backward pass may use several threads. Each runs in the thread that called it here."""

    def __init__(self, mode: bool):
        if type(mode) is not bool:
            refuse(
                TypeError,
                f"set_multithreading_enabled(): argument 'enabled' (position 1) must be bool, not {type_name(mode)}",
                "pass True or False",
                rule="argument.type",
            )
        self.mode = mode
        self.before = state.multithreading
        state.put("multithreading", mode)

    def _switch(self) -> None:
        state.put("multithreading", self.mode)

    def __exit__(self, *exc: object) -> None:
        state.put("multithreading", self.before)

    def clone(self) -> GradContext:
        return type(self)(self.mode)


class enforce_grad_layout_policy(GradContext):
    """Whether a first gradient is copied if its strides are not those of its leaf: from the call on, or in a block.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, 3).t().requires_grad_()
    >>> with torch.autograd.enforce_grad_layout_policy(False):
    ...     (x * torch.ones(3, 2)).sum().backward()
    >>> x.stride(), x.grad.stride()
    ((1, 3), (2, 1))
    """

    def __init__(self, enable: bool = True):
        if type(enable) is not bool:
            refuse(
                TypeError,
                "set_grad_layout_enforcement_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type_name(enable)}",
                "pass True or False",
                rule="argument.type",
            )
        self.prev, self.mode = state.as_laid_out, enable
        state.put("as_laid_out", enable)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        state.put("as_laid_out", self.prev)

    def clone(self) -> GradContext:
        return type(self)(self.mode)

    def __call__(self, function: Callable) -> Callable:
        state.put("as_laid_out", self.prev)  # as a decorator it does not affect the code around the function
        return super().__call__(function)


class inference_mode(GradContext):
    """Like `no_grad`, and what is made in it can never be part of a graph.

    >>> with inference_mode():
    ...     grad_enabled(), inference_enabled()
    (False, True)
    """

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        stretch = object.__new__(cls)
        if isinstance(mode, bool):
            return stretch
        stretch.mode = True
        return stretch(mode)

    def __init__(self, mode: bool = True):
        self.mode = mode

    def _switch(self) -> None:
        state.put("enabled", not self.mode)
        state.put("inference", self.mode)

    def clone(self) -> GradContext:
        return type(self)(self.mode)
