"""Errors that people meet most, as PyTorch 2.13 words them: how to get each, and what an explanation of it must name.

Each entry is (what happens, the expression, the exception's type, its message, words that the explanation must hold,
words that its way out must hold). `x` is [[0, 1, 2], [3, 4, 5]] in float32 and `a` a NumPy array that was reversed.
"""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    what: str
    text: str
    error: type[Exception]
    message: str
    names: tuple[str, ...]
    """What the explanation from the operands has to name: the dimension and the numbers."""
    way: str
    """What one of its ways out has to hold."""


ERRORS = [
    Known(
        "view after t",
        "x.t().view(6)",
        RuntimeError,
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
        "contiguous subspaces). Use .reshape(...) instead.",
        ("Dimensions 0 and 1", "2 * 3 = 6", "has 1"),
        ".reshape(6)",
    ),
    Known(
        "reshape to another count",
        "x.reshape(4)",
        RuntimeError,
        "shape '[4]' is invalid for input of size 6",
        ("[4]", "4 elements", "6"),
        ".reshape(6)",
    ),
    Known(
        "broadcast",
        "x + torch.ones(3, 2)",
        RuntimeError,
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1",
        ("3", "2", "imension -1"),
        ".t()",
    ),
    Known(
        "matmul",
        "x @ x",
        RuntimeError,
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
        ("size 3", "2", "imension"),
        "x @ x.t()",
    ),
    Known(
        "cat",
        "torch.cat([x, torch.ones(2, 4)])",
        RuntimeError,
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the "
        "list.",
        ("imension 1", "3", "4", "number 1"),
        "dim=1",
    ),
    Known(
        "stack",
        "torch.stack([x, torch.ones(2)])",
        RuntimeError,
        "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [2] at entry 1",
        ("2 dimensions", "1"),
        "torch.cat",
    ),
    Known(
        "einsum, sizes",
        "torch.einsum('i,i->', torch.ones(8192), torch.ones(12))",
        RuntimeError,
        "einsum(): subscript i has size 12 for operand 1 which does not broadcast with previously seen size 8192",
        ("12", "8192"),
        "",
    ),
    Known(
        "einsum, letters",
        "torch.einsum('ijk->i', x)",
        RuntimeError,
        "einsum(): the number of subscripts in the equation (3) does not match the number of dimensions (2) for "
        "operand 0 and no ellipsis was given",
        ("3", "2"),
        "",
    ),
    Known(
        "index",
        "x[5]",
        IndexError,
        "index 5 is out of bounds for dimension 0 with size 2",
        ("Dimension 0", "size 2", "5"),
        "from -2 to 1",
    ),
    Known(
        "dim",
        "x.sum(3)",
        IndexError,
        "Dimension out of range (expected to be in range of [-2, 1], but got 3)",
        ("2 dimensions", "-2 to 1", "3"),
        "dim=1",
    ),
    Known(
        "float index",
        "x[torch.ones(2)]",
        IndexError,
        "tensors used as indices must be long, int, byte or bool tensors",
        ("float32",),
        ".long()",
    ),
    Known(
        "cast in place",
        "torch.ones(2).long().add_(1.5)",
        RuntimeError,
        "result type Float can't be cast to the desired output type Long",
        ("float32", "int64"),
        ".to(torch.float32)",
    ),
    Known(
        "write to expanded",
        "torch.ones(1, 3).expand(2, 3).add_(1)",
        RuntimeError,
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation.",
        ("imension 0", "stride 0", "2 elements"),
        ".clone()",
    ),
    Known(
        "numpy() with requires_grad",
        "torch.ones(2, requires_grad=True).numpy()",
        RuntimeError,
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        ("NumPy",),
        ".detach().numpy()",
    ),
    Known(
        "mean of whole numbers",
        "torch.arange(3).mean()",
        RuntimeError,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long",
        ("int64",),
        ".float().mean()",
    ),
    Known(
        "truth of many",
        "not x",
        RuntimeError,
        "Boolean value of Tensor with more than one value is ambiguous",
        ("6",),
        "x.any()",
    ),
    Known(
        "item of many",
        "x.item()",
        RuntimeError,
        "a Tensor with 6 elements cannot be converted to Scalar",
        ("6", "[2, 3]"),
        "x.tolist()",
    ),
    Known(
        "reversed array",
        "torch.from_numpy(a)",
        ValueError,
        "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
        "supported. (You can probably work around this by making a copy of your array  with array.copy().) ",
        ("stride",),
        ".copy()",
    ),
    Known(
        "slice backwards",
        "x[::-1]",
        ValueError,
        "step must be greater than zero",
        ("-1",),
        "x.flip(",
    ),
    Known(
        "matmul of two dtypes",
        "x @ x.double().t()",
        RuntimeError,
        "expected m1 and m2 to have the same dtype, but got: float != double",
        ("float32", "float64"),
        ".to(torch.float32)",
    ),
    Known(
        "as_strided beyond",
        "x.as_strided((10,), (1,))",
        RuntimeError,
        "setStorage: sizes [10], strides [1], storage offset 0, and itemsize 4 requiring a storage size of 40 are out "
        "of bounds for storage of size 24",
        ("place 9", "place 5"),
        "[6]",
    ),
    Known(
        "leaf in place",
        "torch.ones(2, requires_grad=True).add_(1)",
        RuntimeError,
        "a leaf Variable that requires grad is being used in an in-place operation.",
        ("requires_grad",),
        ".detach().clone()",
    ),
    Known(
        "no GPU",
        "torch.ones(2, device='cuda')",
        AssertionError,
        "Torch not compiled with CUDA enabled",
        ("GPU",),
        "device='cpu'",
    ),
    Known(
        "quantile of whole numbers",
        "torch.arange(4).quantile(0.5)",
        RuntimeError,
        "quantile() input tensor must be either float or double dtype",
        ("int64",),
        ".float()",
    ),
    Known(
        "mv",
        "torch.mv(x, torch.ones(2))",
        RuntimeError,
        "size mismatch, got input (2), mat (2x3), vec (2)",
        ("size 3", "2", "imension"),
        "mat.t() @ vec",
    ),
    Known(
        "divide whole numbers in place",
        "torch.arange(3).div_(2)",
        RuntimeError,
        "result type Float can't be cast to the desired output type Long",
        ("float32", "int64"),
        ".to(torch.float32)",
    ),
    Known(
        "randn of whole numbers",
        "torch.randn(2, dtype=torch.int64)",
        NotImplementedError,
        "\"normal_kernel_cpu\" not implemented for 'Long'",
        ("int64",),
        "",
    ),
]
