"""Memory shared with next-door libraries: a write on one side is seen on the other, and nothing is copied."""

from __future__ import annotations

import array
import ctypes
import gc
import weakref

import ml_dtypes
import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.types import dtypes
from tests.engine.calls.calls import INTEROP
from tests.engine.calls.calls_asked import differences, frozen, live

SMALL = [d for d in dtypes.ALL if d in dtypes.FLOAT8 or d is dtypes.bfloat16]
NUMPYS = [d for d in dtypes.ALL if d not in SMALL and d is not dtypes.complex32]


@pytest.mark.parametrize("name", sorted(INTEROP))
def test_calls_give_what_pytorch_gives(name: str) -> None:
    wanted = frozen(name)
    assert len(wanted) > 50
    assert differences(wanted) == []


@pytest.mark.torch
@pytest.mark.parametrize("name", sorted(INTEROP))
def test_the_frozen_answers_are_pytorchs(name: str) -> None:
    assert live(name) == frozen(name)


@pytest.mark.torch
@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("name", sorted(INTEROP))
def test_other_calls_give_what_pytorch_gives(name: str, seed: str) -> None:
    assert differences(live(name, seed)) == []


# --- NumPy ---


@pytest.mark.parametrize("d", NUMPYS, ids=str)
def test_from_numpy_shares_both_ways(d) -> None:
    a = np.zeros((2, 3), d._in_numpy)
    x = tw.from_numpy(a)
    a[0, 1] = 1
    x[1, 2] = 1
    assert x.dtype is d
    assert x.data_ptr() == a.__array_interface__["data"][0]
    assert a.tolist() == x.tolist() == np.array([[0, 1, 0], [0, 0, 1]], d._in_numpy).tolist()


@pytest.mark.parametrize("d", NUMPYS, ids=str)
def test_numpy_shares_both_ways(d) -> None:
    x = tw.zeros(2, 3, dtype=d)
    a = x.t().numpy()
    a[1, 0] = 1
    x[1, 2] = 1
    assert a.strides == (d.itemsize, 3 * d.itemsize)
    assert a.T.tolist() == x.tolist() == np.array([[0, 1, 0], [0, 0, 1]], d._in_numpy).tolist()


@pytest.mark.parametrize("share", [tw.from_numpy, tw.as_tensor, tw.asarray, tw.from_dlpack, lambda a: tw.Tensor(a)])
def test_every_way_in_shares(share) -> None:
    a = np.zeros(3, np.float32)
    x = share(a)
    a[1] = 5
    assert x.tolist() == [0, 5, 0]
    assert x._base is None


@pytest.mark.parametrize("share", [np.asarray, np.from_dlpack, lambda x: np.array(x, copy=False), lambda x: x.numpy()])
def test_every_way_out_shares(share) -> None:
    x = tw.zeros(2, 3)
    a = share(x[:, 1])
    a[0] = 5
    x[1, 1] = 6
    assert a.tolist() == [5, 6]
    assert x.tolist() == [[0, 5, 0], [0, 6, 0]]


def test_an_array_made_of_an_array_keeps_it_alive() -> None:
    x = tw.arange(5.0)
    a = np.asarray(x[1:])
    del x
    gc.collect()
    assert a.tolist() == [1, 2, 3, 4]


def test_subclasses_of_arrays_give_their_memory_alone() -> None:
    masked = np.ma.array([1, 2], mask=[0, 1])
    x = tw.from_numpy(masked)
    x[1] = 7
    assert type(x.numpy()) is np.ndarray
    assert masked.data.tolist() == [1, 7]


def test_numpy_functions_give_tensors() -> None:
    x = tw.tensor([1.0, 4.0])
    found = np.sqrt(x)
    assert isinstance(found, tw.Tensor)
    assert found.tolist() == [1, 2]
    assert np.isnan(x).dtype is tw.uint8
    assert np.add(x, 1).tolist() == [2, 5]


def test_a_dtype_asked_of_array_is_a_copy() -> None:
    x = tw.ones(2)
    a = np.asarray(x, dtype=np.float64)
    a[0] = 5
    assert x.tolist() == [1, 1]
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        x.__array__(np.float64, copy=False)
    copied = np.array(x)
    copied[0] = 5
    assert x.tolist() == [1, 1]


def test_the_array_interface_keeps_the_memory_alive() -> None:
    class Described:
        def __init__(self, x):
            self.__array_interface__ = x.__array_interface__

    x = tw.arange(6.0).reshape(2, 3)
    a = np.asarray(Described(x.t()[1:]))
    assert a.tolist() == [[1, 4], [2, 5]]
    a[0, 0] = 9
    assert x[0, 1].item() == 9
    del x
    gc.collect()
    assert a.tolist() == [[9, 4], [2, 5]]
    assert tw.as_tensor(Described(tw.ones(2))).tolist() == [1, 1]


@pytest.mark.parametrize(
    "x", [tw.ones(2, device="meta"), tw.ones(2, requires_grad=True), tw.ones(2, dtype=tw.bfloat16)]
)
def test_no_array_interface_where_there_is_no_array(x) -> None:
    with pytest.raises(AttributeError):
        x.__array_interface__  # noqa: B018


# --- memory that is lent ---


def read_only(kind: str) -> tw.Tensor:
    a = np.arange(4.0)
    a.flags.writeable = False
    if kind == "bytes":
        return tw.frombuffer(a.tobytes(), dtype=tw.float64)
    return {"from_numpy": tw.from_numpy, "dlpack": tw.from_dlpack, "as_tensor": tw.as_tensor}[kind](a)


@pytest.mark.parametrize("kind", ["from_numpy", "dlpack", "as_tensor", "bytes"])
@pytest.mark.filterwarnings("error")
def test_read_only_memory_is_read_and_not_written(kind: str) -> None:
    x = read_only(kind)
    assert (x + 1).tolist() == [1, 2, 3, 4]
    assert x[1:].sum().item() == 6
    for write in (
        lambda: x.add_(1),
        lambda: x.fill_(3),
        lambda: x.__setitem__(0, 1),
        lambda: x[1:].zero_(),
        lambda: x.storage().fill_(1),
        lambda: tw.arange(4.0, out=x),
        lambda: tw.nn.functional.batch_norm(tw.ones(2, 4, dtype=tw.float64), x, tw.ones(4).double(), training=True),
    ):
        with pytest.raises(RuntimeError, match="the memory of this tensor is read-only"):
            write()
    assert x.tolist() == [0, 1, 2, 3]
    assert x._version == 0
    assert not x.numpy().flags.writeable
    y = x.clone()
    y[0] = 5
    assert y.tolist() == [5, 1, 2, 3]


def test_lent_memory_does_not_move() -> None:
    a = np.arange(3.0)
    for x in (tw.from_numpy(a), tw.frombuffer(bytearray(8), dtype=tw.float64), tw.from_dlpack(np.zeros(2))):
        with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
            x.resize_(100)
        with pytest.raises(RuntimeError, match="not resizable"):
            x.detach()[:1].resize_(100)
        assert x.resize_(1).shape == (1,)
    y = tw.ones(2)
    b = y.numpy()
    with pytest.raises(RuntimeError, match="not resizable"):
        y.resize_(100)
    b[0] = 7
    assert y.tolist() == [7, 1]


# --- buffers ---


def test_buffers_are_shared_both_ways() -> None:
    memory = bytearray(8)
    x = tw.frombuffer(memory, dtype=tw.int16, offset=2)
    memory[2] = 9
    x[1] = -1
    assert x.tolist() == [9, -1, 0]
    assert bytes(memory) == b"\0\0\x09\0\xff\xff\0\0"
    numbers = array.array("i", [1, 2, 3])
    y = tw.frombuffer(numbers, dtype=tw.int32)
    y[0] = 8
    assert numbers.tolist() == [8, 2, 3]
    raw = (ctypes.c_float * 2)(1.5, 2.5)
    assert tw.frombuffer(raw, dtype=tw.float32).tolist() == [1.5, 2.5]


def test_a_tensor_is_a_buffer_by_way_of_numpy() -> None:
    x = tw.arange(3, dtype=tw.int32)
    view = memoryview(x.numpy())
    view[1] = 7
    assert x.tolist() == [0, 7, 2]
    assert view.format == "i"


# --- DLPack ---


class Once:
    """Another library's array: what it hands out is counted, and whether it was given back."""

    def __init__(self, a, versioned: bool = True):
        self.array, self.versioned = a, versioned

    def __dlpack__(self, max_version=None):
        return self.array.__dlpack__(max_version=max_version if self.versioned else None)

    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("d", NUMPYS, ids=str)
def test_capsules_in_share_both_ways(d, versioned: bool) -> None:
    a = np.zeros((3, 4), d._in_numpy)
    x = tw.from_dlpack(Once(a[::2, 1:].T, versioned))
    a[2, 1] = 1
    x[2, 0] = 1
    assert x.dtype is d
    assert x.stride() == (1, 8)
    assert x.tolist() == a[::2, 1:].T.tolist()
    assert x.data_ptr() == a[::2, 1:].T.__array_interface__["data"][0]


@pytest.mark.parametrize("d", NUMPYS, ids=str)
def test_capsules_out_share_both_ways(d) -> None:
    x = tw.zeros(3, 4, dtype=d)
    a = np.from_dlpack(x.t()[1:])
    x[0, 1] = 1
    a[2, 2] = 1
    assert a.tolist() == x.t()[1:].tolist()
    assert x.__dlpack_device__() == (1, 0)
    assert repr(x.__dlpack_device__()[0]) == "<DLDeviceType.kDLCPU: 1>"


@pytest.mark.parametrize("d", SMALL, ids=str)
def test_small_floats_travel_in_capsules(d) -> None:
    """NumPy sends none of them; here they go out and come in, and back to where they came from."""
    x = tw.tensor([0.5, 1.0, -2.0]).to(d)
    for version in (None, (1, 0)):
        y = tw.from_dlpack(x.__dlpack__(max_version=version))
        y[0] = 4
        assert y.dtype is d
        assert x.tolist() == y.tolist() == [4, 1, -2]
        x[0] = 0.5


def test_small_floats_of_ml_dtypes_are_shared() -> None:
    a = np.zeros(3, ml_dtypes.bfloat16)
    x = tw.from_numpy(a)
    x[0] = 1.5
    assert x.dtype is tw.bfloat16
    assert a.tolist() == [1.5, 0, 0]


def test_memory_of_a_capsule_is_given_back_when_the_last_view_is_gone() -> None:
    a = np.zeros(1000)
    owner = weakref.ref(a)
    x = tw.from_dlpack(a)
    view = x[10:20].view(2, 5)
    del a, x
    gc.collect()
    assert owner() is not None
    assert view.sum().item() == 0
    del view
    gc.collect()
    assert owner() is None


def test_memory_of_a_capsule_that_nobody_takes_is_given_back() -> None:
    x = tw.ones(1000)
    owner = weakref.ref(x._array)
    capsule = x.__dlpack__()
    del x
    gc.collect()
    assert owner() is not None
    del capsule
    gc.collect()
    assert owner() is None


def test_an_empty_capsule_is_given_back_at_once() -> None:
    a = np.zeros((0, 3))
    owner = weakref.ref(a)
    x = tw.from_dlpack(a)
    del a
    gc.collect()
    assert owner() is None
    assert x.shape == (0, 3)


def test_a_capsule_is_read_once() -> None:
    capsule = tw.ones(2).__dlpack__()
    assert tw.from_dlpack(capsule).tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="consumed only once"):
        tw.from_dlpack(capsule)


def test_strides_that_go_backwards_are_refused() -> None:
    """PyTorch 2.13 ends the process here."""
    with pytest.raises(ValueError, match="At least one stride in the given array is negative"):
        tw.from_dlpack(np.arange(4)[::-1])


def test_read_only_memory_needs_a_reader_that_knows() -> None:
    a = np.arange(2.0)
    a.flags.writeable = False
    x = tw.from_numpy(a)
    with pytest.raises(BufferError):
        x.__dlpack__()
    assert not np.from_dlpack(x).flags.writeable


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (tw.ones(2, requires_grad=True), "Can't export tensors that require gradient, use tensor.detach()"),
        (tw.ones(2, dtype=tw.complex64).conj(), "Can't export tensors with the conjugate bit set"),
        (tw.ones(2, dtype=tw.complex64).conj().imag, "Can't export tensors with the negative bit set"),
        (tw.ones(2, device="meta"), "Cannot pack tensors on meta"),
    ],
)
def test_what_memory_does_not_say_is_not_handed_out(x, message: str) -> None:
    with pytest.raises(BufferError) as caught:
        x.__dlpack__()
    assert str(caught.value) == message


@pytest.mark.torch
@pytest.mark.parametrize("d", [d for d in dtypes.ALL if d is not dtypes.complex32], ids=str)
def test_memory_is_shared_with_pytorch(d) -> None:
    import torch

    theirs = torch.zeros(2, 3).to(getattr(torch, d._name))
    ours = tw.from_dlpack(theirs.t())
    theirs[0, 1] = 1
    ours[0, 1] = 1
    assert ours.dtype is d
    assert ours.stride() == (1, 3)
    assert ours.t().tolist() == theirs.tolist()
    mine = tw.zeros(2, 3, dtype=d)
    back = torch.from_dlpack(mine.t())
    back[1, 0] = 1
    mine[1, 2] = 1
    assert back.dtype is getattr(torch, d._name)
    assert back.t().tolist() == mine.tolist()
    assert back.data_ptr() == mine.data_ptr()


@pytest.mark.torch
def test_pytorchs_tensors_are_data() -> None:
    import torch

    theirs = torch.arange(6.0).reshape(2, 3).t()
    shared, copied = tw.as_tensor(theirs), tw.tensor(theirs)
    theirs[0, 0] = 9
    assert shared[0, 0].item() == 9
    assert copied[0, 0].item() == 0
    assert shared.stride() == copied.stride() == (1, 3)
    assert torch.as_tensor(tw.ones(2)).tolist() == [1, 1]


# --- Python's own numbers ---


@pytest.mark.parametrize("d", [d for d in dtypes.ALL if d is not dtypes.complex32], ids=str)
def test_tolist_gives_pythons_numbers(d) -> None:
    found = tw.tensor([[0, 1], [1, 0]]).to(d).tolist()
    kind = {dtypes.BOOL: bool, dtypes.INTEGER: int, dtypes.FLOAT: float, dtypes.COMPLEX: complex}[d._kind]
    assert found == [[0, 1], [1, 0]]
    assert {type(n) for row in found for n in row} == {kind}
