"""Explain an error of NumPy from its message: sizes, dtypes, memory that is only read, arrays as numbers."""

from __future__ import annotations

from .patterns import Answer, explains


@explains(r"^Cannot interpret '(-?\d+)' as a data type$")
def _second_size(number: int) -> Answer:
    because = f"A size of several numbers is one tuple. Here {number} is in the place of the dtype."
    return (
        "argument.type",
        because,
        (f"np.zeros((2, {number}))", f"a.reshape(2, {number}), for another size of an array"),
    )


@explains(r"^'tuple' object is not callable$")
def _shape() -> Answer:
    because = "A tuple was given parentheses; square brackets read it. The shape of a NumPy array is a tuple."
    return "python.parentheses", because, ("a.shape[0]",)


@explains(r"^'numpy\.ndarray' object is not callable$")
def _array_called() -> Answer:
    because = "An array was given parentheses; square brackets read it, and attributes such as T take none."
    return "python.parentheses", because, ("a[0]", "a.T")


@explains(r"The requested array has an inhomogeneous shape after (\d+) dimensions")
def _ragged(dims: int) -> Answer:
    because = "All rows of an array are equally long, and here some are not."
    return "nested.ragged", because, ("[np.array(row) for row in rows], a list of arrays",)


@explains(r"assignment destination is read-only")
def _read_only() -> Answer:
    because = (
        "This array only reads its memory: a broadcast array, a memory map of mode 'r' and what frombuffer makes of "
        "bytes are like that."
    )
    return "write.read_only", because, ("a = a.copy(), which may be written",)


@explains(r"^Singular matrix$")
def _singular() -> Answer:
    because = "The rows of the matrix depend on one another, so it has no inverse."
    return "linalg.singular", because, ("np.linalg.pinv(A)", "np.linalg.lstsq(A, B)")


@explains(r"^Last 2 dimensions of the array must be square$")
def _square() -> Answer:
    because = "This function takes square matrices only: as many rows as columns."
    return "linalg.square", because, ("np.linalg.pinv(A), which takes any matrix",)


@explains(
    r"can only convert an array of size 1 to a Python scalar"
    r"|only (?:0-dimensional|length-1) arrays can be converted to Python"  # "length-1" are the words of older NumPy
)
def _numbers() -> Answer:
    because = "A Python number is one number, and the array has several elements or a dimension."
    return "item.count", because, ("a.tolist()", "a[0].item()")


@explains(r"array split does not result in an equal division")
def _uneven() -> Answer:
    because = "Parts of one size were asked for, and the length of the axis is no multiple of their number."
    return "split.size", because, ("np.array_split(a, n), whose last parts may be shorter",)


@explains(r"cannot select an axis to squeeze out which has size not equal to one")
def _squeezed() -> Answer:
    return "squeeze.size", "Only an axis of size 1 can be left out.", ("a[0], for the first of several",)


@explains(r"cannot resize this array: it does not own its data")
def _resized() -> Answer:
    because = "The array is a view: its memory belongs to another array, which alone could let it grow."
    return "resize.view", because, ("a.copy(), and resize the copy", "np.resize(a, size), which repeats the elements")


@explains(r"attempt to get (argmax|argmin) of an empty sequence")
def _no_extreme(name: str) -> Answer:
    return f"{name}.empty", "An empty array has no extreme element.", ("if a.size:, before the call",)


@explains(r"^Unable to allocate (\S+ \S+) for an array with shape (\([^)]*\)) and data type (\w+)")
def _too_large(amount: str, shape: str, dtype: str) -> Answer:
    because = f"{shape} of {dtype} takes {amount}, more than the machine can give."
    return "memory.size", because, ("np.broadcast_to(value, shape), which stores one element",)


@explains(r"^'(list|tuple)' object has no attribute '(shape|size|dtype|ndim|reshape|T)'$")
def _of_a_list(kind: str, name: str) -> Answer:
    because = f"A {kind} of Python has no {name}; an array or a tensor made from it has."
    return "attribute.list", because, (f"np.array(values).{name}", f"torch.tensor(values).{name}")
