"""ParametrizationList: the steps from the numbers that are trained to the tensor that is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ...modules.container import ModuleList
from ...modules.module import Module
from ...parameter import Parameter


def register(module: Module, name: str, tensor: Any) -> None:
    """Keep a tensor as what it is, a parameter or a buffer."""
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def kind(value: Any) -> str:
    return type(value).__name__


class ParametrizationList(ModuleList):
    """What one parametrized tensor is made of: `original`, or `original0`, `original1` …, and modules in a row.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.Linear(2, 2)
    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, X):
    ...         return X.triu() + X.triu(1).transpose(-1, -2)
    >>> layer = torch.nn.utils.parametrize.register_parametrization(layer, "weight", Symmetric())
    >>> bool((layer.weight == layer.weight.T).all())
    True
    """

    original: Tensor

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        d, size = original.dtype, original.shape
        kept = self._before(original)
        if not isinstance(kept, (Tensor, Sequence)):
            raise ValueError(
                f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got {kind(kept)}"
            )
        self.is_tensor = isinstance(kept, Tensor)
        self.ntensors = 1 if self.is_tensor else len(kept)
        if isinstance(kept, Tensor):
            self._keep_one(original, kept)
        else:
            self._keep_several(original, kept)
        if not unsafe:
            self._check(d, size)

    def _before(self, tensor: Tensor) -> Any:
        """What the modules make this tensor of, as far as they know."""
        new: Any = tensor
        with torch.no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        pass
        return new

    def _keep_one(self, original: Tensor, kept: Tensor) -> None:
        for what in ("dtype", "device"):
            if getattr(original, what) != getattr(kept, what):
                raise ValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the {what}.\n"
                    f"original.{what}: {getattr(original, what)}\n"
                    f"right_inverse(original).{what}: {getattr(kept, what)}"
                )
        with torch.no_grad():
            original.set_(kept)
        register(self, "original", original)

    def _keep_several(self, original: Tensor, kept: Sequence[Any]) -> None:
        for i, tensor in enumerate(kept):
            if not isinstance(tensor, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                    f"{i} of the sequence with type {kind(tensor)}."
                )
            own: Any = tensor
            if isinstance(original, Parameter):
                own = Parameter(tensor, original.requires_grad)
            own.requires_grad_(original.requires_grad)
            register(self, f"original{i}", own)

    def _check(self, d: Any, size: Any) -> None:
        made = self()
        if not isinstance(made, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {kind(made)}.")
        for what, old, new in (("dtype", d, made.dtype), ("shape", size, made.shape)):
            if old != new:
                raise ValueError(
                    f"Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag is "
                    f"enabled.\nunparametrized {what}: {old}\nparametrized {what}: {new}"
                )

    def right_inverse(self, value: Any) -> None:
        """Change the originals so that the tensor that is read becomes `value`."""
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {kind(module)} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {kind(value)}")
        if value.dtype != self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype "
                f"{self.original.dtype}"
            )
        self.original.set_(value)

    def _set_several(self, value: Any) -> None:
        if not isinstance(value, Sequence):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {kind(value)}.")
        if len(value) != self.ntensors:
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of "
                f"length {len(value)}."
            )
        for i, tensor in enumerate(value):
            own = getattr(self, f"original{i}")
            if not isinstance(tensor, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. Got element "
                    f"{i} of type {kind(tensor)}."
                )
            if own.dtype != tensor.dtype:
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` has dtype {tensor.dtype} while `original{i}` has dtype "
                    f"{own.dtype}"
                )
            own.set_(tensor)

    def forward(self) -> Any:
        """The tensor that is read."""
        first, *others = self._steps()
        x = first(*([self.original] if self.is_tensor else self.originals()))
        for module in others:
            x = module(x)
        return x

    def _steps(self) -> list[Any]:
        """The modules with a number. There is one without if an original is parametrized itself."""
        return [module for name, module in self._modules.items() if name.isdigit()]

    def originals(self) -> list[Any]:
        """The tensors that are trained."""
        return [getattr(self, f"original{i}") for i in range(self.ntensors)]
