"""torch.cuda.amp.autocast_mode: a part of torch.cuda.amp."""

from . import autocast, custom_bwd, custom_fwd

__all__ = ["autocast", "custom_bwd", "custom_fwd"]
