"""How is a module made without drawing its initial numbers? On `meta`, then with memory as it is."""

from __future__ import annotations

from inspect import signature
from typing import Any

from ..modules.module import Module


def skip_init(module_cls: type, *args: Any, **kwargs: Any) -> Any:
    """A module whose parameters hold whatever numbers were in memory.

    >>> import tensorwidgets as torch
    >>> skip_init(torch.nn.Linear, 5, 1).weight.shape
    torch.Size([1, 5])
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    where = kwargs.pop("device", "cpu")
    return module_cls(*args, **kwargs, device="meta").to_empty(device=where)
