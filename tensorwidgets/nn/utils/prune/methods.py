"""BasePruningMethod: a mask, and the hook that applies it before each call; PruningContainer: several on one tensor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.types.class_paths import path_of
from ...modules.module import Module


class BasePruningMethod(ABC):
    """The base of pruning methods, also of users' own, which define `compute_mask` and `PRUNING_TYPE`."""

    _tensor_name: str
    PRUNING_TYPE: str

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def __repr__(self) -> str:
        return f"<{path_of(type(self))} object at {id(self):#x}>"

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask of a tensor, where `default_mask` has zeros of earlier methods."""

    def apply_mask(self, module: Module) -> Any:
        """The trained tensor, with zeros where the mask has them."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask, original = (getattr(module, self._tensor_name + end) for end in ("_mask", "_orig"))
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any) -> Any:
        """Prune a parameter: it becomes `name_orig` and `name_mask`, and a hook computes their product."""
        method = cls._joined(module, name, *args, **kwargs)
        original: Any = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got "
                f"{importance_scores.shape} vs {original.shape}"
            )
        again = isinstance(method, PruningContainer)
        if again:
            start = getattr(module, name + "_mask").detach().clone()
        else:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            start = torch.ones_like(original)
        try:
            module.register_buffer(name + "_mask", method.compute_mask(importance_scores, default_mask=start))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not again:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    @classmethod
    def _joined(cls, module: Module, name: str, *args: Any, **kwargs: Any) -> BasePruningMethod:
        """The new method, in a container with the one that was there."""
        hooks = module._forward_pre_hooks
        keys = [k for k, hook in hooks.items() if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]
        if len(keys) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a "
                "PruningContainer."
            )
        old: Any = hooks.pop(keys[0]) if keys else None
        method = cls(*args, **kwargs)
        method._tensor_name = name
        if old is None:
            return method
        container = old if isinstance(old, PruningContainer) else PruningContainer(old)
        container.add_pruning_method(method)
        return container

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """A pruned copy of a tensor, without a module.

        >>> import tensorwidgets as torch
        >>> torch.nn.utils.prune.L1Unstructured(2).prune(torch.tensor([3.0, -1.0, 2.0]))
        tensor([3., -0., 0.])
        """
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {importance_scores.shape} vs {t.shape}"
            )
        start = torch.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=start)

    def remove(self, module: Module) -> None:
        """Make the pruned tensor a parameter, with its zeros."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original: Any = module._parameters.pop(name + "_orig")
        original.data = weight.data
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods on one tensor: each prunes what those before it have left."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method for the same tensor."""
        if method is not None:
            if not isinstance(method, BasePruningMethod):
                raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
            if self._tensor_name != method._tensor_name:
                raise ValueError(
                    f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to "
                    f"PruningContainer {self}. Found '{method._tensor_name}'"
                )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask so far, with the zeros of the last method."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left = _left(method, t, default_mask)
        new = method.compute_mask(t[left], default_mask=default_mask[left])
        mask[left] = new.to(dtype=mask.dtype)
        return mask


def _left(method: Any, t: Any, mask: Any) -> Any:
    """The numbers that a method may still prune."""
    n = t.dim()
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * n
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError('Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.')
    dim = method.dim + n if method.dim < 0 else method.dim
    if dim < 0:
        raise IndexError(f"Index is out of bounds for tensor with dimensions {n}")
    kept = mask.sum(dim=[d for d in range(n) if d != dim]) != 0
    return tuple(kept if d == dim else slice(None) for d in range(n))
