"""The strides of a freshly allocated result: the order of its inputs' dimensions, where they agree on one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .contiguity import is_contiguous, is_non_overlapping_and_dense
from .layout import Ints, channels_last_stride, contiguous_stride

SizeStride = tuple[Ints, Ints]


def preserve_stride(size: Ints, stride: Ints) -> Ints:
    """The strides of `clone()` and `empty_like`: the same if dense, else the same order without gaps.

    >>> preserve_stride((3, 2), (1, 3)), preserve_stride((3, 2), (1, 10))
    ((1, 3), (1, 3))
    """
    if is_non_overlapping_and_dense(size, stride):
        return stride
    order = _storage_order(size, [stride])
    dense = [1] * len(size)
    step = 1
    for dim in order:
        dense[dim] = step
        step *= size[dim] or 1
    return tuple(dense)


def pointwise_stride(size: Ints, operands: Sequence[SizeStride]) -> Ints:
    """The strides of a pointwise result of this size; operands as (size, stride) before they are broadcast.

    If all operands have the same layout, the result has it too. Otherwise the dimensions are sorted by stride,
    first operand first; a stride of 0 decides nothing, and undecided dimensions stay row-major.

    >>> pointwise_stride((3, 2), [((3, 2), (1, 3)), ((3, 2), (1, 3))])
    (1, 3)
    >>> pointwise_stride((3, 2), [((3, 1), (1, 3)), ((2,), (1,))])
    (2, 1)
    """
    alike = True
    row_major = 0 not in size
    for own, stride in operands:
        alike = alike and own == size
        row_major = row_major and stride == contiguous_stride(own)
    if row_major:
        return contiguous_stride(size)  # the result of the sort below, at a tenth of the cost
    if alike:
        same = _shared_stride(size, operands)
        if same is not None:
            return same
    order = _storage_order(size, [_broadcast_stride(size, own, stride) for own, stride in operands])
    if order == list(range(len(size) - 1, -1, -1)):
        return contiguous_stride(size)
    result = [0] * len(size)
    step = 1
    for dim in order:
        result[dim] = step
        step *= size[dim]
    return tuple(result)


def reduction_stride(size: Ints, stride: Ints, dims: Iterable[int], keepdim: bool) -> Ints:
    """The strides of the result of reducing these (wrapped) dimensions.

    They are row-major, whatever the strides before.

    >>> reduction_stride((2, 3, 4), (1, 2, 6), (1,), keepdim=False)
    (4, 1)
    >>> reduction_stride((2, 3, 4), (1, 2, 6), (1,), keepdim=True)
    (4, 4, 1)
    """
    gone = set(dims)
    left = [1 if dim in gone else n for dim, n in enumerate(size) if keepdim or dim not in gone]
    return contiguous_stride(tuple(left))


def storage_order(size: Ints, stride: Ints) -> Ints:
    """The dimensions from the slowest to the fastest in storage; a stride of 0 leaves a dimension where it is.

    >>> storage_order((2, 3), (1, 2)), storage_order((2, 4, 3), (3, 0, 1))
    ((1, 0), (0, 1, 2))
    """
    return _shared_order(size, stride) or tuple(reversed(_storage_order(size, [stride])))


def _shared_order(size: Ints, stride: Ints) -> Ints:
    """The order of a tensor that lies in one of the usual two ways, and not in both."""
    row_major, channels_last = is_contiguous(size, stride), is_contiguous(size, stride, "channels_last")
    if row_major == channels_last:
        return ()
    return tuple(range(len(size))) if row_major else (0, 2, 3, 1)


def _shared_stride(size: Ints, operands: Sequence[SizeStride]) -> Ints | None:
    """The layout that operands of one size have in common, if it is one that PyTorch hands on."""
    first = operands[0][1]
    strides = {stride for _, stride in operands}
    if all([is_contiguous(size, stride) for stride in strides]):
        return contiguous_stride(size)
    if len(size) == 4 and all([is_contiguous(size, stride, "channels_last") for stride in strides]):
        return channels_last_stride(size)  # type: ignore[return-value]  # such operands have four dimensions
    return first if len(strides) == 1 and is_non_overlapping_and_dense(size, first) else None


def _broadcast_stride(size: Ints, own: Ints, stride: Ints) -> Ints:
    lead = (0,) * (len(size) - len(own))
    if own == size:
        return stride
    wanted = size[len(lead) :]
    return lead + tuple([0 if n == 1 != m else by for n, m, by in zip(own, wanted, stride, strict=True)])


def _storage_order(size: Ints, strides: Sequence[Ints]) -> list[int]:
    """The dimensions from the fastest to the slowest in storage.

    An insertion sort whose comparison may be undecided (0): then the two are left as they are, and the search
    goes on outwards. The result depends on the order of these steps, so no library sort will do.
    """
    order = list(range(len(size) - 1, -1, -1))
    for i in range(1, len(order)):
        at = i
        for before in range(i - 1, -1, -1):
            verdict = _compare(size, strides, order[before], order[at])
            if verdict > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif verdict < 0:
                break
    return order


def _compare(size: Ints, strides: Sequence[Ints], a: int, b: int) -> int:
    """Below 0 if dimension a has the smaller stride, above 0 if the larger, 0 if no operand decides."""
    for stride in strides:
        step_a, step_b = stride[a], stride[b]
        if not step_a or not step_b:
            continue
        if step_a != step_b:
            return -1 if step_a < step_b else 1
        if size[a] > size[b]:
            return 1
    return 0
