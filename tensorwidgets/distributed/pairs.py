"""Calls between two ranks: one sends, the other receives."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np

from ..engine.errors.reasons import refuse
from ..engine.tensor.tensor import Tensor
from . import checks, mpi
from .alone import Alone
from .buffers import elements, like, put
from .groups import ProcessGroup, chosen, get_global_rank, in_group, is_outside
from .stores.arguments import duration, refuse_type
from .work import AS_LONG_AS_IT_TAKES, Deadline, Work


class Sent(Work):
    """A message to another rank that is under way."""

    def __init__(self, name: str, tensor: Tensor, seconds: float, request: Any, status: Any, values: np.ndarray):
        super().__init__(name, [tensor], seconds)
        self.request, self.status, self.values = request, status, values

    def wait(self, timeout: timedelta = AS_LONG_AS_IT_TAKES) -> bool:
        """Wait until the message is sent or there."""
        if not self._done:
            seconds = duration("wait", timeout) or self.seconds
            mpi.await_request(_Asked(self.request, self.status), Deadline(self.name, seconds))
            self._end()
        if self.error is not None:
            raise self.error
        return True

    def is_completed(self) -> bool:
        """Whether the message is sent or there."""
        if not self._done and self.request.Test(self.status):
            self._end()
        return self._done

    def _end(self) -> None:
        error = None
        if self.name == "recv":
            count = self.status.Get_count()
            if count != self.values.nbytes:
                error = RuntimeError(
                    f"a message of {count} bytes came for a tensor of {self.values.nbytes} bytes: sender and receiver "
                    "give tensors of one size and dtype"
                )
            else:
                put(self.tensors[0], self.values)
        self.finish(error)

    def source_rank(self) -> int:
        """The rank in the group that sent the message."""
        return int(self.status.Get_source()) if self.name == "recv" else super().source_rank()


class _Asked:
    """A request that fills in a status when it is done."""

    def __init__(self, request: Any, status: Any):
        self.request, self.status = request, status

    def Test(self) -> bool:
        return bool(self.request.Test(self.status))


def _other(group: ProcessGroup, call: str, rank: int | None, tag: Any) -> None:
    """Refuse a message to this rank itself, or to none."""
    if not hasattr(tag, "__index__"):
        refuse_type(call, f"a tag is an int, not {type(tag).__name__}")
    if rank == group.rank() or isinstance(group.by, Alone):
        refuse(
            RuntimeError,
            f"{call}: Pair is not connected: rank {group.rank()} has no connection to itself",
            "a message goes from one rank to another",
            "tensor.clone()",
            rule="distributed.self",
        )
    if rank is not None and not 0 <= rank < group.size():
        raise ValueError(f"{call}: invalid rank {rank}: the group has {group.size()} ranks")


def isend(
    tensor: Tensor, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None
) -> Work | None:
    """Begin to send a tensor; it must not change until `wait` has returned."""
    group = chosen(group)
    to = in_group(group, dst, group_dst, "send")
    checks.single(tensor, "tensor")
    if is_outside(group, "isend"):
        return None
    if not tensor.is_contiguous():
        raise RuntimeError("input tensor has to be contiguous")
    _other(group, "send", to, tag)
    values = elements(tensor)
    return Sent("send", tensor, group.seconds, group.by.isend(values, to, tag), group.by.status(), values)


def irecv(
    tensor: Tensor, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None
) -> Work | None:
    """Begin to receive a tensor, from one rank or from any."""
    checks.single(tensor, "tensor")
    if is_outside(group, "irecv"):
        return None
    group = chosen(group)
    source = None if src is None and group_src is None else in_group(group, src, group_src, "recv")
    if not tensor.is_contiguous():
        raise RuntimeError("input tensor has to be contiguous")
    _other(group, "recv", source, tag)
    values = like(tensor)
    return Sent("recv", tensor, group.seconds, group.by.irecv(values, source, tag), group.by.status(), values)


def send(tensor: Tensor, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> None:
    """Send a tensor to a rank."""
    group = chosen(group)
    to = in_group(group, dst, group_dst, "send")
    if is_outside(group, "send"):
        return
    not_self(group, to, "destination")
    work = isend(tensor, group=group, tag=tag, group_dst=to)
    if work is not None:
        work.wait()


def recv(tensor: Tensor, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> int:
    """Receive a tensor, from one rank or from any: the rank that sent it."""
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    if src is not None:
        return src
    group = chosen(group)
    return get_global_rank(group, work.source_rank() if group_src is None else group_src)


def not_self(group: Any, rank: int, kind: str) -> None:
    """Refuse a message to this rank itself."""
    if isinstance(group, ProcessGroup) and group.rank() == rank:
        raise ValueError(f"Invalid {kind} rank: {kind} rank should not be the same as the rank of the current process.")


class P2POp:
    """A call of `isend` or `irecv` that `batch_isend_irecv` makes."""

    def __init__(
        self, op: Any, tensor: Tensor, peer: int | None = None, group: Any = None, tag: int = 0,
        group_peer: int | None = None,
    ):  # fmt: skip
        if op not in (isend, irecv):
            raise ValueError(
                "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                "``torch.distributed.irecv``."
            )
        checks.single(tensor, "tensor")
        self.op, self.tensor, self.tag = op, tensor, tag
        self.group = chosen(group)
        self.group_peer = in_group(self.group, peer, group_peer)
        self.peer = get_global_rank(self.group, self.group_peer)

    def __repr__(self) -> str:
        mine = self.group.rank()
        src, dst = (mine, self.group_peer) if self.op is isend else (self.group_peer, mine)
        t = self.tensor
        return (
            f"P2POp({self.op.__name__} pg={self.group.group_name}, group_src={src}, group_dst={dst},  {t.shape}, "
            f"{t.dtype})"
        )


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Work]:
    """Begin several messages: something to wait for, for each."""
    if not isinstance(p2p_op_list, list) or not all(isinstance(each, P2POp) for each in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    group = p2p_op_list[0].group
    if not all(each.group is group for each in p2p_op_list):
        raise ValueError("All ops need to use the same group.")
    begun = []
    for each in p2p_op_list:
        peer = {"group_dst" if each.op is isend else "group_src": each.group_peer}
        work = each.op(each.tensor, group=group, tag=each.tag, **peer)
        if work is not None:
            begun.append(work)
    return begun
