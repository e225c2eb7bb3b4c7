"""Small parts of PyTorch's optimizers that optimizers of other people import from `torch.optim.optimizer`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from ...engine.dispatch.registry import OPS
from ...engine.tensor.grad_mode import set_grad_enabled
from ...engine.tensor.tensor import Tensor
from ...utils._foreach_utils import _group_tensors_by_device_and_dtype as sorted_by_device_and_dtype

ParamsT = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]

_FUSED = ("cpu", "cuda", "mps", "xpu")
_ON_LISTS = ("cuda", "xpu")
"""The types of devices on which PyTorch has kernels for all parameters at once."""

_params_doc = "params: the parameters, or groups of them, as `torch.optim.Optimizer` takes them"
_foreach_doc = "foreach (bool, optional): compute with lists of tensors"
_fused_doc = "fused (bool, optional): compute with one kernel"
_capturable_doc = "capturable (bool, optional): let a graph of a GPU record the step"
_differentiable_doc = "differentiable (bool, optional): record the step for gradients"
_maximize_doc = "maximize (bool, optional): go up instead of down"


def _use_grad_for_differentiable(func: Callable[..., Any]) -> Callable[..., Any]:
    """A step that is recorded only if the optimizer is differentiable."""

    @functools.wraps(func)
    def _use_grad(*args: Any, **kwargs: Any) -> Any:
        with set_grad_enabled(args[0].defaults["differentiable"]):
            return func(*args, **kwargs)

    return _use_grad


def _get_value(x: Any) -> Any:
    """The number of a tensor.

    >>> _get_value(0.5)
    0.5
    """
    return x.item() if isinstance(x, Tensor) else x


def _to_scalar(x: Any) -> Any:
    """A tensor of one element without its dimensions."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() else x


def _stack_if_compiling(x: Any) -> Any:
    """What is given: nothing is compiled here."""
    return x


def _disable_dynamo_if_unsupported(
    single_tensor_fn: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that changes nothing: nothing is compiled here."""
    return lambda func: func


def _get_capturable_supported_devices(supports_xla: bool = True) -> list[str]:
    """The types of devices whose graphs record steps."""
    return ["cuda", "xpu", "hpu", "privateuseone", *(["xla"] if supports_xla else [])]


def _get_foreach_kernels_supported_devices() -> list[str]:
    return [*_ON_LISTS, "privateuseone"]


def _default_to_fused_or_foreach(params: list[Any], differentiable: bool, use_fused: bool = False) -> tuple[bool, bool]:
    """Whether to compute with one kernel, and whether with lists of tensors, if the user chose neither.

    >>> import tensorwidgets as torch
    >>> _default_to_fused_or_foreach([torch.ones(1)], False), _default_to_fused_or_foreach([torch.ones(1)], False, True)
    ((False, False), (True, False))
    """
    if differentiable:
        return False, False
    given = [p for p in params if p is not None]
    fused = use_fused and all(p.device.type in _FUSED and p.is_floating_point() for p in given)
    return fused, not fused and all(p.device.type in _ON_LISTS for p in given)


def _view_as_real(params: list[Any], *state_and_grads: list[Any]) -> None:
    """Put the two parts of each complex number in its place, in lists of parameters and of what belongs to them."""
    as_real = OPS["view_as_real"].function
    for number, parameter in enumerate(params):
        if parameter.is_complex():
            for values in (params, *state_and_grads):
                values[number] = as_real(values[number])


def _group_tensors_by_device_and_dtype(tensorlistlist: Any, with_indices: bool = False) -> Any:
    """Lists of tensors, sorted by the devices and dtypes of the first."""
    return sorted_by_device_and_dtype(tensorlistlist, with_indices)
