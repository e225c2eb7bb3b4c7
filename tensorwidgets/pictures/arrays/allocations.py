"""What may a picture know of an allocator? Segments, blocks and events, of ours or of a snapshot that PyTorch dumped.

A snapshot may come from anywhere, so only whole numbers and short texts of it are used.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ...engine.memory.caching.settings import INTERVALS, Settings
from .plain_pickle import read_plain
from .values import with_article

MOST = 2_000_000
"""How many blocks and events are read at most."""
LARGEST_FILE = 1 << 30


class Segment(NamedTuple):
    """A run of bytes from the driver."""

    address: int
    size: int
    stream: int
    small: bool


class Held(NamedTuple):
    """A block that is in use."""

    number: int
    """Its place in the order of allocations: its name is a letter made of it."""
    requested: int
    size: int
    """The bytes that it takes; 0 if that is not known yet."""
    stream: int
    waiting: bool
    """Whether it was freed, and another stream still uses it."""


class Event(NamedTuple):
    """Something that the allocator did."""

    action: str
    address: int
    size: int
    stream: int
    frames: Sequence[Any]


@dataclass
class Recording:
    """What is known of the allocator of one device."""

    segments: list[Segment]
    blocks: dict[int, Held]
    """The blocks in use at the end; their numbers are not known yet."""
    events: list[Event]
    device: int = 0
    total: int | None = None
    """All bytes of the device, where they are known."""
    settings: Settings = field(default_factory=Settings)
    own: bool = False
    """Whether this process recorded it, so that the lines of code can be shown."""
    what: str = ""
    """The device in words."""
    names: Mapping[int, str] = field(default_factory=dict)
    """Names of blocks by their number; others are named by letters."""


def recording_of(source: Any, device: int | None = None) -> Recording:
    """What is known of an allocator: ours, a snapshot, or the path of a file with a snapshot."""
    if source is None:
        source = _in_use(device)
        if source is None:
            return _of_pytorch(device)
    source = getattr(source, "allocator", source)
    if hasattr(source, "driver"):
        from ...engine.memory.caching.snapshot import snapshot

        facts = snapshot([source])
        found = read_snapshot(facts, source.device)
        found.total, found.settings, found.own = source.driver.total, source.settings, True
        found.what = source.what or found.what
        return found
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"{path.name} is longer than {LARGEST_FILE >> 30} GiB")
        try:
            source = read_plain(path.read_bytes())
        except ValueError as refused:
            raise ValueError(f"{path.name} is not a snapshot of an allocator: {refused}") from None
    return read_snapshot(source, device)


def _in_use(device: int | None) -> Any:
    """Our allocator of a GPU, or that of main memory if there is no GPU; None if neither is in use."""
    from ...engine.memory.caching import by_device

    if by_device.ALLOCATORS:
        return by_device.ALLOCATORS[min(by_device.ALLOCATORS) if device is None else device]
    return by_device.in_main_memory


def _of_pytorch(device: int | None) -> Recording:
    """What is known of PyTorch's allocator, if this process uses a GPU with it."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        raise ValueError(
            "no caching allocator is in use: give a snapshot or its path, call torch.cuda.simulate() first, or "
            'tensorwidgets.engine.memory.use("caching")'
        )
    found = read_snapshot(torch.cuda.memory._snapshot(), device)
    found.total = torch.cuda.mem_get_info(found.device)[1]
    return found


def read_snapshot(facts: Any, device: int | None = None) -> Recording:
    """What a snapshot says of one device: the given one, else the first with any events or segments."""
    segments, traces = _entry(facts, "segments", list), facts.get("device_traces", [])
    if not isinstance(traces, list):
        raise ValueError("this is not a snapshot: device_traces is not a list")
    if device is None:
        used = {_number(_entry(s, "device", int, 0)) for s in segments}
        used |= {k for k, trace in enumerate(traces) if trace}
        device = min(used, default=0)
    found = Recording([], {}, [], device, what=f"GPU {device}")
    budget = MOST
    for segment in segments:
        if _entry(segment, "device", int, 0) != device:
            continue
        stream, at = _number(segment.get("stream", 0)), _number(_entry(segment, "address", int))
        small = segment.get("segment_type") == "small"
        found.segments.append(Segment(at, _number(_entry(segment, "total_size", int)), stream, small))
        for block in _entry(segment, "blocks", list):
            budget -= 1
            if budget < 0:
                raise ValueError(f"this snapshot has more than {MOST:,} blocks")
            size, state = _number(_entry(block, "size", int)), _entry(block, "state", str)
            if state != "inactive":
                asked = _number(_entry(block, "requested_size", int, size))
                found.blocks[at] = Held(-1, min(asked, size), size, stream, state != "active_allocated")
            at += size
    found.segments.sort()
    trace = traces[device] if device < len(traces) else []
    if not isinstance(trace, list) or len(trace) > MOST:
        raise ValueError(f"this snapshot has no list of at most {MOST:,} events")
    found.events = [_event(entry) for entry in trace]
    found.settings = _settings(facts.get("allocator_settings"))
    return found


def _event(entry: Any) -> Event:
    action = _entry(entry, "action", str)
    where = _number(entry.get("device_free" if action == "oom" else "addr", 0))
    frames = entry.get("frames")
    return Event(
        action, where, _number(entry.get("size", 0)), _number(entry.get("stream", 0)),
        frames if isinstance(frames, list) else (),
    )  # fmt: skip


def _settings(facts: Any) -> Settings:
    """The settings that decide where a block ends."""
    facts = facts if isinstance(facts, Mapping) else {}
    limit, divisions = facts.get("max_split_size", -1), facts.get("roundup_power2_divisions")
    found = Settings(max_split_size=limit) if type(limit) is int and limit > 0 else Settings()
    if isinstance(divisions, Mapping):
        numbers = [divisions.get(str(1 << power), 0) for power in range(INTERVALS)]
        if all(type(number) is int and 0 <= number <= 1 << 20 for number in numbers):
            return replace(found, roundup_power2_divisions=tuple(numbers))
    return found


def _entry(facts: Any, name: str, kind: type, default: Any = None) -> Any:
    if not isinstance(facts, Mapping):
        found = with_article(type(facts).__name__)
        raise ValueError(f"this is not a snapshot of an allocator: {found} where {name!r} is looked up")
    value = facts.get(name, default)
    if not isinstance(value, kind):
        raise ValueError(f"this is not a snapshot of an allocator: {name!r} is {with_article(type(value).__name__)}")
    return value


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError(
            "this is not a snapshot of an allocator: a size or an address is not a whole number of 63 bits"
        )
    return value


def line_of(frames: Sequence[Any], own: bool) -> str:
    """The user's line that led to an event: `train.py, line 12, in step`, and its code if it is this process's."""
    frame = frames[0] if frames else None
    if not isinstance(frame, Mapping):
        return ""
    path, name, line = str(frame.get("filename", ""))[:400], str(frame.get("name", ""))[:60], frame.get("line", 0)
    file = path.replace("\\", "/").rpartition("/")[2]
    if "ipykernel" in path or path.startswith("<"):
        file = "cell"
    said = f"{file}, line {line}" if type(line) is int else file
    if name and not name.startswith("<"):
        said += f", in {name}"
    code = linecache.getline(path, line).strip() if own and type(line) is int else ""
    return f"{said}: {code[:80]}" if code else said
