"""torch.cuda.amp.grad_scaler: a part of torch.cuda.amp."""

from . import GradScaler

__all__ = ["GradScaler"]
