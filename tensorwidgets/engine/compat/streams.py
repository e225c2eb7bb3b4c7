"""torch.Stream and torch.Event, and those of torch.cuda: in which order a GPU works, and how long it takes.

A simulated GPU computes at once; the time at which its work would end is modelled. On a machine without a GPU only
`torch.Stream()` and `torch.Event()` can be made, which belong to the CPU.
"""

from __future__ import annotations

import ctypes
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors.reasons import refuse
from ..types.class_paths import ShownByPath
from ..types.device import BROUGHT_BY, CPU, gpu_is_there
from ..types.device import device as device_type

if TYPE_CHECKING:
    from ..types.device import device


_HIGHEST = -5
"""The highest priority of streams."""

_CUDA = 1
"""The number of CUDA among PyTorch's kinds of devices; the CPU is 0."""


def _gpus() -> Any:
    """The module that knows the GPUs, imported at the first question."""
    return import_module(BROUGHT_BY["cuda"])


def _streams_of(index: int) -> Any:
    """The streams of a GPU by its number."""
    gpus = _gpus()
    return gpus.place_at_index(index, gpus.present()).streams


def _wanted(device: str | int | device | None) -> device_type:
    """The GPU that a stream or an event is for, or the CPU."""
    if device is None:
        return _gpus().which(device_type("cuda")) if gpu_is_there() else CPU
    wanted = device_type(device)
    if wanted.type == "cpu":
        return CPU
    _gpus().present("link")
    found: device_type = _gpus().which(wanted)
    return found


class Stream:
    """A queue of work for a GPU: what is in it is done in order, independently of other streams.

    >>> Stream(device="cpu").query()
    True
    """

    def __init__(self, device: Any = None, priority: int = 0, **known: int):
        self._open(_wanted(known["device_index"] if "device_index" in known else device), priority, known)

    def _open(self, where: device_type, priority: int, known: dict[str, int]) -> None:
        self.device, self.priority = where, priority
        self.device_index = -1 if where.index is None else where.index
        self.device_type = _CUDA if where.type == "cuda" else 0
        number = known.get("stream_id", known.get("stream_ptr"))
        if number is None:
            number = self._new(priority) if self.device_type else 0
        self.stream_id = number
        self._before: list[Stream | None] = []

    def _new(self, priority: int) -> int:
        """Another stream of the GPU, whose priority is at most the highest one."""
        if priority > 0:
            refuse(
                RuntimeError,
                f"Expected cuda stream priority to be less than or equal to 0, got {priority}",
                "0 is the lowest priority, and smaller numbers come first",
                "priority=-1",
                rule="stream.priority",
            )
        self.priority = max(priority, _HIGHEST)
        return int(self._streams.new(self.priority))

    @property
    def _streams(self) -> Any:
        return _streams_of(self.device_index)

    @property
    def native_handle(self) -> int:
        """The stream's number, as the driver knows it."""
        return self.stream_id

    def query(self) -> bool:
        """Returns whether all work of the stream is done."""
        return not self.device_type or bool(self._streams.is_done(self._streams.record(self.stream_id)))

    def synchronize(self) -> None:
        """Waits until all work of the stream is done."""
        if self.device_type:
            import_module("..devices.sync_debug", __package__).about_to_wait()
            self._streams.synchronize(self._streams.record(self.stream_id))

    def record_event(self, event: Event | None = None) -> Event:
        """Records an event, a new one if none is given, and returns it."""
        event = self._event() if event is None else event
        event.record(self)
        return event

    def _event(self) -> Event:
        return Event(self.device)

    def wait_event(self, event: Event) -> None:
        """Lets work to come wait for an event."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Lets work to come wait for all that another stream has to do now."""
        self.wait_event(stream.record_event())

    def __enter__(self) -> Stream:
        self._before.append(_make_current(self))
        return self

    def __exit__(self, *exc: object) -> None:
        before = self._before.pop()
        if before is not None:
            _make_current(before)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and (self.device, self.stream_id) == (other.device, other.stream_id)

    def __hash__(self) -> int:
        return hash((self.stream_id, self.device))

    def __repr__(self) -> str:
        return (
            f"torch.Stream device_type={self.device.type}, device_index={self.device_index}, stream_id={self.stream_id}"
        )


class CudaStream(Stream):
    """A queue of work for a GPU: what is in it is done in order, independently of other streams.

    Inside `with torch.cuda.stream(s)` calls go to `s`.
    """

    def __init__(self, device: Any = None, priority: int = 0, **known: int):
        if "device_index" in known:
            device = known["device_index"]
        _gpus().present("Stream")
        self._open(_gpu(device), priority, known)

    @property
    def cuda_stream(self) -> int:
        """The stream's number, as the driver knows it; 0 is the default stream."""
        return self.stream_id

    @property
    def _as_parameter_(self) -> Any:
        return ctypes.c_void_p(self.cuda_stream)

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.cuda_stream

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """Returns the lowest and the highest priority of streams."""
        return 0, _HIGHEST

    def _event(self) -> Event:
        return CudaEvent()

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(CudaStream):
    """A stream that another library made, by its number."""

    def __init__(self, stream_ptr: int, device: Any = None):
        super().__init__(device, stream_ptr=stream_ptr)


class Event:
    """A mark in a stream: whether the work before it is done, and how much time lies between two of them.

    >>> Event(device="cpu").query()
    True
    """

    def __init__(
        self, device: Any = None, *, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ):
        self._open(_wanted(device), enable_timing)

    def _open(self, where: device_type | None, enable_timing: bool) -> None:
        self._device, self._timed = where, bool(enable_timing)
        self._moment: Any = None

    @property
    def device(self) -> device_type | None:
        """The device of the event; None before it is recorded, if it was made for no particular one."""
        return self._device

    @property
    def event_id(self) -> int:
        """A number of the recorded event; 0 before it is recorded."""
        return 0 if self._moment is None else id(self)

    def record(self, stream: Stream | None = None) -> None:
        """Marks the end of what a stream has to do now; of the current stream if none is given."""
        if stream is None:
            stream = current_stream(self._device)
        if not stream.device_type:
            return
        if self._device is not None and self._device != stream.device:
            refuse(
                RuntimeError,
                f"Event device {self._device.index} does not match recording stream's device {stream.device_index}.",
                "an event marks streams of one device",
                rule="stream.device",
            )
        self._device = stream.device
        self._moment = stream._streams.record(stream.stream_id)

    def wait(self, stream: Stream | None = None) -> None:
        """Lets work to come of a stream wait for the event; of the current stream if none is given."""
        if self._moment is not None:
            stream = current_stream() if stream is None else stream
            stream._streams.wait(stream.stream_id, self._moment)

    @property
    def _streams(self) -> Any:
        assert self._device is not None
        return _streams_of(self._device.index or 0)

    def query(self) -> bool:
        """Returns whether the work before the mark is done; True before the event is recorded."""
        return self._moment is None or bool(self._streams.is_done(self._moment))

    def synchronize(self) -> None:
        """Waits until the work before the mark is done."""
        if self._moment is not None:
            self._streams.synchronize(self._moment)

    def elapsed_time(self, end_event: Event) -> float:
        """Returns the milliseconds between this event and a later one; on a simulated GPU they are modelled.

        The model: a call takes 5 microseconds, and its bytes at 2,400 GB/s.
        """
        if not (self._timed and end_event._timed):
            refuse(
                ValueError,
                "Both events must be created with argument 'enable_timing=True'.",
                "an event without a time only marks an order",
                "torch.cuda.Event(enable_timing=True)",
                rule="stream.timing",
            )
        if self._moment is None or end_event._moment is None:
            refuse(
                ValueError,
                "Both events must be recorded before calculating elapsed time.",
                "an event that is not recorded has no time",
                "event.record()",
                rule="stream.timing",
            )
        if self._device != end_event._device:
            refuse(
                _gpus().AcceleratorError,
                "CUDA error: invalid resource handle",
                "each GPU has a clock of its own, and these events are of two",
                rule="stream.timing",
            )
        if not (self.query() and end_event.query()):
            refuse(
                RuntimeError,
                "Both events must be completed before calculating elapsed time.",
                "the work before an event is not done yet",
                "torch.cuda.synchronize()",
                rule="stream.timing",
            )
        return float(self._streams.milliseconds(self._moment, end_event._moment))

    def __repr__(self) -> str:
        index = -1 if self._device is None or self._device.index is None else self._device.index
        kind = "cpu" if self._device is None else self._device.type
        flag = int(self._timed)
        return f"torch.Event device_type={kind}, device_index={index}, event_flag={flag}, event_id={self.event_id}"


class CudaEvent(Event):
    """A mark in a stream of a GPU: whether the work before it is done, and how much time lies between two of them."""

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False
    ):
        _gpus().present("Event")
        self._open(None, enable_timing)

    @property
    def cuda_event(self) -> int:
        """The event's number; 0 before it is recorded."""
        return self.event_id

    def __repr__(self) -> str:
        return f"<torch.cuda.Event {self.cuda_event:#x}>" if self.cuda_event else "<torch.cuda.Event uninitialized>"


class StreamContext(ShownByPath):
    """Lets calls go to a stream inside a `with` block, and makes its GPU the current one; None changes nothing."""

    def __init__(self, stream: Stream | None):
        self.stream = stream
        self._before: list[tuple[Stream, Stream]] = []

    def __enter__(self) -> None:
        if self.stream is not None:
            self._before.append((current_stream(), current_stream(self.stream.device)))
            _make_current(self.stream)

    def __exit__(self, *exc: object) -> None:
        if self._before:
            outer, inner = self._before.pop()
            _make_current(inner)
            _make_current(outer)


def stream(stream: Stream | None) -> StreamContext:
    """Returns a block in which calls go to a stream."""
    return StreamContext(stream)


def set_stream(stream: Stream | None) -> None:
    """Lets calls go to a stream from now on; None changes nothing."""
    if stream is not None:
        _make_current(stream)


def current_stream(device: str | int | device | None = None) -> CudaStream:
    """Returns the stream of a GPU to which calls go."""
    index = _index_of(device)
    return CudaStream(device_index=index, stream_id=_streams_of(index).current)


def default_stream(device: str | int | device | None = None) -> CudaStream:
    """Returns the stream of a GPU to which calls go if no other is chosen."""
    return CudaStream(device_index=_index_of(device), stream_id=0)


def get_stream_from_external(data_ptr: int, device: str | int | device | None = None) -> CudaStream:
    """Returns the stream with a number that another library knows."""
    return CudaStream(device_index=_index_of(device), stream_id=data_ptr)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _index_of(device: Any) -> int:
    gpus = _gpus()
    gpus.present()
    if device is None:
        return int(gpus.current_index())
    return int(_gpu(device).index or 0)


def _gpu(device: Any) -> device_type:
    """The GPU that is named by a number, a text or a device; the current one for None."""
    wanted = device_type("cuda") if device is None else device_type("cuda", device) if _is_int(device) else device
    wanted = device_type(wanted)
    if wanted.type != "cuda":
        refuse(ValueError, f"Expected a cuda device, but got: {device}", "torch.cuda is for GPUs", rule="device.kind")
    found: device_type = _gpus().which(wanted)
    return found


def _make_current(stream: Stream) -> Stream | None:
    """Let calls go to a stream on its GPU; the stream to which they went."""
    if not stream.device_type:
        return None
    before = current_stream()
    _gpus().make_current(stream.device_index)
    stream._streams.use(stream.stream_id)
    return before


for _cls in (CudaStream, CudaEvent):
    _cls.__name__ = _cls.__qualname__ = _cls.__name__.removeprefix("Cuda")

CUDA: dict[str, Any] = {
    "Stream": CudaStream, "Event": CudaEvent, "ExternalStream": ExternalStream, "StreamContext": StreamContext,
    "stream": stream, "set_stream": set_stream, "current_stream": current_stream, "default_stream": default_stream,
    "get_stream_from_external": get_stream_from_external,
}  # fmt: skip
"""What `torch.cuda` has."""

FACE: dict[str, Any] = {"Stream": Stream, "Event": Event}
"""What `torch` has."""
