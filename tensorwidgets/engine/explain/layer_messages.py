"""Explain an error of PyTorch's layers, losses and devices from its message, as this engine explains its own."""

from __future__ import annotations

from math import prod

from .messages import Answer, explains, sizes_in


@explains(r"mat1 and mat2 must have the same dtype, but got (\w+) and (\w+)")
def _product_dtype(a: str, b: str) -> Answer:
    because = f"Matrix products do not promote dtypes: one operand is {a}, the other {b}."
    return "matmul.dtype", because, ("x.to(layer.weight.dtype), for the input of a layer", "a.to(b.dtype)")


@explains(r"Expected all tensors to be on the same device, but (?:found at least two devices, (\S+) and (\S+)!)?")
def _devices(one: str | None, other: str | None) -> Answer:
    found = f": one is on {one}, another on {other}" if one else ""
    because = f"An operation takes tensors that are all on one device{found}."
    ways = ("x.to(model.weight.device), for what goes into a model", "model.to(x.device)")
    return "device.mixed", because, ways


@explains(r"Tensor on device (\S+) is not on the expected device meta")
def _no_numbers(other: str) -> Answer:
    because = f"One of the tensors has a size alone (meta), and one has numbers (on {other})."
    return "device.mixed", because, ("t.to('meta'), for the tensor t with numbers",)


@explains(r"index out of range in self")
def _row() -> Answer:
    because = "An index is negative, or not smaller than the number of rows that it chooses from."
    ways = ("index.min() and index.max(), to see which", "a larger num_embeddings, if it is an embedding")
    return "embedding.range", because, ways


@explains(
    r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got (\S+)"
)
def _row_dtype(got: str) -> Answer:
    return "embedding.dtype", f"Each index is the number of a row, and a {got} holds none.", ("indices.long()",)


@explains(r"Target (-?\d+) is out of bounds")
def _class(target: int) -> Answer:
    because = f"Classes are counted from 0 up to the number of scores of an example, and {target} is not among them."
    ways = (
        ("target - 1, if the targets are counted from 1",) if target > 0 else ("ignore_index=..., to leave them out",)
    )
    return "loss.classes", because, (*ways, "a last layer with as many outputs as there are classes")


@explains(r"expected (?:target dtype to be Long or Byte, but got|scalar type Long but found) (\w+)")
def _class_dtype(got: str) -> Answer:
    because = f"A target is the number of a class, and {got} is not a dtype for that."
    return "loss.classes", because, ("target.long()",)


@explains(r"0D or 1D target tensor expected, multi-target not supported")
def _one_class() -> Answer:
    because = "Each example has one class, so the targets have one dimension."
    return "loss.classes", because, ("target.squeeze(1), if its second dimension has size 1",)


@explains(r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)")
def _examples(examples: int, targets: int) -> Answer:
    because = f"There is one target for each example, and there are {examples} examples and {targets} targets."
    return "loss.classes", because, ("input.view(-1, input.size(-1)), and target.view(-1), if each step has a target",)


@explains(r"Expected target size (\[[\d, ]*\]), got (\[[\d, ]*\])")
def _places(wanted: str, got: str) -> Answer:
    because = f"Dimension 1 of the input has the classes; the places that are left, {wanted}, have one target each."
    return "loss.size", because, ("input.movedim(-1, 1), if its classes are in the last dimension",)


@explains(r"Found dtype (\w+) but expected (\w+)")
def _loss_dtype(got: str, wanted: str) -> Answer:
    because = f"Input and target have one dtype, and here one is {wanted} and the other {got}."
    return "loss.dtype", because, ("target.to(input.dtype)",)


@explains(
    r"(?:Using a target size \(torch\.Size\((\[.*?\])\)\) that is different to the input size|"
    r"Target size \(torch\.Size\((\[.*?\])\)\) must be the same as input size) \(torch\.Size\((\[.*?\])\)\)"
)
def _loss_size(one: str | None, other: str | None, wanted: str) -> Answer:
    got = sizes_in(one or other or "")
    because = f"Each element of the input has its own target: the sizes are {wanted} and {list(got)}."
    fits = prod(got) == prod(sizes_in(wanted))
    return "loss.size", because, ("target.view_as(input)",) if fits else ("a target for each element of the input",)


@explains(
    r"Given groups=1, weight of size \[[\d, ]*\], expected input(\[[\d, ]*\]) to have (\d+) channels, but got (\d+)"
)
def _channels(size: str, wanted: int, got: int) -> Answer:
    because = f"Each filter reads {wanted} channels, and the input has {got}: {size} has its channels in dimension 1."
    last = ("x.movedim(-1, 1), as its channels are last",) if sizes_in(size)[-1] == wanted else ()
    return "convolution.channels", because, (*last, f"a layer with in_channels={got}")


@explains(r"Expected more than 1 value per channel when training, got input size torch\.Size\((\[.*?\])\)")
def _one_example(size: str) -> Answer:
    because = f"One number has no variance, and a channel of {size} has one."
    return "norm.batch", because, ("module.eval(), to use what it has learned", "a larger batch")


@explains(r"Given normalized_shape=(\[.*?\]), expected input with shape \[.*?\], but got input of size(\[.*?\])")
def _normalized(shape: str, size: str) -> Answer:
    last = sizes_in(size)[-len(sizes_in(shape)) :]
    because = f"The last dimensions of the input are normalized: they are {list(last)}, not {shape}."
    return "norm.shape", because, (f"normalized_shape={list(last)}",)


@explains(r"input\.size\(-1\) must be equal to input_size\. Expected (\d+), got (\d+)")
def _features(wanted: int, got: int) -> Answer:
    because = f"Each step of the input has {got} features, and the layer takes {wanted}."
    return "recurrent.size", because, (f"a layer with input_size={got}",)


@explains(r"Class values must be smaller than num_classes")
def _one_hot() -> Answer:
    because = "A class is a column of the result, and its number is not smaller than that of the columns."
    return "loss.argument", because, ("num_classes=int(x.max()) + 1",)
