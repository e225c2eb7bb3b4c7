"""Explain an error about shapes, products, joins, indices or dtypes from its message."""

from __future__ import annotations

import re
from typing import Any

from ... import geometry
from ...errors.reasons import Reason
from ...geometry import Geometry
from .patterns import Answer, explains, sizes_in


def _reason(value: Any) -> Reason | None:
    return value if isinstance(value, Reason) else None


# -- shapes ----------------------------------------------------------------------------------------------------------


@explains(r"view size is not compatible with input tensor's size and stride")
def _view() -> Answer:
    return (
        "view.span",
        "view would have to merge two neighbouring dimensions whose strides do not line up, as after t(), transpose() "
        "or a slice of columns.",
        ("x.reshape(...), which copies if necessary", "x.contiguous().view(...)"),
    )


@explains(r"shape '(\[.*?\])' is invalid for input of size (\d+)")
def _count(shape: str, numel: int) -> Reason | None:
    return _reason(geometry.infer_size(sizes_in(shape), numel))


@explains(r"cannot reshape array of size (\d+) into shape (\(.*?\))")
def _numpy_count(numel: int, shape: str) -> Reason | None:
    return _reason(geometry.infer_size(sizes_in(shape), numel))


@explains(r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)")
def _clash(a: int, b: int, dim: int) -> Answer:
    return (
        "broadcast.clash",
        f"Aligned from the right, dimension {dim} has size {a} in one tensor and {b} in the other; the sizes must be "
        "equal, or one of them must be 1.",
        (
            "x.unsqueeze(-1) on the one with fewer dimensions, if its sizes belong to the first ones of the other",
            "x.t(), if one of them is transposed",
            f"x.narrow({dim}, 0, {min(a, b)}) of the longer one, if its rest may be left out",
        ),
    )


@explains(r"operands could not be broadcast together with (?:remapped )?shapes? ((?:\([\d, ]*\) ?)+)")
def _numpy_clash(shapes: str) -> Reason | None:
    return _reason(geometry.broadcast(*[sizes_in(s) for s in re.findall(r"\([\d, ]*\)", shapes)]))


@explains(r"The expanded size of the tensor \(-?\d+\) must match.*Target sizes: (\[.*?\])\.  Tensor sizes: (\[.*?\])")
def _expand(shape: str, size: str) -> Reason | None:
    return _reason(geometry.expand(geometry.contiguous(sizes_in(size)), sizes_in(shape)))


@explains(r"expand\(.*?\{(\[.*?\])\}, size=(\[.*?\])\): the number of sizes provided")
def _expand_rank(size: str, shape: str) -> Reason | None:
    return _reason(geometry.expand(geometry.contiguous(sizes_in(size)), sizes_in(shape)))


@explains(r"requiring a storage size of (\d+) are out of bounds for storage of size (\d+)")
def _bounds(needed: int, held: int) -> Answer:
    return (
        "strided.bounds",
        f"The last element would end at byte {needed}, but the storage has {held} bytes.",
        ("smaller sizes or strides: the last element is at offset + sum of (size - 1) * stride",),
    )


# -- products --------------------------------------------------------------------------------------------------------


@explains(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)")
def _matmul(n: int, k: int, k2: int, m: int) -> Answer:
    ways: tuple[str, ...] = ("a @ b.t()",) if k == m else ()
    ways += ("a.t() @ b",) if n == k2 else ()
    because = (
        f"Dimension 1 of the first matrix has size {k} and dimension 0 of the second has size {k2}; they must be equal."
    )
    return "matmul.size", because, ways or (f"a second matrix of size [{k}, ...]",)


@explains(r"matmul: Input operand 1 has a mismatch in its core dimension 0.*\(size (\d+) is different from (\d+)\)")
def _numpy_matmul(k2: int, k: int) -> Answer:
    because = (
        f"Dimension -1 of the first array has size {k} and dimension -2 of the second has size {k2}; they must be "
    )
    return "matmul.size", because + "equal.", ("a @ b.T, if the sizes then match", "a.T @ b, if the sizes then match")


@explains(r"shapes (\(.*?\)) and (\(.*?\)) not aligned: (\d+) \(dim (\d+)\) != (\d+) \(dim (\d+)\)")
def _numpy_dot(a: str, b: str, k: int, dim: int, k2: int, dim2: int) -> Answer:
    because = (
        f"Dimension {dim} of {list(sizes_in(a))} has size {k} and dimension {dim2} of {list(sizes_in(b))} has {k2}."
    )
    return "matmul.size", because + " They must be equal.", ("a @ b.T, if the sizes then match",)


@explains(r"size mismatch, got input \((\d+)\), mat \((\d+)x(\d+)\), vec \((\d+)\)")
def _mv(n: int, rows: int, k: int, length: int) -> Answer:
    ways = (f"a vector of {k} elements",) + (("mat.t() @ vec",) if rows == length else ())
    return (
        "matmul.size",
        f"The matrix has {k} columns (dimension 1), but the vector has {length} elements (dimension 0).",
        ways,
    )


@explains(r"to have the same dtype, but got: (\S+) != (\S+)")
def _matmul_dtype(a: str, b: str) -> Answer:
    because = f"Matrix products do not promote dtypes: one operand is {a}, the other {b}."
    return "matmul.dtype", because, ("b.to(a.dtype), which copies b", "a.to(b.dtype), which copies a")


@explains(r"einsum\(\): subscript (\w) has size (\d+) for operand (\d+) which does not broadcast.*seen size (\d+)")
def _einsum_size(letter: str, n: int, operand: int, seen: int) -> Answer:
    because = f"A letter has one size, but {letter} is {seen} in an earlier operand and {n} in operand {operand}."
    return (
        "einsum.size",
        because,
        (f"another letter for the dimension of size {n}", "size 1 there, which broadcasts"),
    )


@explains(
    r"einsum\(\): the number of subscripts in the equation \((\d+)\) (?:does not match|is more than) "
    r"the number of dimensions \((\d+)\) for operand (\d+)"
)
def _einsum_letters(letters: int, ndim: int, operand: int) -> Answer:
    because = f"Operand {operand} has {ndim} dimensions but {letters} letters; each dimension needs one letter."
    return "einsum.letters", because, (f"{ndim} letters for operand {operand}", "... for dimensions without a letter")


# -- joins -----------------------------------------------------------------------------------------------------------


@explains(r"must match except in dimension (\d+)\. Expected size (\d+) but got size (\d+) for tensor number (\d+)")
def _cat(dim: int, n: int, m: int, which: int) -> Answer:
    because = f"Only dimension {dim} may differ, but another has size {n} in tensor 0 and {m} in tensor {which}."
    return (
        "cat.size",
        because,
        (
            "torch.cat(..., dim=d), if d is the only dimension that differs",
            f"x.narrow(d, 0, {min(n, m)}) of the longer tensor, for the dimension d that differs",
        ),
    )


@explains(r"along dimension (\d+), the array at index (\d+) has size (\d+) and the array at index (\d+) has size (\d+)")
def _numpy_concatenate(dim: int, one: int, n: int, other: int, m: int) -> Answer:
    because = f"Dimension {dim} has size {n} in array {one} and {m} in array {other}; only the joined axis may differ."
    return "cat.size", because, (f"np.concatenate(..., axis={dim})",)


@explains(r"stack expects each tensor to be equal size, but got (\[.*?\]) at entry 0 and (\[.*?\]) at entry (\d+)")
def _stack(first: str, other: str, which: int) -> Answer:
    a, b = sizes_in(first), sizes_in(other)
    differ = [d for d, (n, m) in enumerate(zip(a, b, strict=False)) if n != m]
    if len(a) != len(b):
        because = f"Tensor 0 has {len(a)} dimensions, {list(a)}, but tensor {which} has {len(b)}, {list(b)}."
    else:
        dim = differ[0]
        because = (
            f"Dimension {dim} has size {a[dim]} in tensor 0 and {b[dim]} in tensor {which}; stack needs equal sizes."
        )
    return "stack.size", because, geometry.ways_to_stack(a, b)


# -- indices and dimensions ------------------------------------------------------------------------------------------


@explains(r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)")
def _index(index: int, dim: int, n: int) -> Reason | None:
    return _reason(geometry.offset_of(Geometry((1,) * dim + (n,), (1,) * (dim + 1), 0), (0,) * dim + (index,)))


@explains(r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)")
def _dim(low: int, high: int, dim: int) -> Answer:
    # Of how many dimensions the tensor is, the text does not say: unsqueeze and stack count the new one, too.
    return "dim.range", f"dim goes from {low} to {high} here; {dim} is not among them.", (f"dim={high}, the last one",)


@explains(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")
def _axis(dim: int, ndim: int) -> Reason | None:
    return _reason(geometry.wrap_dim(dim, ndim))


@explains(
    r"too many indices for (?:array: array is (\d+)-dimensional, but (\d+) were indexed|tensor of dimension (\d+))"
)
def _many(ndim: int | None, count: int | None, ndim_of_tensor: int | None) -> Answer:
    dims = ndim if ndim is not None else ndim_of_tensor
    indices = f"There are {count} indices" if count is not None else "There are more indices than dimensions:"
    because = f"{indices} for {dims} dimensions." if count is not None else f"{indices} only {dims}."
    return "index.many", because, (f"at most {dims} indices", "x[None], which adds a dimension")


@explains(r"tensors used as indices must be long, int, byte or bool tensors|arrays used as indices must be of integer")
def _index_dtype() -> Answer:
    because = "An index holds positions (integers) or marks them (bool), but this one holds floating-point numbers."
    return "index.dtype", because, ("index.long()", "mask > 0, for a mask")


@explains(r"(?:slice )?step must be greater than zero")
def _step() -> Reason | None:
    return _reason(geometry.slice(geometry.contiguous((1,)), 0, None, None, -1))


@explains(r"At least one stride in the given numpy array is negative")
def _negative_stride() -> Answer:
    because = (
        "The array is a reversed view such as a[::-1] with a negative stride; a tensor's strides must be 0 or more."
    )
    return (
        "from_numpy.stride",
        because,
        (
            "torch.from_numpy(a.copy()), which copies a.nbytes bytes",
            "torch.from_numpy(a[::-1]).flip(0), if a is reversed along dimension 0 alone",
        ),
    )


# -- dtypes, writes, numbers -----------------------------------------------------------------------------------------


@explains(r"result type (\S+) can't be cast to the desired output type (\S+)")
def _cast(result: str, target: str) -> Answer:
    because = f"The result has dtype {result}, but the tensor that is written to keeps its dtype {target}."
    ways = (
        "x = x + y, which makes a new tensor",
        f"x = x.{_method(result)}() first, for the tensor x that is written to",
    )
    return "write.cast", because, ways


def _method(type_name: str) -> str:
    return {"ComplexFloat": "cfloat", "ComplexDouble": "cdouble"}.get(type_name, type_name.lower())


@explains(r"more than one element of the written-to tensor refers to a single memory location")
def _overlap() -> Answer:
    because = "Several elements of the tensor that is written to share one memory location, as after expand()."
    return "write.overlap", because, ("x = x.clone()", "x = x + y, which makes a new tensor")


@explains(r"Can't call numpy\(\) on Tensor that requires grad")
def _grad_numpy() -> Answer:
    because = "requires_grad is set, but NumPy cannot record gradients; detach() shares the memory without the flag."
    return "numpy.grad", because, ("x.detach().numpy()",)


@explains(
    r"(mean|std|var|quantile|norm)\S*?\(?\)?:? "
    r"(?:could not infer output dtype|input tensor must be either float or double).*?(?:Got: (\w+))?$"
)
def _float_only(name: str, got: str | None) -> Answer:
    because = f"The {name} of integers is rarely an integer" + (f"; the input has dtype {got}" if got else "") + "."
    return f"{name}.dtype", because, (f"x.float().{name}(...)",)


@explains(
    r"Boolean value of Tensor with (no values|more than one value) is ambiguous|"
    r"truth value of an array with more than one"
)
def _truth(how_many: str | None) -> Answer:
    because = "if, while, and, or and not need one truth value, but each element has its own."
    return "truth.count", because, ("x.any()", "x.all()", "x.item(), for a single element")


@explains(r"a Tensor with (\d+) elements cannot be converted to Scalar")
def _item(count: int) -> Answer:
    return "item.count", f"item() needs exactly one element, but there are {count}.", ("x.tolist()", "x[0].item()")


@explains(r"Torch not compiled with CUDA enabled")
def _cuda() -> Answer:
    return (
        "device.cuda",
        "This build of PyTorch has no GPU support.",
        ("device='cpu'", "torch.cuda.is_available() first"),
    )


@explains(r"\"(\w+)\" not implemented for '(\w+)'")
def _kernel(kernel: str, dtype: str) -> Answer:
    because = f"PyTorch has no {kernel} kernel for {dtype}."
    if "normal" in kernel or "uniform" in kernel:
        random = ("torch.randint(...), for random integers", "dtype=torch.float32, for random fractions")
        return "kernel.dtype", because, random
    if dtype.startswith("Complex"):
        way = "x.real or x.abs(), if real numbers will do"
    elif dtype in ("Float", "Double") or any(word in kernel for word in ("bitwise", "shift", "bincount")):
        way = "x.long(), if whole numbers will do"
    else:
        way = "x.float(), if floating-point numbers will do"
    return "kernel.dtype", because, (way,)


@explains(
    r"(gather|scatter|scatter_add|index_select|take)\(\): Expected (?:dtype )?int\S* (?:for index|indices)|"
    r"(index_select)\(\): Expected dtype int32 or int64 for index"
)
def _gather(name: str | None, other: str | None) -> Answer:
    return (
        f"{name or other}.dtype",
        "An index holds positions, so it needs an integer dtype such as int64.",
        ("index.long()",),
    )
