"""Good and bad arguments for the calls of calls.py, each as a text."""

from __future__ import annotations

import re


def pool(text: str) -> list[str]:
    """The arguments between the bars.

    >>> pool("2, 3 | ()")
    ['2, 3', '()']
    """
    return [" ".join(part.split()) for part in text.split(" | ")]


DTYPES = (
    "uint8 int8 int16 int32 int64 uint16 uint32 uint64 bool float16 bfloat16 float32 float64 float8_e4m3fn float8_e5m2 "
    "complex64 complex128"
).split()

GOOD_SIZES = pool("(2,) | (2, 3) | () | (3, 0) | [1, 2] | torch.Size([2]) | (4,) | (1,)")
SIZES = pool(
    """2 | 2, 3 | (2, 3) | [2, 0] | () | (0,) | torch.Size([1, 3]) | -1 | (2, -3) | 2.5 | 'a' | None | (2, 'a') | True
    | np.int64(3) | torch.tensor(2) | (torch.tensor(2), 3) | 1, 1, 2 | 10**20 | 2**62 | (2.5, 1) | (2, None) | [[2, 3]]
    | (True, 2) | 2, True | torch.ones(2) | np.array(2) | 3, 'a' | (0, 2**62, 4) | range(2) | (3, 1) | (1, 3, 1)
    | 4, 0, 2 | 2, 3, 4, 5 | (np.int8(2), 1) | {2: 3} | 2, 3 | (2, 3) | 3 | (3,) | (1, 2) | [3] | [2, 2]"""
) + [""]
FILLS = pool(
    """0 | 1 | -1 | 3 | 2.5 | -0.5 | True | False | 1j | 1+0j | 255 | 256 | -255 | -256 | 127 | -129 | 70000 | 2**31
    | 2**63 | 2**63-1 | -2**63 | 2**64 | -2**63-1 | 1e39 | 1e300 | 65504.0 | 65520.0 | float('inf') | float('-inf')
    | float('nan') | np.float32(2.5) | np.int8(3) | np.bool_(True) | np.complex64(2) | torch.tensor(2)
    | torch.tensor(2.5) | torch.tensor([2]) | torch.tensor(True) | torch.tensor(1j) | 'a' | None | [1] | 448.0 | 464.0
    | 500.0 | 0.1 | -0.0 | 1e-8 | 1e-46"""
)
NUMBERS = pool(
    """0 | 1 | -1 | 2 | 5 | 10 | -7 | 0.5 | -0.3 | 1e-3 | 2.75 | True | False | 1+0j | 1j | float('inf') | float('nan')
    | np.float64(1.5) | np.int16(3) | np.bool_(1) | torch.tensor(3) | torch.tensor(0.25) | torch.tensor([1])
    | torch.tensor(True) | 'a' | None | [1] | 2**63 | 2**64 | 300 | -300 | 7.3 | 100"""
)
TENSORS = pool(
    """torch.ones(2, 3) | torch.ones(2, 3).t() | torch.ones(2, 4)[:, ::2] | torch.ones(2, 3, 4).permute(2, 0, 1)
    | torch.ones(1, 3).expand(4, 3) | torch.ones(0, 3) | torch.tensor(3) | torch.ones(3, dtype=torch.int32)
    | torch.ones(2, dtype=torch.bool) | torch.ones(2, dtype=torch.float64) | torch.ones(2, dtype=torch.complex64)
    | torch.ones(2, 3, device='meta') | torch.ones(2, requires_grad=True) | torch.ones(2, 3, 4, 5)
    | torch.ones(2, 1, 3) | torch.ones(2, dtype=torch.uint8) | torch.ones(2, dtype=torch.float16)
    | torch.ones(2, 3)[1:] | torch.ones(2, dtype=torch.complex64).conj() | torch.ones(6).as_strided((2, 2), (1, 1))"""
)
NO_TENSORS = pool("3 | None | np.ones(3) | 'a' | [1, 2] | torch.float32")
OUTS = pool(
    """torch.empty(0) | torch.zeros(3) | torch.zeros(2, 3, dtype=torch.int64) | torch.zeros(6)[::2] | None | 3
    | torch.zeros(3, device='meta') | torch.ones(1).expand(3) | torch.ones(3, requires_grad=True)
    | torch.zeros(4, dtype=torch.complex64) | torch.zeros(3, 2).t() | torch.zeros(2, dtype=torch.float16)
    | torch.zeros(5, dtype=torch.uint8)"""
)
OPTIONS = [f"dtype=torch.{d}" for d in DTYPES] + pool(
    """dtype=float | dtype=int | dtype=bool | dtype=None | dtype='x' | dtype=3 | dtype=np.float32 | device='meta'
    | device='cpu' | device=None | device='cuda' | device='foo' | device=3 | device=2.5 | device=torch.device('meta')
    | layout=torch.strided | layout=None | layout=3 | pin_memory=False | pin_memory=True | pin_memory=None
    | pin_memory=1 | requires_grad=True | requires_grad=False | requires_grad=None | requires_grad=1 | foo=1"""
)
GOOD_OPTIONS = [o for o in OPTIONS if re.search(r"torch\.|meta|cpu|None|requires_grad=True", o)]
FORMATS = [
    f"memory_format={f}"
    for f in pool(
        "torch.contiguous_format | torch.channels_last | torch.channels_last_3d | 3 | torch.preserve_format | None"
    )
]
LEAVES = pool(
    """1 | 2 | -3 | 0 | 1.5 | -0.25 | True | False | 2j | 1+1j | 2**62 | 2**63 | 10**30 | 1e40 | float('inf')
    | float('nan') | 300 | -1 | np.float32(1.5) | np.float64(0.1) | np.int8(3) | np.uint16(3) | np.bool_(True)
    | np.complex64(1) | np.array([1, 2]) | np.array(1) | torch.tensor(1) | torch.tensor(2.5) | torch.tensor([1])
    | torch.tensor([1, 2]) | None | 'a' | '' | {} | fractions.Fraction(1, 2) | range(2) | (1, 2) | [] | object"""
)
PLAIN_LEAVES = pool("1 | 2 | -3 | 1.5 | 0.1 | True | 7 | 2j | 0.3 | 12")
ARRAYS = pool(
    """np.arange(6) | np.arange(6).reshape(2, 3).T | np.arange(6.)[::2] | np.arange(6)[::-1] | np.array(2.5)
    | np.zeros((0, 3)) | np.array([1], '>i4') | np.array(['a']) | np.array([None]) | np.array([1+2j])
    | np.array([1.5, -2.7], np.float16) | np.broadcast_to(np.arange(3), (2, 3)) | np.zeros((1, 3))[:, ::2]
    | np.zeros((3, 4))[:, None, ::2] | np.frombuffer(b'abcdefgh', np.int32) | np.array([True, False])
    | np.array([1, 2], np.uint64) | np.array([3], 'datetime64[s]') | np.array([1], np.longdouble)
    | np.ndarray((2,), np.int32, bytearray(16), 0, (6,)) | np.ndarray((2,), np.int32, bytearray(16), 1, (4,))
    | np.zeros((2, 3, 4)).transpose(2, 0, 1) | np.ma.array([1, 2], mask=[0, 1]) | np.array([300, -5], np.int16)
    | np.zeros((2, 0, 3)) | np.array([(1, 2)], 'i4,i4') | np.array(['a', 'b'])[::-1]
    | np.arange(8.).reshape(2, 2, 2)[:, 1]"""
)
DATA = [
    *ARRAYS,
    *TENSORS,
    *pool(
        """np.float64(2.5) | np.int8(3) | np.bool_(True) | 5 | 2.5 | True | 1j | None | 'abc' | {} | {1, 2} | range(4)
        | bytearray(b'abcd') | b'abcd' | memoryview(b'abcd') | array.array('i', [1, 2]) | array.array('d', [1, 2])
        | collections.deque([1, 2]) | (i for i in range(3)) | torch.Size([2, 3]) | {1: 2}.keys()
        | fractions.Fraction(1, 2) | torch.float32 | [[1, 2], [3]] | [1, [2]] | [[1], 2]
        | [torch.ones(2), torch.ones(2)] | [np.arange(2), np.arange(2)] | [np.arange(2.), [1, 2]]"""
    ),
]
PARTS = pool(
    """torch.ones(2) | torch.tensor([1.5, -2.]) | torch.ones(2, 1) | torch.ones(3) | torch.ones(2, dtype=torch.float64)
    | torch.ones(2, dtype=torch.int64) | torch.ones(2, 3).t() | torch.tensor(0.5) | torch.ones(2, device='meta')
    | torch.tensor([float('inf'), 0.]) | torch.tensor([float('nan'), 3.]) | torch.ones(0) | 3
    | torch.ones(2, dtype=torch.bfloat16) | torch.arange(6.).reshape(2, 3) | torch.arange(3.)"""
)
COMPLEX_OUTS = pool(
    """torch.zeros(2) | torch.zeros(2, dtype=torch.complex64) | torch.zeros(0, dtype=torch.complex64)
    | torch.zeros(3, dtype=torch.complex128)"""
)
BUFFERS = pool(
    """bytearray(b'abcdefgh') | b'abcdefgh' | bytearray(b'abcdefg') | bytearray(b'') | np.arange(4)
    | np.arange(4)[::2] | np.arange(4).reshape(2, 2).T | [1, 2] | 'abc' | None | memoryview(bytearray(8))
    | array.array('i', [1, 2])"""
)
BUFFER_KEYWORDS = pool(
    """count=1 | count=2 | count=0 | count=-2 | count=100 | count=1.5 | offset=0 | offset=4 | offset=1 | offset=8
    | offset=-1 | requires_grad=True | foo=1"""
)
TO_NUMPY = pool(
    """numpy() | numpy(force=True) | numpy(force=1) | numpy(1) | tolist() | __array__() | __array__(np.float64)
    | __dlpack_device__() | numpy().strides | numpy().dtype | __array__(np.int8).dtype"""
)
CAPSULES = (
    pool(
        """np.arange(6.) | np.arange(6).reshape(2, 3).T | np.array([True, False]) | np.array([1 + 2j])
        | np.zeros((0, 3)) | np.array(2.5) | 3 | None"""
    )
    + [t for t in TENSORS if "meta" not in t]
    + [f"torch.ones(3).to(torch.{d})" for d in DTYPES]
)
LEGACY = [f"{kind}Tensor" for kind in ("", *"Float Double Half BFloat16 Byte Char Short Int Long Bool".split())]
TYPES = pool(
    """torch.float64 | torch.int32 | torch.DoubleTensor | torch.LongTensor | 'torch.DoubleTensor'
    | 'torch.BoolTensor' | 'torch.ComplexFloatTensor' | 'foo' | float | int | 3 | None | dtype=torch.uint8
    | torch.Tensor | 'torch.Tensor' | torch.float32 | torch.bfloat16 | str | 'torch.float64'
    | 'torch.Float8_e5m2Tensor'"""
) + [""]
