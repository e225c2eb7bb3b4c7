"""torch.cpu.amp: the name of torch.amp as it was for CPUs alone. It warns that it is old, as in PyTorch."""

from .autocast_mode import autocast

__all__ = ["autocast"]
