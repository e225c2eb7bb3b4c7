"""torch.amp.autocast_mode: blocks and functions that compute in 16 bits where that is precise enough."""

from ..engine.compat.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
