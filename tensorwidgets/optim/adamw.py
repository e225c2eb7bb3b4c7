"""torch.optim.adamw: where PyTorch keeps AdamW."""

from .adam import AdamW

__all__ = ["AdamW"]
