"""Ways to keep looking at a tensor's memory when the tensor itself is gone.

Each takes a tensor of sevens and returns what is to be held. `seen` reads the numbers through it.
"""

from __future__ import annotations

import contextvars
import copy
import ctypes
import functools
import gc
import itertools
import pickle
import queue
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tensorwidgets as tw
from tensorwidgets.engine.interop.parameter import Parameter

Way = Callable[[tw.Tensor], Any]
WAYS: dict[str, Way] = {}


def way(function: Way) -> Way:
    WAYS[function.__name__.replace("_", " ")] = function
    return function


def last_base(array: np.ndarray) -> Any:
    """What an array's bases end in."""
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def seen(held: Any) -> np.ndarray:
    """The float32 numbers that a holder shows."""
    if callable(held) and not isinstance(held, tw.Tensor):
        held = held()
    if isinstance(held, tw.Tensor):
        held = held.resolve_conj().detach()
        held = tw.view_as_real(held).numpy() if held.is_complex() else held.numpy()
    if isinstance(held, tw.UntypedStorage):
        held = held._bytes
    if isinstance(held, tw.TypedStorage):
        held = held._values()
    if type(held).__name__ == "PyCapsule":
        held = tw.from_dlpack(held).numpy()
    if not isinstance(held, np.ndarray):
        held = np.frombuffer(held, np.uint8)
    if held.dtype == np.uint8:
        held = held[-held.ctypes.data % 64 :]
        held = held[: held.size // 4 * 4].view(np.float32)[: 1 << 18]
    return np.asarray(held)


for name, function in {
    # NumPy
    "NumPy's array": lambda x: x.numpy(),
    "its base": lambda x: x.numpy().base,
    "the last base": lambda x: last_base(x.numpy()),
    "frombuffer of the base": lambda x: np.frombuffer(x.numpy().base, np.float32),
    "frombuffer of the last base": lambda x: np.frombuffer(last_base(x.numpy()), np.uint8),
    "a view of the last base": lambda x: last_base(x.numpy())[:],
    "a view of the last base in its class": lambda x: x.numpy().view(type(last_base(x.numpy()))),
    "an array laid over the last base": lambda x: np.ndarray(last_base(x.numpy()).shape, "u1", last_base(x.numpy())),
    "a slice": lambda x: x.numpy()[5:100:3],
    "a view of a view of a view": lambda x: x.numpy().reshape(4, -1).T[3:][::-1][:, 1:],
    "swapped axes": lambda x: np.swapaxes(x.numpy().reshape(4, -1), 0, 1),
    "other numbers and back": lambda x: x.numpy().view(np.int16).view(np.float32),
    "a field": lambda x: x.numpy().view([("a", "f4"), ("b", "f4")])["b"],
    "strides laid over it": lambda x: np.lib.stride_tricks.as_strided(x.numpy(), (9, 9), (4, 8)),
    "sliding windows": lambda x: np.lib.stride_tricks.sliding_window_view(x.numpy(), 5),
    "broadcast": lambda x: np.broadcast_to(x.numpy(), (3, x.numel())),
    "a matrix": lambda x: x.numpy().view(np.matrix),
    "a masked array": lambda x: np.ma.masked_array(x.numpy(), copy=False).data,
    "a record array": lambda x: x.numpy().view(np.recarray),
    "an array of objects": lambda x: (lambda a: lambda: a[0])(np.array([x.numpy(), None], object)),
    "a flat iterator": lambda x: (lambda i: lambda: i.base)(x.numpy().flat),
    "an nditer": lambda x: (lambda i: lambda: i.operands[0])(np.nditer(x.numpy())),
    "__array__": lambda x: x.__array__(),
    "asarray": lambda x: np.asarray(x),
    # buffers
    "a memoryview": lambda x: memoryview(x.numpy()),
    "a memoryview of the last base": lambda x: memoryview(last_base(x.numpy())),
    "a memoryview's object": lambda x: memoryview(x.numpy()).obj,
    "a cast slice of a memoryview": lambda x: memoryview(x.numpy()).cast("B")[64:640],
    "a read-only memoryview": lambda x: memoryview(x.numpy()).toreadonly(),
    "ndarray.data": lambda x: x.numpy().data,
    "an array over a memoryview": lambda x: np.asarray(memoryview(x.numpy())),
    "a pickle buffer": lambda x: pickle.PickleBuffer(x.numpy()),
    "a buffer out of band": lambda x: out_of_band(x.numpy()),
    "a ctypes array": lambda x: (ctypes.c_float * x.numel()).from_buffer(x.numpy()),
    "a ctypes array over the last base": lambda x: (ctypes.c_ubyte * x.nbytes).from_buffer(last_base(x.numpy())),
    "as_ctypes": lambda x: np.ctypeslib.as_ctypes(x.numpy()),
    "ndarray.ctypes": lambda x: (lambda c: lambda: np.ctypeslib.as_array(c.data_as(FLOATS), (9,)))(x.numpy().ctypes),
    "a ctypes pointer": lambda x: (lambda p: lambda: np.ctypeslib.as_array(p, (9,)))(x.numpy().ctypes.data_as(FLOATS)),
    "frombuffer as a tensor": lambda x: tw.frombuffer(x.numpy(), dtype=tw.float32),
    # other libraries' ways
    "a DLPack capsule": lambda x: x.__dlpack__(),
    "a DLPack capsule of NumPy's": lambda x: x.numpy().__dlpack__(),
    "an array from DLPack": lambda x: np.from_dlpack(x),
    "a tensor from DLPack": lambda x: tw.from_dlpack(x.numpy()),
    "there and back by DLPack": lambda x: tw.from_dlpack(np.from_dlpack(tw.from_dlpack(x))),
    "the array interface": lambda x: np.asarray(types.SimpleNamespace(__array_interface__=x.__array_interface__)),
    "the array struct": lambda x: np.asarray(types.SimpleNamespace(__array_struct__=x.numpy().__array_struct__)),
    # tensors
    "a view of the tensor": lambda x: x.reshape(4, -1).t()[3:],
    "a detached tensor": lambda x: x.detach(),
    "a shallow copy": lambda x: copy.copy(x),
    "expanded": lambda x: x.expand(2, -1),
    "as_strided": lambda x: x.as_strided((3, 3), (7, 1), 5),
    "unfolded": lambda x: x.unfold(0, 4, 2),
    "swapped axes of the tensor": lambda x: x.view(4, -1).swapaxes(0, 1),
    "the last part of a split": lambda x: x.split(1000)[-1],
    "unbound": lambda x: x.view(4, -1).unbind()[2],
    "as complex numbers, conjugate": lambda x: (lambda c: lambda: c.conj().resolve_conj().real)(
        tw.view_as_complex(x.view(-1, 2))
    ),
    "as another dtype": lambda x: (lambda v: lambda: v.view(tw.float32))(x.view(tw.int32)),
    "a parameter": lambda x: Parameter(x, requires_grad=False),
    "a subclass": lambda x: x.as_subclass(type("Mine", (tw.Tensor,), {})),
    "from NumPy's array": lambda x: tw.from_numpy(x.numpy()),
    "asarray of NumPy's array": lambda x: tw.asarray(x.numpy()),
    "as_tensor": lambda x: tw.as_tensor(x),
    "after resize_": lambda x: x.resize_(100),
    "a storage": lambda x: x.untyped_storage(),
    "a slice of a storage": lambda x: x.untyped_storage()[64:6400],
    "a typed storage": lambda x: x.storage(),
    "a storage's bytes": lambda x: x.untyped_storage()._bytes,
    "set_ to the storage": lambda x: tw.empty(0).set_(x.untyped_storage(), 0, (x.numel(),), (1,)),
    "set_ to the tensor": lambda x: tw.empty(0).set_(x),
    "out= and a view of it": lambda x: tw.full((x.numel(),), 7.0, out=x)[3:],
    "an attribute of another tensor": lambda x: attribute_of(tw.ones(1), x),
    "values of a sparse tensor": lambda x: tw.sparse_coo_tensor(tw.arange(x.numel())[None], x, (x.numel(),))._values(),
    # Python
    "a closure": lambda x: lambda: x,
    "a partial": lambda x: functools.partial(tw.Tensor.detach, x),
    "a bound method": lambda x: x.detach,
    "a default argument": lambda x: (lambda kept=x: kept),
    "a chain of iterators": lambda x: (lambda i: lambda: next(i))(itertools.chain([x])),
    "the other half of tee": lambda x: half_read(itertools.tee([x])),
    "a context": lambda x: in_context(x),
    "a queue": lambda x: in_queue(x),
    "an iterator of rows": lambda x: rows_left(x.view(4, -1)),
    "an iterator of NumPy's rows": lambda x: rows_left(x.numpy().reshape(4, -1)),
    "a cycle": lambda x: in_cycle(x),
    "what the collector lists": lambda x: gc.get_referents([x])[0],
    "arguments of a finaliser": lambda x: in_finaliser(x.numpy()),
}.items():  # fmt: skip
    WAYS[name] = function

FLOATS = ctypes.POINTER(ctypes.c_float)


class _Thing:
    """Something to hang a finaliser on."""


def in_finaliser(array: np.ndarray) -> Any:
    thing = _Thing()
    finaliser = weakref.finalize(thing, len, array)
    finaliser.atexit = False
    return lambda: (thing, finaliser.peek()[2][0])[1]


def out_of_band(array: np.ndarray) -> Any:
    buffers: list[pickle.PickleBuffer] = []
    pickle.dumps(array, protocol=5, buffer_callback=buffers.append)
    return buffers[0]


def attribute_of(holder: tw.Tensor, x: tw.Tensor) -> Any:
    holder.mine = x
    return lambda: holder.mine


def in_context(x: tw.Tensor) -> Any:
    variable: contextvars.ContextVar[tw.Tensor] = contextvars.ContextVar("kept")
    context = contextvars.copy_context()
    context.run(variable.set, x)
    return lambda: context[variable]


def in_queue(x: tw.Tensor) -> Any:
    waiting: queue.SimpleQueue[tw.Tensor] = queue.SimpleQueue()
    waiting.put(x)
    return waiting.get


def rows_left(rows: Any) -> Any:
    iterator = iter(rows)
    next(iterator)
    return lambda: next(iterator)


def in_cycle(x: tw.Tensor) -> Any:
    circle: list[Any] = [x]
    circle.append(circle)
    return lambda: circle[1][1][0]


def half_read(halves: Any) -> Any:
    next(halves[0])
    return lambda: next(halves[1])


@way
def a_suspended_generator(x: tw.Tensor) -> Any:
    def numbers() -> Iterator[tw.Tensor]:
        mine = x * 1
        mine = x
        yield mine[:1]
        yield mine

    running = numbers()
    next(running)
    return lambda: next(running)


@way
def a_coroutine(x: tw.Tensor) -> Any:
    class Pause:
        def __await__(self) -> Iterator[None]:
            yield

    async def wait(mine: tw.Tensor) -> tw.Tensor:
        await Pause()
        return mine

    running = wait(x)
    running.send(None)

    def finish() -> tw.Tensor:
        try:
            running.send(None)
        except StopIteration as stop:
            return stop.value
        raise AssertionError("the coroutine did not return")

    return finish


@way
def an_exception_that_holds_frames(x: tw.Tensor) -> Any:
    def fail(mine: tw.Tensor) -> None:
        mine.view(3, 5)

    try:
        fail(x)
    except RuntimeError as refused:
        error = refused

    def local() -> tw.Tensor:
        trace = error.__traceback__
        while trace is not None:
            if "mine" in trace.tb_frame.f_locals:
                return trace.tb_frame.f_locals["mine"]
            trace = trace.tb_next
        raise AssertionError("no frame holds the tensor")

    return local


@way
def another_thread_that_waits(x: tw.Tensor) -> Any:
    go, answers = threading.Event(), queue.SimpleQueue()

    def work(mine: tw.Tensor) -> None:
        go.wait(60)
        answers.put(mine)

    thread = threading.Thread(target=work, args=(x,))
    thread.start()

    def answer() -> tw.Tensor:
        go.set()
        thread.join(60)
        return answers.get()

    return answer


@way
def an_array_of_a_subclass_that_revives_itself(x: tw.Tensor) -> Any:
    revived: list[np.ndarray] = []

    class Mine(np.ndarray):
        def __del__(self) -> None:
            revived.append(self)

    x.numpy().view(Mine)[:]
    return lambda: revived[0]


@way
def a_finaliser_of_a_cycle_that_revives_the_tensor(x: tw.Tensor) -> Any:
    revived: list[Any] = []

    class Holder:
        def __del__(self) -> None:
            revived.append(self.x)

    holder = Holder()
    holder.x, holder.itself = x, holder
    del holder
    return lambda: (gc.collect(), revived[0])[1]


@way
def a_finaliser_of_a_cycle_that_revives_the_last_base(x: tw.Tensor) -> Any:
    revived: list[Any] = []

    class Holder:
        def __del__(self) -> None:
            revived.append(self.base)

    holder = Holder()
    holder.base, holder.itself = last_base(x.numpy()), holder
    del holder, x
    return lambda: (gc.collect(), revived[0])[1]


@way
def a_weak_reference_to_the_last_base(x: tw.Tensor) -> Any:
    return weakref.ref(last_base(x.numpy()))


@way
def a_proxy_of_the_last_base(x: tw.Tensor) -> Any:
    proxy = weakref.proxy(last_base(x.numpy()))
    return lambda: proxy.__array__()


@way
def a_dictionary_of_weak_references_to_the_last_base(x: tw.Tensor) -> Any:
    weak = weakref.WeakValueDictionary({"base": last_base(x.numpy())})
    return lambda: weak.get("base")


@way
def a_weak_reference_to_the_tensor(x: tw.Tensor) -> Any:
    return weakref.ref(x)


@way
def a_weak_reference_to_the_base(x: tw.Tensor) -> Any:
    return weakref.ref(x.numpy().base)


@way
def a_callback_of_a_weak_reference_that_keeps_the_last_base(x: tw.Tensor) -> Any:
    base, kept = last_base(x.numpy()), []
    reference = weakref.ref(x.numpy().base, lambda _, base=base: kept.append(base))
    return lambda: (reference, kept[0])[1]
