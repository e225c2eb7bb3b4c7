"""How is a module called with other parameters than its own? By `functional_call`, as in `torch.func`."""

from __future__ import annotations

from ...engine.autograd.functional.functional_call import functional_call

__all__ = ["functional_call"]
