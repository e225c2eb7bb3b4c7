"""How do several devices share a batch? It is scattered, computed by copies of a model, gathered."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from ...engine.autograd.functions.function import Function
from ...engine.compat.amp.autocast_mode import autocast
from ...engine.compat.amp.autocast_state import is_autocast_enabled
from ...engine.compat.cuda import device as current_gpu
from ...engine.derivatives.ops import torch
from ...engine.devices.gpus import device_count
from ...engine.errors.elsewhere import ExceptionWrapper
from ...engine.tensor.grad_mode import grad_enabled as is_grad_enabled
from ...engine.tensor.grad_mode import set_grad_enabled
from ...engine.tensor.tensor import Tensor
from ...engine.types.device import device
from ..modules.module import Module

__all__ = ["DataParallel", "data_parallel", "gather", "parallel_apply", "replicate", "scatter", "scatter_kwargs"]

Devices = Sequence[Any]


def _number(of: Any) -> int:
    """The number of a device; -1 is main memory."""
    if isinstance(of, int):
        return of
    named = of if isinstance(of, device) else device(of)
    return -1 if named.type == "cpu" else named.index or 0


def _named(number: int) -> device:
    return device("cpu") if number == -1 else device("cuda", number)


class Scatter(Function):
    """Pieces of a tensor, each on another device."""

    @staticmethod
    def forward(ctx: Any, devices: Devices, sizes: Sequence[int] | None, dim: int, input: Tensor) -> tuple:
        ctx.dim, ctx.home = dim, _number(input.device)
        pieces = input.chunk(len(devices), dim) if sizes is None else input.split_with_sizes(sizes, dim)
        return tuple(piece.to(_named(_number(d)), copy=True) for piece, d in zip(pieces, devices, strict=False))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        return None, None, None, Gather.apply(ctx.home, ctx.dim, *grads)


class Gather(Function):
    """Pieces from several devices, as one tensor on one of them."""

    @staticmethod
    def forward(ctx: Any, target: Any, dim: int, *pieces: Tensor) -> Tensor:
        ctx.dim, ctx.devices = dim, [_number(piece.device) for piece in pieces]
        ctx.scalars = dim == 0 and all(piece.dim() == 0 for piece in pieces)
        if ctx.scalars:
            pieces = tuple(piece.view(1) for piece in pieces)
            warnings.warn(
                "Was asked to gather along dimension 0, but all input tensors were scalars; will instead unsqueeze and "
                "return a vector.",
                stacklevel=2,
            )
        ctx.sizes = [piece.size(dim) for piece in pieces]
        result: Tensor = torch.cat([piece.to(_named(_number(target))) for piece in pieces], dim)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> tuple:
        pieces = Scatter.apply(ctx.devices, ctx.sizes, ctx.dim, grad)
        return None, None, *([piece[0] for piece in pieces] if ctx.scalars else pieces)


class Broadcast(Function):
    """Copies of tensors on several devices; on the way back their gradients are added."""

    @staticmethod
    def forward(ctx: Any, devices: Devices, *inputs: Tensor) -> tuple:
        ctx.count, ctx.home = len(inputs), inputs[0].device if inputs else None
        return tuple(x.to(_named(_number(d)), copy=True) for d in devices for x in inputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        each = [grads[i :: ctx.count] for i in range(ctx.count)]
        return None, *[_sum([g.to(ctx.home) for g in parts if g is not None]) for parts in each]


def _sum(parts: list[Tensor]) -> Tensor | None:
    total: Tensor | None = None
    for part in parts:
        total = part if total is None else total + part
    return total


def scatter(inputs: Any, target_gpus: Devices, dim: int = 0) -> Any:
    """What each device gets of a tensor, or of a structure of tensors; other objects all of them get."""
    if isinstance(inputs, Tensor):
        return Scatter.apply(target_gpus, None, dim, inputs)
    if isinstance(inputs, (tuple, list)) and inputs:
        parts = zip(*[scatter(each, target_gpus, dim) for each in inputs], strict=False)
        if hasattr(inputs, "_fields"):
            return [type(inputs)(*part) for part in parts]
        return [list(part) if isinstance(inputs, list) else part for part in parts]
    if isinstance(inputs, dict) and inputs:
        return [type(inputs)(part) for part in scatter(list(inputs.items()), target_gpus, dim)]
    return [inputs for _ in target_gpus]


def scatter_kwargs(
    inputs: tuple, kwargs: dict[str, Any] | None, target_gpus: Devices, dim: int = 0
) -> tuple[tuple, tuple]:  # fmt: skip
    """The positional and the named arguments of each device."""
    args = list(scatter(inputs, target_gpus, dim)) if inputs else []
    named = list(scatter(kwargs, target_gpus, dim)) if kwargs else []
    args += [()] * (len(named) - len(args))
    named += [{} for _ in range(len(args) - len(named))]
    return tuple(args), tuple(named)


def gather(outputs: Any, target_device: Any, dim: int = 0) -> Any:
    """The results of several devices as one, on the device that is named."""
    first = outputs[0]
    if isinstance(first, Tensor):
        return Gather.apply(target_device, dim, *outputs)
    if first is None:
        return None
    if isinstance(first, dict):
        if not all(len(first) == len(each) for each in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)((key, gather([each[key] for each in outputs], target_device, dim)) for key in first)
    parts = [gather(each, target_device, dim) for each in zip(*outputs, strict=True)]
    return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)


def replicate(network: Any, devices: Devices, detach: bool = False) -> list[Any]:
    """Copies of a module on several devices, whose parameters are computed from the module's own."""
    modules = list(network.modules())
    parameters, buffers = list(network.parameters()), list(network.buffers())
    copies = _copied(parameters, devices, detach)
    # On the first device a buffer is the module's own, so that running statistics are kept.
    copies_of_buffers = [[b.detach().to(_named(_number(d))) for b in buffers] for d in devices]
    replicas = []
    for number in range(len(devices)):
        made = {id(module): module._replicate_for_data_parallel() for module in modules}
        moved = {id(p): copy for p, copy in zip(parameters, copies[number], strict=True)}
        moved |= {id(b): copy for b, copy in zip(buffers, copies_of_buffers[number], strict=True)}
        for module in modules:
            shell = made[id(module)]
            for name, child in module._modules.items():
                shell._modules[name] = None if child is None else made[id(child)]
            for name, parameter in module._parameters.items():
                if parameter is None:
                    shell._parameters[name] = None
                else:
                    shell.__dict__[name] = moved[id(parameter)]  # it has a history, so it is not a parameter
            for name, buffer in module._buffers.items():
                shell._buffers[name] = None if buffer is None else moved[id(buffer)]
        replicas.append(made[id(network)])
    return replicas


def _copied(tensors: list[Tensor], devices: Devices, detach: bool) -> list[tuple[Tensor, ...]]:
    if not tensors:
        return [()] * len(devices)
    if detach:
        with torch.no_grad():
            flat = Broadcast.apply(devices, *tensors)
    else:
        flat = Broadcast.apply(devices, *tensors)
    count = len(tensors)
    return [flat[i : i + count] for i in range(0, len(flat), count)]


def parallel_apply(
    modules: Sequence[Any], inputs: Sequence[Any], kwargs_tup: Sequence[dict] | None = None, devices: Any = None
) -> list[Any]:
    """Call each module with its own arguments, each in a thread, whose current GPU is that of the module."""
    for given, what in ((inputs, "inputs"), (kwargs_tup, "kwargs_tup"), (devices, "devices")):
        if given is not None and len(given) != len(modules):
            raise AssertionError(
                f"The number of modules {len(modules)} is not equal to the number of {what} {len(given)}"
            )
    named = [{}] * len(modules) if kwargs_tup is None else kwargs_tup
    results: list[Any] = [None] * len(modules)
    enabled, lower = is_grad_enabled(), is_autocast_enabled()

    def work(number: int) -> None:
        given = inputs[number] if isinstance(inputs[number], (tuple, list)) else (inputs[number],)
        where = _device_of(given) if devices is None else _number(devices[number])
        try:
            with set_grad_enabled(enabled), current_gpu(where), autocast("cuda", enabled=lower):
                results[number] = modules[number](*given, **named[number])
        except BaseException:  # it is raised by the thread that waits
            results[number] = ExceptionWrapper(where=f"in replica {number} on device {where}")

    if len(modules) == 1:
        work(0)
    else:
        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(len(modules))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for result in results:
        if isinstance(result, ExceptionWrapper):
            result.reraise()
    return results


def _device_of(given: Any) -> int:
    """The number of the device of the first tensor among arguments; -1 is main memory."""
    if isinstance(given, Tensor):
        return int(given.get_device())
    parts = given.values() if isinstance(given, dict) else given if isinstance(given, (tuple, list)) else ()
    return next((number for number in map(_device_of, parts) if number >= 0), -1)


def _check_home(module: Module, home: device) -> None:
    for t in chain(module.parameters(), module.buffers()):
        if t.device != home:
            raise RuntimeError(
                f"module must have its parameters and buffers on device {home} (device_ids[0]) but found one of them "
                f"on device: {t.device}"
            )


def data_parallel(
    module: Module, inputs: Any, device_ids: Devices | None = None, output_device: Any = None, dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """Call a module with a batch that several devices share."""
    if not device_count():
        raise RuntimeError("device type could not be determined")
    numbers = list(range(device_count())) if device_ids is None else [_number(each) for each in device_ids]
    target = numbers[0] if output_device is None else _number(output_device)
    _check_home(module, _named(numbers[0]))
    given = inputs if isinstance(inputs, tuple) else () if inputs is None else (inputs,)
    return _spread(module, given, module_kwargs or {}, numbers, target, dim, replicate, parallel_apply)


def _spread(
    module: Module, inputs: tuple, kwargs: dict[str, Any], numbers: list[int], target: int, dim: int,
    copies: Callable[..., list], run: Callable[..., list],
) -> Any:  # fmt: skip
    args, named = scatter_kwargs(inputs, kwargs, numbers, dim)
    if not args and not named:
        args, named = ((),), ({},)
    if len(numbers) == 1:
        return module(*args[0], **named[0])
    used = numbers[: len(args)]
    return gather(run(copies(module, used), args, named, used), target, dim)


class DataParallel(Module):
    """Calls a module with a batch that all devices share; without devices, as it is.

    >>> import tensorwidgets as torch
    >>> model = DataParallel(torch.nn.Linear(3, 1))
    >>> model(torch.ones(4, 3)).shape, model.device_ids
    (torch.Size([4, 1]), [])
    """

    def __init__(
        self, module: Module, device_ids: Devices | None = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        self.module = module
        if not device_count():
            self.device_ids: list[int] = []
            return
        self.dim = dim
        self.device_ids = list(range(device_count())) if device_ids is None else [_number(d) for d in device_ids]
        self.output_device = self.device_ids[0] if output_device is None else _number(output_device)
        self.src_device_obj = _named(self.device_ids[0])
        if len(self.device_ids) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        _check_home(self.module, self.src_device_obj)
        return _spread(
            self.module, inputs, kwargs, self.device_ids, self.output_device, self.dim, self.replicate,
            self.parallel_apply,
        )  # fmt: skip

    def replicate(self, module: Module, device_ids: Devices) -> list[Any]:
        return replicate(module, device_ids, not is_grad_enabled())

    def parallel_apply(self, replicas: Sequence[Any], inputs: Sequence[Any], kwargs: Any, devices: Devices) -> list:
        return parallel_apply(replicas, inputs, kwargs, devices)

    def scatter(self, inputs: tuple, kwargs: dict[str, Any] | None, device_ids: Devices) -> Any:
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def gather(self, outputs: Any, output_device: Any) -> Any:
        return gather(outputs, output_device, dim=self.dim)
