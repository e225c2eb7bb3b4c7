"""torch.amp.autocast_mode: what is in the engine."""

from ..engine.compat.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
