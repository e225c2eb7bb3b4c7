"""Generated calls of pointwise ops, reductions, joins and products, as data that either engine can run.

A case names an op, its operands (values, dtype, and how the operand is looked at) and its keywords. `run` makes the
call with any module that spells like PyTorch and answers with everything that a result is: dtype, size, stride, values,
or the error's type and first line.
"""

from __future__ import annotations

import random
from typing import Any

UNARY = (
    "neg abs sign square floor ceil trunc sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh "
    "cosh tanh asinh acosh atanh reciprocal bitwise_not logical_not isnan isinf isfinite signbit"
).split()
BINARY = (
    "add sub mul div floor_divide remainder fmod pow maximum minimum fmax fmin atan2 hypot copysign bitwise_and "
    "bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift logical_and logical_or logical_xor lt le gt ge eq ne"
).split()
REDUCTIONS = "sum prod mean amax amin max min argmax argmin all any".split()
DTYPES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint64 float16 bfloat16 float32 float64 complex64 complex128 float8_e5m2"
).split()
SHAPES = [(), (1,), (3,), (0,), (2, 3), (3, 2), (1, 3), (2, 1), (2, 0), (2, 3, 2), (1, 1, 3), (4, 1, 2)]
LOOKS = ("plain", "transposed", "stepped", "expanded")
INPLACE = [
    name
    for name in BINARY + UNARY
    if name not in ("maximum", "minimum", "fmax", "fmin", "isnan", "isinf", "isfinite", "signbit")
]

Case = dict[str, Any]


def operand(rng: random.Random, dtype: str | None = None, shape: tuple[int, ...] | None = None) -> Case:
    """A tensor as data: shape, dtype, values by a seed, and how it is looked at."""
    return {
        "dtype": dtype or rng.choice(DTYPES),
        "shape": list(rng.choice(SHAPES) if shape is None else shape),
        "seed": rng.randrange(1000),
        "look": rng.choice(LOOKS) if rng.random() < 0.5 else "plain",
    }


def number(rng: random.Random) -> Any:
    """A Python number as data (complex numbers as text)."""
    return rng.choice([0, 1, 2, -3, 7, 300, True, False, 0.5, -2.0, 1e30, float("inf"), "1+2j", "2j"])


def case(seed: int) -> Case:
    """The case with this number."""
    rng = random.Random(seed)
    kind = rng.choice(["unary", "binary", "binary", "binary", "number", "reduce", "inplace", "out", "join", "matmul"])
    if kind == "unary":
        return {"kind": kind, "op": rng.choice(UNARY), "args": [operand(rng)]}
    if kind in ("binary", "out"):
        dtype = rng.choice(DTYPES)
        other = dtype if rng.random() < 0.5 else None
        found = {"kind": kind, "op": rng.choice(BINARY), "args": [operand(rng, dtype), operand(rng, other)]}
        if kind == "out":
            found["out"] = operand(rng, dtype if rng.random() < 0.5 else None)
        elif found["op"] in ("add", "sub") and rng.random() < 0.3:
            found["named"] = {"alpha": number(rng)}
        elif found["op"] == "div" and rng.random() < 0.5:
            found["named"] = {"rounding_mode": rng.choice(["floor", "trunc", "up"])}
        return found
    if kind == "number":
        args: list[Any] = [operand(rng), number(rng)]
        if rng.random() < 0.3:
            args.reverse()
        return {"kind": kind, "op": rng.choice(BINARY), "args": args}
    if kind == "inplace":
        name = rng.choice(INPLACE)
        dtype = rng.choice(DTYPES)
        args = [operand(rng, dtype)]
        if name in BINARY:
            same = dtype if rng.random() < 0.6 else None
            args.append(
                operand(rng, same, tuple(args[0]["shape"]))
                if rng.random() < 0.6
                else rng.choice([operand(rng, same), number(rng)])
            )
        return {"kind": kind, "op": name + "_", "args": args}
    if kind == "reduce":
        found = {"kind": kind, "op": rng.choice(REDUCTIONS), "args": [operand(rng)], "named": {}}
        if rng.random() < 0.6:
            found["named"]["dim"] = rng.choice([0, 1, -1, -2, 2, 5])
            if rng.random() < 0.5:
                found["named"]["keepdim"] = rng.choice([True, False])
        elif found["op"] in ("sum", "mean", "prod") and rng.random() < 0.4:
            found["named"]["dtype"] = rng.choice(DTYPES)
        return found
    dtype = rng.choice(DTYPES)
    if kind == "join":
        shape = rng.choice(SHAPES)
        parts = [
            operand(rng, dtype if rng.random() < 0.7 else None, shape if rng.random() < 0.8 else None)
            for _ in range(rng.choice([1, 2, 3]))
        ]
        return {
            "kind": kind,
            "op": rng.choice(["cat", "stack"]),
            "parts": parts,
            "named": {"dim": rng.choice([0, 0, 1, -1, 3])},
        }
    first = operand(rng, dtype)
    return {"kind": kind, "op": "matmul", "args": [first, operand(rng, dtype if rng.random() < 0.8 else None)]}


def values(case: Case, count: int) -> list[Any]:
    """The numbers of an operand: small, with the awkward ones among them."""
    rng = random.Random(case["seed"])
    name = case["dtype"]
    if name == "bool":
        return [rng.random() < 0.5 for _ in range(count)]
    if name.startswith("complex"):
        return [complex(rng.randint(-4, 4) / 2, rng.randint(-4, 4) / 2) for _ in range(count)]
    if name.startswith("u"):
        return [rng.randint(0, 9) for _ in range(count)]
    if name.startswith("int"):
        return [rng.randint(-9, 9) for _ in range(count)]
    awkward = [0.0, -0.0, float("inf"), float("-inf"), float("nan")] if rng.random() < 0.3 else []
    return [rng.choice(awkward) if awkward and rng.random() < 0.3 else rng.randint(-32, 32) / 8 for _ in range(count)]


def build(torch: Any, case: Case) -> Any:
    """The operand as a tensor of an engine."""
    shape = tuple(case["shape"])
    look = case["look"] if shape and case["look"] != "plain" else "plain"
    made = shape
    if look == "transposed":
        made = shape[::-1]
    elif look == "stepped":
        made = (*shape[:-1], shape[-1] * 2)
    elif look == "expanded":
        made = (1, *shape[1:])
    count = 1
    for n in made:
        count *= n
    name = case["dtype"]
    wide = (
        name
        if name not in ("bfloat16", "float16", "float8_e5m2", "uint16", "uint64")
        else ("int64" if name[0] == "u" else "float32")
    )
    flat = torch.tensor(values(case, count), dtype=getattr(torch, wide)).to(getattr(torch, name))
    x = flat.reshape(made)
    if look == "transposed":
        return x.permute(*range(len(shape) - 1, -1, -1))
    if look == "stepped":
        return x[..., ::2]
    if look == "expanded":
        return x.expand(shape)
    return x


def argument(torch: Any, value: Any) -> Any:
    """An argument of a case as an engine takes it."""
    if isinstance(value, dict):
        return build(torch, value)
    return complex(value) if isinstance(value, str) else value


def strides_that_matter(t: Any) -> list[int]:
    """Strides along dimensions that have more than one place, of tensors that have elements."""
    return [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1] if t.numel() else []


def seen(torch: Any, t: Any) -> Any:
    """What a result is."""
    if isinstance(t, (tuple, list)):
        return [seen(torch, x) for x in t]
    if not isinstance(t, torch.Tensor):
        return repr(t)
    plain = t.to(torch.float32) if str(t.dtype) in ("torch.bfloat16", "torch.float16", "torch.float8_e5m2") else t
    flat = plain.reshape(-1).tolist()
    return [
        str(t.dtype),
        list(t.shape),
        strides_that_matter(t),
        [repr(v) if isinstance(v, complex) else v for v in flat],
    ]


def run(torch: Any, case: Case) -> Any:
    """The result of a case on an engine, as data."""
    try:
        if "parts" in case:
            args = [[build(torch, p) for p in case["parts"]]]
        else:
            args = [argument(torch, a) for a in case["args"]]
        named = {
            k: getattr(torch, v) if k == "dtype" else v if k == "rounding_mode" else argument(torch, v)
            for k, v in case.get("named", {}).items()
        }
        if "out" in case:
            named["out"] = build(torch, case["out"])
        if case["kind"] == "inplace":
            target = args[0]
            if not isinstance(target, torch.Tensor):
                return ["not a tensor"]
            result = getattr(target, case["op"])(*args[1:])
            return ["in place", result is target, seen(torch, target)]
        return seen(torch, getattr(torch, case["op"])(*args, **named))
    except Exception as error:  # an answer like any other
        return ["error", type(error).__name__, str(error).split("\n")[0]]


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two answers are the same; numbers may differ in the last digits of a float32."""
    if isinstance(theirs, list):
        return (
            isinstance(ours, list)
            and len(ours) == len(theirs)
            and all(agree(a, b) for a, b in zip(ours, theirs, strict=True))
        )
    if isinstance(theirs, float) and isinstance(ours, float):
        if ours != ours or theirs != theirs:
            return ours != ours and theirs != theirs
        return ours == theirs or abs(ours - theirs) <= 2e-6 * max(abs(ours), abs(theirs), 1e-30) + 1e-7
    if isinstance(theirs, str) and isinstance(ours, str) and theirs != ours and theirs.endswith(("j)", "j")):
        try:
            a, b = complex(ours), complex(theirs)
        except ValueError:
            return False
        return agree(a.real, b.real) and agree(a.imag, b.imag) or abs(a - b) <= 2e-6 * abs(b)
    return type(ours) is type(theirs) and ours == theirs
