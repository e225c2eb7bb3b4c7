"""How does a module take the number of its inputs from the first input?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, ClassVar

from ...engine.derivatives.ops import torch
from ..uninitialized import is_lazy


class LazyModuleMixin:
    """Makes a module lazy: its parameters get their size, and the module its class, before the first call."""

    cls_to_become: ClassVar[type | None] = None
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _get_name: Callable[[], str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own: Any = self
        self._load_hook = own._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = own.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        saved = {name: b for name, b in self._buffers.items() if name not in self._non_persistent_buffers_set}
        for name, tensor in chain(self._parameters.items(), saved.items()):
            if tensor is not None:
                destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Give parameters the size of those that are about to be loaded."""
        for name, own in chain(self._parameters.items(), self._buffers.items()):
            given = state_dict.get(prefix + name)
            if given is not None and is_lazy(own) and not is_lazy(given):
                with torch.no_grad():
                    own.materialize(given.shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their size by the first input; each lazy module defines it."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether some parameter or buffer has no size yet."""
        return any(is_lazy(t) for t in chain(self._parameters.values(), self._buffers.values()))

    def _infer_parameters(self, module: Any, args: tuple, kwargs: dict | None = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self) -> None:
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy forward pass to "
            "correctly initialize the modules"
        )
