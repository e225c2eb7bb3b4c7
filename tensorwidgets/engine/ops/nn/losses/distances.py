"""Distances and angles between vectors, the losses made of them, and classes as vectors of zeros and a one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....declare.pointwise import common_dtype
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....tensor.wrapping import place_of
from ....types import dtypes
from ....types.dtypes import FLOAT
from ...linalg.old_norms import norm_along
from ...pointwise.number_rows import add_number, sub_number
from ..declaring import nn_composite
from .composed import applied
from .reduction import chosen_reduction


def _refuse(message: str, because: str, *ways: str, error: type[Exception] = RuntimeError) -> None:
    refuse(error, message, because, *ways, rule="loss.argument")


@nn_composite("cosine_similarity", "The cosine of the angle between vectors.", "nn.functional.cosine_similarity")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    must_be_tensor("cosine_similarity", x1, "x1", 1)
    must_be_tensor("cosine_similarity", x2, "x2", 2)
    d = common_dtype((x1, x2))
    if d._kind != FLOAT:
        _refuse(
            f"expected common dtype to be floating point, yet common dtype is {d._type_name}",
            "a cosine is rarely a whole number",
            "x.float()",
        )
    if not eps >= 0:
        _refuse(
            f"eps must be non-negative, got: {eps:g}",
            "eps is the smallest length that a vector is divided by",
            "eps=1e-8",
        )
    x1, x2 = (x if x._dtype._kind == FLOAT else x.to(d) for x in (x1, x2))
    if x1._array.shape != x2._array.shape:  # both are expanded, as in PyTorch, also one that has the size
        size = tuple(OPS["broadcast_tensors"].function(x1.detach(), x2.detach())[0].shape)
        x1, x2 = x1.expand(size), x2.expand(size)
    norm = OPS["linalg.vector_norm"].function
    lengths = [norm(x, 2, dim=dim, keepdim=True).clone() for x in (x1, x2)]
    for length in lengths:
        length.detach().clamp_(min=float(eps))
    second = x2 / lengths[1]  # which PyTorch records first
    return ((x1 / lengths[0]) * second).sum(dim)


@nn_composite(
    "pairwise_distance", "The distances between vectors in the last dimension.", "nn.functional.pairwise_distance"
)
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    result: Tensor = norm_along(add_number(x1 - x2, eps), p, -1, keepdim)
    return result


@nn_composite("nn.functional.normalize", "Divides vectors by their length, so that it is 1.")
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    length = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / length.clamp_min(eps).expand_as(input)
    return OPS["div"].function(input, length.clamp_min_(eps).expand_as(input), out=out)


@nn_composite(
    "nn.functional.one_hot", "A vector for each class: 1 at its index, and 0 elsewhere.",
    notation="Tensor input, int64_t num_classes=-1",
)  # fmt: skip
def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    must_be_tensor("one_hot", input)
    if input._dtype is not dtypes.int64:
        because = f"an element is the number of a class, and {input._dtype} is not the dtype for that"
        _refuse("one_hot is only applicable to index tensor of type LongTensor.", because, "input.long()")
    if not place_of(input).has_numbers:
        if num_classes == -1:
            num_classes = int(input.new_empty(()))  # refused: there is no largest class
        OPS["arange"].function(num_classes)  # refuses other negative numbers
    elif not input.numel():
        if num_classes <= 0:
            _refuse("Can not infer total number of classes from empty tensor.", "no class is named", "num_classes=3")
        return input.new_empty((*input.shape, num_classes))
    else:
        if int(input.min()) < 0:
            _refuse("Class values must be non-negative.", "classes are counted from 0")
        largest = int(input.max())
        if num_classes == -1:
            num_classes = largest + 1
        elif num_classes <= largest:
            because = f"{num_classes} classes are 0 to {num_classes - 1}, and the largest class here is {largest}"
            _refuse("Class values must be smaller than num_classes.", because, f"num_classes={largest + 1}")
    zeros = OPS["empty"].function((*input.shape, num_classes), dtype=dtypes.int64, device=input.device).zero_()
    return zeros.scatter_(-1, input.unsqueeze(-1), 1)


# -- losses ------------------------------------------------------------------------------------------------------


@nn_composite(
    "nn.functional.cosine_embedding_loss",
    "1 - the cosine of pairs that belong together (1), and the cosine of others (-1) above a margin.",
)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    dims = target.dim()
    if dims > 1:
        _refuse("0D or 1D target tensor expected, multi-target not supported", "each pair has one target")
    wanted = dims + 1
    if input1.dim() != wanted or input2.dim() != wanted:
        _refuse(
            f"{dims}D target tensor expects {wanted}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}.",
            "each pair of vectors has one answer",
        )
    tiny = 1e-12
    product = (input1 * input2).sum(dims)
    lengths = add_number((input1 * input1).sum(dims), tiny) * add_number((input2 * input2).sum(dims), tiny)
    cosine = product / lengths.sqrt()
    zeros = OPS["zeros_like"].function(cosine.detach())
    where = OPS["where"].function
    near, far = OPS["ones_like"].function(zeros) - cosine, sub_number(cosine, float(margin)).clamp_min(0)
    return applied(where(target == 1, near, zeros) + where(target == -1, far, zeros), how)


def _of_triplets(
    anchor: Tensor, positive: Tensor, negative: Tensor, distance: Callable, margin: float, swap: bool, how: int,
    plus: Callable[..., Tensor],
) -> Tensor:  # fmt: skip
    """How much nearer the positive example should be than the negative one."""
    sizes = anchor.ndim, positive.ndim, negative.ndim
    if len(set(sizes)) > 1:
        _refuse(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {sizes[0]}D, positive {sizes[1]}D, and negative {sizes[2]}D inputs",
            "each anchor has a positive and a negative example",
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = OPS["minimum"].function(far, distance(positive, negative))
    return applied((plus(near, margin) - far).clamp_min(0), how)


def _check_margin(margin: float) -> None:
    if margin <= 0:
        _refuse(
            f"margin must be greater than 0, got {margin}",
            "a margin is a distance between two examples, so it is positive",
            error=ValueError,
        )


@nn_composite(
    "nn.functional.triplet_margin_loss",
    "How much is missing until a positive example is nearer than a negative one by a margin.",
)
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    _check_margin(margin)
    distance = partial(OPS["pairwise_distance"].function, p=p, eps=eps)
    return _of_triplets(anchor, positive, negative, distance, margin, swap, how, add_number)


@nn_composite(
    "nn.functional.triplet_margin_with_distance_loss", "triplet_margin_loss with a distance function of your own."
)
def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Callable | None = None,
    margin: float = 1.0, swap: bool = False, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, old=False)
    _check_margin(margin)
    distance = OPS["pairwise_distance"].function if distance_function is None else distance_function
    return _of_triplets(anchor, positive, negative, distance, margin, swap, how, OPS["add"].function)
