"""torch.cpu.amp: the names of torch.amp as they were for CPUs alone. They warn that they are old, as in PyTorch."""

from .autocast_mode import autocast
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast"]
