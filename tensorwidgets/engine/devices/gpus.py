"""Which GPUs are there: simulated ones, real ones, or none? And which of them is the current one?"""

from __future__ import annotations

import gc
import os
import threading
from typing import Any, NoReturn

from ..errors.reasons import refuse
from ..memory.places import Place
from ..tensor.generator import DEFAULTS, SEEDED_TOO
from ..tensor.thread_state import carried
from ..types.device import device
from . import members
from .random_numbers import DeviceGenerator
from .simulated import SimulatedGpus, read_bytes


class AcceleratorError(RuntimeError):
    """The GPU, or its driver, refused a call."""


class _Current(threading.local):
    index = 0


_current = _Current()
carried.append(_current)
_simulated: SimulatedGpus | None = None
_real: Any = None
"""The real GPUs, once they were asked for, or the refusal that says why there are none."""

_asked = False
"""Whether the environment was asked for a simulated GPU."""


def simulated() -> SimulatedGpus | None:
    """The simulated GPUs; None if there are none."""
    global _asked
    if not _asked:
        _asked = True
        wanted = os.environ.get(VARIABLE, "")
        if wanted and _simulated is None:
            start(**read_environment(wanted))
    return _simulated


VARIABLE = "TENSORWIDGETS_GPU"
"""The environment's variable that starts the simulation."""


def read_environment(text: str) -> dict[str, Any]:
    """What the environment wants to be simulated.

    >>> read_environment("simulated"), read_environment("simulated, count=2, memory=1 GiB")
    ({}, {'count': 2, 'memory': '1 GiB'})
    """
    kind, *parts = [part.strip() for part in text.split(",")]
    found: dict[str, Any] = {}
    for part in parts:
        name, _, value = (word.strip() for word in part.partition("="))
        found[name] = int(value) if name == "count" and value.isdigit() else value
    if kind != "simulated" or not found.keys() <= {"count", "memory"}:
        refuse(
            ValueError,
            f"{VARIABLE}={text!r} is not understood",
            "it can say that GPUs are simulated, how many, and how much memory each has",
            f"{VARIABLE}=simulated",
            f"{VARIABLE}='simulated, count=2, memory=64 MiB'",
            rule="device.simulate",
        )
    return found


def start(count: int = 1, memory: str = "64 MiB") -> SimulatedGpus:
    """Start the simulation, in one line of print. One with tensors on it stays as it is, if it has the same GPUs."""
    global _simulated
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 64:
        refuse(ValueError, f"count={count!r}: from 1 to 64 GPUs can be simulated", rule="device.simulate")
    each = read_bytes(memory)
    if not _is_in_use(count, each):
        if _simulated is not None:
            _refuse_change("start another simulation", _simulated.live(), "the simulation is on")
            _simulated.leave()
        elif _has_real():
            _refuse_change("start the simulation", _real.live(), "a real GPU is in use")
        _simulated = SimulatedGpus(count, each)
        _simulated.enter()
        members.add()
        _current.index = 0
    assert _simulated is not None
    print(
        f"tensorwidgets simulates {count} GPU{'s' * (count > 1)} of {each / (1 << 20):g} MiB: "
        "'cuda' is a part of main memory, and NumPy computes there."
    )
    return _simulated


def _is_in_use(count: int, each: int) -> bool:
    """Whether there are tensors on GPUs that are simulated already: a cell that starts them may be run again."""
    if _simulated is None:
        return False
    gc.collect()
    return bool(_simulated.live()) and (len(_simulated.places), _simulated.total(0)) == (count, each)


def stop(quietly: bool = False) -> None:
    """End the simulation. It is refused while tensors are on it, or left on, if an error is on its way."""
    global _simulated
    if _simulated is None:
        return
    if _simulated.live():
        gc.collect()  # what only a cycle refers to is not in use
    if quietly and _simulated.live():
        return
    _refuse_change("stop the simulation", _simulated.live(), "the simulation is on")
    _simulated.leave()
    _simulated = None
    _current.index = 0
    _generators.clear()
    if _has_real():
        _real.enter()


def _refuse_change(what: str, live: int, why: str) -> None:
    if live:
        many = f"{live} blocks of memory are" if live > 1 else "1 block of memory is"
        refuse(
            RuntimeError,
            f"cannot {what} while tensors are on a GPU",
            f"{why}, and {many} in use on it",
            "x = x.cpu(), or del x, for each of them",
            rule="device.simulate",
            blocks=live,
        )


def active() -> Any:
    """The GPUs that there are; None if there are none."""
    found = simulated()
    if found is not None:
        return found
    real = _find_real()
    return None if isinstance(real, tuple) else real


def _find_real() -> Any:
    global _real
    if _real is None:
        from . import cupy_arrays

        _real = cupy_arrays.find()
        if not isinstance(_real, tuple):
            members.add()
    return _real


def _has_real() -> bool:
    return _real is not None and not isinstance(_real, tuple)


def device_count() -> int:
    """How many GPUs there are."""
    found = active()
    return 0 if found is None else len(found.places)


def present(call: str = "") -> Any:
    """The GPUs that there are, or the refusal of a machine without any: some calls have words of their own."""
    found = active()
    if found is None:
        refuse_absent(call)
    return found


def refuse_absent(call: str = "") -> NoReturn:
    """Refuse a call that needs a GPU on a machine without one.

    Where PyTorch is built without CUDA, what only such a build has is missing, and some calls find that out first.
    """
    error, message, why = _find_real()
    if call and error is AssertionError:
        error, message = words_without_cuda(call)
    refuse(error, message, why, "torch.cuda.simulate(), for a simulated GPU", "device='cpu'", rule="device.cuda")


WITHOUT_CUDA: dict[str, tuple[type[Exception], str]] = {
    "Stream": (RuntimeError, "torch.cuda.Stream requires CUDA support"),
    "device": (RuntimeError, "PyTorch was compiled without CUDA support"),
    "link": (RuntimeError, "PyTorch is not linked with support for cuda devices"),
    "allocated_bytes.all.current": (KeyError, "allocated_bytes.all.current"),
    "_cuda_isCurrentStreamCapturing": (
        RuntimeError,
        "Tried to instantiate dummy base class _cuda_isCurrentStreamCapturing",
    ),
    "nvtx": (RuntimeError, "NVTX functions not installed. Are you sure you have a CUDA build?"),
    "Generator": (
        RuntimeError,
        "Cannot get CUDA generator without ATen_cuda library. PyTorch splits its backend into two shared "
        "libraries: a CPU library and a CUDA library; this error has occurred because you are trying to use some "
        "CUDA functionality, but the CUDA library has not been loaded by the dynamic linker for some reason.  The "
        "CUDA library MUST be loaded, EVEN IF you don't directly use any symbols from the CUDA library! One common "
        "culprit is a lack of -Wl,--no-as-needed in your link arguments; many dynamic linkers will delete dynamic "
        "library dependencies if you don't depend on any of their symbols.  You can check if this has occurred by "
        "using ldd on your binary to see if there is a dependency on *_cuda.so library.",
    ),
}
"""What PyTorch's build without CUDA says where a call finds that a part of it is missing."""


def words_without_cuda(call: str) -> tuple[type[Exception], str]:
    """PyTorch's refusal of a call, by a key of the table or by the name of the missing function or class.

    >>> words_without_cuda("_cuda_setDevice")
    (<class 'AttributeError'>, "module 'torch._C' has no attribute '_cuda_setDevice'")
    >>> words_without_cuda("Event")
    (<class 'RuntimeError'>, 'Tried to instantiate dummy base class Event')
    """
    if call in WITHOUT_CUDA:
        return WITHOUT_CUDA[call]
    if call.startswith("_cuda_"):
        return AttributeError, f"module 'torch._C' has no attribute '{call}'"
    return RuntimeError, f"Tried to instantiate dummy base class {call}"


def which(wanted: device) -> device:
    """The GPU that a device means: the current one if it has no number."""
    return place_at_index(_current.index if wanted.index is None else wanted.index, present()).device


def place_at_index(index: int, gpus: Any) -> Place:
    """The place of a GPU by its number."""
    if not 0 <= index < len(gpus.places):
        count = len(gpus.places)
        refuse(
            AcceleratorError,
            "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?\n"
            "For more detailed error information, run with CUDA_LOG_FILE=stderr\n",
            f"there is 1 GPU, cuda:0, and {index} was asked for"
            if count == 1
            else f"there are {count} GPUs, cuda:0 to cuda:{count - 1}, and {index} was asked for",
            "device='cuda:0'",
            rule="device.ordinal",
            index=index,
            count=count,
        )
    place: Place = gpus.places[index]
    return place


def taken(array: Any) -> Any:
    """An array here over the memory of another library's array on a GPU, which stays where it is."""
    return present().taken(array)


def current_index() -> int:
    """The number of the current GPU."""
    return _current.index


def make_current(index: int) -> None:
    """Make a GPU the current one of this thread."""
    _current.index = index


_generators: dict[int, DeviceGenerator] = {}


def generator(index: int | None) -> DeviceGenerator:
    """The default stream of random numbers of a GPU."""
    place = place_at_index(_current.index if index is None else index, present())
    number = int(place.device.index or 0)
    if number not in _generators:
        _generators[number] = DeviceGenerator(place.device)
    return _generators[number]


def _seed_all(seed: int) -> None:
    for i in range(device_count() if _simulated is not None or _has_real() else 0):
        generator(i).manual_seed(seed)


DEFAULTS["cuda"] = lambda where: generator(where.index)
SEEDED_TOO.append(_seed_all)
