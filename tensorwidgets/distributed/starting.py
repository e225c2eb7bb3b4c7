"""How does a process become a rank, and how does it stop being one?"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any
from urllib.parse import urlparse

from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..engine.types.device import device, gpu_is_there
from ..multiprocessing.mpiexec import INSTALL, available
from ..multiprocessing.rank import OF_THIS_PROCESS, number_and_count
from . import mpi
from .alone import Alone
from .groups import DEFAULT_TIMEOUT, GroupMember, ProcessGroup, chosen, default_group, groups, rank_number, seconds_of
from .rendezvous import rendezvous
from .stores.arguments import refuse_to_make, refuse_type
from .stores.store import Store
from .work import Deadline, Work

SERVED = ("gloo", "mpi", "undefined")
_said: set[str] = set()


class Backend(str):
    """The name of what carries the numbers; MPI does, whatever the name."""

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"
    backend_list = ["undefined", "gloo", "nccl", "xccl", "ucc", "mpi", "fake"]

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


def is_available() -> bool:
    """Whether this package can connect several processes: always."""
    return True


def is_initialized() -> bool:
    """Whether this process is a rank."""
    return groups.default is not None


def is_mpi_available() -> bool:
    """Whether several ranks can be started."""
    return available()


def is_gloo_available() -> bool:
    """Whether "gloo" is served: by MPI."""
    return True


def is_nccl_available() -> bool:
    """Whether GPUs talk to each other without main memory: not here."""
    return False


def is_ucc_available() -> bool:
    """Whether this library carries numbers: not here."""
    return False


def is_xccl_available() -> bool:
    """Whether Intel's GPUs talk to each other: not here."""
    return False


def is_backend_available(backend: str) -> bool:
    """Whether a backend is served."""
    return backend.lower() in ("gloo", "mpi")


def is_torchelastic_launched() -> bool:
    """Whether PyTorch's own launcher started this process: never."""
    return False


def get_backend(group: Any = None) -> str:
    """The name that `init_process_group` was given."""
    if group == GroupMember.NON_GROUP_MEMBER:
        raise ValueError("Invalid process group specified")
    return str(chosen(group).backend)


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """The number of this rank on its machine."""
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError(
        "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work, "
        "assuming you are not running in a multi-device context and want the code to run locally instead."
    )


def launched() -> tuple[int, int] | None:
    """The rank of this process and how many there are, if a launcher of MPI started it."""
    rank, count = number_and_count()
    own = os.environ.get(OF_THIS_PROCESS)
    if own is not None:
        return (rank, count) if int(own) == os.getpid() else None
    return (rank, count) if "OMPI_COMM_WORLD_SIZE" in os.environ or "PMI_SIZE" in os.environ else None


def _checked_backend(backend: Any) -> str:
    if backend is None:
        return "undefined"
    name = Backend(backend)
    parts = [part.rpartition(":")[2] for part in name.split(",")]
    if "nccl" in parts:
        refuse(
            RuntimeError,
            "Distributed package doesn't have NCCL built in",
            "NCCL connects NVIDIA GPUs; here numbers travel through main memory",
            'dist.init_process_group("gloo")',
            rule="distributed.backend",
        )
    for part in parts:
        if part not in SERVED:
            raise AssertionError(f"Unknown backend type {part}")
    return parts[0]


def init_process_group(
    backend: str | None = None, init_method: str | None = None, timeout: timedelta | None = None,
    world_size: int = -1, rank: int = -1, store: Any = None, group_name: str = "", pg_options: Any = None,
    device_id: Any = None,
) -> None:  # fmt: skip
    """Make this process a rank. The launcher numbers it; a single rank alone passes `rank` and `world_size`.

    >>> import tensorwidgets.distributed as dist
    >>> dist.init_process_group("gloo", rank=0, world_size=1)
    >>> dist.get_rank(), dist.get_world_size()
    (0, 1)
    >>> dist.destroy_process_group()
    """
    if groups.default is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    if store is not None and not (world_size > 0 and rank >= 0):
        raise AssertionError(
            "world_size must be positive if using store" if world_size <= 0
            else "rank must be non-negative if using store"
        )  # fmt: skip
    if init_method is not None and not isinstance(init_method, str):
        raise RuntimeError(f"`url` must be a string. {type(init_method)}: {init_method}")
    if store is not None and not isinstance(store, Store):
        refuse_to_make(f"PrefixStore(prefix: str, store: Store), and not {type(store).__name__}")
    _check_device(device_id)
    name, seconds = _checked_backend(backend), seconds_of(timeout, DEFAULT_TIMEOUT.total_seconds())
    rank, world_size = _place(init_method or "env://", rank, world_size, store is not None)
    by: Alone | mpi.Ranks = Alone()
    if world_size > 1:
        _check_ranks(rank, world_size)
        world = mpi.world()
        by = mpi.Ranks(world.Split(0, rank))
        if by.rank != rank:
            raise ValueError(f"two ranks have the number {rank}: each needs its own")
        _say_who_serves(name, rank)
    groups.default = ProcessGroup(list(range(world_size)), by, name, seconds, 0)
    groups.alive, groups.made = [groups.default], 1


def _check_device(given: Any) -> None:
    """Refuse to bind a group to what is no GPU."""
    if given is None or gpu_is_there() and type(given) is int:
        return
    if type(given) is int:
        raise ValueError(
            "device_id is an int, but no accelerator support is found from the current compilation. Please use a "
            "different compiled version that supports your accelerator."
        )
    if not isinstance(given, device) or given.type == "cpu" or given.index is None:
        raise ValueError("init_process_group device_id parameter must be an accelerator with an index")


def _say_who_serves(name: str, rank: int) -> None:
    if name == "gloo" and rank == 0 and name not in _said:
        _said.add(name)
        warn(f'backend "gloo" is served by MPI ({mpi.library()})')


def _place(method: str, rank: int, world_size: int, store: bool) -> tuple[int, int]:
    """The rank of this process and how many there are: as given, as the launcher says, or by the environment."""
    scheme = method.partition("://")[0]
    if scheme not in ("env", "tcp", "file"):
        _, rank, world_size = next(rendezvous(method, rank, world_size))
    if scheme == "tcp" and urlparse(method).port is None:
        raise ValueError("Error initializing torch.distributed using tcp:// rendezvous: port number missing")
    known = launched()
    if known is not None:
        rank, world_size = known[0] if rank < 0 else rank, known[1] if world_size < 0 else world_size
    for given, variable, what in ((rank, "RANK", "rank"), (world_size, "WORLD_SIZE", "world size")):
        if given >= 0 or store:
            continue
        if scheme != "env":
            raise ValueError(
                f"Error initializing torch.distributed using {scheme}:// rendezvous: {what} parameter missing"
            )
        if variable not in os.environ:
            refuse(
                ValueError,
                f"Error initializing torch.distributed using env:// rendezvous: environment variable {variable} "
                "expected, but not set",
                "this process was not started as a rank",
                "python -m tensorwidgets.distributed.run -n 2 train.py",
                'or, for one rank alone, dist.init_process_group("gloo", rank=0, world_size=1)',
                rule="distributed.launcher",
            )
    rank = rank if rank >= 0 else int(os.environ["RANK"])
    world_size = world_size if world_size >= 0 else int(os.environ["WORLD_SIZE"])
    if not 0 <= rank < world_size:
        raise ValueError(f"rank {rank} is not one of {world_size} ranks, which are numbered from 0")
    return rank, world_size


def _check_ranks(rank: int, world_size: int) -> None:
    """Refuse to be one of several ranks without the launcher that starts the others."""
    known = launched()
    if known is not None and known[1] == world_size:
        return
    said = "this process was started alone" if known is None else f"the launcher started {known[1]} ranks"
    refuse(
        RuntimeError,
        f"rank {rank} of {world_size}: {said}, so the others are not there",
        "ranks are processes that one launcher starts together; a notebook's kernel is never one of them",
        f"tensorwidgets.multiprocessing.spawn(function, nprocs={world_size})",
        f"or python -m tensorwidgets.distributed.run -n {world_size} train.py"
        + ("" if available() else f", after {INSTALL}"),
        rule="distributed.launcher",
    )


def destroy_process_group(group: Any = None) -> None:
    """Stop being a rank, or end one group."""
    if group == GroupMember.NON_GROUP_MEMBER:
        return
    ended = groups.default if group is None else group
    if ended is None:
        raise AssertionError("Process group cannot be None")
    if ended not in groups.alive:
        raise ValueError("Invalid process group specified")
    for each in list(groups.alive) if ended is groups.default else [ended]:
        each.lane.close()
        groups.alive.remove(each)
    if ended is groups.default:
        groups.default = None


def new_group(
    ranks: list[int] | None = None, timeout: timedelta | None = None, backend: str | None = None,
    pg_options: Any = None, use_local_synchronization: bool = False, group_desc: str | None = None,
    device_id: Any = None, sort_ranks: bool = True,
) -> Any:  # fmt: skip
    """Make a group of some ranks. All ranks call this, including those outside the group."""
    if group_desc is not None and not isinstance(group_desc, str):
        refuse_type("_set_group_desc", f"group_desc is a str, not {type(group_desc).__name__}")
    _check_device(device_id)
    return new_group_within(default_group(), ranks, timeout, backend, group_desc, sort_ranks)


def new_group_within(
    parent: ProcessGroup, ranks: list[int] | None, timeout: timedelta | None, backend: str | None,
    group_desc: str | None, sort_ranks: bool = True,
) -> Any:  # fmt: skip
    """Make a group of some ranks of a group, all of which call this."""
    world = default_group()
    n = world.size()
    if ranks is None:
        ranks = list(range(n))
    ranks = [rank_number(rank) for rank in ranks]
    ranks = sorted(ranks) if sort_ranks else ranks
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"ranks list must not contain duplicate entries, got {ranks}")
    if len(ranks) > n:
        raise ValueError(
            "the new group's world size should be less or equal to the world size set by init_process_group"
        )
    for each in ranks:
        if each < 0 or each >= n:
            raise ValueError(f"Rank {each} is out of range. Valid ranks are 0 to {n - 1} (world_size={n})")
    name = world.backend if backend is None else _checked_backend(backend)
    seconds = seconds_of(timeout, world.seconds)
    member = world.rank() in ranks
    made: list[Any] = []

    def work(deadline: Deadline) -> None:
        if isinstance(parent.by, mpi.Ranks):
            made.append(parent.by.part(ranks if member else None, ranks.index(world.rank()) if member else 0))

    # All ranks agree on the members.
    facts = (len(ranks), 0, sum((r + 1) << (4 * (i % 12)) for i, r in enumerate(ranks)) & 0x7FFFFFFF, -1)
    begun: Work = parent.begin("new_group", [], facts, work)
    begun.wait()
    number, groups.made = groups.made, groups.made + 1
    if not member:
        groups.elsewhere = ranks
        return GroupMember.NON_GROUP_MEMBER
    by = mpi.Ranks(made[0]) if len(ranks) > 1 else Alone()
    group = ProcessGroup(ranks, by, name, seconds, number, group_desc or "")
    groups.alive.append(group)
    return group
