"""Explain an error of PyTorch's functions on tensors from its message: arguments, lists, dtypes, linear algebra."""

from __future__ import annotations

from ...dispatch.registry import FACE
from .patterns import Answer, explains


@explains(r"(cat|stack|hstack|vstack)\(\): argument 'tensors' \(position 1\) must be tuple of Tensors, not Tensor")
def _one_by_one(name: str) -> Answer:
    return (
        "argument.type",
        f"{name}() takes one list of tensors, not the tensors one by one.",
        (f"torch.{name}([a, b])",),
    )


@explains(r"expected Tensor as element (\d+) in argument \d+, but got ([\w.]+)")
def _element(which: int, kind: str) -> Answer:
    way = "torch.from_numpy(x)" if kind.endswith("ndarray") else "torch.as_tensor(x)"
    because = f"Each element of this list is a tensor, but element {which} is {_a(kind)}."
    return "argument.tensors", because, (f"{way}, for that element",)


@explains(r"^(\w+)\(\) missing \d+ required positional arguments?: (.*)$")
def _missing(name: str, which: str) -> Answer:
    names = which.replace('"', "").replace("'", "").replace(" and ", ", ").split(", ")
    call = {"transpose": "x.transpose(0, 1)", "permute": "x.permute(1, 0)", "view": "x.view(-1)"}.get(name)
    ways = (call,) if call else (f"{name}(..., {', '.join(f'{one}=...' for one in names if one)})",)
    return "argument.missing", f"{name}() also takes {' and '.join(names)}.", ways


@explains(r"(\w+)\(\) received an invalid combination of arguments - got \((.*?)\), but expected")
def _combination(name: str, got: str) -> Answer:
    because = f"{name}() has several forms, and none takes ({got})."
    if name in ("max", "min") and got in ("Tensor, float", "Tensor, int"):
        ways: tuple[str, ...] = (
            f"x.clamp({'min' if name == 'max' else 'max'}=0.0)",
            f"torch.{name}(x, torch.tensor(0.0))",
        )
    else:
        ways = (f"help(torch.{'' if name in FACE else 'Tensor.'}{name}), for its forms",)
    return "argument.combination", because, ways


@explains(r"can't convert np\.ndarray of type numpy\.(\w+)\.")
def _array(kind: str) -> Answer:
    if kind in ("str_", "bytes_"):
        because, way = "A tensor contains numbers, and the array contains strings.", (
            "np.unique(array, return_inverse=True)[1], which gives each string a number")  # fmt: skip
    elif kind == "object_":
        because = "The array holds objects, which it does when its rows differ in length or some values are no numbers."
        way = "array.astype('float64'), if all are numbers or None"
    else:
        because, way = f"No dtype of a tensor is that of the array, {kind}.", "array.astype('float64')"
    return "numpy.dtype", because, (way,)


@explains(r"(argmax|argmin)\(\): Expected reduction dim to be specified for input\.numel\(\) == 0")
def _no_extreme(name: str) -> Answer:
    return f"{name}.empty", "An empty tensor has no extreme element.", ("if x.numel():, before the call",)


@explains(r"bincount only supports 1-d non-negative integral inputs")
def _counted() -> Answer:
    because = "Each element is a number to be counted, from 0 on: none may be negative, and all are in one dimension."
    return "bincount.input", because, ("x.flatten() - x.min(), to begin at 0",)


@explains(r"datasets should not be an empty iterable")
def _no_datasets() -> Answer:
    return "data.empty", "No dataset was given to be put together.", ("ConcatDataset([first, second])",)


@explains(r"A must be batches of square matrices, but they are (\d+) by (\d+) matrices")
def _square(rows: int, columns: int) -> Answer:
    because = f"The matrix has {rows} rows and {columns} columns, and this function takes square matrices only."
    return "linalg.square", because, ("torch.linalg.svdvals(A), which takes any matrix",)


@explains(r"repeats must have the same size as input along dim, but got repeats\.size\(0\) = (\d+) and .* = (\d+)")
def _repeated(repeats: int, slices: int) -> Answer:
    because = f"Each of the {slices} slices has its own number of repeats, and there are {repeats}."
    return "repeat.count", because, (f"{slices} repeats, or one number for all",)


@explains(r"iteration over a 0-d tensor")
def _iteration() -> Answer:
    return "iterate.zero_dim", "A tensor without dimensions is one number: it has no rows to go through.", ("x.item()",)


@explains(r"len\(\) of a 0-d tensor")
def _length() -> Answer:
    return "len.zero_dim", "A tensor without dimensions has no length.", ("x.numel(), which is 1",)


@explains(r"Index put requires the source and destination dtypes match, got (\w+) for the destination and (\w+) for")
def _put(own: str, given: str) -> Answer:
    because = f"Writing through an index tensor does not convert: the tensor is {own}, what is written {given}."
    return "index.put_dtype", because, ("x[index] = value.to(x.dtype)",)


@explains(r"(scatter\w*)\(\): Expected self\.dtype to be equal to src\.dtype")
def _scattered(name: str) -> Answer:
    return f"{name}.dtype", f"{name}() does not convert: tensor and source have one dtype.", ("src.to(x.dtype)",)


@explains(r"torch\.clamp: At least one of 'min' or 'max' must not be None")
def _clamp() -> Answer:
    return "clamp.bounds", "clamp() cuts off what is below min and above max, and got neither.", ("x.clamp(min=0)",)


@explains(r"the input matrix is singular|linalg\.solve: The solver failed because the input matrix is singular")
def _singular() -> Answer:
    because = "The rows of the matrix depend on one another, so it has no inverse."
    return "linalg.singular", because, ("torch.linalg.pinv(A)", "torch.linalg.lstsq(A, B)")


@explains(r"input is not positive-definite \(the leading minor of order (\d+)")
def _indefinite(order: int) -> Answer:
    because = (
        "A is positive-definite if x @ A @ x > 0 for every x except 0, and the block of its first "
        f"{order} rows and columns is not."
    )
    ways = ("A + 1e-6 * torch.eye(len(A)), if only rounding keeps A from being positive-definite",
            "torch.linalg.eigvalsh(A), which are all above 0 for a positive-definite A")  # fmt: skip
    return "linalg.indefinite", because, ways


@explains(r"probability tensor contains either `inf`, `nan` or element < 0|invalid multinomial distribution")
def _weights() -> Answer:
    because = "A weight must not be negative, and at least one of them must be above 0."
    return "random.weights", because, ("torch.softmax(x, dim=-1), which makes weights of any numbers",)


@explains(r"cannot sample n_sample > prob_dist\.size\(-1\) samples without replacement")
def _drawn() -> Answer:
    return (
        "random.weights",
        "More places are to be drawn than there are, and no place may be drawn twice.",
        ("replacement=True",),
    )


@explains(r"Expected one of cpu, cuda, .* device type at start of device string: (\w+)")
def _device(name: str) -> Answer:
    because = f"{name!r} is not a kind of device; a GPU is 'cuda', and on a Mac 'mps'."
    return "device.name", because, ("device='cuda'", "device='cpu'") if "gpu" in name.lower() else ("device='cpu'",)


@explains(r"object of type '(\w+)' has no len\(\)")
def _no_length(kind: str) -> Answer:
    because = f"{kind} does not say how many items it has, and a loader draws its order from 0 up to that number."
    ways = (
        "def __len__(self): return ..., in the dataset",
        "torch.utils.data.IterableDataset, for a stream of samples",
    )
    return "data.length", because, ways


@explains(r"'(?:builtin_function_or_method|method)' object is not subscriptable")
def _brackets() -> Answer:
    because = "A method was given square brackets; parentheses call it."
    return "python.brackets", because, ("x.size(0), or x.shape[0]",)


@explains(r"'(?:torch\.)?Size' object is not callable")
def _parentheses() -> Answer:
    return "python.parentheses", "shape is no method: it is a size, and an index reads it.", ("x.shape[0]", "x.size(0)")


@explains(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'")
def _a_layer(sign: str, one: str, other: str) -> Answer | None:
    kind = next((k for k in (one, other) if k[:1].isupper() and k not in ("NoneType", "Tensor", "Parameter")), None)
    if kind is None:
        return None
    because = f"{kind}(...) makes a layer and computes nothing: what was in its parentheses was taken for a setting."
    return "module.made", because, (f"nn.{kind}()(x), where x is the tensor",)


@explains(r"not enough values to unpack \(expected 3, got 2\)")
def _two_values() -> Answer:
    because = "There are three names on the left and two values on the right; an LSTM returns its output and a pair."
    return "python.unpacking", because, ("out, (h, c) = lstm(x)",)


@explains(r"too many values to unpack \(expected (\d+)(?:, got \d+)?\)")
def _values(names: int) -> Answer:
    because = (
        f"There are {names} names on the left and more values on the right. A tensor is unpacked into its rows, so a "
        "batch that is one tensor gives one value for each example."
    )
    ways = ("TensorDataset(x, y), whose batches are pairs", "len(values), to see how many there are")
    return "python.unpacking", because, ways


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


@explains(r"^(Tensor\.)?(\w+)\(\) got an unexpected keyword argument '(axis|keepdims)'(?:\. Did .*)?$")
def _numpy_name(method: str | None, name: str, given: str) -> Answer:
    own = {"axis": "dim", "keepdims": "keepdim"}[given]
    if method is None and name in ("sum", "mean", "prod", "max", "min", "std", "var", "any", "all"):
        because = f"np.{name}(x) calls x.{name} with the arguments that NumPy's arrays take."
        return "argument.numpy", because, (f"torch.{name}(x)", f"x.{name}(dim=0), for one dimension")
    because = f"NumPy calls this argument {given}, and PyTorch calls it {own}."
    return "argument.numpy", because, (f"{own}=... in place of {given}=...",)


# -- writing, and values of Python -----------------------------------------------------------------------------------


@explains(r"shape mismatch: value tensor of shape (\[.*?\]) cannot be broadcast to indexing result of shape (\[.*?\])")
def _put_size(value: str, place: str) -> Answer:
    because = f"The index selects elements of size {place}, and the value that is written there has size {value}."
    return "index.put_shape", because, (f"a value of size {place}, or one number for all",)


@explains(r"output with shape (\[.*?\]) doesn't match the broadcast shape (\[.*?\])")
def _grows(own: str, result: str) -> Answer:
    because = f"The result would have size {result}, and what is written in place keeps its size, {own}."
    return "write.shape", because, ("x = x + y, which makes a new tensor",)


@explains(r"(\w+)\(\): Number of indices \((\d+)\) should be equal to source\.size\(dim\): \((\d+)\)")
def _each_place(name: str, places: int, slices: int) -> Answer:
    because = f"Each slice of the source goes to one place: there are {slices} slices and {places} places."
    return "index.count", because, (f"an index of {slices} elements",)


@explains(r"Index tensor must have the same number of dimensions as (self|src|input) tensor")
def _as_many(what: str) -> Answer:
    because = (
        "The index says for each of its elements where one element goes or comes from, so it has as many dimensions."
    )
    return "gather.ndim", because, ("index.unsqueeze(dim), for one element of each line along dim",)


@explains(r"can't assign a (\w+) to a torch\.(\w+)")
def _assigned(kind: str, tensor: str) -> Answer:
    return "write.kind", f"A {tensor} holds numbers, and a {kind} is not a number.", ("x[0] = float(value)",)


@explains(r"unsupported operand type\(s\) for (.+?): 'Tensor' and '(str|NoneType|dict|list|tuple)'")
def _with_other(sign: str, kind: str) -> Answer:
    if kind in ("list", "tuple"):
        because = f"A tensor computes with tensors and numbers, and a {kind} is not converted."
        return "operand.kind", because, (f"torch.tensor(...), for the {kind}",)
    if kind == "NoneType":
        because = "One side is None: a function that returns nothing gives None, and so does a .grad before backward()."
        return "operand.kind", because, ("return x, at the end of that function",)
    return (
        "operand.kind",
        f"A tensor computes with numbers, and a {kind} is not a number.",
        ("float(value), for a string that spells a number",),
    )


@explains(r'can only concatenate tuple \(not "\w+"\) to tuple')
def _two_results() -> Answer:
    because = (
        "One side is a tuple. With a dim, max, min, sort and topk return two tensors: the values and their places."
    )
    return "operand.kind", because, ("x.max(dim=0).values", "x.amax(dim=0)")


@explains(r"unsupported format string passed to Tensor\.__format__")
def _format() -> Answer:
    because = "A format such as .2f is for one number, and the tensor has several elements."
    return "item.count", because, ("x.item(), for a single element", "[f'{v:.2f}' for v in x.tolist()]")


@explains(r"only integer tensors of a single element can be converted to an index")
def _as_index() -> Answer:
    because = (
        "Python takes a tensor as a whole number only if it has one element of an integer dtype; this one does not."
    )
    ways = ("int(x), for a single fraction", "x.tolist(), for several", "torch.stack(tensors), for a list of tensors")
    return "index.convert", because, ways


@explains(r"^(?:'|\")?tensor\(.*\)(?:'|\")?$")
def _key() -> Answer:
    because = "A dictionary finds a tensor only as the same object: another one with the same number is another key."
    return "key.tensor", because, ("d[x.item()], with numbers for keys",)


@explains(r"attribute 'shape' of '.*' objects is not writable")
def _shape() -> Answer:
    return "shape.write", "The shape of a tensor is only read.", ("x = x.reshape(1, 2)",)


@explains(r"(\w+)\(\): argument 'dtype'(?: \(position \d+\))? must be torch\.dtype, not type")
def _dtype(name: str) -> Answer:
    return "argument.type", "NumPy's dtypes are classes. PyTorch has its own.", ("dtype=torch.float32",)


@explains(r"(\w+)\(\): argument '(\w+)' \(position \d+\) must be (int|tuple of ints|float|bool), not (\w+)")
def _kind(name: str, argument: str, wanted: str, got: str) -> Answer:
    kind = {"int": "a whole number", "tuple of ints": "one or more whole numbers", "float": "a number"}.get(
        wanted, wanted
    )
    way = f"{argument}=int(value)" if wanted in ("int", "tuple of ints") else f"{argument}={wanted}(value)"
    return "argument.type", f"{argument} is {kind}, and this is a {got}.", (way,)


@explains(r"^(zeros|ones|empty|rand|randn)\(\) takes 1 positional argument but (\d+) were given")
def _sizes(name: str, got: int) -> Answer:
    return "argument.type", "Sizes are whole numbers, and one of these is a fraction.", (f"torch.{name}(int(n), m)",)


@explains(r"Invalid device string: '((?:u?int|b?float|complex)\d+|bool|double|half|long)'")
def _no_device(name: str) -> Answer:
    return "device.name", "A text names a device here; a dtype has no quotes.", (f"x.to(torch.{name})",)


@explains(r"The algorithm failed to converge because the input matrix contained non-finite values")
def _not_finite() -> Answer:
    return "linalg.finite", "The matrix contains infinity or NaN.", ("torch.isfinite(A).all(), before this call",)


@explains(r"Incompatible shapes of A and B for the equation AX = B \((\d+)x(\d+) and (\d+)x(\d+)\)")
def _equations(rows: int, columns: int, sides: int, count: int) -> Answer:
    because = f"A has {rows} rows, so {rows} equations, and B has {sides} rows."
    return "linalg.size", because, (f"a B with {rows} rows",)


@explains(r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\] to have the same number of elements")
def _dot(a: int, b: int) -> Answer:
    because = f"Each of the {a} elements of the first vector needs a partner among the {b} of the second."
    return "matmul.size", because, (f"a[:{min(a, b)}] and b[:{min(a, b)}]", "torch.outer(a, b), each with each")


@explains(r"addmm: Argument #3 \(dense\): Expected dim 0 size (\d+), got (\d+)")
def _sparse_product(wanted: int, got: int) -> Answer:
    because = f"A row of the first matrix has {wanted} elements, and a column of the second has {got}."
    return "matmul.size", because, ("a @ b.t(), if b lies on its side",)


@explains(r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]")
def _batches(batch: int, rows: int, own_batch: int, own_rows: int) -> Answer:
    because = (
        f"In a product of batches, the second operand needs {batch} matrices with {rows} rows. It has {own_batch} with "
        f"{own_rows}."
    )
    return "matmul.size", because, ("a @ b.mT, if the matrices of b lie on their sides",)


# -- sizes and memory ------------------------------------------------------------------------------------------------


@explains(r"DefaultCPUAllocator: (?:can't allocate|not enough) memory: you tried to allocate (\d+) bytes")
def _too_large(nbytes: int) -> Answer:
    because = f"{nbytes:,} bytes are more than the machine can give."
    return "memory.size", because, ("device='meta', for sizes and strides without numbers",)


@explains(r'failed to unpack the object at pos \d+ with error "type must be tuple of ints,but got (\w+)"')
def _no_size(kind: str) -> Answer:
    because = f"A size is made of whole numbers, and one of these is a {kind}."
    return "argument.type", because, ("n // 2, a whole number, in place of n / 2",)


@explains(r"Padding length must be divisible by 2")
def _pairs() -> Answer:
    because = "Padding is given in pairs, before and after, beginning with the last dimension; here one number is left."
    return "pad.pairs", because, ("F.pad(x, (1, 1))",)


@explains(r"Class values must be non-negative")
def _negative_class() -> Answer:
    because = "A class is the number of a column, counted from 0, and one of these is negative."
    return "loss.argument", because, ("x - x.min(), to begin at 0",)


# -- functions of functions ------------------------------------------------------------------------------------------


@explains(r"grad_and_value\(f\)\(\*args\): Expected f\(\*args\) to return a scalar Tensor, got tensor with (\d+) dims")
def _scalar_function(dims: int) -> Answer:
    because = (
        f"A gradient belongs to one number, and this function returns a tensor with {dims} dimension{'s' * (dims > 1)}."
    )
    return "autograd.scalar", because, ("torch.func.grad(lambda x: f(x).sum())", "torch.func.jacrev(f)")


@explains(r"vmap: It looks like you're calling \.item\(\) on a Tensor")
def _number_of_a_batch() -> Answer:
    because = "Inside vmap, x is any example of the batch, so it has no one number."
    return "vmap.item", because, ("x, a tensor without dimensions, in place of x.item()",)
