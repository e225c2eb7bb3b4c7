"""torch.cuda.amp.autocast_mode: `autocast` and the marks of functions, by the name of PyTorch's module."""

from . import autocast, custom_bwd, custom_fwd

__all__ = ["autocast", "custom_bwd", "custom_fwd"]
