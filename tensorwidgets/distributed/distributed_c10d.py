"""torch.distributed.distributed_c10d: the calls, by the name of PyTorch's own module."""

from __future__ import annotations

from . import __all__ as _names
from . import __dict__ as _known
from .groups import DEFAULT_TIMEOUT as default_pg_timeout
from .groups import _rank_not_in_group
from .groups import default_group as _get_default_group

globals().update({name: _known[name] for name in _names})
__all__ = [*_names, "_get_default_group", "_rank_not_in_group", "default_pg_timeout"]
