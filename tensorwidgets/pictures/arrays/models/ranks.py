"""What did each rank do in a step of training, and when? From `distributed.record()`, or from PyTorch's profiler."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from ..values import with_article


class Sending(NamedTuple):
    """A bucket whose sum is taken: when this rank came, when all were there, when it was done. Milliseconds."""

    bucket: int
    came: float
    met: float
    done: float


class Lane(NamedTuple):
    """One rank in one step."""

    rank: int
    forward: tuple[float, float]
    backward: tuple[float, float]
    filled: tuple[tuple[int, float], ...]
    """Buckets, in the order in which they were full, and when."""
    sent: float
    """When the last bucket was on its way."""
    sendings: tuple[Sending, ...]


class Step(NamedTuple):
    """A step of all ranks."""

    lanes: tuple[Lane, ...]
    sizes: dict[int, int]
    """Bytes of each bucket; none where they are not known."""
    total: float
    number: int
    steps: int
    """Which of how many steps it is."""

    @property
    def buckets(self) -> list[int]:
        """The buckets, in the order in which they travel."""
        return [sending.bucket for sending in self.lanes[0].sendings]

    def waited(self, bucket: int) -> tuple[Lane, dict[int, float]]:
        """The rank that came last with a bucket, and how long each of the others waited for it."""
        came = {lane.rank: s.came for lane in self.lanes for s in lane.sendings if s.bucket == bucket}
        last = max(self.lanes, key=lambda lane: came[lane.rank])
        return last, {rank: came[last.rank] - time for rank, time in came.items() if rank != last.rank}


def step_of(source: Any, number: int | None = None) -> Step:
    """The facts of one step: the last one, or the one with a number."""
    ranks = _of_traces(source) if _are_traces(source) else _of_record(source)
    counts = {len(steps) for steps, _ in ranks}
    count = min(counts, default=0)
    if not count:
        raise ValueError("no step of DistributedDataParallel was recorded: run forward and backward inside the record")
    chosen = count - 1 if number is None else number
    if not -count <= chosen < count:
        raise ValueError(f"there are {count} steps, numbered from 0: {chosen} is not one of them")
    chosen %= count
    begin = min(steps[chosen].forward[0] for steps, _ in ranks)
    lanes = tuple(_from(steps[chosen], begin) for steps, _ in ranks)
    return Step(lanes, ranks[0][1], max(lane.backward[1] for lane in lanes), chosen, count)


def _from(lane: Lane, begin: float) -> Lane:
    """A lane whose times are from the beginning."""

    def moved(pair: tuple[float, float]) -> tuple[float, float]:
        return pair[0] - begin, pair[1] - begin

    sendings = tuple(Sending(s.bucket, *(time - begin for time in s[1:])) for s in lane.sendings)
    filled = tuple((bucket, time - begin) for bucket, time in lane.filled)
    return Lane(lane.rank, moved(lane.forward), moved(lane.backward), filled, lane.sent - begin, sendings)


Ranks = list[tuple[list[Lane], dict[int, int]]]


def _of_record(source: Any) -> Ranks:
    """The steps of each rank, of a record or of the file that it wrote."""
    if isinstance(source, (str, PathLike)):
        source = _read(source).get("ranks")
    notes = getattr(source, "ranks", source)
    parts = {"rank", "steps", "calls"}
    if not isinstance(notes, list) or not all(isinstance(note, dict) and parts <= {*note} for note in notes):
        raise TypeError(
            "show.ranks draws what torch.distributed.record() noted, the file that it wrote, or a list of the files "
            f"of torch.profiler, and this is none of them: {with_article(type(notes).__name__)}"
        )
    found: Ranks = []
    for note in notes:
        calls = [c for c in note["calls"] if c["bucket"] >= 0]
        lanes, sizes = [], {}
        for step in note["steps"]:
            if step["sent"] is None or step["backward"][1] is None:
                continue
            begin, end = step["forward"][0], step["backward"][1]
            of_step = [c for c in calls if begin <= c["came"] <= end]
            sizes.update({bucket: size for bucket, size, _ in step["filled"]})
            lanes.append(
                Lane(
                    note["rank"], _ms(*step["forward"]), _ms(*step["backward"]),
                    tuple((bucket, 1e3 * time) for bucket, _, time in step["filled"]), 1e3 * step["sent"],
                    tuple(Sending(c["bucket"], *(1e3 * c[key] for key in ("came", "met", "done"))) for c in of_step),
                )
            )  # fmt: skip
        found.append((lanes, sizes))
    return found


def _read(path: Any) -> dict[str, Any]:
    """What a file of JSON holds."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"{path} is not a file that torch.distributed.record() or torch.profiler wrote")
    return found


def _ms(begin: float, end: float) -> tuple[float, float]:
    return 1e3 * begin, 1e3 * end


# -- PyTorch's profiler ----------------------------------------------------------------------------------------------

FORWARD, SEND, SUM = "DistributedDataParallel.forward", "c10d::allreduce_", "gloo:all_reduce"
LAST = "torch.distributed.ddp.reducer::copy_bucket_to_grad"


def _are_traces(source: Any) -> bool:
    """Whether these are files that `torch.profiler` wrote, one for each rank."""
    return isinstance(source, Sequence) and bool(source) and all(isinstance(s, (str, PathLike)) for s in source) and (
        not isinstance(source, str)
    )  # fmt: skip


def _of_traces(paths: Sequence[Any]) -> Ranks:
    """The steps of each rank, of chrome traces."""
    read = [_trace(path) for path in paths]
    steps = [[_of_step(events, k) for k in range(len(events[FORWARD]))] for events in read]
    found: Ranks = []
    for events, mine in zip(read, steps, strict=True):
        lanes = []
        for k, lane in enumerate(mine):
            every = [other[k].sendings for other in steps if k < len(other)]
            met = [max(s[place].came for s in every if place < len(s)) for place in range(len(lane.sendings))]
            sums = tuple(s._replace(met=min(m, s.done)) for s, m in zip(lane.sendings, met, strict=True))
            lanes.append(lane._replace(rank=events["rank"], sendings=sums))
        found.append((lanes, {}))
    return sorted(found, key=lambda pair: pair[0][0].rank if pair[0] else 0)


def _trace(path: Any) -> dict[str, Any]:
    """What a chrome trace says of training: spans in milliseconds, by name."""
    data = _read(path)
    base = data.get("baseTimeNanoseconds", 0) / 1e6
    found: dict[str, Any] = {FORWARD: [], SEND: [], SUM: [], LAST: [], "backward": []}
    for event in data.get("traceEvents", ()):
        if event.get("ph") != "X":
            continue
        name = "backward" if event["name"].startswith("autograd::engine::evaluate_function") else event["name"]
        if name in found:
            begin = event["ts"] / 1e3 + base
            found[name].append((begin, begin + event["dur"] / 1e3))
    for spans in found.values():
        spans.sort()
    found["rank"] = data.get("distributedInfo", {}).get("rank", 0)
    return found


def _of_step(events: dict[str, Any], number: int) -> Lane:
    """One step: from its forward to the next."""
    begin = events[FORWARD][number][0]
    later = [span[0] for span in events[FORWARD][number + 1 : number + 2]] or [float("inf")]

    def inside(name: str) -> list[tuple[float, float]]:
        return [span for span in events[name] if begin <= span[0] < later[0]]

    sends, sums, ends = inside(SEND), inside(SUM), inside(LAST)
    first = inside("backward")
    filled = tuple((bucket, span[0]) for bucket, span in enumerate(sends))
    end = max([span[1] for span in ends] + [span[1] for span in sums], default=begin)
    sendings = tuple(Sending(bucket, span[0], span[0], span[1]) for bucket, span in enumerate(sums))
    start = first[0][0] if first else events[FORWARD][number][1]
    return Lane(0, events[FORWARD][number], (start, end), filled, sends[-1][1] if sends else end, sendings)
