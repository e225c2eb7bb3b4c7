"""What is asked about quantized tensors, of PyTorch and of ours: expressions over a pool, and generated roundings.

An expression sees one tensor of the pool as `q`, what it was made of as `x`, and two more that go with it. Every answer
is told in plain data, so that it can be frozen: numbers, ladders, strides, printed forms, refusals.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

POOL = {
    "plain": "torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)",
    "signed": "torch.quantize_per_tensor(x, 0.25, -3, torch.qint8)",
    "wide": "torch.quantize_per_tensor(x.nan_to_num(9.0, 50.0, -50.0), 0.001, 7, torch.qint32)",
    "turned": "torch.quantize_per_tensor(x, 0.1, 100, torch.quint8).t()",
    "one number": "torch.quantize_per_tensor(x, 0.5, 1, torch.quint8)[1, 1]",
    "a row": "torch.quantize_per_tensor(x, 0.5, 1, torch.quint8)[1]",
    "nothing": "torch.quantize_per_tensor(x[:0], 0.5, 1, torch.quint8)",
    "rows": "torch.quantize_per_channel(x, torch.tensor([0.1, 0.2, 0.5]), torch.tensor([0, 1, 2]), 0, torch.qint8)",
    "columns": "torch.quantize_per_channel(x, torch.arange(1, 5) / 8, torch.tensor([9, 8, 7, 6]), 1, torch.quint8)",
    "fractions": "torch.quantize_per_channel(x, torch.arange(1, 5) / 8, torch.arange(4) + 0.25, 1, torch.quint8)",
}
VALUES = "[[0.0, 1.0, 2.5, -3.0], [100.0, -100.0, 0.3, 7.0], [float('inf'), 5.0, -0.25, float('nan')]]"

QUESTIONS = """
q
q.int_repr()
torch.int_repr(q)
q.dequantize()
torch.dequantize(q)
torch.dequantize([q, q])
q.qscheme()
q.q_scale()
torch.q_zero_point(q)
q.q_per_channel_scales()
q.q_per_channel_zero_points()
q.q_per_channel_axis()
q.dtype, q.layout, q.is_quantized, q.size(), q.stride(), q.numel(), q.element_size(), q.nbytes, q.dim()
q.is_floating_point(), q.is_complex(), q.is_contiguous(), q.requires_grad, q.storage_offset()
q.is_signed()
q.item()
q.tolist()
q.numpy()
q.type()
q.untyped_storage().nbytes()
len(q)
repr(q)
str(q.clone())
f"{q}"
q.dequantize().stride()
""".strip().split("\n")

VIEWS = """
q[0]
q[-1]
q[0:1]
q[:, 1]
q[:, 1:3]
q[::2]
q[..., 0]
q[None]
q[:, None]
q[0, 0]
q.t()
q.T
q.transpose(0, 1)
q.permute(1, 0)
q.view(-1)
q.view(q.size())
q.reshape(-1)
q.reshape(2, 6)
q.flatten()
q.unsqueeze(0)
q.unsqueeze(-1)
q[:, :1].squeeze(1)
q.squeeze()
q.narrow(0, 0, 1)
q.select(0, 1)
q.unbind(0)
q.unbind(1)
q.split(1)
q.chunk(2, 1)
q.expand(2, *q.size())
q.diagonal()
q.unfold(0, 2, 1)
q.as_strided((2,), (1,))
q.movedim(0, 1)
q.detach()
q.data
q.view(7)
q[5]
q[0, 0, 0, 0]
""".strip().split("\n")

MOVES = """
q.clone()
q.t().clone()
q.contiguous()
q.t().contiguous()
torch.cat([q, q])
torch.cat([q, q], 1)
torch.cat([q, other])
torch.cat([q, q.dequantize()])
torch.stack([q, q])
torch.hstack([q, q])
q.flip(0)
q.repeat(2, 1)
q.tile(2)
q.index_select(0, torch.tensor([1, 0]))
q[torch.tensor([1, 0])]
q[mask]
q.masked_fill(mask, 1.0)
q.masked_fill(mask, torch.tensor(1.0))
q.sort()
q.sort(0, True)
q.argsort()
q.topk(2)
q.max()
q.min()
q.max(0)
q.min(1)
q.mean()
q.mean(0)
q.mean(1, True)
q.std()
q.relu()
torch.nn.functional.relu(q)
torch.nn.ReLU()(q)
torch.nn.functional.pad(q, (1, 2))
torch.nn.functional.pad(q, (1, -1), value=2.0)
torch.nn.functional.max_pool2d(torch.quantize_per_tensor(x[None], 0.1, 10, torch.quint8), 2)
torch.max_pool2d(torch.quantize_per_tensor(x[None], 0.1, 10, torch.qint8), 2, 1)
torch.max_pool1d(q, 2)
q.to_dense()
q.clamp(0.0, 1.0)
q.clamp(min=0.5)
q.clamp(max=1.0)
q.sigmoid()
q.tanh()
torch.empty_like(q).size()
torch.full_like(q, 0.5)
torch.ones_like(q)
torch.ones_like(q, dtype=torch.float32)
q == other
q != 1.0
q < q.dequantize()
q >= 0.3
torch.equal(q, q.clone())
torch.equal(q, other)
torch.equal(q, q.dequantize())
torch.allclose(q, q)
q.to(torch.float32)
q.float()
q.double()
q.int()
q.to(torch.uint8)
q.to(q.dtype)
q.to("cpu")
q.to("meta")
q.cpu()
torch.quantize_per_tensor(q, 0.1, 0, torch.quint8)
copy.copy(q)
copy.deepcopy(q)
copy.deepcopy(q.t())
pickle.loads(pickle.dumps(q))
""".strip().split("\n")

WRITES = """
q.copy_(x)
q.copy_(x.double())
q.copy_(x[0])
q.copy_(other)
q.fill_(2.0)
q.fill_(torch.tensor(2.0))
q.fill_(torch.ones(2))
q[0].fill_(1.0)
q.__setitem__(0, 5.0)
q.__setitem__((0, 0), 5.0)
q.__setitem__(0, x[0])
q.__setitem__(slice(None), x[0])
q.__setitem__(torch.tensor([0]), 5.0)
q.__setitem__(mask, 2.0)
q.__setitem__(torch.tensor([0]), q[1:2])
q.masked_fill_(mask, 1.0)
q.relu_()
q.t().fill_(3.0)
q.view(-1).fill_(1.0)
""".strip().split("\n")
"""Each is followed by what `q` is then."""

MAKING = """
torch.quantize_per_tensor(x, torch.tensor(0.1), torch.tensor(3), torch.quint8)
torch.quantize_per_tensor(x, torch.tensor(0.1, dtype=torch.float64), torch.tensor(3.7), torch.qint8)
torch.quantize_per_tensor([x, x[0]], torch.tensor([0.1, 0.2]), torch.tensor([1, 2]), torch.quint8)
torch.quantize_per_tensor(x, 0.1, 3.5, torch.quint8)
torch.quantize_per_tensor(x, 0.1, 300, torch.quint8)
torch.quantize_per_tensor(x, 0.1, -1, torch.quint8)
torch.quantize_per_tensor(x, 0.1, 128, torch.qint8)
torch.quantize_per_tensor(x, 0.1, 2**31, torch.qint32)
torch.quantize_per_tensor(x, 0.1, 0, torch.int8)
torch.quantize_per_tensor(x.double(), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(x.long(), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(x.half(), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(x, 0.1, 0)
torch.quantize_per_tensor("x", 0.1, 0, torch.quint8)
torch.quantize_per_tensor(x, torch.ones(2), torch.tensor(0), torch.quint8)
torch.quantize_per_tensor(x, 0.0, 0, torch.quint8)
torch.quantize_per_tensor(x, -0.1, 0, torch.quint8)
torch.quantize_per_tensor(x, float("nan"), 0, torch.quint8)
torch.quantize_per_tensor(x.t(), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(x[:, ::2], 0.1, 0, torch.quint8)
torch.quantize_per_tensor(torch.ones(1, 2, 3, 4).to(memory_format=torch.channels_last), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(torch.tensor(1.5), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(torch.empty(0, 3), 0.1, 0, torch.quint8)
torch.quantize_per_tensor(torch.arange(2000.0), 10.0, 0, torch.quint8)
torch.quantize_per_tensor(torch.arange(2000.0).reshape(40, 50), 10.0, 0, torch.quint8)
torch.quantize_per_tensor(torch.arange(40.0) / 7, 0.01, 0, torch.qint32)
torch.quantize_per_tensor(torch.empty(2, 3, device="meta"), 0.1, 0, torch.quint8)
torch.quantize_per_tensor_dynamic(torch.tensor([1.0, -2.0, 3.0]), torch.quint8, False)
torch.quantize_per_tensor_dynamic(torch.tensor([1.0, -2.0, 3.0]), torch.qint8, True)
torch.quantize_per_tensor_dynamic(torch.tensor([1.0, 2.0]), torch.qint32, True)
torch.quantize_per_tensor_dynamic(torch.tensor([]), torch.quint8, False)
torch.quantize_per_tensor_dynamic(torch.tensor([0.0, 1e-6]), torch.quint8, False)
torch.quantize_per_tensor_dynamic(torch.tensor([0.0]), torch.quint8, False)
torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 0]), 0, torch.quint8)
torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 0]), 2, torch.quint8)
torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 0]), -1, torch.quint8)
torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0]), 0, torch.quint8)
torch.quantize_per_channel(x, torch.ones(3), torch.tensor([0, 300, 0]), 0, torch.quint8)
torch.quantize_per_channel(x, torch.tensor([1, 2, 3]), torch.tensor([0, 3, 0]), 0, torch.quint8)
torch.quantize_per_channel(x, torch.ones(1, 3), torch.zeros(1, 3).long(), 0, torch.quint8)
torch.quantize_per_channel(x, [0.1, 0.2], [0, 1], 0, torch.quint8)
torch.quantize_per_channel(x.long(), torch.ones(3), torch.zeros(3).long(), 0, torch.quint8)
torch.quantize_per_channel(x.long(), torch.ones(3), torch.zeros(3), 0, torch.quint8)
torch.quantize_per_channel(x, torch.ones(3), torch.zeros(3).long(), 0, torch.int8)
torch.quantize_per_channel(x, torch.ones(3).half(), torch.zeros(3).int(), 0, torch.qint32)
torch.quantize_per_channel(x)
torch._make_per_tensor_quantized_tensor(torch.tensor([1, 2], dtype=torch.uint8), 0.1, 3)
torch._make_per_tensor_quantized_tensor(torch.tensor([1, 2], dtype=torch.int8), 0.1, 3)
torch._make_per_tensor_quantized_tensor(torch.tensor([1, 2], dtype=torch.int32), 0.1, 3)
torch._make_per_tensor_quantized_tensor(torch.tensor([1, 2]), 0.1, 3)
torch._make_per_channel_quantized_tensor(torch.ones(2, 3, dtype=torch.uint8), torch.ones(2), torch.ones(2).long(), 0)
torch._make_per_channel_quantized_tensor(torch.ones(2, 3, dtype=torch.uint8), torch.ones(3), torch.ones(2), 0)
torch._empty_affine_quantized([2], scale=0.5, zero_point=2, dtype=torch.quint8).q_scale()
torch._empty_affine_quantized([2], dtype=torch.qint8).q_zero_point()
torch._empty_affine_quantized([2], scale=0.1, zero_point=2)
torch.int_repr(x)
x.q_scale()
x.qscheme()
x.q_per_channel_axis()
torch.q_zero_point(3)
torch.dequantize(3)
torch.dequantize(x.double())
torch.empty(2, device="meta").int_repr()
x.to(torch.quint8)
torch.promote_types(torch.quint8, torch.float32)
torch.quint8, torch.qint8, torch.qint32, torch.quint8.itemsize, torch.qint32.itemsize, torch.quint8.is_floating_point
torch.per_tensor_affine, torch.per_channel_affine, torch.per_tensor_symmetric, torch.per_channel_symmetric
torch.per_channel_affine_float_qparams, torch.quantize_per_tensor(x, 0.1, 0, torch.quint8).qscheme()
torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 255)
torch.fake_quantize_per_tensor_affine(x, torch.tensor(0.1), torch.tensor(3), 0, 255)
torch.fake_quantize_per_tensor_affine(x.double(), 0.1, 3, 0, 255)
torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -8, 7)
torch.fake_quantize_per_tensor_affine(x, 0.1, 300, 0, 255)
torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 255, 0)
torch.fake_quantize_per_tensor_affine(x.long(), 0.1, 3, 0, 255)
torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.2, 0.5]), torch.tensor([0, 1, 2]).int(), 0, 0, 255)
torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.2, 0.5]), torch.tensor([0, 1, 2]), 0, 0, 255)
torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 1]).int(), 0, 0, 255)
""".strip().split("\n")

BY_VALUES = """
q + q
q + 1
1 - q
q * other
q / 2
q @ q.dequantize().t()
-q
abs(q)
q.exp()
q.sum()
q.sum(0)
q.prod()
q.var()
q.cumsum(0)
q.square()
q.round()
torch.maximum(q, q * 0)
torch.where(mask, q, q)
q.isnan()
q.softmax(0)
q.norm()
torch.einsum("ij,kj->ik", q, q)
x + q
torch.add(q, other, alpha=2)
""".strip().split("\n")
"""PyTorch refuses these; here they are computed with the values, as PyTorch computes them with `q.dequantize()`."""


def expressions() -> Iterator[tuple[str, str, bool]]:
    """Of which tensor of the pool, which expression, and whether it is followed by the tensor."""
    for name in POOL:
        for expression in QUESTIONS if name == "fractions" else (*QUESTIONS, *VIEWS, *MOVES):
            yield name, expression, False
        for expression in () if name == "fractions" else WRITES:
            yield name, expression, True
    for expression in MAKING:
        yield "plain", expression, False


def surroundings(torch: Any, name: str) -> dict[str, Any]:
    """The names that an expression sees."""
    import copy
    import pickle

    x = torch.tensor(eval(VALUES))
    names = {"torch": torch, "x": x, "copy": copy, "pickle": pickle}
    names["q"] = eval(POOL[name], names)
    names["other"] = torch.quantize_per_tensor(torch.full(names["q"].size(), 0.75), 0.3, 5, names["q"].dtype)
    names["mask"] = names["q"].dequantize() > 1
    return names


def asked(torch: Any, name: str, expression: str, afterwards: bool, values: bool = False) -> Any:
    """The answer to one expression, in plain data."""
    names = surroundings(torch, name)
    if values:
        names["q"], names["other"] = names["q"].dequantize(), names["other"].dequantize()
    try:
        found = told(torch, eval(expression, names))
    except Exception as error:
        return {"refused": type(error).__name__, "message": first_sentence(error)}
    return [found, told(torch, names["q"])] if afterwards else found


def first_sentence(error: BaseException) -> str:
    """The first line; of long texts on backends the first sentence."""
    line = str(error).partition("\n")[0]
    for end in (" This could be because", " You may have run into"):
        line = line.partition(end)[0]
    return line.replace("TensorBase.", "Tensor.")


def told(torch: Any, found: Any) -> Any:
    """An answer as plain data."""
    if isinstance(found, torch.Tensor):
        return _tensor(torch, found)
    if isinstance(found, torch.Size):
        return list(found)
    if isinstance(found, (tuple, list)):
        return [told(torch, one) for one in found]
    if isinstance(found, float):
        return repr(found)
    return found if isinstance(found, (bool, int, str)) else repr(found)


def _tensor(torch: Any, t: Any) -> dict[str, Any]:
    about: dict[str, Any] = {"dtype": str(t.dtype), "size": list(t.size())}
    if t.numel():
        about["stride"] = list(t.stride())
    if t.device.type == "meta":
        return about | {"device": "meta"}
    if not t.is_quantized:
        return about | {"values": [repr(v) for v in t.reshape(-1).tolist()]}
    about["rungs"] = t.int_repr().reshape(-1).tolist()
    try:
        t.dequantize()
    except RuntimeError:
        return {"broken": True}
    if t.qscheme() == torch.per_tensor_affine:
        return about | {"ladder": [repr(t.q_scale()), t.q_zero_point()]}
    scales, zero_points = t.q_per_channel_scales().tolist(), t.q_per_channel_zero_points().tolist()
    return about | {"ladders": [list(map(repr, scales)), zero_points, t.q_per_channel_axis()]}


# -- generated roundings -----------------------------------------------------------------------------------------

ENDS = {"quint8": (0, 255), "qint8": (-128, 127), "qint32": (-(2**31), 2**31 - 1)}


class Rounding:
    """Generated numbers, and the ladder that they are to be put on."""

    def __init__(self, seed: int):
        chance = random.Random(seed)
        self.dtype = ("quint8", "qint8", "qint32")[seed % 3]
        first, last = ENDS[self.dtype]
        self.scale = 10.0 ** (chance.uniform(-44, 38) if seed % 4 == 0 else chance.uniform(-5, 5))
        if seed % 29 == 0:
            self.scale = chance.choice([0.0, -0.1, float("inf"), float("nan"), 1e300, 1e-300, -1e-45])
        self.zero_point = chance.randint(first, last) if seed % 5 else chance.randint(max(first, -9), 9)
        step = self.scale if seed % 7 else 1.0
        special = [float("nan"), float("inf"), -float("inf"), 1e30, -1e30, 1e-42, 0.0, -0.0]
        self.values = [
            chance.choice(special)
            if chance.random() < 0.1
            else min(max((chance.randint(-600, 600) / 2 + chance.choice([0, 0, 1e-3, 0.25])) * step, -3e38), 3e38)
            for _ in range(12)
        ]


def rounded(torch: Any, seed: int) -> list:
    """What one ladder for all, and one for each row, make of generated numbers, and back."""
    case = Rounding(seed)
    d = getattr(torch, case.dtype)
    x = torch.tensor(case.values)
    q = torch.quantize_per_tensor(x, case.scale, case.zero_point, d)
    scales = torch.tensor([case.scale, case.scale * 3], dtype=torch.float64)
    zero_points = torch.tensor([case.zero_point, max(case.zero_point - 1, ENDS[case.dtype][0])])
    by_rows = torch.quantize_per_channel(x.reshape(2, 6), scales, zero_points, 0, d)
    return [
        q.int_repr().tolist(),
        _bits(torch, q.dequantize()),
        by_rows.int_repr().reshape(-1).tolist(),
        _bits(torch, by_rows.dequantize().reshape(-1)),
        *_dynamic(torch, x, d),
    ]


def _bits(torch: Any, values: Any) -> list:
    """Floats as their bits, with one for all that are no number."""
    return [None if b != b else i for b, i in zip(values.tolist(), values.view(torch.int32).tolist(), strict=True)]


def _dynamic(torch: Any, x: Any, d: Any) -> list:
    finite = x[x.abs() < 1e20]
    if d is torch.qint32 or not finite.numel():
        return []
    q = torch.quantize_per_tensor_dynamic(finite, d, bool(finite.numel() % 2))
    return [repr(q.q_scale()), q.q_zero_point()]
