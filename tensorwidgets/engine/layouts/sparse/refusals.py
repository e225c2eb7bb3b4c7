"""Errors for ops without a kernel for COO tensors, in PyTorch's words. `compressed_refusals` has those of matrices."""

from __future__ import annotations

from typing import Any, NoReturn

from ...dispatch.kinds import TensorKind
from ...dispatch.registry import OPS, Op
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.keys import KEY_META
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from ...types.dtypes import dtype
from .parts.tensors import COMPRESSED, COO, is_coo
from .refused_names import missing

_NO_STEPS = frozenset(
    ("squeeze", "narrow", "split", "chunk", "split_with_sizes", "as_strided", "diagonal", "tensor_split", "diff")
)
_NO_SHAPES = frozenset(("reshape", "flatten", "outer", "inner", "einsum", "tensordot", "reshape_as"))
FORMAT = "unsupported memory format option "
NO_FORMATS = "memory format option is only supported by strided tensors"
COPIED_FIRST = {
    "masked_fill": FORMAT + "Contiguous", "index_fill": FORMAT + "Preserve", "ravel": FORMAT + "Contiguous",
    "native_layer_norm": FORMAT + "Contiguous", "pdist": FORMAT + "Contiguous", "isreal": NO_FORMATS,
    "bernoulli": NO_FORMATS, "rrelu_with_noise": NO_FORMATS, "_nn.rrelu_with_noise": NO_FORMATS,
}  # fmt: skip
"""What PyTorch says of ops that begin with such a copy."""
NOT_STRETCHED = frozenset(("expand", "expand_as", "broadcast_to", "repeat", "tile"))
_META = TensorKind("sparse", COO.key, "SparseMeta", COO.words, None)


def handed_on(op: Op) -> bool:
    """Whether an op only hands its arguments on to others, as the functions of layers do, which know the layout."""
    return op.rule is None and op.family == "nn"


def _of_steps_that_are_there(op: Op, args: tuple) -> bool:
    """Whether a call is made of moves and sums alone, or of a product with a dense column."""
    if op.name == "outer":
        return not is_coo(args[0])
    return op.name == "einsum" and isinstance(args[0], str) and len(args) == 2 and is_coo(args[1])


def refuse_coo(op: Op, args: tuple, kwargs: dict) -> Any:
    """Raise PyTorch's error for an op without a kernel for COO tensors, unless it is made of others."""
    if handed_on(op) or _of_steps_that_are_there(op, args):
        return op.plain(*args, **kwargs)
    flat = (
        op.name in ("quantile", "nanquantile", "repeat_interleave")
        and args[0]._array.ndim > 1
        and len(args) < 3
        and "dim" not in kwargs
    )
    if op.name in _NO_SHAPES or flat:
        refuse(
            RuntimeError,
            "reshape is not implemented for sparse tensors",
            f"{op.name} would have to recompute every coordinate",
            "x.to_dense()",
            rule="sparse.reshape",
        )
    if op.name in NOT_STRETCHED:
        refuse_expand("Sparse")
    ask_for_memory(op, args)
    if op.name in ("cummax", "cummin") and len(args) > 1:
        checked_dim(args[1], args[0]._array.ndim)
    if op.name == "add_number":
        return OPS["add"].function(*args)
    if op.name == "rsub" and len(args) > 1 and not isinstance(args[1], Tensor):
        return OPS["add"].function(OPS["scalar_tensor"].function(args[1]), args[0], alpha=-1)
    if op.name in COPIED_FIRST and is_coo(args[0]):
        refuse(
            RuntimeError,
            COPIED_FIRST[op.name],
            f"{op.name} begins with a copy or an empty tensor in a memory format, which sparse tensors do not have",
            "x.to_dense()",
            rule="sparse.format",
        )
    meta = any(is_coo(a) and a._keys & KEY_META for a in args)
    no_kernel(op, _META if meta else COO, "as_strided" if op.name in _NO_STEPS else missing(op, args, kwargs))


def ask_for_memory(op: Op, args: tuple) -> None:
    """Raise what a sparse tensor says when somebody wants its memory, as these ops do."""
    if op.name == "apply_":
        args[0].data_ptr()
    if op.name == "view" and len(args) == 2 and isinstance(args[1], dtype):
        args[0].untyped_storage()


def refuse_expand(layout: str) -> NoReturn:
    refuse(
        RuntimeError,
        f"expand is unsupported for {layout} tensors",
        "expand would have to repeat every coordinate",
        "x.to_dense()",
        rule="sparse.expand",
    )


COO.refusal = refuse_coo
COO.way_out = COMPRESSED.way_out = ("x.to_dense()",)
