"""torch.cuda.streams: in which order a GPU works, and how long it takes."""

from __future__ import annotations

from ..engine.compat.streams import CUDA

Event, ExternalStream, Stream = CUDA["Event"], CUDA["ExternalStream"], CUDA["Stream"]

__all__ = ["Event", "ExternalStream", "Stream"]
