"""Tensors of modules become parametrized ones, and become plain ones again."""

from __future__ import annotations

from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ...modules.container import ModuleDict
from ...modules.module import Module
from ...parameter import Parameter
from .classes import add_property, give_own_class, is_parametrized
from .lists import ParametrizationList, kind, register


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let a parameter or buffer be computed by `parametrization` from another one, which is trained in its place.

    >>> import tensorwidgets as torch
    >>> class Positive(torch.nn.Module):
    ...     def forward(self, X):
    ...         return X.exp()
    >>> register_parametrization(torch.nn.Linear(2, 1), "weight", Positive())
    ParametrizedLinear(
      in_features=2, out_features=1, bias=True
      (parametrizations): ModuleDict(
        (weight): ParametrizationList(
          (0): Positive()
        )
      )
    )
    """
    parametrization.train(module.training)
    own: Any = module
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        own.parametrizations[tensor_name].append(parametrization)
        own.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        steps = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            give_own_class(module)
            own.parametrizations = ModuleDict()
        add_property(module, tensor_name)
        own.parametrizations[tensor_name] = steps
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    return module


def _check_next(module: Module, name: str, parametrization: Any) -> None:
    """Refuse a further step that changes the dtype or the shape."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {kind(after)}.")
    for what in ("dtype", "shape"):
        if getattr(after, what) != getattr(before, what):
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is "
                f"enabled.\nmodule.{name}.{what}: {getattr(before, what)}\n"
                f"parametrization(module.{name}).{what}: {getattr(after, what)}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {kind(back)}")
    for what in ("dtype", "shape"):
        if getattr(back, what) != getattr(before, what):
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, "
                f"unless the `unsafe` flag is enabled.\nmodule.{name}.{what}: {getattr(before, what)}\n"
                f"returned {what}: {getattr(back, what)}"
            )


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make a parametrized tensor a plain one: with the value that it has now, or else with its original.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 1))
    >>> remove_parametrizations(layer, "weight")
    Linear(in_features=2, out_features=1, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    own: Any = module
    steps = own.parametrizations[tensor_name]
    if steps.is_tensor:
        original = steps.original
        if leave_parametrized:
            with torch.no_grad():
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del own.parametrizations[tensor_name]
    register(module, tensor_name, original)
    if not is_parametrized(module):
        del own.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Give one module the parametrizations of another, and its trained tensors.

    >>> import tensorwidgets as torch
    >>> one = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(2, 2))
    >>> other = transfer_parametrizations_and_params(one, torch.nn.Linear(2, 2))
    >>> other.parametrizations.weight.original is one.parametrizations.weight.original
    True
    """
    if not is_parametrized(from_module):
        return to_module
    source: Any = from_module
    target: Any = to_module
    for name in list(source.parametrizations) if tensor_name is None else [tensor_name]:
        if not hasattr(target, name):
            setattr(target, name, Parameter(getattr(source, name)))
        steps = source.parametrizations[name]
        for step in steps:
            register_parametrization(target, name, step)
        for own in ["original"] if steps.is_tensor else [f"original{i}" for i in range(steps.ntensors)]:
            setattr(target.parametrizations[name], own, getattr(steps, own))
    return to_module
