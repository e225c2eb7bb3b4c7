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

CALLS = [*SMALL, *OVERLAPS]
