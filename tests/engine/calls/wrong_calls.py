"""Functions, methods, layers and switches, each called with one argument that may be wrong, as PyTorch takes it.

python -m tests.engine.calls.wrong_calls          # ask PyTorch, and write its answers down
python -m tests.engine.calls.wrong_calls --show   # what is answered otherwise here

Each call is made as it stands first, so that types which fit are known when wrong values of them come.
"""

from __future__ import annotations

import ast
import gzip
import io
import json
import math
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.engine.calls.calls import plain_message
from tests.parts import ALL, Part

REFERENCE = Path(__file__).with_name("wrong_calls_reference.json.gz")
VALUES = (
    "'x'", "None", "1.5", "-1", "7", "10**20", "[]", "True", "s", "v", "math.nan", "{}", "np.int64(1)", "1j", "(1, 2)",
    "[1.5]", "(10**20, 1)", "b'y'", "Index()",
)  # fmt: skip

CALLS = """
torch.tril(m, 1)
m.triu_(1)
m.roll(1, 0)
m.rot90(1, (0, 1))
m.permute(1, 0)
m.flip(0, 1)
m.repeat(2, 2)
m.expand(4, 3, 3)
m.resize_(3, 2)
m.unfold(1, 2, 1)
m.narrow(0, 0, 1)
m.select(0, 1)
m.diagonal(0, 0, 1)
m.split(2, dim=1)
m.repeat_interleave(2, dim=1)
torch.diag(m, 1)
m.kthvalue(1, 1, keepdim=True)
m.topk(2, 1, largest=False)
m.norm(2, 1, keepdim=True)
m.std(1, correction=1)
m.var((0, 1), correction=0)
m.cumsum(1)
m.logsumexp((0, 1), keepdim=True)
m.amax((0, 1), keepdim=True)
m.diff(1, 1)
m.copy_(m)
m.fill_(2.)
m.clamp(0, .5)
m.lerp(m, .5)
m.scatter_reduce(0, i, m, 'amax', include_self=True)
m.scatter(0, i, m, reduce='add')
m.index_reduce(0, j, m[:2], 'mean')
m.renorm(2, 0, 1.)
m.to(torch.float64, copy=True)
m.type(torch.float64)
torch.add(m, m, alpha=2)
torch.sub(m, 2)
torch.addmm(m, m, m, beta=1, alpha=2)
torch.full((2, 3), 4., dtype=torch.float64)
torch.zeros(2, 3, dtype=torch.float64, device='cpu')
torch.eye(3, 2)
torch.linspace(0, 1, 3)
torch.polygamma(1, m)
torch.trapezoid(m, dx=1.)
torch.cov(m, correction=1)
torch.cdist(m, m, 2.)
torch.pdist(m, 2.)
torch.cosine_similarity(m, m, 1, 1e-8)
torch.linalg.matrix_power(m, 2)
torch.linalg.vector_norm(m, 2, (0, 1), keepdim=True)
torch.linalg.qr(m, mode='complete')
torch.linalg.eigvalsh(m, UPLO='L')
torch.fft.fft(m, 3, 1, norm='ortho')
torch.stft(g(16), 4, 2, 4, torch.ones(4), normalized=False, onesided=True, return_complex=True)
torch.sparse.mm(m.to_sparse(), m)
torch.sparse.addmm(m, m.to_sparse(), m, beta=1., alpha=2.)
torch.sparse.softmax(m.to_sparse(), 1, dtype=torch.float64)
torch.sparse.spdiags(m, k, (3, 3), layout=torch.sparse_csr)
m.to_sparse().sparse_resize_((3, 4), 2, 0)
torch.segment_reduce(v, 'sum', lengths=torch.tensor([1, 2]), axis=0)
torch.batch_norm(m, v, v, None, None, True, .1, 1e-5, True)
torch.embedding_bag(m, j, torch.tensor([0]), False, 0, False, None, False, None)
torch.device('cpu', 0)
torch.finfo(torch.float32)
m.geometric_(.5, generator=gen)
m.cauchy_(0., 1., generator=gen)
m.uniform_(0., 1., generator=gen)
m.bernoulli_(.5, generator=gen)
torch.dropout(m, .5, True)
torch.set_warn_always(False)
torch.autograd.grad(y, (x,), v, retain_graph=None, create_graph=False, allow_unused=None)
y.backward(v, retain_graph=None, create_graph=False, inputs=[x])
save(pickle_protocol=2)
nn.LayerNorm((3,), eps=1e-5)(m)
nn.GroupNorm(1, 3, eps=1e-5)(m)
nn.InstanceNorm1d(3, eps=1e-5, affine=True)(m)
nn.BatchNorm1d(3, eps=1e-5, momentum=.1)(m)
nn.Embedding(4, 3, padding_idx=1, norm_type=2., scale_grad_by_freq=False, sparse=False)(i)
nn.Conv1d(3, 2, 2, stride=1, padding=0, dilation=1)(m)
nn.Dropout(.5)(m)
""".split("\n")[1:-1]  # fmt: skip
"""Calls that are right. In each its arguments in turn are replaced; in a layer's, those that the layer is made with."""


def calls() -> Iterator[str]:
    """Each call as it stands, and with each argument replaced by every one of `VALUES`."""
    for text in CALLS:
        yield text
        tree = ast.parse(text, mode="eval").body
        assert isinstance(tree, ast.Call)
        call = tree.func if isinstance(tree.func, ast.Call) else tree
        for place in (*enumerate(call.args), *enumerate(call.keywords)):
            number, usual = place
            for value in VALUES:
                wrong = ast.parse(value, mode="eval").body
                if isinstance(usual, ast.keyword):
                    call.keywords[number] = ast.keyword(usual.arg, wrong)
                else:
                    call.args[number] = wrong
                yield ast.unparse(tree)
            if isinstance(usual, ast.keyword):
                call.keywords[number] = usual
            else:
                call.args[number] = usual


class Index:
    """What is an index and nothing else."""

    def __index__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "Index()"


def names_of(torch: Any, nn: Any) -> dict[str, Any]:
    """What the texts of calls speak of, made anew."""

    def g(*size: int) -> Any:
        return torch.arange(1.0, 1 + math.prod(size)).reshape(*size) / 10

    x = g(3).requires_grad_()
    return {
        "torch": torch, "nn": nn, "np": np, "math": math, "Index": Index, "save": partial(torch.save, 1, io.BytesIO()),
        "g": g, "m": g(3, 3) + torch.eye(3), "v": g(3), "s": torch.tensor(0.5), "x": x, "y": x * x,
        "i": torch.tensor([[0, 1, 1], [1, 0, 1]]), "j": torch.tensor([0, 1]), "k": torch.tensor([0, 1, -1]),
        "gen": torch.Generator().manual_seed(1),
    }  # fmt: skip


def answers(torch: Any, nn: Any, texts: Iterable[str] | None = None) -> list[str]:
    """What each call gives: the size of a tensor and its first number, or the type and first line of an error."""
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for text in calls() if texts is None else texts:
            torch.manual_seed(0)
            try:
                found.append(_seen(torch, eval(text, names_of(torch, nn))))
            except Exception as error:
                kind = "RuntimeError" if isinstance(error, RuntimeError) else type(error).__name__
                line = plain_message(str(error)).split("\n")[0].replace("{'valid', 'same'}", "{'same', 'valid'}")
                asserts = "INTERNAL ASSERT" in line  # of PyTorch's, which shows the line of its source
                found.append(kind if asserts else f"{kind}: {re.sub('0x[0-9a-f]+', '0x', line)}")
    torch.set_warn_always(False)
    return found


def _seen(torch: Any, result: Any) -> str:
    if not isinstance(result, torch.Tensor) or result.layout is not torch.strided:
        return "ok"
    first = f" {result.detach().flatten()[0].item():.3g}" if result.numel() else ""
    return f"ok {result.dtype} {list(result.shape)}{first}"


def frozen() -> list[str]:
    """PyTorch's answers."""
    return json.loads(gzip.decompress(REFERENCE.read_bytes()))  # type: ignore[no-any-return]


def differences(wanted: list[str], part: Part = ALL) -> Iterator[tuple[str, str, str]]:
    """The call, PyTorch's answer and ours, where they differ."""
    import tensorwidgets
    import tensorwidgets.nn

    asked = part.of(zip(calls(), wanted, strict=True))
    found = answers(tensorwidgets, tensorwidgets.nn, [text for text, _ in asked])
    for (text, theirs), ours in zip(asked, found, strict=True):
        if theirs != ours:
            yield text, theirs, ours


def main() -> None:
    if "--show" in sys.argv:
        for each in differences(frozen()):
            print(*each, sep="\n    ")
        return
    import torch

    found = answers(torch, torch.nn)
    REFERENCE.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    print(len(found), "calls,", REFERENCE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
