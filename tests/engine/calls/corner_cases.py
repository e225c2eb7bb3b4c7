"""Calls at the corners of what ops are for, as texts that run with either engine as `t`."""

SMALL = """t.roll(t.arange(6).reshape(2,3), 1, dims=None)
t.roll(t.arange(6).reshape(2,3), 1, None)
t.roll(t.arange(6), shifts=2, dims=None)
t.roll(t.empty(0,3).t(), 1)
t.roll(t.empty(2,0,3).permute(2,0,1), 1, 0)
t.roll(t.empty(0,2,3).transpose(1,2), 1, 2)
t.roll(t.arange(6).reshape(2,3).t(), 1, 0)
t.zeros(2,0).index_fill_(0, t.tensor([1]), 1)
t.zeros(2,0).index_fill_(0, t.tensor([5]), 1)
t.zeros(2,0).index_fill(0, t.tensor([5]), 1)
t.zeros(2,3).index_fill_(0, t.tensor([5]), 1)
t.bmm(t.zeros(0,2,3,dtype=t.uint32), t.zeros(0,3,2,dtype=t.uint32))
t.bmm(t.zeros(2,0,3,dtype=t.uint32), t.zeros(2,3,2,dtype=t.uint32))
t.bmm(t.zeros(2,2,0,dtype=t.uint32), t.zeros(2,0,2,dtype=t.uint32))
t.bmm(t.zeros(2,2,0,dtype=t.bool), t.zeros(2,0,2,dtype=t.bool))
t.bmm(t.zeros(2,2,2,dtype=t.uint32), t.zeros(2,2,2,dtype=t.uint32))
t.mm(t.zeros(0,3,dtype=t.uint32), t.zeros(3,2,dtype=t.uint32))
t.mm(t.zeros(2,0,dtype=t.uint32), t.zeros(0,2,dtype=t.uint32))
t.mv(t.zeros(2,0,dtype=t.uint32), t.zeros(0,dtype=t.uint32))
t.dot(t.zeros(0,dtype=t.uint32), t.zeros(0,dtype=t.uint32))
t.matmul(t.zeros(2,2,0,dtype=t.uint32), t.zeros(2,0,2,dtype=t.uint32))
t.bmm(t.zeros(0,2,3,dtype=t.float8_e5m2), t.zeros(0,3,2,dtype=t.float8_e5m2))
t.broadcast_shapes((2,3),(4,3))
t.broadcast_shapes((2,),(3,))
t.broadcast_shapes((2,3),(3,2),(1,))
t.broadcast_shapes(2,3)
t.broadcast_shapes((-1,),(2,))
t.broadcast_shapes(-1)
t.broadcast_shapes([2,3],[1,3])
t.broadcast_shapes()
t.broadcast_shapes((0,),(3,))
t.broadcast_shapes((0,),(1,))
t.broadcast_shapes((5,2,3),(4,1,3))
t.broadcast_shapes((2,1),(1,3),(4,1,1))
t.broadcast_shapes((2,1),None)
t.fft.fft(t.tensor([1.,2,3]))
t.fft.fft(t.tensor([1.,2,3,4]))
t.fft.fft(t.arange(8.))
t.fft.rfft(t.tensor([1.,2,3,4]))
t.fft.ifft(t.tensor([1.,2,3]))
t.fft.ihfft(t.tensor([1.,2,3,4]))
t.fft.fft(t.tensor([1,2,3]))
t.fft.fft(t.ones(4))
t.fft.fft(t.tensor([1.,0,0,0]))
t.fft.ifft(t.ones(4))
t.fft.fft(t.tensor([5.]))
t.fft.fft(t.tensor([1.,2,3]),dim=0,norm="ortho")
t.fft.ifft(t.tensor([1.,2,3,4]),norm="forward")
t.fft.fft2(t.ones(3,2))
t.fft.fft2(t.ones(2,2),norm="ortho")
t.fft.fft2(t.arange(6.).reshape(3,2))
t.fft.fftn(t.arange(4.))
t.fft.fftn(t.arange(8.).reshape(2,2,2))
t.fft.fft(t.tensor([1.,2,3]),n=5)
t.fft.fft(t.arange(6.).reshape(2,3),dim=0)""".splitlines()

_VIEWS = (
    "t.arange(1., 7).unfold(0, 3, 1)", "t.arange(1., 10).unfold(0, 4, 2)", "t.arange(1., 9).as_strided((3, 3), (2, 1))",
    "t.arange(1., 9).as_strided((2, 3), (1, 1))", "t.arange(1., 4).expand(2, 3)",
    "t.arange(1., 13).reshape(3, 4).unfold(1, 2, 1)", "t.arange(1., 9).as_strided((2, 2, 2), (2, 1, 1))",
    "t.arange(1., 7).unfold(0, 3, 1).t()",
)  # fmt: skip
_WRITES = (
    "mul_(2.)", "add_(1.)", "sub_(1.)", "div_(2.)", "neg_()", "square_()", "pow_(2.)", "abs_()", "clamp_(2., 4.)",
    "fill_(3.)", "zero_()", "mul_(t.arange(1., x.numel() + 1).reshape(x.shape))", "add_(t.arange(1., x.shape[-1] + 1))",
    "lerp_(t.arange(1., x.numel() + 1).reshape(x.shape), .5)", "relu_()", "remainder_(2.)", "round_()", "fmod_(2.)",
    "clamp_min_(3.)", "logical_not_()", "eq_(2.)", "floor_divide_(2.)", "uniform_()", "bernoulli_(.5)",
)  # fmt: skip
OVERLAPS = [f"[x := {view}, x.{write}, x._base][2]" for view in _VIEWS for write in _WRITES]

COPIES = """t.as_strided_copy(x, (2, 2), (1, 2))
t.detach_copy(x)
t.detach_copy(x.t())
t.alias_copy(x.t())
t.diagonal_copy(x)
t.diagonal_copy(x, offset=1)
t.expand_copy(x[:1], (2, 3))
t.permute_copy(x, (1, 0))
t.select_copy(x, 0, 1)
t.select_copy(x, dim=1, index=2)
t.slice_copy(x, 1, 0, 3, 2)
t.slice_copy(x)
t.slice_copy(x.t(), 0, 1)
t.split_copy(x, 2, dim=1)
t.split_with_sizes_copy(x, [1, 2], dim=1)
t.squeeze_copy(x[:1])
t.squeeze_copy(x[:1], 0)
t.t_copy(x)
t.transpose_copy(x, 0, 1)
t.transpose_copy(x, dim0=0, dim1=1)
t.unbind_copy(x, 1)
t.unfold_copy(x, 1, 2, 1)
t.unsqueeze_copy(x.t(), 1)
t.view_copy(x, (3, 2))
t.view_copy(x, t.int32)
t.view_as_real_copy(t.complex(x, x))
t.view_as_complex_copy(x[:, :2])
t.transpose_copy(x, 0, 1, out=t.empty(0))
t.transpose_copy(x, 0, 1, out=t.empty(3, 2))
t.select_copy(x, 0, 1, out=t.empty(2, 3).t()[:, 0])
t.transpose_copy(x, 0, 5)
t.view_copy(x.t(), (6,))
t.transpose_copy(x, 0, 1, out=t.empty(0, dtype=t.float64))
t.alias_copy(x, out=t.empty(0, dtype=t.complex64))
t.unbind_copy(x, out=(t.empty(0, dtype=t.int64), t.empty(0)))
t.diag(x, out=t.empty(0, dtype=t.complex64))
t.diag(x[0], out=t.empty(0, dtype=t.float64))
t.indices_copy(x.to_sparse_csr())
t.indices_copy(x)
t.values_copy(x.to_sparse_csr())
t.values_copy(x.to_sparse_bsr((1, 3)))
t.values_copy(x)
t.values_copy(3)
t.crow_indices_copy(x.to_sparse_csr())
t.crow_indices_copy(x.to_sparse_csr(), out=t.empty(0, dtype=t.int64))
t.crow_indices_copy(x.to_sparse_csr(), out=t.empty(0))
t.crow_indices_copy(x.to_sparse_csc())
t.col_indices_copy(x.to_sparse_csr())
t.col_indices_copy(x)
t.ccol_indices_copy(x.to_sparse_csc())
t.ccol_indices_copy(x.to_sparse_csr())
t.row_indices_copy(x.to_sparse_bsc((2, 1)))
t.row_indices_copy()""".splitlines()
"""Copies of what views show; `x` is `arange(6.).reshape(2, 3)`."""

SEGMENTS = [
    *[
        f't.segment_reduce(x, "{reduce}", {cuts}{initial})'
        for reduce in ("sum", "mean", "prod", "max", "min", "amax")
        for cuts in (
            "lengths=t.tensor([1, 0, 5])",
            "offsets=t.tensor([0, 2, 2, 5])",
            "lengths=t.tensor([[1, 1]] * 6), axis=1",
            "offsets=t.tensor([[0, 0, 2]] * 6), axis=-1",
        )
        for initial in ("", ", initial=3")
    ],
    *[
        f"t.segment_reduce(x, {rest})"
        for rest in """"sum"
"sam", lengths=t.tensor([1, 5])
"sum", lengths=t.tensor([1, 4])
"sum", lengths=t.tensor([1, 4]), unsafe=True
"sum", lengths=t.tensor([-1, 7])
"sum", lengths=t.tensor([-1, 7]), unsafe=True
"sum", lengths=t.tensor([], dtype=t.int64)
"sum", lengths=t.tensor([], dtype=t.int64), unsafe=True
"sum", lengths=t.tensor([1., 5.])
"sum", lengths=t.tensor([1, 5], dtype=t.int32)
"sum", lengths=t.tensor([1, 5]), axis=1
"sum", lengths=t.tensor([1, 5]), axis=5
"sum", lengths=t.tensor(6)
"sum", lengths=t.tensor([[[1]]])
"sum", offsets=t.tensor([0, 4, 3])
"sum", offsets=t.tensor([], dtype=t.int64)
"sum", indices=t.tensor([0, 0, 0, 1, 1, 1])
"sum", lengths=t.tensor([1, 5]), initial=1e300
"sum", lengths=t.tensor([1, 5]), initial=2j
"sum", lengths=t.tensor([1, 5]), initial=t.tensor(2.)
"sum", lengths=[1, 5]
"sum", lengths=t.tensor([1, 5]), out=t.empty(0)
"sum", t.tensor([1, 5])""".splitlines()
    ],
    *[
        f't.segment_reduce(t.linspace(0.5, 1.7, 40).to(t.{d}), "{reduce}", lengths=t.tensor([30, 10]))'
        for d in ("float16", "bfloat16", "float32", "float64", "int64", "complex64")
        for reduce in ("sum", "mean", "prod", "max")
    ],
    *[
        f't.segment_reduce(t.tensor([1, t.nan, 2, -t.inf]), "{reduce}", lengths=t.tensor([2, 0, 2]))'
        for reduce in ("sum", "mean", "prod", "max", "min")
    ],
    't.segment_reduce(t.empty(3, 0), "mean", lengths=t.tensor([1, 2]))',
    't.segment_reduce(t.empty(0, 3), "mean", offsets=t.tensor([0, 0, 0]))',
]
"""Segments along a dimension; `x` is `arange(12.).reshape(6, 2)`."""

_SPECIAL = "t.tensor([0., -0., 1., -2., t.inf, -t.inf, t.nan, 1e-40, 1e38])"
QUOTIENTS = [
    *[
        f"{number} / (t.arange(1., 40.) / 7).to(t.{d})"
        for number in ("3.7", "True", "-5", "t.tensor(0.1)", "(2+1j)")
        for d in ("float32", "float64", "float16", "bfloat16", "int64", "bool", "complex64")
        if (number, d) != ("(2+1j)", "float16")  # which would be complex32, and that has no kernels here
    ],
    *[f"(3 / (t.arange(1., 40.) / 7).to(t.{d})).tolist()" for d in ("float32", "float64", "float16", "bfloat16")],
    "(1 / t.complex(t.arange(1., 40.) / 7, t.arange(40., 1., -1.) / 3)).tolist()",
    *[
        f"t.complex({_SPECIAL}.to(t.{d}).repeat_interleave(9), {_SPECIAL}.to(t.{d}).repeat(9)).reciprocal().tolist()"
        for d in ("float32", "float64")
    ],
    f"{_SPECIAL}.reciprocal()",
]
"""A number divided by a tensor is the number times the reciprocal; some parts are infinite."""

_PLACES = (
    "(0,), 0, [0]", "(0, 3), 0, [0]", "(0, 3), 0, [-7]", "(0, 3), 0, [1, 1]", "(3, 0), 0, [5]", "(3, 0), 1, [0]",
    "(0, 0), 1, [0]", "(2, 1, 0), 1, [3]", "(2, 1, 0), 2, [3]", "(2, 0, 3), 0, [5]", "(2, 0, 3), 1, [0]",
    "(2, 0, 3), 2, [9]", "(3,), 0, [5]", "(3,), 0, [-1]", "(3, 2), 0, [5]", "(3, 2), 1, [-1]", "(3, 2), 1, [5]",
    "(3, 2, 2), 2, [5]", "(2, 1, 3), 1, [1]", "(0, 3), 0, []", "(), 0, [1]", "(), 0, [0]", "(), 0, [0, 0]",
    "(3, 2), 5, [0]",
)  # fmt: skip
_SOURCE = "t.ones([len(i) if d == dim else n for d, n in enumerate(size)])"
PLACES = [
    f"[(size, dim, i := t.tensor(i, dtype=t.int64)), t.zeros(size).{call}][1]"
    for call in (
        "index_select(dim, i)", f"index_add_(dim, i, {_SOURCE})", f"index_copy_(dim, i, {_SOURCE})",
        f"index_copy(dim, i, {_SOURCE})", f"index_reduce_(dim, i, {_SOURCE}, 'amax')", "index_fill_(dim, i, 7.)",
        "index_fill(dim, i, 7.)",
    )
]  # fmt: skip
"""Places along dimensions without elements, and beyond their end."""

OUTCOMES = """t.ones(3).allclose(t.ones(3), -10**30)
t.ones(3).allclose(t.ones(3), 10**30)
t.allclose(t.ones(3), t.ones(3), 1e-3, -0.25)
t.allclose(t.ones(3), t.ones(3), t.nan)
t.isclose(t.ones(3), t.ones(3), atol=10**30)
t.frac(t.ones(2), out=t.zeros(2, dtype=t.float64))
t.round(t.ones(2), out=t.zeros(2, dtype=t.float64))
t.round(t.tensor([1, 2]), out=t.zeros(2))
t.round(t.ones(2), decimals=1, out=t.zeros(2, dtype=t.float64))
t.ones(3).nanmean((0,), False, dtype=t.float64)
t.ones(3).nanmean(dtype=t.int64)
t.ones(3).nanmean(dtype=t.complex64)
t.all(t.ones(2), out=t.zeros(3, dtype=t.int64))
t.all(t.ones(2, 2), 0, out=t.zeros(2))
t.any(t.ones(2), out=t.zeros(3))
t.any(t.ones(2), out=t.zeros((), dtype=t.uint8))
t.argmax(t.ones(2), out=t.zeros(()))
t.argmin(t.ones(2, 2), 1, out=t.zeros(2, dtype=t.int32))
t.argmin(t.ones(2, 2), 1, out=t.zeros(2, dtype=t.int64))
t.fft.rfftfreq(2, d=0)
t.fft.fftfreq(3, d=0)
t.fft.fftfreq(3, 0.5)
t.ones(2, dtype=t.int32) + 2**64
t.ones(2, dtype=t.int32) + (-2**63 - 1)
t.ones(2, dtype=t.bool) == -2**70
t.ones(2, dtype=t.int64) & -2**70""".splitlines()
"""Calls that random arguments turned up: dtypes of out=, tolerances of any size, widths of 0."""

NUMBERS = """t.tensor([3, 200], dtype=t.uint8) == 259
t.tensor([3, 200], dtype=t.uint8) != -56
t.tensor([3, 200], dtype=t.uint8) < 300
t.tensor([3, 200], dtype=t.uint8) > 300
t.tensor([3, 200], dtype=t.uint8) >= -1
t.tensor([[3, 200]], dtype=t.uint8) <= -1
t.tensor([3], dtype=t.uint8) < 200
259 == t.tensor([3], dtype=t.uint8)
t.tensor([3], dtype=t.int8) > 128
t.tensor([3], dtype=t.int16) == 65539
t.tensor([3], dtype=t.int32) < 2**31
t.tensor([3]) < 2**63
t.tensor([-1]) == 2**64 - 1
t.tensor([3]) < 2**64
t.tensor([3.]) < 2**64
t.tensor([3.]) < 2**63
t.tensor([3.]) == -2**63 - 1
t.tensor([True]) == 256
t.tensor([True]) == 2**64
t.tensor([1, 2], dtype=t.half) < 70000
t.where(t.tensor([True, False]), t.tensor([3], dtype=t.uint8), 259)
t.where(t.tensor([True, False]), -256, t.tensor([3], dtype=t.uint8))
t.where(t.tensor([True, False]), t.tensor([3], dtype=t.uint8), -1)
t.where(t.tensor([True, False]), t.tensor([3.]), 1e40)
t.where(t.tensor([True, False]), t.tensor([3.], dtype=t.half), 70000)
t.where(t.tensor([], dtype=t.bool), 128, t.tensor(3, dtype=t.int8))
t.tensor([3], dtype=t.uint8) ** 257
t.tensor([3], dtype=t.int8) ** 127
t.tensor([3], dtype=t.int8).pow_(128)
t.tensor([3], dtype=t.half) ** 70000
t.tensor([1.]) ** 1e39
t.tensor([True, False]) ** True
t.tensor([True, False]) ** False
t.tensor([True, False]) ** 2
t.tensor([True, False]).pow_(True)
t.pow(t.tensor([True, False]), t.tensor(True))
t.pow(True, t.tensor([True, False]))
t.pow(t.ones(2, 3, dtype=t.bool), t.ones(2, dtype=t.bool))
t.tensor([1]) + np.bool_(True)
t.tensor([True]) & np.bool_(True)
t.tensor([1]) - np.bool_(True)
t.tensor([1]).add_(np.bool_(True))
t.tensor([1]) * np.longdouble(2)
t.tensor([1]) * np.complex64(2j)
t.tensor([1.]).mul_(np.complex128(3))
t.tensor([True]) * np.uint8(2)
t.result_type(t.tensor([1]), np.float32(1))
t.result_type(t.tensor([1]), np.bool_(True))
t.result_type(np.float32(1), np.int32(1))
t.add(t.ones(2), t.ones(2), alpha=t.tensor([2.]))
t.add(t.ones(2), t.ones(2), alpha=t.tensor(2.))
t.add(t.ones(2, dtype=t.int64), t.ones(2, dtype=t.int64), alpha=t.tensor(2.))
t.add(t.ones(2), t.ones(2), alpha=np.float32(2))
t.ones(2).sub_(t.ones(2), alpha=t.tensor([2.]))
t.ones(2).add(1, alpha="a")""".splitlines()
"""Numbers beyond a dtype: a comparison wraps them, other ops refuse them. NumPy's scalars and tensors as numbers."""

ARGUMENTS = """t.trapezoid(t.tensor([1., 2, 3]), t.tensor([0., 1]))
t.cumulative_trapezoid(t.tensor([1., 2, 3]), t.tensor([0., 1]))
t.trapezoid(t.ones(2, 3), t.tensor([0., 1]), dim=0)
t.trapezoid(t.ones(2, 3), t.tensor([0., 1]), dim=1)
t.trapezoid(t.ones(2, 3), t.tensor([[0., 1, 3]]), dim=1)
t.trapezoid(t.ones(2, 3), t.tensor([[0., 1, 3], [1, 2, 3]]), dim=1)
t.trapezoid(t.ones(2, 3), t.tensor([[0.], [1]]), dim=0)
t.trapezoid(t.ones(2, 2, 3), t.tensor([[0., 1, 3], [1, 2, 3]]), dim=1)
t.trapezoid(t.ones(2, 2, 3), t.tensor([[0., 1, 3], [1, 2, 3]]), dim=2)
t.trapezoid(t.ones(2, 2, 3), t.tensor([[0., 1, 3], [1, 2, 3]]), dim=-1)
t.trapezoid(t.ones(2, 2, 3), t.tensor([[0., 1, 3], [1, 2, 3]]), dim=0)
t.trapezoid(t.ones(3), t.tensor([[0., 1, 3], [1, 2, 3]]))
t.trapezoid(t.ones(3), t.tensor(1.))
t.trapezoid(t.ones(0), t.ones(0))
t.trapezoid(t.ones(0, 3), t.ones(2), dim=0)
t.trapezoid(t.ones(2, 0))
t.trapezoid(t.ones(3), t.tensor([True, False, True]))
t.trapezoid(t.tensor([True, False, True]), t.ones(3))
t.trapezoid(t.tensor([1, 2, 3]), t.tensor([0, 1, 3]))
t.trapezoid(t.ones(3), t.ones(1))
t.trapezoid(t.ones(1), t.ones(1))
t.trapezoid(t.ones(3), t.tensor([0, 1, 2j]))
t.cumulative_trapezoid(t.ones(2, 3), t.tensor([0., 1]), dim=0)
t.cumulative_trapezoid(t.ones(2, 3), t.tensor([[0., 1, 3]]), dim=1)
t.cumulative_trapezoid(t.ones(2, 2, 3), t.tensor([[0., 1, 3], [1, 2, 3]]), dim=1)
t.cumulative_trapezoid(t.ones(3), t.tensor(1.))
t.cumulative_trapezoid(t.ones(0), t.ones(0))
t.trapezoid(t.ones(3), x=t.arange(3.), dx=2)
t.trapezoid(t.ones(3), 2.)
t.trapezoid(t.ones(3), dx=t.tensor(2.))
t.diff(t.tensor([1, 4]), prepend=t.tensor(0))
t.diff(t.tensor([1, 4]), append=t.tensor([[1]]))
t.diff(t.tensor([[1, 4]]), append=t.tensor([1]))
t.diff(t.tensor([[1, 4]]), append=t.tensor([[1], [2]]))
t.diff(t.tensor([[1, 4]]), append=t.tensor([[1, 2]]), dim=0)
t.diff(t.tensor([[1, 4]]), append=t.tensor([[1, 2, 3]]), dim=0)
t.diff(t.tensor([1, 4]), append=t.tensor([1.]))
t.diff(t.tensor([1, 4]), append=t.tensor([1]), n=0)
t.diff(t.tensor([1, 4]), append=t.tensor(1), n=0)
t.diff(t.tensor([1, 4]), dim=3)
t.diff(t.tensor([1, 4]), out=t.empty(0))
t.dist(t.tensor([1]), t.tensor([3]))
t.dist(t.tensor([True]), t.tensor([3]))
t.dist(t.tensor([1.]), t.tensor([3]))
t.dist(t.tensor([1., 2]), t.tensor([3, 5.]), 1)
t.dist(t.tensor([1., 2]), t.tensor([3, 5.]), 0)
t.dist(t.tensor([1., 2]), t.tensor([3, 5.]), float("inf"))
t.dist(t.tensor([1., 2]), t.tensor([3, 5., 6]))
t.dist(t.tensor([1., 2j]), t.tensor([3, 5.]))
t.dist(t.zeros(2, dtype=t.half), t.ones(2, dtype=t.half))
t.dist(t.tensor([1, 2]), t.tensor([3, 5]), 1j)
t.zeros(2, 3).unflatten(0, 2)
t.zeros(2, 3).unflatten(0, [2])
t.zeros(2, 3).unflatten(0, t.tensor([2]))
t.zeros(2, 3).unflatten(0, t.tensor(2))
t.zeros(2, 3).unflatten(0, None)
t.zeros(2, 3).unflatten(0, "a")
t.zeros(2, 3).unflatten(0, 2.)
t.zeros(2, 3).unflatten(0, (2., ))
t.zeros(2, 3).unflatten("a", (2, ))
t.zeros(2, 3).unflatten(0)
t.unflatten(t.zeros(2, 3), 0, 2)
t.unflatten(t.zeros(2, 3), 0, (1, t.tensor(2)))
t.tile(t.arange(3), 2)
t.tile(t.arange(3), (2, ))
t.tile(t.arange(3), [2])
t.tile(t.arange(3), 2, 2)
t.tile(t.arange(3), dims=2)
t.tile(t.arange(3), dims=(2, ))
t.tile(t.arange(3), t.tensor(2))
t.tile(t.arange(3), ())
t.arange(3).tile(2)
t.arange(3).tile((2, ))
t.arange(3).tile()
t.arange(3).tile(t.tensor(2))
t.arange(3).tile(dims=(2, ))
t.arange(3).tile(2.)
t.zeros(2, 3).view(None)
t.zeros(2, 3).view(None, 1)
t.zeros(2, 3).view(size=None)
t.zeros(2, 3).view(dtype=None)
t.zeros(2, 3).expand(None)
t.zeros(2, 3).permute(None)
t.zeros(2, 3).permute("a")
t.zeros(2, 3).repeat(None)
t.zeros(2, 3).repeat("a")
t.zeros(2, 3).permute([1, 0], 0)
t.zeros(2, 3).permute((1, 0), 0)
t.zeros(2, 3).view([3, 2], 1)
t.zeros(2, 3).view((3, 2), 1)
t.zeros(2, 3).expand([3, 2], 1)
t.zeros(2, 3).repeat([3, 2], 1)
t.zeros(2, 3).permute(1, [0])
t.zeros(2, 3).view(3, [2])
t.zeros(2, 3).flip([0], 1)
t.zeros(2, 3).tile([2], 1)
t.zeros(2., 3)
t.zeros("a", 3)
t.zeros(None, 3)
t.zeros([2], 3)
t.zeros(True, 3)
t.rand(2., 3)
t.randn([2], 3)
t.zeros(3).new_zeros([2], 3)
t.zeros(3).new_zeros(2., 3)
t.zeros(3).resize_(2., 3)
t.zeros(3).resize_([2], 3)
t.trapezoid(t.ones(1), t.ones(2))
t.trapezoid(t.ones(1, 3), t.ones(2), dim=0)
t.cumulative_trapezoid(t.ones(0, 3), t.ones(2), dim=0)
t.cumulative_trapezoid(t.ones(1, 3), t.ones(2), dim=0)
t.trapezoid(t.ones(3, dtype=t.half), t.arange(3., dtype=t.half))""".splitlines()
"""Sizes given one by one and as a list, what stands beside what is subtracted, and the places of heights."""

DESTINATIONS = """t.diff(t.tensor([1, 4]), n=0, out=t.empty(0))
t.diff(t.tensor([1, 4]), n=1, out=t.empty(0))
t.diff(t.tensor([1, 4, 9]), n=2, out=t.empty(0))
t.diff(t.tensor([1., 4, 9]), n=2, out=t.empty(0, dtype=t.int64))
t.diff(t.tensor([1, 4]), append=t.tensor([1]), out=t.empty(0))
t.mm(t.ones(2, 2, dtype=t.int64), t.ones(2, 2, dtype=t.int64), out=t.empty(0))
t.matmul(t.ones(2, 2), t.ones(2), out=t.empty(0, dtype=t.float64))
t.matmul(t.ones(2), t.ones(2, 2), out=t.empty(0, dtype=t.float64))
t.matmul(t.ones(3, 2, 2), t.ones(2, 2), out=t.empty(0, dtype=t.float64))
t.matmul(t.ones(3, 2, 2), t.ones(3, 2, 2), out=t.empty(0, dtype=t.float64))
t.bmm(t.ones(3, 2, 2), t.ones(3, 2, 2), out=t.empty(0, dtype=t.float64))
t.addmm(t.ones(2, 2), t.ones(2, 2), t.ones(2, 2), out=t.empty(0, dtype=t.int64))
t.addbmm(t.ones(2, 2), t.ones(1, 2, 2), t.ones(1, 2, 2), out=t.empty(0, dtype=t.float64))
t.cross(t.ones(3), t.ones(3), dim=0, out=t.empty(0, dtype=t.float64))
t.isin(t.ones(3), t.ones(3), out=t.empty(0, dtype=t.float64))
t.vdot(t.ones(3), t.ones(3), out=t.empty(0, dtype=t.float64))
t.inner(t.ones(3), t.ones(3), out=t.empty(0, dtype=t.float64))
t.tensordot(t.ones(3), t.ones(3), 1, out=t.empty(0, dtype=t.float64))
t.cummin(t.ones(3), 0, out=(t.empty(0, dtype=t.float64), t.empty(0, dtype=t.int64)))
t.cummin(t.ones(3), 0, out=(t.empty(0), t.empty(0, dtype=t.int32)))
t.frexp(t.ones(3), out=(t.empty(0, dtype=t.float64), t.empty(0, dtype=t.int32)))
t.frexp(t.ones(3), out=(t.empty(0), t.empty(0, dtype=t.int64)))
t.mode(t.ones(3), 0, out=(t.empty(0), t.empty(0, dtype=t.int32)))
t.signbit(t.ones(3), out=t.empty(0))
t.sgn(t.ones(3), out=t.empty(0, dtype=t.float64))
t.nan_to_num(t.ones(3), out=t.empty(0, dtype=t.float64))
t.heaviside(t.ones(3), t.ones(3), out=t.empty(0, dtype=t.float64))
t.histogram(t.ones(3), 3, out=(t.empty(0, dtype=t.float64), t.empty(0)))
t.histogram(t.ones(3), 3, out=(t.empty(0), t.empty(0, dtype=t.float64)))
t.linalg.multi_dot([t.eye(2), t.eye(2)], out=t.empty(0, dtype=t.float64))
t.linalg.vecdot(t.ones(2), t.ones(2), out=t.empty(0, dtype=t.float64))
t.linalg.norm(t.ones(2), out=t.empty(0, dtype=t.float64))
t.linalg.matrix_norm(t.ones(2, 2), out=t.empty(0, dtype=t.float64))
t.linalg.matrix_norm(t.ones(2, 2), "nuc", out=t.empty(0, dtype=t.float64))
t.linalg.norm(t.ones(2, 2), "nuc", out=t.empty(0, dtype=t.float64))
t.linalg.norm(t.ones(2, 2), "fro", out=t.empty(0, dtype=t.float64))
t.linalg.vector_norm(t.ones(2, 2), out=t.empty(0, dtype=t.float64))
t.linalg.solve_triangular(t.eye(2), t.eye(2), upper=True, out=t.empty(0, dtype=t.float64))
t.linalg.cross(t.ones(3), t.ones(3), out=t.empty(0, dtype=t.float64))
t.linalg.pinv(t.eye(2), out=t.empty(0, dtype=t.int64))
t.linalg.matrix_power(t.eye(2), 2, out=t.empty(0, dtype=t.int64))
t.linalg.cond(t.eye(2), out=t.empty(0, dtype=t.int64))
t.linalg.tensorinv(t.eye(2), 1, out=t.empty(0, dtype=t.int64))
t.cholesky_inverse(t.eye(2), out=t.empty(0, dtype=t.int64))
t.logsumexp(t.ones(2), 0, out=t.empty(0, dtype=t.int64))
t.softmax(t.ones(2), 0, out=t.empty(0, dtype=t.float64))
t.renorm(t.ones(2, 2), 1, 0, 1., out=t.empty(0, dtype=t.float64))
t.kthvalue(t.ones(2), 1, out=(t.empty(0, dtype=t.float64), t.empty(0, dtype=t.int64)))
t.fft.fft(t.ones(2), out=t.empty(0))
t.fft.ifftn(t.ones(2), out=t.empty(0))
t.fft.rfft2(t.ones(2, 2), out=t.empty(0))
t.fft.irfft(t.ones(2), out=t.empty(0, dtype=t.complex64))
t.fft.hfft2(t.ones(2, 2), out=t.empty(0, dtype=t.int64))
t.fft.fft(t.ones(2), out=t.empty(0, dtype=t.complex128))
t.where(t.tensor([True]), 1., 2., out=t.empty(0, dtype=t.float64))
t.abs(t.tensor([3+4j]), out=t.empty(0, dtype=t.float64))
t.abs(t.tensor([3+4j]), out=t.empty(0, dtype=t.int64))
t.sum(t.tensor([1.6, 2.7]), 0, out=t.empty(0, dtype=t.int64))
t.sum(t.tensor([True, True]), 0, out=t.empty(0, dtype=t.bool))
t.sum(t.tensor([1.6, 2.7]), 0, out=t.empty(0, dtype=t.half))
t.sum(t.tensor([1, 2]), 0, dtype=t.float32, out=t.empty(0, dtype=t.int64))
t.sum(t.tensor([1, 2]), out=t.empty(0, dtype=t.int64))
t.prod(t.tensor([1.6, 2.7]), 0, out=t.empty(0, dtype=t.int64))
t.mean(t.tensor([1, 2]), 0, dtype=t.float64, out=t.empty(0))
t.mean(t.tensor([1., 2]), 0, out=t.empty(0, dtype=t.int64))
t.mean(t.tensor([1., 2]), out=t.empty(0, dtype=t.int64))""".splitlines()
"""`out=` of another dtype than the result: which ops convert, and how the others refuse."""

FORMS = """t.ones(0).std(correction=-1)
t.var_mean(t.ones(2, 0, 3), 1, correction=-1)
t.kron(t.tensor(2.), t.tensor(3.))
t.isin(t.ones(2), True)
t.isin(t.tensor([1, 2]), 2.5)
t.ldexp(t.ones(2), t.tensor([True, False]))
t.ones(2).ldexp_(t.tensor([True, False]))
t.ldexp(t.ones(2), t.tensor([1, 2], dtype=t.uint16))
t.ldexp(t.ones(2, dtype=t.bool), t.tensor([True, False]))
t.ldexp(t.ones(2, dtype=t.float16), t.tensor([20, 3]))
t.ldexp(t.full((2,), 1e-30), t.tensor([200, -20]))
t.full((2,), 1e-30).ldexp_(t.tensor([200, -20]))
t.ldexp(t.ones(2), t.tensor([1., 2.5]))
t.ldexp(t.ones(2, requires_grad=True), t.tensor([1, 2]))
t.ldexp(t.ones(2), t.tensor([1, 2]), out=t.empty(0, dtype=t.int64))
t.ones(3, 0).var(0, correction=-1)
t.clamp(t.tensor([True, False]), True)
t.clamp(t.tensor([True, False]), True, False)
t.clamp(t.tensor([True, False]), t.tensor(True))
t.clamp(t.tensor([True, False]), 0)
t.clamp_max(t.tensor([True, False]), True)
t.flip(t.ones(2, 3), 1)
t.flip(t.ones(2, 3), 0, 1)
t.flip(t.ones(2, 3), [1])
t.flip(t.ones(2, 3), dims=1)
t.permute(t.ones(2, 3), 1, 0)
t.permute(t.ones(2, 3), (1, 0))
t.reshape(t.ones(2, 3), 3, 2)
t.reshape(t.ones(2, 3), 6)
t.reshape(t.ones(2, 3), shape=(6, ))
t.inner(t.tensor([1+1j, 2]), t.tensor(2.))
t.inner(t.tensor([True, False]), t.ones(2, 3, dtype=t.int64))
t.tensor([1+1j, 2]).mode(-1, True)
t.tensor([True, False]).mode()
t.tensor([1, 2], dtype=t.uint16).mode()
t.tensor([True, False]).nanmedian()
t.nanmedian(t.tensor([True, False]), 1)
t.tensor([1+1j, 2]).aminmax()
t.ones(2).add_()
t.ones(2).mul_()
t.ones(2).pow_()
t.ones(2).div_()
t.ones(2).add_(alpha=2)
t.ones(2) @ 2
2 @ t.ones(2)
t.ones(2) @ None
t.zeros(1, 1, 3).squeeze(0, 1)
t.zeros(1, 1, 3).squeeze_(0, 1)
t.squeeze(t.zeros(1, 1, 3), 0, 1)
t.zeros(1, 1, 3).squeeze([0, 1])
t.zeros(1, 1, 3).squeeze(0, 5)
t.zeros(2, 3).count_nonzero(0, 1)
t.count_nonzero(t.zeros(2, 3), 0, 1)
t.arange(5).split(t.tensor([2, 3]))
t.split(t.arange(5), t.tensor([2, 3]))
t.arange(5).split(t.tensor([2]))
t.arange(5).split(t.tensor(2.))
t.arange(5).split(None)
t.arange(5).split("a")
t.arange(5).split([2., 3])
t.zeros(3).masked_fill_(t.ones(4), 1)
t.zeros(3).masked_fill_(t.ones(4, dtype=t.bool), t.ones(2))
t.zeros(3).masked_fill_(t.ones(4, dtype=t.bool), 1)
t.zeros(3).masked_fill(t.ones(4), 1)
t.zeros(3).masked_fill(t.ones(4, dtype=t.bool), t.ones(2))
t.tensor([1+1j, 2]).unique_consecutive()
t.tensor([1+1j, 2]).unique()
t.tensor([1+1j, 2]).unique(dim=0)
t.tensor([1+1j, 2]).unique_consecutive(dim=0)
t.tensor([1], dtype=t.uint16).unique_consecutive()
t.tensor([1.], dtype=t.float8_e4m3fn).unique_consecutive()
t.tensor([1.], dtype=t.half).unique_consecutive()
t.tensor([True]).unique_consecutive()""".splitlines()
"""Functions that take a list where the method takes numbers, operators, missing arguments, dtypes without order."""

_ZERO = "t.complex(t.tensor([0., -0., 0., 2.]), t.tensor([0., -0., -0., -3.]))"
ZEROS = [f"{_ZERO}.{call}" for call in "rsqrt() reciprocal() __pow__(-1) __pow__(-1-1j) __pow__(-2.5)".split()]
_FAR = "t.complex(t.tensor([t.nan, 1., t.inf, -t.inf, 0., t.inf]), t.tensor([0., t.nan, 0., 0., t.inf, t.nan]))"
_EXPONENTS = "0 1 2 -1 0.5 -0.5 1.5 -1.5 1j 1+1j -1-1j".split()
ZEROS += [f"{_FAR} ** ({exponent})" for exponent in _EXPONENTS]
ZEROS += [f"{_FAR} ** t.tensor([{exponent} + 0j])" for exponent in _EXPONENTS]
"""Powers of a complex zero, which are infinite where the exponent is negative, and of what is not finite."""

INFINITE = [
    f"t.{name}(t.tensor([[1., t.nan, t.inf], [-t.inf, 0., -0.]]), 0.3, 0, interpolation='{way}')"
    for name in ("quantile", "nanquantile")
    for way in ("linear", "midpoint", "nearest", "lower", "higher")
]

RECORDED = """t.quantile(x, t.nan)
t.quantile(x, t.tensor([t.nan]))
t.quantile(x, 2)
t.nanquantile(x, -1)
t.quantile(x, 0.5, 0, interpolation='x')
t.quantile(x, t.tensor([[0.5]]), 0)
t.quantile(x, 0.5, 3)
t.diff(x, n=-1)
t.combinations(x[0], 0)
t.combinations(x[0], -1)
t.norm(x, dim=())
t.norm(x, dim=[], keepdim=True)
t.norm(x, dim=(0, 0))
t.norm(x, dtype=t.complex64)
t.norm(x, dim=0, dtype=t.complex64)
t.linalg.norm(x, dtype=t.complex64)
t.linalg.vector_norm(x, dtype=t.complex64)
t.linalg.vector_norm(x.double(), dtype=t.float32)
t.linalg.matrix_norm(x, dtype=t.complex64)
t.linalg.matrix_norm(x, 'nuc', dtype=t.complex64)
t.linalg.cholesky(x * t.nan)
t.linalg.cholesky(t.tensor([[1., 1.], [1., t.nan]]) + 0 * x)
t.linalg.lstsq(x, x[None])
t.linalg.lstsq(x[None, None], x)
t.pow(x[0, 0], 2**70)
t.pow(x, 2**70)""".splitlines()
"""What a row refuses is refused as well where a gradient is recorded."""

CALLS = [
    *OUTCOMES,
    *FORMS,
    *DESTINATIONS,
    *ARGUMENTS,
    *NUMBERS,
    *[f"(lambda size, dim, i: {call})({where})" for call in PLACES for where in _PLACES],
    *QUOTIENTS,
    *SMALL,
    *ZEROS,
    *INFINITE,
    *[f"(lambda x: {c})(t.tensor([[3., 4.], [1., 2.]]){r})" for c in RECORDED for r in ("", ".requires_grad_()")],
    *OVERLAPS,
    *[f"[x := t.arange(6.).reshape(2, 3), {call}][1]" for call in COPIES],
    *[f"[x := t.arange(12.).reshape(6, 2), {call}][1]" for call in SEGMENTS],
]
