"""`saved_tensors_hooks`: the user's own way of keeping what nodes save."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...types.class_paths import ShownByPath


def check_functions(name: str, *functions: Any) -> None:
    """Refuse hooks that are not functions."""
    if not all(callable(function) for function in functions):
        refuse(
            TypeError,
            f"{name}(): incompatible function arguments. The following argument types are supported:",
            "one function packs a tensor and another one unpacks it",
            rule="autograd.hooks",
        )


class saved_tensors_hooks(ShownByPath):
    """Inside the `with`, each tensor that a node saves passes `pack_hook`, and `unpack_hook` when it is needed.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
    ...     y = x.exp().sum()
    >>> y.backward()
    >>> x.grad
    tensor([2.7183, 2.7183])
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        check_functions("_push_saved_tensors_default_hooks", self.pack_hook, self.unpack_hook)
        if state.refusal is not None:
            refuse(RuntimeError, state.refusal, "disable_saved_tensors_hooks is on", rule="autograd.hooks")
        state.put("hooks", (*state.hooks, (self.pack_hook, self.unpack_hook)))

    def __exit__(self, *exc: object) -> None:
        state.put("hooks", state.hooks[:-1])


class save_on_cpu(saved_tensors_hooks):
    """Keeps saved tensors in main memory, and brings them back to their device when they are needed.

    A tensor that is there already is kept as it is, as in PyTorch: a later write to it changes what is computed.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        getattr(self, device_type, None)  # Python says what is no name
        super().__init__(
            lambda t: (t.device, t.cpu().clone() if pin_memory else t.cpu()), lambda packed: packed[1].to(packed[0])
        )


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Refuses `saved_tensors_hooks` inside the `with`, with this message."""
    if type(error_message) is not str:
        refuse(
            TypeError,
            "_saved_tensors_hooks_disable(): incompatible function arguments. The following argument types are "
            "supported:",
            "it is what a user of the hooks reads",
            rule="argument.type",
        )
    if state.hooks:
        refuse(RuntimeError, error_message, "saved_tensors_hooks are on already", rule="autograd.hooks")
    before = state.refusal
    state.put("refusal", error_message)
    try:
        yield
    finally:
        state.put("refusal", before)
