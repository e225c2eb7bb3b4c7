"""Python objects between ranks, as pickles; classes and functions of a notebook or a program travel whole."""

from __future__ import annotations

import pickle
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from ..multiprocessing.parcels import pack
from . import checks
from .collectives import all_gather, broadcast, gather, scatter
from .groups import ProcessGroup, chosen, get_world_size, in_group, is_outside
from .pairs import not_self, recv, send


def _packed(obj: Any) -> Tensor:
    """The pickle of an object, as bytes in a tensor."""
    payload = pack(obj, memory=lambda nbytes: None, graphs=True).payload
    made: Tensor = torch.frombuffer(bytearray(payload), dtype=torch.uint8)
    return made


def _unpacked(data: Tensor, count: int) -> Any:
    return pickle.loads(data[:count].numpy().tobytes())


def _number(n: int = 0) -> Tensor:
    made: Tensor = torch.tensor([n])
    return made


def _refuse_none(objects: list) -> None:
    """Refuse a list without objects before anything is sent."""
    if not list(objects):
        raise ValueError("not enough values to unpack (expected 2, got 0)")


def _filled(data: Tensor, count: int) -> Tensor:
    room: Tensor = torch.zeros(count, dtype=torch.uint8)
    room[: data.numel()] = data
    return room


def all_gather_object(object_list: list, obj: Any, group: Any = None) -> None:
    """Give all ranks the objects of all."""
    if is_outside(group, "all_gather_object"):
        return
    if group is not None and not isinstance(group, ProcessGroup):
        raise ValueError(f"Expecting a ProcessGroup, but got a {type(group)}.")
    n = get_world_size(group)
    data = _packed(obj)
    counts = [_number() for _ in range(n)]
    all_gather(counts, _number(data.numel()), group=group)
    longest = max(int(c) for c in counts)
    parts = [torch.empty(longest, dtype=torch.uint8) for _ in range(n)]
    all_gather(parts, _filled(data, longest), group=group)
    for place, (part, count) in enumerate(zip(parts, counts, strict=True)):
        object_list[place] = _unpacked(part, int(count))


def gather_object(
    obj: Any, object_gather_list: list | None = None, dst: int | None = None, group: Any = None,
    group_dst: int | None = None,
) -> None:  # fmt: skip
    """Give one rank the objects of all."""
    group = chosen(group)
    if is_outside(group, "gather_object"):
        return
    root = in_group(group, 0 if dst is None and group_dst is None else dst, group_dst)
    mine = group.rank() == root
    checks.gather_list(group.rank(), root, object_gather_list)
    n = group.size()
    data = _packed(obj)
    counts = [_number() for _ in range(n)]
    all_gather(counts, _number(data.numel()), group=group)
    longest = max(int(c) for c in counts)
    parts = [torch.empty(longest, dtype=torch.uint8) for _ in range(n)] if mine else None
    gather(_filled(data, longest), parts, group_dst=root, group=group)
    if parts is not None and object_gather_list is not None:
        for place, (part, count) in enumerate(zip(parts, counts, strict=True)):
            object_gather_list[place] = _unpacked(part, int(count))


def broadcast_object_list(
    object_list: list, src: int | None = None, group: Any = None, device: Any = None, group_src: int | None = None
) -> None:
    """Give all ranks the objects that one has in its list."""
    group = chosen(group)
    root = in_group(group, 0 if src is None and group_src is None else src, group_src)
    if is_outside(group, "broadcast_object_list"):
        return
    _refuse_none(object_list)
    mine = group.rank() == root
    data = [_packed(each) for each in object_list] if mine else []
    counts = torch.tensor([each.numel() for each in data] if mine else [0] * len(object_list), dtype=torch.int64)
    broadcast(counts, group_src=root, group=group)
    whole = torch.cat(data) if mine else torch.empty(int(counts.sum()), dtype=torch.uint8)
    broadcast(whole, group_src=root, group=group)
    if not mine:
        start = 0
        for place, count in enumerate(counts.tolist()):
            object_list[place] = _unpacked(whole[start : start + count], count)
            start += count


def scatter_object_list(
    scatter_object_output_list: list, scatter_object_input_list: list | None = None, src: int | None = None,
    group: Any = None, group_src: int | None = None,
) -> None:  # fmt: skip
    """Give each rank its object of the list that one has."""
    group = chosen(group)
    root = in_group(group, 0 if src is None and group_src is None else src, group_src)
    if is_outside(group, "scatter_object_list"):
        return
    if not isinstance(scatter_object_output_list, list) or len(scatter_object_output_list) < 1:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    mine = group.rank() == root
    data: list[Tensor] = []
    if mine:
        if scatter_object_input_list is None:
            raise ValueError("source rank must provide non-None scatter_object_input_list")
        _refuse_none(scatter_object_input_list)
        data = [_packed(each) for each in scatter_object_input_list]
    longest = _number(max((each.numel() for each in data), default=0))
    broadcast(longest, group_src=root, group=group)
    out = torch.empty(int(longest), dtype=torch.uint8)
    scatter(out, [_filled(each, int(longest)) for each in data] if mine else None, group_src=root, group=group)
    count = _number()
    scatter(count, [_number(each.numel()) for each in data] if mine else None, group_src=root, group=group)
    scatter_object_output_list[0] = _unpacked(out, int(count))


def send_object_list(
    object_list: list, dst: int | None = None, group: Any = None, device: Any = None, group_dst: int | None = None,
    use_batch: bool = False,
) -> None:  # fmt: skip
    """Send objects to a rank. `use_batch` spares a connection in NCCL, and changes nothing here."""
    group = chosen(group)
    not_self(group, in_group(group, dst, group_dst, "send"), "destination")
    _refuse_none(object_list)
    data = [_packed(each) for each in object_list]
    send(torch.tensor([each.numel() for each in data]), dst, group, group_dst=group_dst)
    send(torch.cat(data), dst, group, group_dst=group_dst)


def recv_object_list(
    object_list: list, src: int | None = None, group: Any = None, device: Any = None, group_src: int | None = None,
    use_batch: bool = False,
) -> int:  # fmt: skip
    """Receive objects: the rank that sent them."""
    group = chosen(group)
    if src is not None or group_src is not None:
        not_self(group, in_group(group, src, group_src, "recv"), "source")
    counts = torch.zeros(len(object_list), dtype=torch.int64)
    source = recv(counts, src, group, group_src=group_src)
    whole = torch.empty(int(counts.sum()), dtype=torch.uint8)
    recv(whole, source, group)
    start = 0
    for place, count in enumerate(counts.tolist()):
        object_list[place] = _unpacked(whole[start : start + count], count)
        start += count
    return source
