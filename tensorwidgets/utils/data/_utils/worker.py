"""What a dataset may ask in a process that loads for another one."""

from __future__ import annotations

from ..worker_info import WorkerInfo, get_worker_info

__all__ = ["WorkerInfo", "get_worker_info"]
