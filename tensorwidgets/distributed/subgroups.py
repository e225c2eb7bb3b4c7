"""Several groups at once, of which each rank is in one at most."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ..engine.types.device import device, gpu_is_there
from .groups import (
    ProcessGroup,
    chosen,
    default_group,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    groups,
)
from .starting import new_group_within


def new_subgroups(
    group_size: int | None = None, group: Any = None, timeout: timedelta | None = None, backend: str | None = None,
    pg_options: Any = None, group_desc: str | None = None,
) -> tuple[Any, list[Any]]:  # fmt: skip
    """Groups of neighbours, of a size each: the one that this rank is in, and all of them."""
    if group_size is None:
        if not gpu_is_there():
            raise ValueError(
                "Default group size only takes effect when CUDA is available.If your subgroup using a backend that "
                "does not depend on CUDA,please pass in 'group_size' correctly."
            )
        from ..engine.compat.cuda import device_count

        group_size = device_count()
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    count = get_world_size(group)
    if count < group_size:
        raise ValueError(f"The arg 'group_size' ({group_size}) must not exceed the world size ({count})")
    if count % group_size:
        raise ValueError(f"The world size ({count}) must be divisible by '{group_size=}'")
    ranks = get_process_group_ranks(group)
    parts = [ranks[i : i + group_size] for i in range(0, len(ranks), group_size)]
    return _each(chosen(group), parts, timeout, backend, group_desc)


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list: Sequence[Sequence[int]], timeout: timedelta | None = None, backend: str | None = None,
    pg_options: Any = None, group_desc: str | None = None,
) -> tuple[Any, list[Any]]:  # fmt: skip
    """A group of each list of ranks: the one that this rank is in, or None, and all of them."""
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    return _each(default_group(), ranks_per_subgroup_list, timeout, backend, group_desc)


def _each(
    parent: ProcessGroup, lists: Sequence[Sequence[int]], timeout: timedelta | None, backend: str | None,
    group_desc: str | None,
) -> tuple[Any, list[Any]]:  # fmt: skip
    """A group of each list of ranks, which the ranks of a group make together."""
    own, made = None, []
    seen: dict[int, Any] = {}
    for ranks in lists:
        part = new_group_within(parent, list(ranks), timeout, backend, group_desc)
        made.append(part)
        for rank in ranks:
            if rank in seen:
                raise ValueError(f"Rank {rank} has appeared in both subgroup {seen[rank]} and {ranks}")
            seen[rank] = ranks
            if rank == get_rank():
                own = part
    return own, made


def get_pg_count() -> int:
    """How many groups there are.

    >>> get_pg_count()
    0
    """
    return len(groups.alive)


def get_default_backend_for_device(device: str | device) -> str:
    """The backend that is the usual one of a device.

    >>> get_default_backend_for_device("cpu")
    'gloo'
    """
    kind = _device(device).type
    if kind not in _USUAL:
        raise ValueError(f"Default backend not registered for device : {device}")
    return _USUAL[kind]


_device = device
_USUAL = {"cpu": "gloo", "cuda": "nccl", "xpu": "xccl", "mps": "gloo"}
