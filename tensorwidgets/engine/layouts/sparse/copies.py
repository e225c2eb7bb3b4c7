"""Copies and casts of sparse tensors: values are converted, indices are copied or shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...ops.copies.copying import read_to
from ...ops.creation.from_data import tensor_from, warn_copy
from ...tensor.keys import KEY_META
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version, counter_for_alias
from ...types import dtypes, formats
from ...types.cpp_names import cpp_tensor_type
from ...types.device import META, usable
from ...types.dtypes import dtype as DType
from .parts.empty import of_zeros, zeros
from .parts.same_indices import again, replace, with_values
from .parts.tensors import (
    COMPRESSED,
    COO,
    NAMES,
    Compressed,
    Coordinates,
    around,
    compressed_kernel,
    coo_kernel,
    is_compressed,
    is_coo,
    is_sparse,
    layout_name,
)
from .refusals import refuse_expand

if TYPE_CHECKING:
    from ...tensor.generator import Generator
    from ...types.device import device
    from ...types.dtypes import dtype
    from ...types.formats import layout, memory_format

_clone = OPS["clone"].function


@coo_kernel("clone")
@compressed_kernel("clone")
def clone(input: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
    if memory_format is not None:
        _no_format(memory_format)
    parts = input._array
    if is_coo(input):
        return around(
            Coordinates(_clone(parts.indices), _clone(parts.values), parts.shape, parts.coalesced, parts.checked)
        )
    outer, inner, values = map(_clone, parts.all())
    return around(Compressed(parts.layout, outer, inner, values, parts.shape, parts.checked))


def _no_format(memory_format: memory_format) -> None:
    words = {"contiguous_format": "Contiguous", "channels_last": "ChannelsLast", "preserve_format": "Preserve"}
    word = words.get(memory_format.name, "ChannelsLast3d")
    refuse(
        RuntimeError,
        f"unsupported memory format option {word}",
        "a memory format orders the elements of strided tensors",
        "x.clone()",
        rule="sparse.format",
    )


@coo_kernel("contiguous")
@compressed_kernel("contiguous")
def contiguous(input: Tensor, *, memory_format: memory_format = formats.contiguous_format) -> Tensor:
    input.is_contiguous()  # raises for compressed tensors
    _no_format(memory_format)
    return input


@coo_kernel("detach")
@compressed_kernel("detach")
def detach(input: Tensor) -> Tensor:
    result = again(input)
    result._counter = counter_for_alias(input)
    return result


coo_kernel("detach_")(OPS["detach_"].plain)
compressed_kernel("detach_")(OPS["detach_"].plain)


def to(input: Tensor, *args: Any, **named: Any) -> Tensor:
    where, what, copy, memory_format = read_to(args, named)
    if memory_format is not None and memory_format is not formats.preserve_format:
        _no_format(memory_format)
    meta = bool(input._keys & KEY_META)
    wanted_meta = meta if where is None else where is META
    d = input._dtype if what is None else what
    if meta and not wanted_meta:
        refuse(
            NotImplementedError,
            "Cannot copy out of meta tensor; no data!",
            "a meta tensor has no data",
            rule="meta.copy",
        )
    if wanted_meta and not meta:
        return on_meta(input, d)
    return cast(input, d, copy)


def cpu(input: Tensor, memory_format: memory_format | None = None) -> Tensor:
    return to(input, "cpu")


for _kernel in (to, cpu):  # these handle meta tensors themselves
    OPS[_kernel.__name__].kernels[COO.key] = OPS[_kernel.__name__].kernels[COMPRESSED.key] = _kernel


@coo_kernel("type_as")
@compressed_kernel("type_as")
def type_as(input: Tensor, other: Tensor) -> Tensor:
    if layout_name(input) != layout_name(other):
        _refuse_other_layout(input, other)
    return cast(input, other._dtype)


def _refuse_other_layout(input: Tensor, other: Tensor) -> None:
    """PyTorch's refusal to convert to the layout of another tensor."""
    own, wanted = layout_name(input), layout_name(other)
    if own != wanted:
        refuse(
            RuntimeError,
            f"to(options) doesn't support converting to a different layout, but got self.layout being {own} and "
            f"options.layout set as {wanted}",
            "a layout is not a dtype",
            f"x.to({other._dtype})",
            rule="sparse.layout",
        )


def on_meta(t: Tensor, d: DType) -> Tensor:
    """A meta tensor of the same size and layout."""
    if is_coo(t):
        return of_zeros(t._array.shape, t._array.sparse_dim, d, True)
    parts = t._array
    outer, inner = (OPS["to"].function(part, "meta") for part in (parts.outer, parts.inner))
    return around(Compressed(parts.layout, outer, inner, zeros(parts.values._array.shape, d, True), parts.shape))


def cast(t: Tensor, d: DType, copy: bool = False) -> Tensor:
    """The tensor in a dtype: itself if it already is."""
    if not is_coo(t) and not is_compressed(t):  # of a sparse tensor only the dtype is taken
        return OPS["to"].function(t, d, copy=copy)
    if d is t._dtype:
        return clone(t) if copy else t
    return with_values(t, OPS["to"].function(t._array.values, d))


def _caster(name: str) -> None:
    def kernel(input: Tensor, memory_format: memory_format | None = None) -> Tensor:
        values = OPS[name].function(input._array.values)
        return input if values is input._array.values else with_values(input, values)

    coo_kernel(name)(kernel)
    compressed_kernel(name)(kernel)


for _name in (
    "double", "float", "half", "bfloat16", "long", "int", "short", "char", "byte", "bool", "cfloat", "cdouble", "chalf",
):  # fmt: skip
    _caster(_name)


@coo_kernel("copy_")
@compressed_kernel("copy_")
def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    src = src if isinstance(src, Tensor) else tensor_from(src)
    if layout_name(input) != layout_name(src):
        strange = f"Found self type = {_type_of(input)} and src type = {_type_of(src)}"
        words = f"copy_() between dense and sparse Tensors is not implemented! {strange}"
        if is_compressed(src):
            words = f"copy_sparse_compressed_ expected sparse compressed tensor layout but got {layout_name(input)}"
        if is_compressed(input):
            words = (
                "torch.copy_: copy of sparse compressed tensors having different layouts is not "
                "supported. self layout is "
                f"{layout_name(input)} and src layout is {layout_name(src)}"
            )
        refuse(RuntimeError, words, "one tensor is dense and the other sparse", "src.to_dense()", rule="sparse.copy")
    if input is src:
        bump_version(input)
        return input
    if is_coo(input):
        from .resize import sparse_resize_

        sparse_resize_(input, src._array.shape, src._array.sparse_dim, src._array.dense_dim)  # counts as the write
        new = cast(clone(src), input._dtype)
        return replace(input, new, counts=False)
    if input._array.nnz != src._array.nnz or input._array.shape != src._array.shape:
        refuse(
            RuntimeError,
            "copy_: only sparse compressed tensors with the same number of specified elements are supported.",
            f"one stores {input._array.nnz} elements, the other {src._array.nnz}",
            rule="sparse.copy",
        )
    return replace(input, cast(clone(src), input._dtype))


def _type_of(t: Tensor) -> str:
    own = cpp_tensor_type(t._dtype)
    if is_coo(t):
        return own.replace("torch.", "torch.sparse.") if own.startswith("torch.") else f"Sparse{own}"
    return own if layout_name(t) == "Strided" else f"torch.sparse_csr.{t._dtype._type_name}Tensor"


@coo_kernel("expand_as")
@compressed_kernel("expand_as")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """A dense tensor in the size of a sparse one."""
    if is_sparse(input):
        refuse_expand(layout_name(input))
    result: Tensor = OPS["expand"].function(input, *other._array.shape)
    return result


@coo_kernel("zero_")
def zero_(input: Tensor) -> Tensor:
    parts = input._array
    return replace(input, of_zeros(parts.shape, parts.sparse_dim, input._dtype, bool(input._keys & KEY_META)))


@compressed_kernel("zero_")
def zero_compressed(input: Tensor) -> Tensor:
    return replace(input, _nothing_like(input, input._array.shape, input._dtype))


@compressed_kernel("normal_")
def normal_(input: Tensor, mean: float = 0, std: float = 1, *, generator: Generator | None = None) -> Tensor:
    OPS["normal_"].function(input._array.values, mean, std, generator=generator)
    bump_version(input)
    return input


@compressed_kernel("fill_")
def fill_(input: Tensor, value: Any) -> Tensor:
    if isinstance(value, Tensor):
        no_kernel(find("fill_"), COMPRESSED, "fill_.Tensor")
    OPS["fill_"].function(input._array.values, value)
    bump_version(input)
    return input


# -- tensors like this one ---------------------------------------------------------------------------------------


def _nothing_like(t: Tensor, size: tuple[int, ...], d: DType, where: Any = None) -> Tensor:
    """An empty tensor in the same layout."""
    parts = t._array
    meta = bool(t._keys & KEY_META) if where is None else where is META
    if is_coo(t):
        kept = parts.sparse_dim if size == parts.shape else len(size)
        return of_zeros(size, kept, d, meta)
    b = parts.batch_dim if len(size) == parts.ndim else 0
    batch, along = size[:b], 0 if parts.layout.name.endswith("r") else 1
    lines = size[b + along]
    if parts.block:
        lines //= parts.block[along]
    values = zeros((*batch, 0, *parts.block, *size[b + 2 :]), d, meta)
    outer, inner = (zeros((*batch, count), dtypes.int64, meta) for count in (lines + 1, 0))
    return around(Compressed(parts.layout, outer, inner, values, size))


def _like(name: str, own_values: bool) -> None:
    def kernel(
        input: Tensor,
        *args: Any,
        generator: Generator | None = None,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: str | int | device | None = None,
        pin_memory: bool = False,
        requires_grad: bool = False,
        memory_format: memory_format | None = None,
    ) -> Tensor:
        where = None if device is None else usable(device)
        d = dtype or input._dtype
        if layout is not None and layout is not input.layout:
            if is_compressed(input) and (name != "zeros_like" or layout is formats.strided):
                refuse(
                    RuntimeError,
                    "empty_like with different sparse layout is not supported (self is "
                    f"{layout_name(input)} but you requested {NAMES.get(layout, 'Strided')})",
                    f"{name} keeps the layout of a compressed tensor",
                    rule="sparse.layout",
                )
            if layout is not formats.strided and not own_values:
                return OPS["zeros"].function(input._array.shape, dtype=d, layout=layout, device=where)
        if layout is formats.strided:
            return OPS[name].function(zeros(input._array.shape, d), *args, device=where)
        if own_values and is_coo(input):
            filled_by = {"rand_like": "uniform_", "randn_like": "normal_"}
            no_kernel(find(name), COO, filled_by.get(name, "fill_.Scalar"))
        if name == "rand_like":
            no_kernel(find(name), COMPRESSED, "uniform_")
        if own_values:
            drawn = {} if generator is None else {"generator": generator}
            return with_values(input, OPS[name].function(input._array.values, *args, dtype=d, **drawn))
        result = _nothing_like(input, input._array.shape, d, where)
        result._requires_grad = requires_grad
        return result

    coo_kernel(name)(kernel)
    compressed_kernel(name)(kernel)


for _name in ("zeros_like", "empty_like"):
    _like(_name, False)
for _name in ("ones_like", "full_like", "rand_like", "randn_like"):
    _like(_name, True)


@coo_kernel("new_zeros", "new_empty")
@compressed_kernel("new_zeros", "new_empty")
def new_zeros(
    input: Tensor, *size: Any, dtype: dtype | None = None, device: str | int | device | None = None, **named: Any
) -> Tensor:
    from ...declare.views import as_shape

    wanted = as_shape("new_zeros", size or (named.get("size", ()),))
    if is_compressed(input) and len(wanted) < 2:
        words = "torch.empty: Only batched sparse compressed (non-block) tensors are supported, but got size"
        message = f"{words} {list(wanted)}"
        refuse(RuntimeError, message, "rows and columns are two dimensions", "torch.zeros(…)", rule="sparse.size")
    return _nothing_like(input, wanted, dtype or input._dtype, None if device is None else usable(device))


@coo_kernel("setitem")
@compressed_kernel("setitem")
def setitem(self: Tensor, key: Any, value: Any) -> None:
    """Raises: an element that is not stored has no place."""
    if is_coo(self) or is_compressed(self):
        message = "Cannot assign to a sparse tensor"
        refuse(TypeError, message, "an element that is not stored has no place", "x.to_dense()", rule="sparse.write")
    keys = key if isinstance(key, tuple) else (key,)
    if not any(isinstance(k, (Tensor, list)) for k in keys):
        OPS["copy_"].function(self[key], value)  # raises
    no_kernel(find("index_put_"), COO if is_coo(value) else COMPRESSED, "_index_put_impl_")


@coo_kernel("as_tensor")
@compressed_kernel("as_tensor")
def as_tensor(data: Tensor, dtype: dtype | None = None, **named: Any) -> Tensor:
    return cast(data, dtype or data._dtype)


def _flagged(t: Tensor, requires_grad: bool) -> Tensor:
    if requires_grad:
        t.requires_grad = True
    return t


@coo_kernel("tensor")
@compressed_kernel("tensor")
def tensor(data: Tensor, dtype: dtype | None = None, requires_grad: bool = False, **named: Any) -> Tensor:
    warn_copy("torch.tensor(sourceTensor)")
    result = OPS["clone"].function(OPS["detach"].function(cast(data, dtype or data._dtype)))
    return _flagged(result, requires_grad)


@coo_kernel("new_tensor")
def new_tensor(self: Tensor, data: Any, *args: Any, **named: Any) -> Tensor:
    """A tensor of other data, which may be sparse."""
    if not is_coo(data) and not is_compressed(data):
        return OPS["new_tensor"].plain(self, data, *args, **named)
    warn_copy("tensor.new_tensor(sourceTensor)")
    result = OPS["clone"].function(OPS["detach"].function(cast(data, named.get("dtype") or self._dtype)))
    return _flagged(result, bool(named.get("requires_grad")))


@compressed_kernel("new_tensor")
def new_compressed_tensor(self: Tensor, data: Any, *args: Any, **named: Any) -> Tensor:
    """Raises: data are no rows."""
    if isinstance(data, Tensor):
        warn_copy("tensor.new_tensor(sourceTensor)")
    message = "Cannot map DispatchKey SparseCsrCPU to a unique layout."
    refuse(RuntimeError, message, "there are four compressed layouts", "torch.tensor(data)", rule="sparse.layout")


@coo_kernel("new_ones", "new_full")
def new_ones(input: Tensor, *args: Any, **named: Any) -> Tensor:
    """Raises: all elements would be stored."""
    no_kernel(find("new_ones"), COO, "fill_.Scalar")
