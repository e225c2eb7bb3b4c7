"""The stream of random numbers, the same as PyTorch's on the CPU: a Mersenne Twister of 32-bit draws.

NumPy provides the twister; the room `ops/random` turns its draws into numbers.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from types import NoneType
from typing import Any, NoReturn

import numpy as np

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..types.built_in import BuiltIn
from ..types.device import BROUGHT_BY, device, usable
from .tensor import Tensor
from .wrapping import wrap

DEFAULT_SEED = 67280421310721
_WORDS = 624
_STATE_BYTES = 5056
# Where PyTorch keeps each part in the bytes of a generator's state.
_SEED, _LEFT, _SEEDED, _NEXT, _STATE, _NORMAL, _NORMAL_VALID = 0, 8, 12, 16, 24, 24 + 8 * _WORDS, 24 + 8 * _WORDS + 24


_process = object()
"""Another object in each process: a forked child makes its own."""


_making = threading.RLock()
"""Held while a twister is made, and while a process forks: a child would wait for ever for a thread of its parent that
was importing `numpy.random`.
"""


def _before_fork() -> None:
    _making.acquire()


def _in_the_parent() -> None:
    _making.release()


def _in_a_child() -> None:
    global _process, _making
    _process, _making = object(), threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_the_parent, after_in_child=_in_a_child)


OF_DEVICES: dict[str, type[Generator]] = {}
"""The class of the streams of a type of device; entered by the room of that device."""


class Generator(metaclass=BuiltIn, package="torch._C", closed=False):
    """A stream of random numbers with a state of its own.

    >>> g = Generator().manual_seed(0)
    >>> g.initial_seed()
    0
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Generator:
        asked = _asked_device(args, kwargs)
        if asked is not None and device(asked).type == "cuda" and "cuda" in BROUGHT_BY:
            import_module(BROUGHT_BY["cuda"]).present("Generator")
        kind = usable(asked).type
        if kind == "meta":
            refuse(RuntimeError, "META device type not an accelerator.", "tensors without elements draw no numbers",
                   "torch.Generator()", rule="random.device")  # fmt: skip
        own = OF_DEVICES.get(kind) if cls is Generator else None
        return object.__new__(own or cls)

    __slots__ = ("__weakref__", "_device", "_fresh", "_made", "_process", "_seed", "next_normal", "visiting")

    def __init__(self, device: Any = "cpu"):
        self._device = usable("cpu" if device is None else device)
        # Whether a stream of another device draws in main memory, for a call that goes through the host.
        self.visiting = False
        self._made: np.random.MT19937 | None = None  # `numpy.random` takes a fifth of our import, so it waits
        self._process = _process
        self.next_normal: float | None = None
        """The second number of the last pair of normal ones, kept for the next call."""
        self.manual_seed(DEFAULT_SEED)

    @property
    def _twister(self) -> np.random.MT19937:
        """NumPy's twister; in a process that was forked with its lock made anew.

        A thread of the parent may have been drawing from it, and that thread will never release the lock here.
        """
        if self._made is None:
            return self._make()
        if self._process is not _process:
            renew = getattr(self._made.lock, "_at_fork_reinit", None)  # what `threading` does with its own locks
            if renew is not None:
                renew()
            self._process = _process
        return self._made

    def _make(self) -> np.random.MT19937:
        with _making:
            if self._made is None:
                twister = np.random.MT19937()
                twister._legacy_seeding(self._seed & 0xFFFFFFFF)
                self._made, self._process = twister, _process
            return self._made

    @property
    def device(self) -> device:
        return self._device

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream anew from a seed."""
        self._seed = checked_seed(seed)
        if self._made is not None:
            self._twister._legacy_seeding(self._seed & 0xFFFFFFFF)
        self.next_normal = None
        self._fresh = True
        return self

    def seed(self) -> int:
        """Start the stream anew from a seed that the operating system gives."""
        result = int.from_bytes(os.urandom(8), "little")
        self.manual_seed(result & (2**63 - 1))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the stream was started from."""
        return self._seed

    @contextlib.contextmanager
    def in_main_memory(self) -> Iterator[None]:
        """Draw in main memory, for a call that goes through the host."""
        before, self.visiting = self.visiting, True
        try:
            yield
        finally:
            self.visiting = before

    # -- draws ---------------------------------------------------------------------------------------------------

    def draws32(self, count: int) -> np.ndarray:
        """The next 32-bit draws, as uint64."""
        if not count:
            return np.zeros(0, np.uint64)
        self._fresh = False
        return self._twister.random_raw(count)

    def draws64(self, count: int) -> np.ndarray:
        """The next 64-bit draws: two of 32 bits each, the first on top."""
        pairs = self.draws32(2 * count)
        return (pairs[0::2] << np.uint64(32)) | pairs[1::2]

    def floats(self, count: int) -> np.ndarray:
        """Uniform float32 numbers in [0, 1): 24 bits of a draw."""
        return ((self.draws32(count) & np.uint64(0xFFFFFF)).astype(np.float32)) * np.float32(2.0**-24)

    def doubles(self, count: int) -> np.ndarray:
        """Uniform float64 numbers in [0, 1): 53 bits of a draw."""
        return (self.draws64(count) & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53

    def few_doubles(self, count: int) -> list[float]:
        """The next of the `doubles` as Python numbers: of a few, arrays take most of the time."""
        raw = self.draws32(2 * count).tolist()
        return [((high << 32 | low) & (2**53 - 1)) * 2.0**-53 for high, low in zip(raw[0::2], raw[1::2], strict=True)]

    # -- the state, in PyTorch's bytes ---------------------------------------------------------------------------

    def get_state(self) -> Tensor:
        """The state as a tensor of bytes; PyTorch reads the same bytes."""
        state = self._twister.state["state"]
        raw = np.zeros(_STATE_BYTES, np.uint8)
        position = int(state["pos"])
        left = _WORDS - position + 1
        raw[_SEED : _SEED + 8].view(np.uint64)[0] = self._seed
        raw[_LEFT : _LEFT + 4].view(np.int32)[0] = left
        raw[_SEEDED : _SEEDED + 4].view(np.int32)[0] = 1
        raw[_NEXT : _NEXT + 8].view(np.uint64)[0] = 0 if self._fresh else position
        raw[_STATE : _STATE + 8 * _WORDS].view(np.uint64)[:] = state["key"]
        if self.next_normal is not None:
            raw[_NORMAL + 8 : _NORMAL + 16].view(np.float64)[0] = self.next_normal
            raw[_NORMAL_VALID : _NORMAL_VALID + 4].view(np.int32)[0] = 1
        from ..types import dtypes

        return wrap(raw, dtypes.uint8)

    def set_state(self, new_state: Tensor) -> Generator:
        """Go on from a state that `get_state` gave."""
        if not isinstance(new_state, Tensor):
            from .type_names import type_name

            refuse(TypeError, f"expected a torch.ByteTensor, but got {type_name(new_state)}", rule="random.state")
        if not new_state.is_contiguous():
            refuse(RuntimeError, "RNG state must be contiguous", "the bytes are read as they lie in memory",
                   "set_state(state.contiguous())", rule="random.state")  # fmt: skip
        raw = np.ascontiguousarray(new_state._array).reshape(-1)
        if raw.dtype != np.uint8 or raw.size != _STATE_BYTES:
            refuse(
                RuntimeError if raw.dtype == np.uint8 else TypeError,
                "RNG state must be a torch.ByteTensor"
                if raw.dtype != np.uint8
                else f"Expected a CPUGeneratorImplState of size {_STATE_BYTES} but found the input RNG state size to "
                f"be {raw.size}",
                "a state is what get_rng_state() gave",
                rule="random.state",
            )
        left = int(raw[_LEFT : _LEFT + 4].view(np.int32)[0])
        position = int(raw[_NEXT : _NEXT + 8].view(np.uint64)[0])
        seeded = int(raw[_SEEDED : _SEEDED + 4].view(np.int32)[0])
        if not seeded or not 0 < left <= _WORDS or position > _WORDS:
            refuse(RuntimeError, "Invalid mt19937 state", "a state is what get_rng_state() gave", rule="random.state")
        self._fresh = left == 1 and position == 0
        position = _WORDS if left == 1 else position
        key = raw[_STATE : _STATE + 8 * _WORDS].view(np.uint64).astype(np.uint32)
        self._twister.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}
        self._seed = int(raw[_SEED : _SEED + 8].view(np.uint64)[0])
        valid = int(raw[_NORMAL_VALID : _NORMAL_VALID + 4].view(np.int32)[0])
        self.next_normal = float(raw[_NORMAL + 8 : _NORMAL + 16].view(np.float64)[0]) if valid else None
        return self

    def get_offset(self) -> int:
        """How many numbers were drawn, which only the streams of GPUs count."""
        _refuse_offset()

    def set_offset(self, offset: int) -> Generator:
        """Go on after a number of draws, as only the streams of GPUs can."""
        if isinstance(offset, bool) or not isinstance(offset, int):
            from .type_names import type_name

            refuse(RuntimeError, f"manual_offset expected a long, but got {type_name(offset)}", "draws are counted",
                   rule="random.offset")  # fmt: skip
        _refuse_offset()

    def graphsafe_get_state(self) -> Generator:
        """The state for a recorded sequence of kernels, which only the streams of GPUs have."""
        _refuse_recorded("graphsafe_get_state")

    def graphsafe_set_state(self, state: Generator) -> Generator:
        """Go on from such a state."""
        if not isinstance(state, Generator):
            from .type_names import type_name

            refuse(TypeError, f"expected a Generator, but got {type_name(state)}", rule="random.state")
        _refuse_recorded("graphsafe_set_state")

    def clone_state(self) -> Generator:
        """A generator that goes on as this one would."""
        return Generator().set_state(self.get_state())

    def __reduce__(self) -> tuple:
        return (Generator, (self._device,), (self._seed, None, self.get_state()))

    def __setstate__(self, state: tuple) -> None:
        seed, offset, bytes_of = state
        self.manual_seed(seed)
        if offset is not None:
            self.set_offset(offset)
        self.set_state(bytes_of)

    def __repr__(self) -> str:
        return f"<Generator on {self._device}, seed {self._seed}>"


def _counted(method: Callable[..., Any], takes: int) -> Callable[..., Any]:
    """A method that refuses a wrong number of arguments, and names, in C's words."""

    @functools.wraps(method)
    def call(self: Generator, *args: Any, **kwargs: Any) -> Any:
        if len(args) == takes and not kwargs:
            return method(self, *args)
        allowed = ("no arguments", "exactly one argument")[takes]
        wrong = "no keyword arguments" if kwargs else f"{allowed} ({len(args)} given)"
        refuse(TypeError, f"Generator.{method.__name__}() takes {wrong}", rule="argument.count")

    return call


for _name, _takes in (
    ("manual_seed", 1), ("seed", 0), ("initial_seed", 0), ("get_state", 0), ("set_state", 1), ("get_offset", 0),
    ("set_offset", 1), ("clone_state", 0), ("graphsafe_get_state", 0), ("graphsafe_set_state", 1),
):  # fmt: skip
    setattr(Generator, _name, _counted(getattr(Generator, _name), _takes))


def _asked_device(args: tuple, kwargs: dict) -> Any:
    """The device that a generator is made for, or PyTorch's refusal of the call."""
    message = ""
    if len(args) > 1:
        message = f"Generator() takes from 0 to 1 positional arguments but {len(args)} were given"
    elif kwargs.keys() - {"device"}:
        message = f"Generator() got an unexpected keyword argument '{next(iter(kwargs.keys() - {'device'}))}'"
    given = args[0] if args else kwargs.get("device")
    if not message and (isinstance(given, bool) or not isinstance(given, (str, int, device, NoneType))):
        from .type_names import type_name

        place = " (position 1)" if args else ""
        message = f"Generator(): argument 'device'{place} must be torch.device, not {type_name(given)}"
    if message:
        refuse(TypeError, message, "a stream of random numbers belongs to one device", "torch.Generator('cpu')",
               rule="random.device")  # fmt: skip
    return "cpu" if given is None else given


def _refuse_recorded(name: str) -> NoReturn:
    refuse(NotImplementedError, f"{name} is not supported in this Generator", "kernels are recorded on GPUs alone",
           "get_state() and set_state(state)", rule="random.recorded")  # fmt: skip


def _refuse_offset() -> NoReturn:
    refuse(
        RuntimeError,
        "CPU Generator does not use offset",
        "a Mersenne Twister cannot go to a place in its stream without all draws before it",
        "get_state() and set_state(state)",
        rule="random.offset",
    )


def checked_seed(seed: int) -> int:
    """A seed as an unsigned 64-bit number; negative ones count from the top."""
    if isinstance(seed, np.integer):
        refuse(
            TypeError,
            "an integer is required",
            "PyTorch accepts no NumPy integer here",
            "int(seed)",
            rule="random.seed",
        )
    if isinstance(seed, bool) or not isinstance(seed, int):
        from .type_names import type_name

        refuse(
            RuntimeError,
            f"manual_seed expected a long, but got {type_name(seed)}",
            "a seed is a Python integer",
            "torch.Generator().manual_seed(int(seed))",
            rule="random.seed",
        )
    value = int(seed)
    if not -(2**63) <= value < 2**64:
        refuse(
            ValueError,
            "Overflow when unpacking long long",
            f"a seed has 64 bits, and {value} has more",
            rule="random.seed",
        )
    return value % 2**64


default_generator = Generator()

DEFAULTS: dict[str, Callable[[device], Generator]] = {}
"""How the default stream of a device is found, by the type of device; entered by the room of that device."""

SEEDED_TOO: list[Callable[[int], Any]] = []
"""What `manual_seed` seeds besides the default stream."""


def default_of(where: device) -> Generator:
    """The default stream of a device; that of the CPU where it has none, as on meta."""
    found = DEFAULTS.get(where.type)
    return default_generator if found is None else found(where)


def manual_seed(seed: int) -> Generator:
    """Start the default stream anew from a seed.

    >>> manual_seed(0).initial_seed()
    0
    """
    default_generator.manual_seed(int(seed))
    for also in SEEDED_TOO:
        also(default_generator.initial_seed())
    return default_generator


def seed() -> int:
    """Start the default stream anew from a seed that the operating system gives, and say which."""
    result = default_generator.seed()
    for also in SEEDED_TOO:
        also(result)
    return result


def initial_seed() -> int:
    """The seed that the default stream was started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default stream, as a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Let the default stream go on from a state."""
    default_generator.set_state(new_state)


States = list[tuple[Generator, Tensor]]
"""Streams, and the state of each."""


def states_of(devices: Iterable[device]) -> States:
    """The states of the CPU's default stream and of those of other devices."""
    streams = {id(found): found for found in (default_generator, *map(default_of, devices))}
    return [(found, found.get_state()) for found in streams.values()]


def put_back(states: States) -> None:
    """Let streams go on from states."""
    for found, state in states:
        found.set_state(state)


@contextlib.contextmanager
def fork_rng(
    devices: Any = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:
    """What is drawn inside leaves the default streams as they were: the CPU's, and those of all or the given GPUs.

    >>> before = get_rng_state().tolist()
    >>> with fork_rng():
    ...     _ = default_generator.floats(3)
    >>> get_rng_state().tolist() == before
    True
    """
    kind = "cuda" if device_type is None else device(device_type).type
    if kind == "meta" or not enabled:
        yield
        return
    states = states_of(_gpus_of(devices, _caller, _devices_kw) if kind == "cuda" else ())
    try:
        yield
    finally:
        put_back(states)


_warned_of_many = False


def _gpus_of(named: Any, caller: str, keyword: str) -> list[device]:
    """The GPUs with the given numbers or names; all of them for None, which is said once if there are several."""
    global _warned_of_many
    gpus = import_module(BROUGHT_BY["cuda"]) if "cuda" in BROUGHT_BY else None
    if named is not None:
        named = list(named)
        return [gpus.which(device("cuda", n) if isinstance(n, int) else device(n)) for n in named]  # type: ignore[union-attr]
    count = gpus.device_count() if gpus is not None else 0
    if count > 1 and not _warned_of_many:
        _warned_of_many = True
        warn(
            f"CUDA reports that you have {count} available devices, and you have used {caller} without explicitly "
            "specifying which devices are being used. For safety, we initialize *every* CUDA device by default, which "
            "can be quite slow if you have a lot of CUDAs. If you know that you are only making use of a few CUDA "
            f"devices, set the environment variable CUDA_VISIBLE_DEVICES or the '{keyword}' keyword argument of "
            f"{caller} with the set of devices you are actually using. For example, if you are using CPU only, set "
            "device.upper()_VISIBLE_DEVICES= or devices=[]; if you are using device 0 only, set CUDA_VISIBLE_DEVICES=0 "
            f"or devices=[0].  To initialize all devices and suppress this warning, set the '{keyword}' keyword "
            "argument to `range(torch.cuda.device_count())`."
        )
    return [gpus.which(device("cuda", n)) for n in range(count)]  # type: ignore[union-attr]
