"""Errors for ops without a sparse kernel, in PyTorch's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ...dispatch.called_as import is_operator
from ...dispatch.kinds import TensorKind
from ...dispatch.registry import OPS, Op
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.keys import KEY_META
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from ...types.dtypes import dtype
from .parts.tensors import COMPRESSED, COO, expects, is_compressed, is_coo, layout_name
from .refused_names import SHIFTS, into_out, missing

_NO_STEPS = frozenset(
    ("squeeze", "narrow", "split", "chunk", "split_with_sizes", "as_strided", "diagonal", "tensor_split", "diff")
)
_NO_SHAPES = frozenset(("reshape", "flatten", "outer", "inner", "einsum", "tensordot", "reshape_as"))
_FORMAT = "unsupported memory format option "
_NO_FORMATS = "memory format option is only supported by strided tensors"
_COPIED_FIRST = {
    "masked_fill": _FORMAT + "Contiguous", "index_fill": _FORMAT + "Preserve", "ravel": _FORMAT + "Contiguous",
    "native_layer_norm": _FORMAT + "Contiguous", "pdist": _FORMAT + "Contiguous", "isreal": _NO_FORMATS,
    "bernoulli": _NO_FORMATS, "rrelu_with_noise": _NO_FORMATS, "_nn.rrelu_with_noise": _NO_FORMATS,
}  # fmt: skip
"""What PyTorch says of ops that begin with such a copy."""
_NOT_STRETCHED = frozenset(("expand", "expand_as", "broadcast_to", "repeat", "tile"))
_META = TensorKind("sparse", COO.key, "SparseMeta", COO.words, None)


def _handed_on(op: Op) -> bool:
    """Whether an op only hands its arguments on to others, as the functions of layers do, which know the layout."""
    return op.rule is None and op.family == "nn"


def _of_steps_that_are_there(op: Op, args: tuple) -> bool:
    """Whether a call is made of moves and sums alone, or of a product with a dense column."""
    if op.name == "outer":
        return not is_coo(args[0])
    return op.name == "einsum" and isinstance(args[0], str) and len(args) == 2 and is_coo(args[1])


def refuse_coo(op: Op, args: tuple, kwargs: dict) -> Any:
    """Raise PyTorch's error for an op without a kernel for COO tensors, unless it is made of others."""
    if _handed_on(op) or _of_steps_that_are_there(op, args):
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
    if op.name in _NOT_STRETCHED:
        _refuse_expand("Sparse")
    if op.name == "apply_":
        args[0].data_ptr()  # raises
    if op.name == "view" and len(args) == 2 and isinstance(args[1], dtype):
        args[0].untyped_storage()  # raises
    if op.name in ("cummax", "cummin") and len(args) > 1:
        checked_dim(args[1], args[0]._array.ndim)
    if op.name == "add_number":
        return OPS["add"].function(*args)
    if op.name == "rsub" and len(args) > 1 and not isinstance(args[1], Tensor):
        return OPS["add"].function(OPS["scalar_tensor"].function(args[1]), args[0], alpha=-1)
    if op.name in _COPIED_FIRST and is_coo(args[0]):
        refuse(
            RuntimeError,
            _COPIED_FIRST[op.name],
            f"{op.name} begins with a copy or an empty tensor in a memory format, which sparse tensors do not have",
            "x.to_dense()",
            rule="sparse.format",
        )
    meta = any(is_coo(a) and a._keys & KEY_META for a in args)
    no_kernel(op, _META if meta else COO, "as_strided" if op.name in _NO_STEPS else missing(op, args, kwargs))


def _refuse_expand(layout: str) -> NoReturn:
    refuse(
        RuntimeError,
        f"expand is unsupported for {layout} tensors",
        "expand would have to repeat every coordinate",
        "x.to_dense()",
        rule="sparse.expand",
    )


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


def refuse_compressed(op: Op, args: tuple, kwargs: dict) -> Any:
    """Raise PyTorch's error for an op without a kernel for compressed tensors, unless it is made of others."""
    if _handed_on(op):
        return op.plain(*args, **kwargs)
    first = next((t for t in args if is_coo(t) or is_compressed(t)), None)
    layout = "SparseCsr" if first is None else layout_name(first)
    own = is_compressed(args[0]) if args else False
    if op.name in _NOT_STRETCHED and own:
        _refuse_expand(layout)
    if op.name == "apply_":
        args[0].data_ptr()  # raises
    if op.name == "view" and len(args) == 2 and isinstance(args[1], dtype):
        args[0].untyped_storage()  # raises
    if kwargs.get("out") is not None and op.name not in ("logsumexp", "stack"):
        no_kernel(op, COMPRESSED, missing(op, args, kwargs))
    place = 2 if op.name == "norm" else 1
    dim = kwargs.get("dim", args[place] if len(args) > place and op.family != "pointwise" else None)
    if own and type(dim) is int and op.name in _ALONG_ONE:
        checked_dim(dim, args[0]._array.ndim)
    if own and op.name in ("max", "min") and type(dim) is int:
        size = list(args[0]._array.shape)
        del size[dim]
        if not kwargs.get("keepdim") and len(args) < 3:
            refuse_size(size)
        if args[0]._array.block:
            refuse_blocks(args[0])
        no_kernel(op, COMPRESSED, f"{op.name}.dim_{op.name}")
    if op.name in _MADE_FIRST and own and not (op.name in ("median", "nanmedian") and dim is None):
        if args[0]._array.block and op.name in ("cummax", "cummin"):
            refuse_blocks(args[0])
        if op.name == "aminmax" and dim is not None:
            size = list(args[0]._array.shape)
            del size[checked_dim(dim, len(size))]
            if kwargs.get("keepdim"):
                no_kernel(op, COMPRESSED, "aminmax.out")
            refuse_size(size)
        refuse_size(_MADE_FIRST[op.name])
    if op.name in _EMPTIED and own and args[0]._array.block:
        refuse_blocks(args[0])
    if op.name in _RESIZED and dim is not None and own:
        if type(dim) is not int and len(dim) == args[0]._array.ndim and op.name not in ("all", "any"):
            no_kernel(op, COMPRESSED, into_out(op.name))
        refuse(
            RuntimeError,
            f"resize_reduction: support for output with {layout} layout is not implemented yet",
            f"{op.name} has no kernel for compressed tensors",
            "x.to_dense()",
            rule="sparse.layout",
        )
    if op.name == "norm" and kwargs.get("dtype") is not None:
        no_kernel(op, COMPRESSED, "norm.dtype_out")
    if op.name in _WITH_OUT:
        number = len(args) > 3 and not isinstance(args[3], Tensor)
        whole = f"{op.name}.all_out" if op.name in ("all", "any") else into_out(_base(op.name))
        no_kernel(op, COMPRESSED, _out_of_scatter(number) if op.name == "scatter" else whole)
    if op.name in _COPIED_FIRST and own and op.name != "ravel" or op.name in ("t_copy", "transpose_copy"):
        words = _COPIED_FIRST.get(op.name, _FORMAT + "Contiguous")
        if op.name not in ("bernoulli", "rrelu_with_noise", "_nn.rrelu_with_noise", "native_layer_norm", "pdist"):
            refuse(
                RuntimeError,
                "unsupported memory format Preserve" if words is _NO_FORMATS else words,
                f"{op.name} begins with a copy in a memory format, which sparse tensors do not have",
                "x.to_dense()",
                rule="sparse.format",
            )
    if op.name in ("transpose_", "t_", "swapaxes_", "swapdims_") and own:
        refuse(
            RuntimeError,
            f"torch.transpose_: in-place transposition is not supported for {layout} layout",
            "the transposed matrix has another layout",
            "x.transpose(0, 1)",
            rule="sparse.layout",
        )
    if op.name in _IN_STRIDES and own:
        args[0].stride()  # raises
    if op.name in ("logical_and", "logical_or", "logical_xor"):
        no_kernel(op, COMPRESSED, f"{op.name}.out")
    named = op.name in _NAMED and not (op.name == "rsub" and len(args) > 1 and not isinstance(args[1], Tensor))
    if op.name in SHIFTS:
        named = isinstance(args[0], Tensor) and is_operator(f"__{SHIFTS[op.name]}__")
    if op.family in ("pointwise", "comparison", "inplace") and not named or op.name in _OF_DIFFERENCES:
        power = op.name in ("pow", "float_power") and not isinstance(args[0], Tensor)
        if power and first is not None and first._array.block:
            refuse_blocks(first)
        if power or op.name == "remainder" and not isinstance(args[0], Tensor):
            no_kernel(op, COMPRESSED, "pow.Scalar_out" if power else "remainder.Scalar_Tensor")
        refuse(
            RuntimeError,
            f"unsupported tensor layout: {layout}",
            f"{op.name} has no kernel for compressed tensors",
            "x.to_sparse()",
            "x.to_dense()",
            rule="sparse.layout",
        )
    if op.name in _IN_ONE_PIECE and own:
        args[0].is_contiguous()  # raises as well
    if op.name in _IN_STRIDES | _IN_ONE_PIECE and isinstance(args[0], (tuple, list)):
        given = next(t for t in args[0] if is_compressed(t))
        last = op.name == "stack" and (len(args) > 1 or "dim" in kwargs)
        given.stride() if op.name in _IN_STRIDES or last else given.is_contiguous()  # raises, too
    if op.name == "einsum":
        given = [t for t in args[1:] if isinstance(t, Tensor)]
        if len(given) > 1 and is_compressed(given[0]):
            given[0].stride()  # raises
    if op.name in _BY_STEPS or op.name == "einsum":
        no_kernel(op, COMPRESSED, "as_strided")
    if op.name in _IN_FULL:
        no_kernel(op, COMPRESSED, "empty_strided")
    if op.name in ("new_ones", "new_full") and own:
        _refuse_new(args, kwargs)
    no_kernel(op, COMPRESSED, "bernoulli_.Tensor" if op.name == "bernoulli" else missing(op, args, kwargs))


_ALONG_ONE = _RESIZED | frozenset("max min cumsum cumprod softmax log_softmax sort argsort".split())
_NAMED = _OWN_NAMES | {"equal"}
_EMPTIED = frozenset(
    "cumsum cumprod softmax log_softmax tril triu gather scatter scatter_add topk renorm index_add index_copy "
    "constant_pad_nd _nn.constant_pad_nd _nn.reflection_pad1d".split()
)
"""Ops that make an empty tensor of the layout first, which matrices of blocks refuse."""
_OF_DIFFERENCES = frozenset(("_nn.mse_loss", "_nn.smooth_l1_loss", "nanmean"))
"""Ops that begin with a difference or a comparison."""


def _base(name: str) -> str:
    return name.removesuffix("_")


def _out_of_scatter(number: bool) -> str:
    return "scatter.value_out" if number else "scatter.src_out"


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


def _refuse_new(args: tuple, kwargs: dict) -> None:
    size = kwargs.get("size", args[1] if len(args) > 1 else ())
    size = [size] if isinstance(size, int) else list(size)
    if len(size) < 2:
        refuse_size(size)


COO.refusal, COMPRESSED.refusal = refuse_coo, refuse_compressed
COO.way_out = COMPRESSED.way_out = ("x.to_dense()",)
