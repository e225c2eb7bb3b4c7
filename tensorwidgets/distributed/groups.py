"""Groups of ranks: which there are, who is in them, and how ranks are numbered in each."""

from __future__ import annotations

import warnings
from datetime import timedelta
from typing import Any

from ..engine.errors.reasons import refuse
from ..engine.tensor.tensor import Tensor
from ..engine.types.dtypes import ALL
from .alone import Alone
from .methods import Methods
from .mpi import Ranks
from .stores.arguments import refuse_type
from .work import Deadline, Lane, Work

NOT_INITIALISED = "Default process group has not been initialized, please make sure to call init_process_group."
DEFAULT_TIMEOUT = timedelta(minutes=30)
CALLS = (
    "barrier", "broadcast", "all_reduce", "reduce", "all_gather", "gather", "scatter", "reduce_scatter", "all_to_all",
    "new_group",
)  # fmt: skip
"""The calls that all ranks of a group make together."""


class ProcessGroup(Methods):
    """Ranks that talk to each other: `ranks` are their numbers among all."""

    def __init__(
        self, ranks: list[int], by: Alone | Ranks, backend: str, seconds: float, number: int, description: str = ""
    ):
        self.ranks, self.by, self.backend, self.seconds = ranks, by, backend, seconds
        self.group_name = str(number)
        self.group_desc = description or ("default_pg" if number == 0 else "undefined")
        self.lane = Lane(self.group_name)
        self.calls = 0
        self.broken: BaseException | None = None

    def rank(self) -> int:
        """The number of this process in the group."""
        return self.by.rank

    def size(self) -> int:
        """How many ranks the group has."""
        return self.by.size

    def name(self) -> str:
        """The name of the backend."""
        return self.backend

    @property
    def bound_device_id(self) -> None:
        """The GPU that the group is bound to: none."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("cannot pickle 'torch._C._distributed_c10d.ProcessGroup' object")

    def begin(
        self, call: str, tensors: list[Tensor], facts: tuple[int, ...], work: Any, seconds: float | None = None
    ) -> Work:
        """Make a call that all ranks make: they meet, then `work(deadline)` is done."""
        made = Work(call, tensors, self.seconds if seconds is None else seconds)
        number, self.calls = self.calls, self.calls + 1
        told = (CALLS.index(call), *facts, *(0,) * (4 - len(facts)))

        def run(deadline: Deadline) -> None:
            if self.broken is not None:
                raise self.broken
            note = noting
            begun = note.arrive(self, number, call, tensors) if note is not None else None
            try:
                others = self.by.meet(told, deadline)
            except BaseException as error:
                self.broken = error  # the other ranks may still come to this call, and would mix it with the next
                raise
            if note is not None:
                note.met(begun)
            if others is not None:
                refuse_mix(others)
            work(deadline)
            if note is not None:
                note.done(begun)

        return self.lane.add(made, run)


noting: Any = None
"""What notes the calls of this rank, if something does."""


def note_with(what: Any) -> None:
    """Let something note the calls of this rank; None ends it."""
    global noting
    noting = what


def refuse_mix(told: Any) -> None:
    """Refuse different calls on the ranks of a group."""
    first = told[0]
    other = next(rank for rank in range(len(told)) if (told[rank] != first).any())
    refuse(
        RuntimeError,
        f"Detected mismatch between collectives on ranks. Rank 0 is running {_called(first)}, but Rank {other} is "
        f"running {_called(told[other])}.",
        "what the ranks of a group call together agrees in kind, number of elements, dtype and root",
        "the same calls in the same order on every rank",
        rule="distributed.mismatch",
    )


def _called(facts: Any) -> str:
    call = CALLS[facts[0]]
    if call in ("barrier", "new_group"):
        return call
    elements = "" if facts[1] < 0 else f" of {facts[1]} elements"
    root = "" if facts[3] < 0 else f", root {facts[3]}"
    return f"{call}{elements} of {ALL[facts[2]]!r}{root}"


def facts_of(t: Tensor, count: int | None = None, root: int = -1, op: int = -1) -> tuple[int, int, int, int]:
    """What all ranks must agree on: elements, dtype, root, operation."""
    return (t.numel() if count is None else count), ALL.index(t.dtype), root, op


def seconds_of(timeout: Any, usual: float) -> float:
    """How long a call may wait."""
    if timeout is None:
        return usual
    if not isinstance(timeout, timedelta):
        raise TypeError(f"Expected timeout argument to be of type datetime.timedelta, got {timeout}")
    return timeout.total_seconds()


# -- which groups there are ------------------------------------------------------------------------------------------


class _Groups:
    def __init__(self) -> None:
        self.default: ProcessGroup | None = None
        self.alive: list[ProcessGroup] = []
        self.made = 0
        self.elsewhere: list[int] = []
        """The ranks of the last group that this rank is not in."""


groups = _Groups()


class _WorldMeta(type):
    @property
    def WORLD(cls) -> ProcessGroup | None:
        return groups.default


class GroupMember(metaclass=_WorldMeta):
    """What `new_group` returns to a rank that is not in the group."""

    NON_GROUP_MEMBER = -100


class group(metaclass=_WorldMeta):
    """`group.WORLD` is the group of all ranks."""


def default_group() -> ProcessGroup:
    """The group of all ranks; refused before `init_process_group`."""
    if groups.default is None:
        refuse(
            ValueError,
            NOT_INITIALISED,
            "ranks do not know each other before",
            'dist.init_process_group("gloo", rank=0, world_size=1) for one rank alone',
            rule="distributed.group",
        )
    return groups.default


def chosen(of: Any) -> Any:
    """A group, or the one of all ranks."""
    if of is None:
        return default_group()
    if not isinstance(of, ProcessGroup) and of != GroupMember.NON_GROUP_MEMBER:
        raise ValueError(
            f"Process group {of} is not initialized in the world group map. Please initialize the group first."
        )
    return of


def is_outside(of: Any, call: str) -> bool:
    """Whether this rank is not in a group; then a call does nothing, and warns."""
    if of != GroupMember.NON_GROUP_MEMBER:
        return False
    rank = "" if groups.default is None else groups.default.rank()
    warnings.warn(f"Running {call} on global rank {rank} which does not belong to the given group.", stacklevel=3)
    return True


def _rank_not_in_group(group: Any) -> bool:
    """Whether this rank is not in a group; libraries ask by this name before they call."""
    return bool(group == GroupMember.NON_GROUP_MEMBER)


def get_rank(group: Any = None) -> int:
    """The number of this rank in a group; -1 if it is not in it."""
    if group == GroupMember.NON_GROUP_MEMBER:
        return -1
    world = default_group()
    return world.rank() if group is None else get_group_rank(group, world.rank())


def get_world_size(group: Any = None) -> int:
    """How many ranks a group has; -1 if this one is not in it."""
    if group == GroupMember.NON_GROUP_MEMBER:
        return -1
    return int(default_group().size() if group is None else group.size())


def get_group_rank(group: Any, global_rank: int) -> int:
    """The number in a group of a rank."""
    if group is groups.default:
        return global_rank
    _check_registered(group)
    if global_rank not in group.ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return int(group.ranks.index(global_rank))


def get_global_rank(group: Any, group_rank: int) -> int:
    """The number among all of a rank in a group."""
    if group is groups.default:
        return group_rank
    _check_registered(group)
    if not 0 <= group_rank < len(group.ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return int(group.ranks[group_rank])


def _check_registered(group: Any) -> None:
    if group not in groups.alive:
        raise ValueError(f"Group {group} is not registered, please create group with torch.distributed.new_group API")


def get_process_group_ranks(group: Any) -> list[int]:
    """The ranks of a group."""
    if group == GroupMember.NON_GROUP_MEMBER:
        return list(groups.elsewhere)
    return list(chosen(group).ranks)


def rank_number(rank: Any, call: str = "") -> int:
    """A rank as an int."""
    if not hasattr(rank, "__index__"):
        refuse_type(call, f"a rank is an int, not {type(rank).__name__}")
    return int(rank.__index__())


def in_group(group: Any, rank: int | None, group_rank: int | None, call: str = "") -> int:
    """The number of a rank in a group, which a call names in one of two ways."""
    if group_rank is not None:
        if rank is not None:
            raise ValueError("Can't specify both group_rank and global_rank")
        return rank_number(group_rank, call)
    if rank is None:
        raise ValueError("Must specify global_rank or group_rank")
    rank = rank_number(rank, call)
    if group == GroupMember.NON_GROUP_MEMBER and rank in groups.elsewhere:
        return groups.elsewhere.index(rank)
    if not isinstance(group, ProcessGroup):
        raise ValueError("Invalid process group specified")
    return get_group_rank(group, rank)
