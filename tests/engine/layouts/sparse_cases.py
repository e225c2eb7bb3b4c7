"""Calls on sparse tensors, as lines of code that PyTorch and this package both understand, and what is seen of them."""

from __future__ import annotations

import random
import re
import warnings
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "sparse_reference.json.gz"
LINES = Path(__file__).parent / "sparse_lines.txt"

NAMES = """
u = S([[0, 1, 1], [2, 2, 2]], [3.0, 4.0, 5.0], (2, 3))
w = S([[1, 0, 1, 0], [2, 2, 2, 1]], [3.0, 4.0, 5.0, 7.0], (2, 3))
c = S([[0, 1], [1, 2]], [1.0, 2.0], (2, 3)).coalesce()
k = S([[0, 0, 1], [1, 2, 0]], [1.0, 2.0, 3.0], (2, 3)).coalesce()
ci = S([[0, 1], [1, 2]], [1, 2], (2, 3)).coalesce()
cb = c.bool()
cc = S([[0, 1], [1, 2]], [1.0 + 2.0j, 2.0 - 1.0j], (2, 3)).coalesce()
h = S([[0, 1, 1]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], (2, 3))
hh = S([[0, 1, 1], [1, 0, 0]], torch.arange(12.0).reshape(3, 2, 2), (2, 3, 2, 2))
s1 = S([[1]], [5.0], (3,))
s3 = S([[0], [1], [2]], [2.0], (2, 2, 3))
e = S((2, 3))
z = S(torch.zeros(0, 1, dtype=torch.int64), [5.0], ())
b = S([[0, 1]], [True, True], (3,))
sm = S([[0, 1, 2, 2], [1, 0, 3, 3]], [1.0, 2.0, 3.0, 4.0], (3, 4))
n = S([[0, 1, 1], [0, 0, 2]], [float("nan"), float("inf"), -0.5], (2, 3))
mt = S((2, 3), device="meta")
d = torch.arange(6.0).reshape(2, 3)
d1 = torch.arange(3.0)
m = torch.arange(12.0).reshape(3, 4)
v = torch.arange(3.0)
r = u.to_sparse_csr()
r2 = c.to_sparse_csr()
rk = k.to_sparse_csr()
ri = ci.to_sparse_csr()
rm = sm.to_sparse_csr()
cs = k.to_sparse_csc()
bs = torch.arange(16.0).reshape(4, 4).to_sparse_bsr((2, 2))
bc = torch.arange(16.0).reshape(4, 4).to_sparse_bsc((2, 2))
i = torch.tensor([[0, 1, 1], [2, 0, 2]])
sq = S([[0, 0, 2], [0, 1, 1]], [1.0, 2.0, 3.0], (3, 2))
rq = sq.to_sparse_csr()
dq = torch.tensor([[1.0, 5.0], [4.0, 2.0]])
iq = torch.tensor([[0, 1], [1, 0]])
vq = torch.tensor([1.0, 2.0])
"""


def names(torch: Any, line: str) -> dict[str, Any]:
    """The tensors that a line speaks of, made anew for it."""
    made = [tuple(m.split(" = ", 1)) for m in NAMES.strip().split("\n")]
    spoken_of = set(re.findall(r"\w+", line))
    for name, text in reversed(made):
        if name in spoken_of:
            spoken_of |= set(re.findall(r"\w+", text))
    found = {"torch": torch, "S": torch.sparse_coo_tensor, "C": torch.sparse_csr_tensor}
    for name, text in made:
        if name in spoken_of:
            found[name] = eval(text, found)
    return found


def told(torch: Any, x: Any) -> Any:
    """What is seen of a result."""
    if isinstance(x, torch.Tensor):
        return [repr(x), x.is_coalesced()] if x.layout is torch.sparse_coo else [repr(x)]
    if isinstance(x, (list, tuple)) and not isinstance(x, torch.Size):
        return [told(torch, y) for y in x]
    return [repr(x)]


_OURS = re.compile(r"(?<=backend)\..*", re.DOTALL)


def seen(torch: Any, text: str, given: dict[str, Any]) -> list:
    """The value of a line, or the type and the first line of its refusal (of long ones the first sentence)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ["value", told(torch, eval(text, dict(given)))]
    except Exception as error:
        first = (str(error).split("\n") or [""])[0]
        return ["error", type(error).__name__, _OURS.sub(".", first)]


def same(wanted: list, got: list) -> bool:
    """Whether two answers are the same to the character; the sign of a zero, and the room it takes, may differ."""
    return wanted == got or _without_signs(wanted) == _without_signs(got)


def _without_signs(answer: list) -> str:
    return re.sub(r"-(?=0\.(0*)[],+-])|[-+](?=0\.0*j)|\s|\\n", "", repr(answer))


def lines() -> list[str]:
    """The lines that were written by hand."""
    return [line for line in LINES.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]


# -- generated lines ---------------------------------------------------------------------------------------------

DTYPES = ("float32", "float32", "float64", "int64", "int32", "bool", "float16", "complex64")


def _numbers(rng: random.Random, shape: tuple[int, ...], dtype: str) -> str:
    if shape:
        return "[" + ", ".join(_numbers(rng, shape[1:], dtype) for _ in range(shape[0])) + "]"
    if dtype == "bool":
        return rng.choice(["True", "False"])
    whole = rng.choice([0, 1, 2, 3, -1, -2, 5, 8])
    if "int" in dtype:
        return str(whole)
    if dtype == "complex64":
        return f"{whole / 2}+{rng.randrange(4) / 2}j"
    return str(whole / 4 if rng.random() < 0.8 else whole)


def sparse_text(rng: random.Random, size: tuple[int, ...], sparse_dim: int, dtype: str) -> str:
    """A tensor by coordinates: in order or not, with repeats or without, or with nothing in it."""
    room = 1
    for m in size[:sparse_dim]:
        room *= m
    nnz = rng.choice([0, 1, 2, 3, 4, 6]) if room else 0
    indices = [[rng.randrange(m) for _ in range(nnz)] for m in size[:sparse_dim]]
    shape = (nnz, *size[sparse_dim:])
    values = f"torch.tensor({_numbers(rng, shape, dtype)}, dtype=torch.{dtype}).reshape({shape})"
    text = f"S(torch.tensor({indices}, dtype=torch.int64).reshape({sparse_dim}, {nnz}), {values}, {size})"
    return text + ".coalesce()" * (rng.random() < 0.5)


def dense_text(rng: random.Random, size: tuple[int, ...], dtype: str) -> str:
    return f"torch.tensor({_numbers(rng, size, dtype)}, dtype=torch.{dtype}).reshape({size})"


ONE = (
    "{x}", "{x}.coalesce()", "{x}.to_dense()", "-{x}", "{x} * 2", "{x} / 2", "{x} * 0.5", "{x} ** 2", "{x}.abs()",
    "{x}.sign()", "{x}.neg()", "{x}.sqrt()", "{x}.square()", "{x}.isnan()", "{x}.floor()", "{x}.relu()", "{x}.sin()",
    "{x}.sum()", "{x}.sum({dim})", "{x}.sum({dim}, keepdim=True)", "torch.sparse.sum({x}, {dim})",
    "torch.sparse.sum({x})", "{x}.transpose({dim}, {dim2})", "{x}.unsqueeze({dim})", "{x}.select({dim}, 0)",
    "{x}[0]", "{x}[:, 0]", "{x}[None]", "{x}.index_select({dim}, torch.tensor([0, 1, 0]))",
    "{x}.narrow_copy({dim}, 0, 1)",
    "{x}.clone()", "{x}.double()", "{x}.bool()", "{x}.to(torch.float64)", "{x}.zero_()", "{x}.mul_(2)", "{x}.neg_()",
    "{x}.div_(2)", "{x}.detach()", "torch.cat([{x}, {x}], {dim})", "torch.stack([{x}, {x}], {dim})",
    "{x}.to_sparse_csr()",
    "{x}.to_sparse_csc()", "{x}.to_sparse_csr().to_sparse()", "{x}.to_sparse_csc().to_sparse_csr()", "{x}.norm()",
    "torch.zeros_like({x})", "{x}.is_coalesced()", "{x}._nnz()", "{x}.indices()", "{x}._indices()", "{x}._values()",
    "{x}.sparse_dim(), {x}.dense_dim()", "torch.sparse.softmax({x}, {dim})", "torch.sparse.log_softmax({x}, {dim})",
    "{x}.to_dense().to_sparse()", "{x}.to_dense().to_sparse_csr()", "{x}.to_dense().to_sparse_csc()", "{x} // 2",
    "{x}.to_sparse_bsr((1, 1))", "{x}.to_dense().to_sparse_bsc((1, 1))", "{x}.t()", "{x}.permute({perm})", "{x}.conj()",
    "{x}.to_dense().to_sparse(1)", "{x}.to_sparse_csr().sin()", "{x}.to_sparse_csr() * 3", "{x}.to_sparse_csr().t()",
    "{x}.to_sparse_csr().sum()", "{x}.unbind({dim})", "{x}.any()", "{x}.round()", "{x}.trunc()", "{x} == 1", "{x} + 1",
    "{x}.exp()", "{x}.view(-1)", "{x}.reshape(-1)", "{x}.sort()", "{x}.cumsum(0)",
)  # fmt: skip
TWO = (
    "{x} + {y}", "{x} - {y}", "{x} * {y}", "{x}.add({y}, alpha=2)", "{x}.add_({y})", "{x}.mul_({y})", "{x}.sub({y})",
    "{D} + {y}", "{D} - {y}", "{D} * {y}", "{x} * {D}", "{x} + {D}", "{D}.add_({y})", "torch.cat([{x}, {y}], {dim})",
    "torch.cat([{x}, {y}])", "torch.stack([{x}, {y}])", "{x}.sparse_mask({y})", "{D}.sparse_mask({y})",
    "{D}.sparse_mask({y}.coalesce())", "{x}.copy_({y})", "{x} / {y}", "{x}.to_sparse_csr() + {y}.to_sparse_csr()",
    "{x}.to_sparse_csr() * {y}.to_sparse_csr()", "{x}.to_sparse_csr() * {D}", "{x} == {y}", "{x}.hypot({y})",
)  # fmt: skip
PRODUCTS = (
    "{x} @ {M}", "{x}.mm({M})", "{N} @ {x}", "{x} @ {p}", "{x} @ {p}.coalesce()", "torch.sparse.mm({x}, {M})",
    "{x} @ {V}",
    "torch.mv({x}, {V})", "{x}.to_sparse_csr() @ {M}", "{N} @ {x}.to_sparse_csr()",
    "{x}.to_sparse_csr() @ {p}.to_sparse_csr()",
    "{x}.to_sparse_csc() @ {M}", "torch.addmm({A}, {x}, {M})", "torch.addmm({A}, {x}, {M}, beta=2, alpha=3)",
    "torch.sparse.addmm({A}, {x}, {M})", "torch.smm({x}, {M})", "torch.hspmm({x}, {M})", "{x}.to_sparse_csr() @ {V}",
    "torch.sspaddmm({B}, {x}, {M})", "{x}.t() @ {N}.t()", "torch.addmm({A}, {x}.to_sparse_csr(), {M}, beta=2)",
)  # fmt: skip


def generated(seed: int) -> str:
    """One line with tensors of its own."""
    rng = random.Random(seed)
    dtype = rng.choice(DTYPES)
    kind = rng.random()
    if kind < 0.25:
        m, o, q = (rng.choice([1, 2, 3, 4]) for _ in range(3))
        dtype = rng.choice(["float32", "float64", "float32", "complex64", "int64"])
        other = dtype if rng.random() < 0.95 else "float64"
        return rng.choice(PRODUCTS).format(
            x=sparse_text(rng, (m, o), 2, dtype), p=sparse_text(rng, (o, q), 2, dtype),
            M=dense_text(rng, (o, q), other),
            N=dense_text(rng, (q, m), other), V=dense_text(rng, (o,), other), A=dense_text(rng, (m, q), dtype),
            B=sparse_text(rng, (m, q), 2, dtype),
        )  # fmt: skip
    ndim = rng.choice([1, 2, 2, 2, 3, 4])
    size = tuple([rng.choice([1, 2, 3, 4] if rng.random() < 0.95 else [0]) for _ in range(ndim)])
    # Of elements that are empty themselves PyTorch now and then keeps none.
    sparse_dim = ndim if rng.random() < 0.7 or 0 in size else rng.randint(1, ndim)
    dims = {"dim": rng.randrange(-ndim, ndim), "dim2": rng.randrange(ndim), "perm": rng.sample(range(ndim), ndim)}
    if kind < 0.6:
        return rng.choice(ONE if ndim > 1 else [text for text in ONE if "dense().to_sparse_" not in text]).format(
            x=sparse_text(rng, size, sparse_dim, dtype), **dims
        )
    other = dtype if rng.random() < 0.7 else rng.choice(DTYPES)
    theirs = size if rng.random() < 0.95 else size[1:]
    return rng.choice(TWO).format(
        x=sparse_text(rng, size, sparse_dim, dtype), y=sparse_text(rng, size, sparse_dim, other),
        D=dense_text(rng, theirs, other), **dims,
    )  # fmt: skip


def answers(torch: Any, seeds: range) -> dict[str, list]:
    """What is seen of every line, by hand and generated."""
    given = {"torch": torch, "S": torch.sparse_coo_tensor}
    found = {line: seen(torch, line, names(torch, line)) for line in lines()}
    return found | {text: seen(torch, text, given) for text in map(generated, seeds)}
