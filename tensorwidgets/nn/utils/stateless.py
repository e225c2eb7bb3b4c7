"""How is a module called with other parameters than its own? By `functional_call`, as in `torch.func`."""

from __future__ import annotations

from typing import Any

from ...engine.autograd.functional.functional_call import functional_call as _functional_call
from ...engine.errors.warnings import warn
from ...engine.tensor.tensor import Tensor

__all__ = ["functional_call"]


def functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """The old name of `torch.func.functional_call`, which warns."""
    warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future "
        "version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
    )
    parameters_and_buffers.keys  # noqa: B018 - several dictionaries are for the new one
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
