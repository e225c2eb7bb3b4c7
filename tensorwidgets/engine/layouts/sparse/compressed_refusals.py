"""Errors for ops without a kernel for compressed tensors, in PyTorch's words.

Each step is something that PyTorch does on the way to the kernel that is missing, in its order: it makes an empty
result, reads strides, resizes `out=`. The first that compressed tensors cannot do says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from ...dispatch.called_as import is_operator
from ...dispatch.registry import Op
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from .parts.tensors import COMPRESSED, expects, is_compressed, is_coo, layout_name
from .refusals import COPIED_FIRST, FORMAT, NO_FORMATS, NOT_STRETCHED, ask_for_memory, handed_on, refuse_expand
from .refused_names import SHIFTS, into_out, missing

_IN_STRIDES = frozenset(
    "argsort msort diag diag_embed diagonal squeeze squeeze_ diff unsqueeze narrow narrow_copy split chunk sort "
    "tensor_split hsplit vsplit dsplit unsqueeze_ kron unsqueeze_copy dstack block_diag fill_diagonal_ index_copy_ "
    "scatter_ constant_pad_nd _nn.constant_pad_nd".split()
)
"""Ops that ask where the elements are."""
_IN_ONE_PIECE = frozenset(
    "flatten ravel reshape diagflat quantile nanquantile repeat_interleave reshape_as meshgrid hstack vstack cat stack "
    "native_layer_norm pdist".split()
)
"""Ops that ask whether the elements lie side by side."""
_BY_STEPS = frozenset("permute squeeze movedim permute_copy tensordot inner nuclear_norm".split())
"""Ops that exchange dimensions by their strides."""
_RESIZED = frozenset("all any amax amin argmax argmin mean prod norm".split())
"""Reductions whose result would have to be made."""
_MADE_FIRST = dict.fromkeys(
    "logical_not logical_and logical_or logical_xor logsumexp cummax cummin kthvalue polar complex native_batch_norm "
    "sspaddmm median nanmedian".split(), (0,)) | dict.fromkeys(
    "aminmax logdet det linalg.det linalg.norm linalg.vector_norm linalg.matrix_norm linalg.matrix_rank".split(), ()
)  # fmt: skip
"""Ops that make an empty tensor of this size first."""
_IN_FULL = frozenset("inverse linalg.inv linalg.eigvalsh linalg.eigh linalg.qr linalg.svd linalg.cholesky".split())
"""Ops that make a dense matrix first."""
_OWN_NAMES = frozenset(
    "logit floor_divide floor_divide_ rsub nn.functional.hardtanh hardtanh nn.functional.hardswish hardswish "
    "nn.functional.logsigmoid logsigmoid rrelu_with_noise _nn.rrelu_with_noise rrelu masked_fill_ put_ index_put_ "
    "masked_scatter_ index_fill_ frexp dropout bernoulli_ _nn.hardtanh _nn.hardswish".split()
)
"""Element-wise ops and writes that PyTorch looks up before it looks at the layout."""
_WITH_OUT = frozenset(
    "all any amax amin argmax argmin cumprod cumsum tril tril_ triu triu_ topk softmax log_softmax norm mean "
    "nan_to_num nan_to_num_ logical_not_ logical_and_ logical_or_ logical_xor_ gather scatter scatter_add cross "
    "hash_tensor renorm renorm_ isin".split()
)
"""Ops whose only kernel in PyTorch is the one that writes into `out=`."""
_ALONG_ONE = _RESIZED | frozenset("max min cumsum cumprod softmax log_softmax sort argsort".split())
_NAMED = _OWN_NAMES | {"equal"}
_EMPTIED = frozenset(
    "cumsum cumprod softmax log_softmax tril triu gather scatter scatter_add topk renorm index_add index_copy "
    "constant_pad_nd _nn.constant_pad_nd _nn.reflection_pad1d".split()
)
"""Ops that make an empty tensor of the layout first, which matrices of blocks refuse."""
_OF_DIFFERENCES = frozenset(("_nn.mse_loss", "_nn.smooth_l1_loss", "nanmean"))
"""Ops that begin with a difference or a comparison."""


class Call(NamedTuple):
    """A call that is about to be refused."""

    op: Op
    args: tuple
    kwargs: dict
    first: Tensor | None
    """The first sparse tensor."""
    own: bool
    """Whether the first argument is a compressed tensor."""
    dim: Any
    """The dimension or dimensions that are named, if any."""

    @property
    def layout(self) -> str:
        return "SparseCsr" if self.first is None else layout_name(self.first)

    @property
    def in_blocks(self) -> bool:
        return self.own and bool(self.args[0]._array.block)

    def number_at(self, place: int) -> bool:
        """Whether there is an argument at a place, and it is no tensor."""
        return len(self.args) > place and not isinstance(self.args[place], Tensor)

    def lacks(self, called: str) -> NoReturn:
        """Refuse for want of a kernel, by PyTorch's name."""
        no_kernel(self.op, COMPRESSED, called)

    def refused(self, message: str, because: str, *ways: str, rule: str = "sparse.layout") -> NoReturn:
        refuse(RuntimeError, message, because, *ways, rule=rule)


def refuse_compressed(op: Op, args: tuple, kwargs: dict) -> Any:
    """Raise PyTorch's error for an op without a kernel for compressed tensors, unless it is made of others."""
    if handed_on(op):
        return op.plain(*args, **kwargs)
    first = next((t for t in args if is_coo(t) or is_compressed(t)), None)
    place = 2 if op.name == "norm" else 1
    dim = kwargs.get("dim", args[place] if len(args) > place and op.family != "pointwise" else None)
    call = Call(op, args, kwargs, first, is_compressed(args[0]) if args else False, dim)
    for step in _STEPS:
        step(call)
    call.lacks("bernoulli_.Tensor" if op.name == "bernoulli" else missing(op, args, kwargs))


def _stretch(call: Call) -> None:
    if call.op.name in NOT_STRETCHED and call.own:
        refuse_expand(call.layout)


def _read_memory(call: Call) -> None:
    ask_for_memory(call.op, call.args)


def _write_out(call: Call) -> None:
    if call.kwargs.get("out") is not None and call.op.name not in ("logsumexp", "stack"):
        call.lacks(missing(call.op, call.args, call.kwargs))


def _look_up_dim(call: Call) -> None:
    if call.own and type(call.dim) is int and call.op.name in _ALONG_ONE:
        checked_dim(call.dim, call.args[0]._array.ndim)


def _find_largest(call: Call) -> None:
    if not call.own or call.op.name not in ("max", "min") or type(call.dim) is not int:
        return
    if not call.kwargs.get("keepdim") and len(call.args) < 3:
        refuse_size(_without(call))
    if call.in_blocks:
        refuse_blocks(call.args[0])
    call.lacks(f"{call.op.name}.dim_{call.op.name}")


def _without(call: Call) -> list[int]:
    """The size of the first argument without the dimension that is named."""
    size = list(call.args[0]._array.shape)
    del size[checked_dim(call.dim, len(size))]
    return size


def _make_empty(call: Call) -> None:
    name = call.op.name
    if name in _MADE_FIRST and call.own and not (name in ("median", "nanmedian") and call.dim is None):
        if call.in_blocks and name in ("cummax", "cummin"):
            refuse_blocks(call.args[0])
        if name == "aminmax" and call.dim is not None:
            size = _without(call)
            if call.kwargs.get("keepdim"):
                call.lacks("aminmax.out")
            refuse_size(size)
        refuse_size(_MADE_FIRST[name])
    if name in _EMPTIED and call.in_blocks:
        refuse_blocks(call.args[0])


def _resize(call: Call) -> None:
    name, dim = call.op.name, call.dim
    if name in _RESIZED and dim is not None and call.own:
        if type(dim) is not int and len(dim) == call.args[0]._array.ndim and name not in ("all", "any"):
            call.lacks(into_out(name))
        call.refused(
            f"resize_reduction: support for output with {call.layout} layout is not implemented yet",
            f"{name} has no kernel for compressed tensors",
            "x.to_dense()",
        )
    if name == "norm" and call.kwargs.get("dtype") is not None:
        call.lacks("norm.dtype_out")


def _write_into_out(call: Call) -> None:
    name = call.op.name
    if name == "scatter":
        call.lacks("scatter.value_out" if call.number_at(3) else "scatter.src_out")
    if name in _WITH_OUT:
        call.lacks(f"{name}.all_out" if name in ("all", "any") else into_out(name.removesuffix("_")))


def _copy(call: Call) -> None:
    name = call.op.name
    if name in _COPIED and call.own or name in ("t_copy", "transpose_copy"):
        words = COPIED_FIRST.get(name, FORMAT + "Contiguous")
        call.refused(
            "unsupported memory format Preserve" if words is NO_FORMATS else words,
            f"{name} begins with a copy in a memory format, which sparse tensors do not have",
            "x.to_dense()",
            rule="sparse.format",
        )


_COPIED = COPIED_FIRST.keys() - {
    "bernoulli", "rrelu_with_noise", "_nn.rrelu_with_noise", "native_layer_norm", "pdist", "ravel"
}  # fmt: skip


def _turn_in_place(call: Call) -> None:
    if call.op.name in ("transpose_", "t_", "swapaxes_", "swapdims_") and call.own:
        call.refused(
            f"torch.transpose_: in-place transposition is not supported for {call.layout} layout",
            "the transposed matrix has another layout",
            "x.transpose(0, 1)",
        )


def _read_strides(call: Call) -> None:
    if call.op.name in _IN_STRIDES and call.own:
        call.args[0].stride()  # raises


def _walk(call: Call) -> None:
    """Go from element to element."""
    name = call.op.name
    if name in ("logical_and", "logical_or", "logical_xor"):
        call.lacks(f"{name}.out")
    named = name in _NAMED and not (name == "rsub" and call.number_at(1))
    if name in SHIFTS:
        named = isinstance(call.args[0], Tensor) and is_operator(f"__{SHIFTS[name]}__")
    if name not in _OF_DIFFERENCES and (call.op.family not in ("pointwise", "comparison", "inplace") or named):
        return
    number = not isinstance(call.args[0], Tensor)
    if name in ("pow", "float_power") and number:
        if call.first is not None and call.first._array.block:
            refuse_blocks(call.first)
        call.lacks("pow.Scalar_out")
    if name == "remainder" and number:
        call.lacks("remainder.Scalar_Tensor")
    call.refused(
        f"unsupported tensor layout: {call.layout}",
        f"{name} has no kernel for compressed tensors",
        "x.to_sparse()",
        "x.to_dense()",
    )


def _read_in_one_piece(call: Call) -> None:
    name = call.op.name
    if name in _IN_ONE_PIECE and call.own:
        call.args[0].is_contiguous()  # raises as well
    if name in _IN_STRIDES | _IN_ONE_PIECE and isinstance(call.args[0], (tuple, list)):
        given = next(t for t in call.args[0] if is_compressed(t))
        last = name == "stack" and (len(call.args) > 1 or "dim" in call.kwargs)
        given.stride() if name in _IN_STRIDES or last else given.is_contiguous()  # raises, too
    if name == "einsum":
        operands = [t for t in call.args[1:] if isinstance(t, Tensor)]
        if len(operands) > 1 and is_compressed(operands[0]):
            operands[0].stride()  # raises


def _exchange(call: Call) -> None:
    if call.op.name in _BY_STEPS or call.op.name == "einsum":
        call.lacks("as_strided")


def _make_dense(call: Call) -> None:
    if call.op.name in _IN_FULL:
        call.lacks("empty_strided")


def _make_new(call: Call) -> None:
    if call.op.name not in ("new_ones", "new_full") or not call.own:
        return
    size = call.kwargs.get("size", call.args[1] if len(call.args) > 1 else ())
    size = [size] if isinstance(size, int) else list(size)
    if len(size) < 2:
        refuse_size(size)


_STEPS: tuple[Callable[[Call], None], ...] = (
    _stretch, _read_memory, _write_out, _look_up_dim, _find_largest, _make_empty, _resize, _write_into_out, _copy,
    _turn_in_place, _read_strides, _walk, _read_in_one_piece, _exchange, _make_dense, _make_new,
)  # fmt: skip


def refuse_size(size: Sequence[int]) -> NoReturn:
    """Refuse a compressed tensor of a size that has no rows and columns."""
    refuse(
        RuntimeError,
        f"torch.empty: Only batched sparse compressed (non-block) tensors are supported, but got size {list(size)}",
        "rows and columns are two dimensions",
        "x.to_dense()",
        rule="sparse.size",
    )


def refuse_blocks(t: Tensor) -> NoReturn:
    """Refuse a matrix of blocks where PyTorch makes an empty one."""
    expects(t, "empty_sparse_compressed", "sparse compressed (non-block)")
    raise AssertionError


COMPRESSED.refusal = refuse_compressed
