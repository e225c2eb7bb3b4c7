"""What is in a module and in the modules below it, and how is all of it changed at once?"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, Self, TypeVar

from ....engine.calling.reading import Notations
from ....engine.derivatives.ops import torch
from ....engine.errors.reasons import refuse
from ....engine.tensor import grad_flag
from ....engine.tensor.tensor import Tensor
from ...parameter import Parameter
from . import conversion
from .members import Members

_FURTHER = "bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None"
TO = Notations(
    "to",
    (
        f"Device? device=None, ScalarType? dtype=None, {_FURTHER}",
        f"ScalarType dtype, {_FURTHER}",
        f"Tensor tensor, {_FURTHER}",
    ),
)
"""The ways to call `Module.to`."""

M = TypeVar("M", bound="Tree")


class Tree(Members):
    """The part of `Module` that walks over parameters, buffers and children, and converts them."""

    # -- walking -------------------------------------------------------------------------------------------------

    def _named_members(
        self,
        get_members_fn: Callable[[Any], Any],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        seen = set()
        owners = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, owner in owners:
            for name, member in get_members_fn(owner):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield path + ("." if path else "") + name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Paths and parameters, those of submodules included; a shared parameter appears once."""
        yield from self._named_members(lambda owner: owner._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, in the order of registration: what an optimizer is given."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Paths and buffers, those of submodules included."""
        yield from self._named_members(lambda owner: owner._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, in the order of registration."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Names and modules of the first level."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Any]:
        """The modules of the first level."""
        for _, module in self.named_children():
            yield module

    def named_modules(
        self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Paths and modules of all levels, this module first with an empty path."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Any]:
        """The modules of all levels, this one first."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    # -- changing all of it --------------------------------------------------------------------------------------

    def apply(self, fn: Callable[[Any], None]) -> Self:
        """Call a function with every submodule and then with this module, to set initial weights for instance."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Convert every parameter, gradient and buffer with a function; parameters stay the same objects."""
        with grad_flag.many_changes():
            if recurse:
                for module in self.children():
                    module._apply(fn)
            self._apply_to_own(fn)
        return self

    def _apply_to_own(self, fn: Callable[[Tensor], Tensor]) -> None:
        for name, parameter in self._parameters.items():
            if parameter is None:
                continue
            grad = parameter.grad
            with torch.no_grad():
                converted = fn(parameter)
            if _stays_the_same(parameter, converted):
                parameter.data = converted
                kept = parameter
            else:
                kept = self._parameters[name] = Parameter(converted, parameter.requires_grad)
            if grad is None:
                continue
            with torch.no_grad():
                converted = fn(grad)
            if kept is parameter and _stays_the_same(grad, converted):
                grad.data = converted
            else:
                kept.grad = converted.requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move or convert all parameters and buffers, in place: `to(device)`, `to(dtype)`, `to(tensor)`.

        Only floating-point and complex tensors are converted to a dtype; all are moved to a device.
        """
        device, dtype, non_blocking, memory_format = destination(args, kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )
        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design may change, and some modules "
                "might not work as expected when using complex tensors as parameters or buffers. Please file an issue "
                "at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does "
                "not work as expected.",
                stacklevel=2,
            )

        def convert(tensor: Tensor) -> Tensor:
            wanted = dtype if tensor.is_floating_point() or tensor.is_complex() else None
            options: dict[str, Any] = {"non_blocking": non_blocking}
            if memory_format is not None and tensor.dim() in (4, 5):
                options["memory_format"] = memory_format
            try:
                return tensor.to(tensor.device if device is None else device, wanted or tensor.dtype, **options)
            except NotImplementedError as error:
                if str(error) != "Cannot copy out of meta tensor; no data!":
                    raise
                raise NotImplementedError(
                    f"{error} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() "
                    "when moving module from meta to a different device."
                ) from None

        return self._apply(convert)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move to a device without copying numbers: the way out of the device meta."""

        return self._apply(lambda t: torch.empty_like(t, device=device), recurse=recurse)

    def type(self, dst_type: Any) -> Self:
        """Convert all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Convert floating-point parameters and buffers to float32."""

        return _convert_floats(self, "float")

    def double(self) -> Self:
        """Convert floating-point parameters and buffers to float64."""

        return _convert_floats(self, "double")

    def half(self) -> Self:
        """Convert floating-point parameters and buffers to float16."""

        return _convert_floats(self, "half")

    def bfloat16(self) -> Self:
        """Convert floating-point parameters and buffers to bfloat16."""

        return _convert_floats(self, "bfloat16")

    def cuda(self, device: Any = None) -> Self:
        """Move all parameters and buffers to a GPU."""
        return self._apply(lambda t: t.cuda(device))

    def ipu(self, device: Any = None) -> Self:
        """Move all parameters and buffers to an IPU. There is none, so modules with parameters are refused."""
        return self._apply(
            lambda t: refuse(
                RuntimeError,
                "PyTorch is not linked with support for ipu devices",
                "there are the devices cpu, cuda and meta",
                "module.cpu(), or module.cuda()",
                rule="module.device",
            )
        )

    def xpu(self, device: Any = None) -> Self:
        """Move all parameters and buffers to an Intel GPU. There is none, so modules with parameters are refused."""
        return self._apply(lambda t: _no_such_device("Torch not compiled with XPU enabled"))

    def mtia(self, device: Any = None) -> Self:
        """Move all parameters and buffers to an accelerator of Meta. There is none, as for `xpu`."""
        return self._apply(
            lambda t: _no_such_device(
                "Torch not compiled with MTIA enabled. Ensure you have `import mtia.host_runtime.torch_mtia."
                "dynamic_library` in your python src file and include `//mtia/host_runtime/torch_mtia:torch_mtia` as "
                "your target dependency!"
            )
        )

    def cpu(self) -> Self:
        """Move all parameters and buffers to main memory."""
        return self._apply(lambda t: t.cpu())

    def share_memory(self) -> Self:
        """Move all parameters and buffers to memory that other processes can open."""
        return self._apply(lambda t: t.share_memory_())

    def train(self, mode: bool = True) -> Self:
        """Choose training mode, or evaluation mode, for this module and those below: dropout and batch norm differ."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Choose evaluation mode: the same as ``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say for all parameters whether they are trained: False freezes them."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def _replicate_for_data_parallel(self) -> Any:
        """A module of the same class and attributes, without parameters: a replica for another device is made of it."""
        replica: Any = object.__new__(type(self))
        replica.__dict__ = self.__dict__ | {
            "_parameters": {}, "_buffers": dict(self._buffers), "_modules": dict(self._modules), "_is_replica": True
        }  # fmt: skip
        return replica

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            clear_gradient(parameter, set_to_none)


def clear_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Remove a gradient, or set it to zero; then it leaves the graph that computed it."""
    grad = parameter.grad
    if grad is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()


def _stays_the_same(old: Tensor, new: Tensor) -> bool:
    """Whether a tensor stays and gets the other's `.data`: in the same layout, if both have numbers or none has."""
    if conversion.get_overwrite_module_params_on_conversion():
        return False
    return old.is_meta == new.is_meta and old.layout == new.layout


_DTYPE_OF_NUMBERS = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
"""Where a tensor is expected, PyTorch takes a number as well; one of NumPy counts as a float."""


def destination(args: tuple, kwargs: dict) -> tuple[Any, Any, bool, Any]:
    """Device, dtype, `non_blocking` and memory format of a call of `to`."""
    given = TO.read(args, kwargs)
    if given.get("copy"):
        raise RuntimeError(".to() does not accept copy argument")
    device, dtype, other = given.get("device"), given.get("dtype"), given.get("tensor")
    if other is not None and not isinstance(other, Tensor):
        other = torch.scalar_tensor(other, dtype=_DTYPE_OF_NUMBERS.get(type(other), torch.float64))
    if other is not None:
        device, dtype = other.device, other.dtype
    device = None if device is None else torch.device(device)
    return device, dtype, bool(given.get("non_blocking", False)), given.get("memory_format")


def _no_such_device(message: str) -> Tensor:
    refuse(
        AssertionError,
        message,
        "there are the devices cpu, cuda and meta",
        "module.cpu(), or module.cuda()",
        rule="module.device",
    )


def _convert_floats(module: M, method: str) -> M:
    """By the method that the module's own is called like, which classes with `__torch_function__` are asked about."""
    return module._apply(lambda t: getattr(t, method)() if t.is_floating_point() else t)
