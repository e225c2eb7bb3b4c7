"""torch.autograd.anomaly_mode: where was the call whose gradient fails?"""

from __future__ import annotations

from ..engine.autograd.anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
