"""torch.distributed: several processes that compute together. Each is a rank; MPI carries numbers between them.

>>> import tensorwidgets as torch
>>> import tensorwidgets.distributed as dist
>>> dist.init_process_group("gloo", rank=0, world_size=1)
>>> x = torch.ones(2)
>>> dist.all_reduce(x)
>>> x
tensor([1., 1.])
>>> dist.destroy_process_group()
"""

from __future__ import annotations

from typing import Any

from .coalesced import all_gather_coalesced, all_reduce_coalesced
from .collectives import _all_gather_base as _all_gather_base
from .collectives import (
    all_gather,
    all_gather_into_tensor,
    all_gather_single,
    all_reduce,
    barrier,
    broadcast,
    gather,
    monitored_barrier,
    reduce,
    scatter,
)
from .errors import DistBackendError, DistError, DistNetworkError, DistStoreError, QueueEmptyError
from .groups import DEFAULT_TIMEOUT as default_pg_timeout
from .groups import (
    GroupMember,
    ProcessGroup,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
)
from .groups import _rank_not_in_group as _rank_not_in_group
from .objects import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from .pairs import P2POp, batch_isend_irecv, irecv, isend, recv, send
from .recorded import record
from .reduce_ops import ReduceOp
from .rendezvous import register_rendezvous_handler, rendezvous
from .settings import (
    BackendConfig,
    DebugLevel,
    get_backend_config,
    get_debug_level,
    reduce_op,
    set_debug_level,
    set_debug_level_from_env,
    supports_complex,
)
from .shares import _reduce_scatter_base as _reduce_scatter_base
from .shares import (
    all_to_all,
    all_to_all_single,
    reduce_scatter,
    reduce_scatter_single,
    reduce_scatter_tensor,
)
from .starting import (
    Backend,
    destroy_process_group,
    get_backend,
    get_node_local_rank,
    init_process_group,
    is_available,
    is_backend_available,
    is_gloo_available,
    is_initialized,
    is_mpi_available,
    is_nccl_available,
    is_torchelastic_launched,
    is_ucc_available,
    is_xccl_available,
    new_group,
)
from .stores import FileStore, HashStore, PrefixStore, Store, TCPStore
from .subgroups import (
    get_default_backend_for_device,
    get_pg_count,
    new_subgroups,
    new_subgroups_by_enumeration,
)
from .work import Work

__all__ = [
    "Backend", "BackendConfig", "DebugLevel", "DistBackendError", "DistError", "DistNetworkError", "DistStoreError",
    "FileStore", "GroupMember", "HashStore", "P2POp", "PrefixStore", "ProcessGroup", "QueueEmptyError", "ReduceOp",
    "Store", "TCPStore", "Work", "all_gather", "all_gather_coalesced", "all_gather_into_tensor", "all_gather_object",
    "all_gather_single", "all_reduce", "all_reduce_coalesced", "all_to_all", "all_to_all_single", "barrier",
    "batch_isend_irecv", "broadcast", "broadcast_object_list", "default_pg_timeout", "destroy_process_group",
    "gather", "gather_object", "get_backend", "get_backend_config", "get_debug_level",
    "get_default_backend_for_device", "get_global_rank", "get_group_rank", "get_node_local_rank", "get_pg_count",
    "get_process_group_ranks", "get_rank", "get_world_size", "group", "init_process_group", "irecv", "is_available",
    "is_backend_available", "is_gloo_available", "is_initialized", "is_mpi_available", "is_nccl_available",
    "is_torchelastic_launched", "is_ucc_available", "is_xccl_available", "isend", "monitored_barrier", "new_group",
    "new_subgroups", "new_subgroups_by_enumeration", "record", "recv", "recv_object_list", "reduce", "reduce_op",
    "reduce_scatter", "reduce_scatter_single", "reduce_scatter_tensor", "register_rendezvous_handler", "rendezvous",
    "scatter", "scatter_object_list", "send", "send_object_list", "set_debug_level", "set_debug_level_from_env",
    "supports_complex",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "GradBucket":
        from .algorithms.grad_bucket import GradBucket

        return GradBucket
    if name in ("algorithms", "distributed_c10d", "nn", "optim"):
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
