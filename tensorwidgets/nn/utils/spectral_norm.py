"""torch.nn.utils.spectral_norm: how does a hook divide a weight by its largest stretch?"""

from __future__ import annotations

from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.types.class_paths import path_of
from .. import functional as F
from ..modules.module import Module
from ..parameter import Parameter
from ..uninitialized import UninitializedParameter
from .parametrizations.stretches import check_rounds, output_dim, rows_of

_ENDS = ("_orig", "_u", "_v")


class SpectralNorm:
    """The hook: it computes the weight before the module is called."""

    _version = 1

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        check_rounds(n_power_iterations)
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight: Any) -> Any:
        """A matrix with a row for each result."""
        weight = rows_of(weight, self.dim)
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """The trained weight, divided by how much it stretches."""
        weight, u, v = (getattr(module, self.name + end) for end in _ENDS)
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v = F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps, out=u)
                u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        with torch.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for end in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + end)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __repr__(self) -> str:
        return f"<{path_of(type(self))} object at {id(self):#x}>"

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    @staticmethod
    def apply(module: Module, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Take a module's weight apart, and add the hooks."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        own = SpectralNorm(name, n_power_iterations, dim, eps)
        weight: Any = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy "
                "forward before applying spectral normalization"
            )
        with torch.no_grad():
            sizes = own.reshape_weight_to_matrix(weight).size()
            u, v = (F.normalize(weight.new_empty(n).normal_(0, 1), dim=0, eps=eps) for n in sizes)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(own)
        module._register_state_dict_hook(SpectralNormStateDictHook(own))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(own))
        return own


class SpectralNormStateDictHook:
    """Notes the version of the form in which the weight is saved."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Module, state_dict: Any, prefix: str, local_metadata: dict) -> None:
        versions, key = local_metadata.setdefault("spectral_norm", {}), self.fn.name + ".version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


class SpectralNormLoadStateDictPreHook:
    """Finds the second vector of a state that was saved without it."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(
        self, state_dict: dict, prefix: str, local_metadata: dict, strict: bool, missing_keys: list,
        unexpected_keys: list, error_msgs: list,
    ) -> None:  # fmt: skip
        own, key = self.fn, prefix + self.fn.name
        version = local_metadata.get("spectral_norm", {}).get(own.name + ".version")
        if version is not None and version >= 1:
            return
        if version is None and all(key + end in state_dict for end in _ENDS) and key not in state_dict:
            return
        lacking = [key + end for end in ("_orig", "", "_u") if key + end not in state_dict]
        if lacking:
            missing_keys.extend(lacking if strict else [])
            return
        with torch.no_grad():
            original, u = state_dict[key + "_orig"], state_dict[key + "_u"]
            sigma = (original / state_dict.pop(key)).mean()
            matrix = own.reshape_weight_to_matrix(original)
            parts = [matrix.t().mm(matrix).pinverse(), matrix.t(), u.unsqueeze(1)]
            v = torch.linalg.multi_dot(parts).squeeze(1)
            state_dict[key + "_v"] = v.mul_(sigma / torch.dot(u, torch.mv(matrix, v)))


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value, which each call in training finds a little better."""
    SpectralNorm.apply(module, name, n_power_iterations, output_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Undo `spectral_norm`; the weight keeps the value that it has."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    _forget(module._state_dict_hooks, SpectralNormStateDictHook, name)
    _forget(module._load_state_dict_pre_hooks, SpectralNormLoadStateDictPreHook, name)
    return module


def _forget(hooks: Any, kind: Any, name: str) -> None:
    for key, hook in list(hooks.items()):
        own = getattr(hook, "hook", hook)
        if isinstance(own, kind) and own.fn.name == name:
            del hooks[key]
            return
