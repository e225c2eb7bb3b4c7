"""torch.cuda.amp.grad_scaler: `GradScaler` for GPUs, by the name of PyTorch's module."""

from . import GradScaler

__all__ = ["GradScaler"]
