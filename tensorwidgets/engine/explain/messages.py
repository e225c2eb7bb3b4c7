"""What the message of an error of PyTorch or NumPy says, read back into numbers and explained.

For errors whose operands are out of reach (raised deep in somebody's model, or long ago): the message alone has to do.
Where geometry has the same refusal, geometry's own words are taken, so that an explanation reads alike everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .. import geometry
from ..errors.reasons import Reason
from ..geometry import Geometry

Told = tuple[str, str, tuple[str, ...]]
"""A rule, our words, and the ways out."""

Pattern = tuple[re.Pattern, Callable[..., "Told | Reason | None"]]

_PATTERNS: list[Pattern] = []


def says(pattern: str) -> Callable[[Callable], Callable]:
    """Declare what a message means; each group of the pattern becomes an argument, a number where it looks like one."""

    def declare(tell: Callable) -> Callable:
        _PATTERNS.append((re.compile(pattern, re.DOTALL), tell))
        return tell

    return declare


def reason_from_message(error: BaseException) -> Reason | None:
    """The explanation that the words of an error allow; None where they are not known.

    >>> print(reason_from_message(IndexError("index 5 is out of bounds for axis 0 with size 2")).because)
    Dimension 0 has size 2, so its indices go from 0 to 1 (or -2 to -1 from the end); 5 is none of them.
    """
    message = str(error)
    for pattern, tell in _PATTERNS:
        result = pattern.search(message)
        if result is None:
            continue
        told = tell(*map(_number, result.groups()))
        if told is None:
            continue
        kind = type(error) if isinstance(error, Exception) else RuntimeError
        if isinstance(told, Reason):
            return Reason(told.rule, kind, message, told.because, told.instead, told.facts)
        rule, because, instead = told
        return Reason(rule, kind, message, because, instead)
    return None


def _number(text: str | None) -> Any:
    return int(text) if text is not None and re.fullmatch(r"-?\d+", text) else text


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes of a printed shape.

    >>> sizes_in("[2, 3]"), sizes_in("(3,)"), sizes_in("2x3")
    ((2, 3), (3,), (2, 3))
    """
    return tuple(int(n) for n in re.findall(r"-?\d+", text))


def _reason(value: Any) -> Reason | None:
    return value if isinstance(value, Reason) else None


# -- shapes ----------------------------------------------------------------------------------------------------------


@says(r"view size is not compatible with input tensor's size and stride")
def _view() -> Told:
    return (
        "view.span",
        "view needs strides that can say the new shape, and two neighbouring dimensions of this tensor do not step "
        "evenly one into the other, as after t(), transpose() or a slice of columns.",
        ("x.reshape(...), which copies where it must", "x.contiguous().view(...)"),
    )


@says(r"shape '(\[.*?\])' is invalid for input of size (\d+)")
def _count(shape: str, numel: int) -> Reason | None:
    return _reason(geometry.infer_size(sizes_in(shape), numel))


@says(r"cannot reshape array of size (\d+) into shape (\(.*?\))")
def _numpy_count(numel: int, shape: str) -> Reason | None:
    return _reason(geometry.infer_size(sizes_in(shape), numel))


@says(r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)")
def _clash(a: int, b: int, dim: int) -> Told:
    return (
        "broadcast.clash",
        f"Lined up from the right, dimension {dim} is {a} in one tensor and {b} in the other; only equal sizes or a 1 "
        "go together.",
        (
            "x.unsqueeze(-1) on the shorter one, for a new dimension of size 1 on the right",
            "x.t(), where one is turned",
        ),
    )


@says(r"operands could not be broadcast together with (?:remapped )?shapes? ((?:\([\d, ]*\) ?)+)")
def _numpy_clash(shapes: str) -> Reason | None:
    return _reason(geometry.broadcast(*[sizes_in(s) for s in re.findall(r"\([\d, ]*\)", shapes)]))


@says(r"The expanded size of the tensor \(-?\d+\) must match.*Target sizes: (\[.*?\])\.  Tensor sizes: (\[.*?\])")
def _expand(shape: str, size: str) -> Reason | None:
    return _reason(geometry.expand(geometry.contiguous(sizes_in(size)), sizes_in(shape)))


@says(r"expand\(.*?\{(\[.*?\])\}, size=(\[.*?\])\): the number of sizes provided")
def _expand_rank(size: str, shape: str) -> Reason | None:
    return _reason(geometry.expand(geometry.contiguous(sizes_in(size)), sizes_in(shape)))


@says(r"requiring a storage size of (\d+) are out of bounds for storage of size (\d+)")
def _bounds(needed: int, held: int) -> Told:
    return (
        "strided.bounds",
        f"The last element would end at byte {needed} of the storage; it has {held}.",
        ("smaller sizes or strides: offset + sum of (size - 1) * stride is the last element's place",),
    )


# -- products --------------------------------------------------------------------------------------------------------


@says(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)")
def _matmul(n: int, k: int, k2: int, m: int) -> Told:
    ways: tuple[str, ...] = ("a @ b.t()",) if k == m else ()
    ways += ("a.t() @ b",) if n == k2 else ()
    because = (
        f"Dimension 1 of the first has size {k} and dimension 0 of the second {k2}: row by column, they must be equal."
    )
    return "matmul.size", because, ways or (f"a second factor of size [{k}, ...]",)


@says(r"matmul: Input operand 1 has a mismatch in its core dimension 0.*\(size (\d+) is different from (\d+)\)")
def _numpy_matmul(k2: int, k: int) -> Told:
    because = f"Dimension -1 of the first has size {k} and dimension -2 of the second {k2}: they must be equal."
    return "matmul.size", because, ("a @ b.T, if that fits", "a.T @ b, if that fits")


@says(r"shapes (\(.*?\)) and (\(.*?\)) not aligned: (\d+) \(dim (\d+)\) != (\d+) \(dim (\d+)\)")
def _numpy_dot(a: str, b: str, k: int, dim: int, k2: int, dim2: int) -> Told:
    because = (
        f"Dimension {dim} of {list(sizes_in(a))} has size {k} and dimension {dim2} of {list(sizes_in(b))} has {k2}."
    )
    return "matmul.size", because + " They must be equal.", ("a @ b.T, if that fits",)


@says(r"size mismatch, got input \((\d+)\), mat \((\d+)x(\d+)\), vec \((\d+)\)")
def _mv(n: int, rows: int, k: int, length: int) -> Told:
    ways = (f"a vector of {k} elements",) + (("mat.t() @ vec",) if rows == length else ())
    return (
        "matmul.size",
        f"The matrix has {k} columns (dimension 1) and the vector {length} elements (dimension 0).",
        ways,
    )


@says(r"to have the same dtype, but got: (\S+) != (\S+)")
def _matmul_dtype(a: str, b: str) -> Told:
    because = f"A product does not promote: one operand is {a}, the other {b}."
    return "matmul.dtype", because, ("b.to(a.dtype), which copies b", "a.to(b.dtype), which copies a")


@says(r"einsum\(\): subscript (\w) has size (\d+) for operand (\d+) which does not broadcast.*seen size (\d+)")
def _einsum_size(letter: str, n: int, operand: int, seen: int) -> Told:
    because = f"One letter has one size: {letter} is {seen} in an earlier operand and {n} in operand {operand}."
    return (
        "einsum.size",
        because,
        (f"another letter for the dimension of size {n}", "a size of 1 there, which broadcasts"),
    )


@says(
    r"einsum\(\): the number of subscripts in the equation \((\d+)\) (?:does not match|is more than) "
    r"the number of dimensions \((\d+)\) for operand (\d+)"
)
def _einsum_letters(letters: int, ndim: int, operand: int) -> Told:
    because = f"Operand {operand} has {ndim} dimensions and {letters} letters; each dimension takes one."
    return "einsum.letters", because, (f"{ndim} letters for operand {operand}", "... for dimensions without a letter")


# -- joins -----------------------------------------------------------------------------------------------------------


@says(r"must match except in dimension (\d+)\. Expected size (\d+) but got size (\d+) for tensor number (\d+)")
def _cat(dim: int, n: int, m: int, which: int) -> Told:
    because = f"Only dimension {dim} may differ, and another one has size {n} in tensor 0 and {m} in tensor {which}."
    return (
        "cat.size",
        because,
        ("torch.cat(..., dim=...) along the dimension that differs", f"x[..., :{min(n, m)}] of the longer one"),
    )


@says(r"along dimension (\d+), the array at index (\d+) has size (\d+) and the array at index (\d+) has size (\d+)")
def _numpy_concatenate(dim: int, one: int, n: int, other: int, m: int) -> Told:
    because = (
        f"Dimension {dim} is {n} in array {one} and {m} in array {other}; only the dimension joined along may differ."
    )
    return "cat.size", because, (f"np.concatenate(..., axis={dim})",)


@says(r"stack expects each tensor to be equal size, but got (\[.*?\]) at entry 0 and (\[.*?\]) at entry (\d+)")
def _stack(first: str, other: str, which: int) -> Told:
    a, b = sizes_in(first), sizes_in(other)
    if len(a) != len(b):
        because = f"Tensor 0 has {len(a)} dimensions, {list(a)}, and tensor {which} has {len(b)}, {list(b)}."
    else:
        dim = next(d for d, (n, m) in enumerate(zip(a, b, strict=True)) if n != m)
        because = (
            f"Dimension {dim} is {a[dim]} in tensor 0 and {b[dim]} in tensor {which}; stack needs all sizes equal."
        )
    return "stack.size", because, (f"b.expand({', '.join(map(str, a))}), if it can be stretched", "torch.cat([a, b])")


# -- indices and dimensions ------------------------------------------------------------------------------------------


@says(r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)")
def _index(index: int, dim: int, n: int) -> Reason | None:
    return _reason(geometry.offset_of(Geometry((1,) * dim + (n,), (1,) * (dim + 1), 0), (0,) * dim + (index,)))


@says(r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)")
def _dim(low: int, high: int, dim: int) -> Reason | None:
    return _reason(geometry.wrap_dim(dim, high + 1 if low != -1 or high else 1))


@says(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")
def _axis(dim: int, ndim: int) -> Reason | None:
    return _reason(geometry.wrap_dim(dim, ndim))


@says(r"too many indices for (?:array: array is (\d+)-dimensional, but (\d+) were indexed|tensor of dimension (\d+))")
def _many(ndim: int | None, given: int | None, ndim_of_tensor: int | None) -> Told:
    held = ndim if ndim is not None else ndim_of_tensor
    because = (
        f"There are {held} dimensions" + (f" and {given} indices" if given is not None else " and more indices") + "."
    )
    return "index.many", because, (f"at most {held} indices", "x[None], for one more dimension")


@says(r"tensors used as indices must be long, int, byte or bool tensors|arrays used as indices must be of integer")
def _index_dtype() -> Told:
    because = "An index counts places (whole numbers) or marks them (bool), and this one holds floating-point numbers."
    return "index.dtype", because, ("index.long()", "mask > 0, for a mask")


@says(r"(?:slice )?step must be greater than zero")
def _step() -> Reason | None:
    return _reason(geometry.slice(geometry.contiguous((1,)), 0, None, None, -1))


@says(r"At least one stride in the given numpy array is negative")
def _negative_stride() -> Told:
    because = (
        "The array was reversed by a slice such as a[::-1], a view that steps back; a tensor's strides are 0 or more."
    )
    return (
        "from_numpy.stride",
        because,
        ("torch.from_numpy(a.copy()), which copies a.nbytes bytes", "torch.from_numpy(a[::-1]).flip(0)"),
    )


# -- dtypes, writes, numbers -----------------------------------------------------------------------------------------


@says(r"result type (\S+) can't be cast to the desired output type (\S+)")
def _cast(result: str, target: str) -> Told:
    because = f"The result is of type {result}, and the tensor that is written to holds {target}; it keeps its dtype."
    return "write.cast", because, ("x = x + y, which makes a new tensor", f"x = x.{_method(result)}() first")


def _method(type_name: str) -> str:
    return {"ComplexFloat": "cfloat", "ComplexDouble": "cdouble"}.get(type_name, type_name.lower())


@says(r"more than one element of the written-to tensor refers to a single memory location")
def _overlap() -> Told:
    because = "The tensor that is written to has a stride of 0: several of its elements are one and the same in memory."
    return "write.overlap", because, ("x = x.clone()", "x = x + y, which makes a new tensor")


@says(r"Can't call numpy\(\) on Tensor that requires grad")
def _grad_numpy() -> Told:
    because = "requires_grad is set, and NumPy records nothing; detach() shares the memory without the flag."
    return "numpy.grad", because, ("x.detach().numpy()",)


@says(r"a leaf Variable that requires grad is being used in an in-place operation|view of a leaf Variable")
def _leaf() -> Told:
    because = "requires_grad is set on this tensor, so its first value must stay."
    return "write.leaf", because, ("x = x.detach().clone()", "with torch.no_grad(): ...")


@says(
    r"(mean|std|var|quantile|norm)\S*?\(?\)?:? "
    r"(?:could not infer output dtype|input tensor must be either float or double).*?(?:Got: (\w+))?$"
)
def _float_only(name: str, got: str | None) -> Told:
    because = f"{name} of whole numbers is seldom a whole number" + (f"; these are {got}" if got else "") + "."
    return f"{name}.dtype", because, (f"x.float().{name}(...)",)


@says(
    r"Boolean value of Tensor with (no values|more than one value) is ambiguous|"
    r"truth value of an array with more than one"
)
def _truth(how_many: str | None) -> Told:
    because = "if, while, and, or and not ask for one truth; each element has its own."
    return "truth.count", because, ("x.any()", "x.all()", "x.item(), for a single element")


@says(r"a Tensor with (\d+) elements cannot be converted to Scalar")
def _item(count: int) -> Told:
    return "item.count", f"item() is for one element, and there are {count}.", ("x.tolist()", "x[0].item()")


@says(r"Torch not compiled with CUDA enabled")
def _cuda() -> Told:
    return (
        "device.cuda",
        "This installation of PyTorch has no GPU part.",
        ("device='cpu'", "torch.cuda.is_available() first"),
    )


@says(r"\"(\w+)\" not implemented for '(\w+)'")
def _kernel(kernel: str, dtype: str) -> Told:
    because = f"PyTorch has written no kernel of {kernel} for {dtype} numbers."
    ways = ("torch.randint(...), for random whole numbers",) if "normal" in kernel else ()
    return "kernel.dtype", because, (*ways, "x.float(), where floating-point numbers will do")


@says(
    r"(gather|scatter|scatter_add|index_select|take)\(\): Expected (?:dtype )?int\S* (?:for index|indices)|"
    r"(index_select)\(\): Expected dtype int32 or int64 for index"
)
def _gather(name: str | None, other: str | None) -> Told:
    return (
        f"{name or other}.dtype",
        "An index counts places, and this one holds no whole numbers of 64 bits.",
        ("index.long()",),
    )
