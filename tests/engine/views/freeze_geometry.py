"""Ask PyTorch 2.13 the questions of geometry_cases.py, and write its answers to geometry_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.views.freeze_geometry``
"""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.engine.views.geometry_cases import QUESTIONS, Case, case, span

REFERENCE = Path(__file__).with_name("geometry_reference.json.gz")
CASES = 250 * len(QUESTIONS)


def pytorch() -> Any:
    """Imported when asked for: the plain tests, which look through this folder, have no PyTorch."""
    import torch

    return torch


def tensor(question: Case, dtype: str = "float32") -> Any:
    """A tensor of the question's geometry."""
    storage = pytorch().zeros(question.storage, dtype=getattr(pytorch(), dtype))
    return storage.as_strided(*question.g)


def alone(size: tuple[int, ...], stride: tuple[int, ...]) -> Any:
    """A tensor of this size and stride in a storage of its own."""
    return pytorch().zeros(max(span(size, stride), 0)).as_strided(size, stride)


def torch_answer(question: Case) -> Any:
    """What PyTorch says, in the form of `our_answer`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(ASK.get(question.function, ask_by_name)(question))
        except Exception as error:
            message = str(error).split("\nException raised from")[0]  # what follows is a list of C++ frames
            return f"{type(error).__name__}: {message}"


def plain(answer: Any) -> Any:
    if isinstance(answer, pytorch().Tensor):
        if min(answer.shape, default=0) < 0:
            # beside a 0, PyTorch lets a size below 0 pass; nobody can use such a tensor, and ours refuses it
            return "RuntimeError: numel: integer multiplication overflow"
        return [list(answer.shape), list(answer.stride()), answer.storage_offset()]
    return [plain(part) for part in answer] if isinstance(answer, (tuple, list)) else answer


def ask_by_name(question: Case) -> Any:
    return getattr(tensor(question), question.function)(*question.args)


def ask_slice(question: Case) -> Any:
    dim, start, stop, step = question.args
    cut = slice(start, stop, step)
    return tensor(question)[(slice(None),) * dim + (cut,) if dim else cut]


def ask_matrix_transpose(question: Case) -> Any:
    spelling = question.args[0]
    return tensor(question).adjoint() if spelling == "adjoint()" else getattr(tensor(question), spelling)


def ask_dense(question: Case) -> bool:
    return pytorch().ops.aten.is_non_overlapping_and_dense(tensor(question))


def ask_flatten(question: Case) -> Any:
    x = tensor(question)
    flat = x.flatten(*question.args)
    return flat if flat.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() else "copies"


def ask_overlap(question: Case) -> str:
    return ["no", "yes", "maybe"][pytorch()._debug_has_internal_overlap(tensor(question))]


def ask_pointwise_stride(question: Case) -> Any:
    inputs = [alone(*operand) for operand in question.args[0]]
    return [pytorch().neg, pytorch().add, pytorch().addcmul][len(inputs) - 1](*inputs).stride()


def ask_reduction_stride(question: Case) -> Any:
    return tensor(question).sum(*question.args).stride()


def ask_squeeze(question: Case) -> Any:
    return tensor(question).squeeze(*[arg for arg in question.args if arg is not None])


def ask_memory_format(question: Case) -> Any:
    return pytorch().empty(question.g.size, memory_format=getattr(pytorch(), question.args[0])).stride()


def ask_broadcast(question: Case) -> Any:
    return list(pytorch().broadcast_tensors(*[pytorch().zeros(size) for size in question.args[0]])[0].shape)


def ask_wrap_dims(question: Case) -> Any:
    dims = question.args[0]
    pytorch().zeros((1,) * len(question.g.size)).sum(dims)
    ndim = max(len(question.g.size), 1)
    return [dim % ndim for dim in dims]


ASK: dict[str, Callable[[Case], Any]] = {
    "view_dtype": lambda q: tensor(q, q.args[0]).view(getattr(pytorch(), q.args[1])),
    "flatten": ask_flatten,
    "select_index": lambda q: tensor(q)[q.args[0]],
    "slice": ask_slice,
    "as_strided": lambda q: tensor(q, q.args[3]).as_strided(*q.args[:3]),
    "matrix_transpose": ask_matrix_transpose,
    "reverse_dims": lambda q: tensor(q).T,
    "view_as_real": lambda q: pytorch().view_as_real(tensor(q, "complex64")),
    "view_as_complex": lambda q: pytorch().view_as_complex(tensor(q)),
    "real_part": lambda q: tensor(q, "complex64").real,
    "imag_part": lambda q: tensor(q, "complex64").imag,
    "new_axis": lambda q: tensor(q)[(slice(None),) * q.args[0] + (None,)],
    "is_contiguous": lambda q: tensor(q).is_contiguous(memory_format=getattr(pytorch(), q.args[0])),
    "is_non_overlapping_and_dense": ask_dense,
    "overlap": ask_overlap,
    "preserve_stride": lambda q: tensor(q).clone().stride(),
    "pointwise_stride": ask_pointwise_stride,
    "reduction_stride": ask_reduction_stride,
    "squeeze": ask_squeeze,
    "memory_format_stride": ask_memory_format,
    "broadcast": ask_broadcast,
    "wrap_dims": ask_wrap_dims,
}


def main() -> None:
    answers = {
        "torch": pytorch().__version__,
        "answers": [torch_answer(case(number)) for number in range(CASES)],
    }
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    print(f"{REFERENCE.name}: {CASES} answers, {len(packed)} bytes")


if __name__ == "__main__":
    main()
