"""torch.amp.grad_scaler: what is in the engine."""

from ..engine.compat.amp.grad_scaler import GradScaler, OptState

__all__ = ["GradScaler", "OptState"]
