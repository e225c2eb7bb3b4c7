"""Who loaded which batch, and when? The facts of a loader's epoch, ours or PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from ..sources import library_of
from ..values import with_article
from .left_alone import streams_kept
from .modules import imported


class Span(NamedTuple):
    """A stretch of time, in milliseconds from the beginning, and the batch that it is about."""

    begin: float
    end: float
    batch: int


class Lane(NamedTuple):
    """A process: the loop's, or a worker's, and when it loaded what."""

    worker: int | None
    process: int
    seed: int | None
    loads: tuple[Span, ...]

    @property
    def busy(self) -> float:
        """Milliseconds in which it loaded."""
        return sum(span.end - span.begin for span in self.loads)


class Epoch(NamedTuple):
    """What was noted of one epoch."""

    batches: tuple[Any, ...]
    """As the recorder noted them."""
    lanes: tuple[Lane, ...]
    waits: tuple[Span, ...]
    """When the loop waited for a batch."""
    work: tuple[Span, ...]
    """When the loop had a batch, and did not ask for the next one."""
    total: float

    @property
    def start(self) -> float:
        """How long the loop waited for the first batch."""
        return self.waits[0].end

    @property
    def waited(self) -> float:
        """How long it waited for the others."""
        return sum(span.end - span.begin for span in self.waits[1:])


def epoch_of(source: Any, most: int) -> Epoch:
    """The facts of a recorded loader; of any other one, those of up to `most` batches that are loaded for it."""
    if not isinstance(most, int) or most < 1:
        wrong = ValueError if isinstance(most, int) else TypeError
        raise wrong(f"batches= is how many batches are loaded at most, 1 or more, not {most!r}")
    loads = list(getattr(source, "loads", ())) or _recorded(source, most)
    if not loads:
        if hasattr(source, "loads"):
            raise ValueError("no batch was loaded: loop over the loader first")
        empty = "its dataset is empty, or has fewer examples than a batch, and drop_last is set"
        raise ValueError(f"the loader has no batch: {empty}")
    zero = loads[0].asked

    def span(begin: float, end: float, number: int) -> Span:
        return Span(1000 * (begin - zero), 1000 * (max(end, begin) - zero), number)

    lanes = []
    for worker in sorted({load.worker for load in loads}, key=lambda w: -1 if w is None else w):
        own = [load for load in loads if load.worker == worker]
        spans = tuple([span(load.begun, load.ended, load.number) for load in own])
        lanes.append(Lane(worker, own[0].process, own[0].seed, spans))
    waits = tuple([span(load.asked, load.got, load.number) for load in loads])
    pairs = zip(loads, loads[1:], strict=False)
    work = tuple([span(load.got, after.asked, load.number) for load, after in pairs])
    total = max(waits[-1].end, *[lane.loads[-1].end for lane in lanes])
    return Epoch(tuple(loads), tuple(lanes), waits, work, total)


def _recorded(source: Any, most: int) -> list[Any]:
    """Batches that are loaded for the picture; the streams of random numbers are afterwards as before."""
    from ....utils.data.recorded import Recorded

    if not isinstance(source, Recorded) and not hasattr(source, "batch_sampler"):
        raise TypeError(
            "show.loader draws a DataLoader, such as torch.utils.data.DataLoader(data, batch_size=4), not "
            f"{with_article(type(source).__name__)}"
        )
    recorded = source if isinstance(source, Recorded) else Recorded(source)
    with _streams_as_before(recorded.loader):
        for _ in islice(recorded, most):
            pass
    return recorded.loads


@contextmanager
def _streams_as_before(loader: Any) -> Iterator[None]:
    holders = (loader, loader.sampler, loader.batch_sampler, getattr(loader.batch_sampler, "sampler", None))
    generators = [g for g in {id(g): g for g in (getattr(h, "generator", None) for h in holders)}.values() if g]
    states = [generator.get_state() for generator in generators]
    try:
        with streams_kept(imported(library_of(loader))):
            yield
    finally:
        for generator, state in zip(generators, states, strict=True):
            generator.set_state(state)
