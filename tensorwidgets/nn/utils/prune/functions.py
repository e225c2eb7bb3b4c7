"""Functions that prune a parameter of a module, or parameters of several, and that end it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.types.class_paths import path_of
from ...modules.module import Module
from ..convert_parameters import parameters_to_vector
from .masks import CustomFromMask, Identity, L1Unstructured, LnStructured, RandomStructured, RandomUnstructured
from .methods import BasePruningMethod, PruningContainer


def identity(module: Module, name: str) -> Module:
    """Prune nothing, but make the mask."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: int | float) -> Module:
    """Prune random numbers: a count, or a share.

    >>> import tensorwidgets as torch
    >>> layer = random_unstructured(torch.nn.Linear(4, 2), "weight", amount=3)
    >>> int((layer.weight == 0).sum())
    3
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount: int | float, importance_scores: Any = None) -> Module:
    """Prune the numbers nearest to zero.

    >>> import tensorwidgets as torch
    >>> layer = l1_unstructured(torch.nn.Linear(4, 2), "weight", amount=0.25)
    >>> sorted(layer.state_dict())
    ['bias', 'weight_mask', 'weight_orig']
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: int | float, dim: int) -> Module:
    """Prune random rows of a dimension."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: int | float, n: Any, dim: int, importance_scores: Any = None
) -> Module:
    """Prune the rows of a dimension with the smallest norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Any) -> Module:
    """Prune where a mask has zeros.

    >>> import tensorwidgets as torch
    >>> layer = custom_from_mask(torch.nn.Linear(5, 3), "bias", torch.tensor([0, 1, 0]))
    >>> layer.bias_mask
    tensor([0., 1., 0.])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any) -> None:
    """Prune several parameters, `(module, name)`, as if they were one."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs: list[Any] = list(parameters)
    tensors = [getattr(module, name) for module, name in pairs]
    all_scores = parameters_to_vector([scores.get(pair, t) for pair, t in zip(pairs, tensors, strict=True)])
    start = parameters_to_vector(
        [getattr(module, f"{name}_mask", torch.ones_like(t)) for (module, name), t in zip(pairs, tensors, strict=True)]
    )
    container = PruningContainer()
    method = pruning_method(**kwargs)
    container._tensor_name = method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"<class '{path_of(type(method))}'> of type {method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    masks = container.compute_mask(all_scores, start).split([t.numel() for t in tensors])
    for (module, name), t, mask in zip(pairs, tensors, masks, strict=True):
        custom_from_mask(module, name, mask.view_as(t))


def remove(module: Module, name: str) -> Module:
    """End the pruning of a parameter, which keeps its zeros."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Module) -> bool:
    """Whether a parameter of a module or of one inside it is pruned.

    >>> import tensorwidgets as torch
    >>> is_pruned(torch.nn.Linear(2, 2))
    False
    """
    return any(isinstance(h, BasePruningMethod) for m in module.modules() for h in m._forward_pre_hooks.values())
