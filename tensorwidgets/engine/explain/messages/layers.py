"""Explain an error of PyTorch's layers, losses and devices from its message, as this engine explains its own."""

from __future__ import annotations

from math import prod

from .patterns import Answer, explains, sizes_in


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
    because = f"One of the tensors has only a size (meta), and one has numbers (on {other})."
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
    because = f"Input and target must have the same dtype, and here one is {wanted} and the other {got}."
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
    sizes = sizes_in(size)
    # An input without a batch is printed with one of 1. Counted from the end, the place is right for both.
    place = 1 if sizes[0] > 1 else 1 - len(sizes)
    last = (f"x.movedim(-1, {place}), as its channels are last",) if sizes[-1] == wanted else ()
    return "convolution.channels", because, (*last, f"a layer with in_channels={got}")


@explains(r"Expected more than 1 value per channel when training, got input size torch\.Size\((\[.*?\])\)")
def _one_example(size: str) -> Answer:
    because = f"A single number has no variance, and a channel of {size} has only one."
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
    because = "A class is the number of a column of the result, and this one is not smaller than the number of columns."
    return "loss.argument", because, ("num_classes=int(x.max()) + 1",)


# -- layers with a state, attention, norms ---------------------------------------------------------------------------


@explains(r"RNN input dtype \(torch\.(\w+)\) does not match weight dtype \(torch\.(\w+)\)")
def _recurrent_dtype(given: str, own: str) -> Answer:
    because = f"A recurrent layer does not promote: the input is {given}, the weights {own}."
    return "recurrent.dtype", because, (f"x.to(torch.{own}), for the input x",)


@explains(r"Expected hidden(?:\[(\d)\])? size \((\d+), (\d+), (\d+)\), got \[([\d, ]*)\]")
def _state_size(which: int | None, layers: int, batch: int, features: int, got: str) -> Answer:
    wanted = f"({layers}, {batch}, {features})"
    because = (
        f"A state has size (layers times directions, batch, features): here {wanted}, as the batch of the input is "
        f"{batch}, and this state is [{got}]."
    )
    ways = (f"torch.zeros({layers}, {batch}, {features})", "no state at all, which begins with zeros")
    return "recurrent.size", because, ways


@explains(r"^expected (2D or 3D|4D|5D) input \(got (\d)D input\)")
def _norm_dims(wanted: str, got: int) -> Answer:
    layers = {3: "BatchNorm1d", 4: "BatchNorm2d", 5: "BatchNorm3d", 2: "BatchNorm1d"}
    because = (
        f"The number in the layer's name is that of the dimensions behind batch and channels; the input has {got}."
    )
    return "norm.dims", because, (f"nn.{layers[got]}(...)",) if got in layers else ()


@explains(r"running_mean should contain (\d+) elements not (\d+)")
def _norm_channels(given: int, own: int) -> Answer:
    because = f"The layer has {own} channels, and the input has {given} in dimension 1."
    return "norm.channels", because, (f"a layer with num_features={given}",)


@explains(r"num_channels \((\d+)\) must be divisible by num_groups \((\d+)\)")
def _norm_groups(channels: int, groups: int) -> Answer:
    fits = [n for n in range(2, channels + 1) if channels % n == 0]
    because = f"{channels} channels cannot be divided into {groups} groups of the same size."
    return "norm.groups", because, (f"num_groups={min(fits, key=lambda n: abs(n - groups))}",) if fits else ()


@explains(r"embed_dim must be divisible by num_heads")
def _heads() -> Answer:
    because = "The features are divided among the heads, and every head gets the same number."
    return "attention.heads", because, ("num_heads that divides embed_dim, such as 8 heads for embed_dim=512",)


@explains(r"The shape of the 2D attn_mask is torch\.Size\((\[.*?\])\), but should be \((\d+), (\d+)\)")
def _mask_size(got: str, queries: int, keys: int) -> Answer:
    because = f"A mask says for each of {queries} queries which of {keys} keys it may see; this one is {got}."
    given = sizes_in(got)
    fits = given[0] >= queries and given[-1] >= keys
    return "attention.size", because, (f"mask[:{queries}, :{keys}]" if fits else f"a mask of size [{queries}, {keys}]",)


# -- convolutions ----------------------------------------------------------------------------------------------------


@explains(r"Input type \((\w[\w ]*)\) and (bias|weight) type \((\w[\w ]*)\) should be the same")
def _convolution_dtype(given: str, name: str, own: str) -> Answer:
    because = f"A convolution does not promote: the input is {given}, the {name} {own}."
    return "convolution.dtype", because, ("x.to(layer.weight.dtype), for the input x",)


@explains(r"Kernel size: \((.*?)\)\. Kernel size can't be greater than actual input size")
def _window(kernel: str) -> Answer:
    because = f"The window, {kernel}, is larger than the padded input, which the layers before it have made small."
    return "convolution.kernel", because, ("a smaller kernel_size, or padding", "a larger picture")


@explains(r"Given input size: \((.*?)\)\. Calculated output size: \(.*?\)\. Output size is too small")
def _pooled(size: str) -> Answer:
    because = (
        f"The window of the pool is larger than the input, {size}: the layers before it have made the input small."
    )
    return "pool.numbers", because, ("a smaller kernel_size", "nn.AdaptiveAvgPool2d(1), which takes any size")


# -- losses and classes ----------------------------------------------------------------------------------------------


@explains(r"Expected floating point type for target with class probabilities, got (\w+)")
def _probabilities(got: str) -> Answer:
    because = f"A target of the input's size has a probability for each class, a fraction, and this one is {got}."
    return "loss.classes", because, ("target.float()", "target.argmax(1), the number of the class")


@explains(r"only batches of spatial targets supported \(3D tensors\) but got targets of dimension: (\d+)")
def _spatial(dims: int) -> Answer:
    because = f"A target has one class for each place, so it has no dimension of channels: 3 dimensions, not {dims}."
    return "loss.classes", because, ("target.squeeze(1), if its dimension 1 has size 1",)


@explains(r"size mismatch \(got input: (\[.*?\]) , target: (\[.*?\])")
def _spatial_size(size: str, target: str) -> Answer:
    because = f"There is one class for each place of the input, {size}, and the target has other places, {target}."
    return "loss.classes", because, ("nn.functional.interpolate(input, size=target.shape[-2:])",)


@explains(r"all elements of input should be between 0 and 1")
def _probability() -> Answer:
    because = "The input of this loss has to be a probability: between 0 and 1, and not NaN."
    ways = ("nn.BCEWithLogitsLoss(), which takes scores of any size", "torch.sigmoid(x), for the input x")
    return "loss.probability", because, ways


@explains(r"one_hot is only applicable to index tensor")
def _one_hot_dtype() -> Answer:
    return "loss.argument", "An element is the number of a class, so it is an int64.", ("x.long()",)
