"""torch.cuda.memory: what the allocators of GPUs hold, their statistics and their history.

>>> import tensorwidgets as torch
>>> with torch.cuda.simulate(memory="64 MiB"):
...     x = torch.ones(1000, device="cuda")
...     print(torch.cuda.memory.memory_allocated(), len(torch.cuda.memory._snapshot()["segments"]))
...     del x
tensorwidgets simulates 1 GPU of 64 MiB: 'cuda' is a part of main memory, and NumPy computes there.
4096 1
"""

from __future__ import annotations

from ..engine.compat import cuda_memory as _engine

__all__ = list(_engine.__all__)
globals().update({name: getattr(_engine, name) for name in __all__})
_dump_snapshot, _snapshot = _engine._dump_snapshot, _engine._snapshot
_record_memory_history, _set_allocator_settings = _engine._record_memory_history, _engine._set_allocator_settings
_set_memory_metadata, _get_memory_metadata = _engine._set_memory_metadata, _engine._get_memory_metadata
