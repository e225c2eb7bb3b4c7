"""torch.amp.grad_scaler: losses multiplied so that small gradients are not rounded to zero."""

from ..engine.compat.amp.grad_scaler import GradScaler, OptState

__all__ = ["GradScaler", "OptState"]
