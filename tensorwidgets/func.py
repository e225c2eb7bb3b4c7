"""torch.func: functions made of functions.

>>> import tensorwidgets as torch
>>> torch.func.grad(torch.sin)(torch.tensor(0.0))
tensor(1.)
"""

from __future__ import annotations

from typing import Any

from .engine.autograd.functional.functional_call import functional_call, stack_module_state
from .engine.autograd.functional.transforms import grad, grad_and_value, hessian, jacrev, vjp

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacrev",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
]


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Let batch norms of a model keep no statistics, so that a call changes no buffers.

    >>> import tensorwidgets as torch
    >>> replace_all_batch_norm_modules_(torch.nn.Sequential(torch.nn.BatchNorm1d(2)))[0].running_mean is None
    True
    """
    from .nn.modules.batchnorm import _BatchNorm

    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


_TO_COME = ("functionalize", "jacfwd", "jvp", "linearize", "vmap")


def __getattr__(name: str) -> Any:
    if name in _TO_COME:
        from .engine.compat.to_come import to_come

        return to_come(__name__, name)
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
