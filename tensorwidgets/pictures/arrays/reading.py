"""Which elements of a view read a given byte, by arithmetic, also for a view of a billion elements."""

from __future__ import annotations

from collections.abc import Iterator


def readers(size: tuple[int, ...], stride: tuple[int, ...], target: int) -> tuple[int, tuple[int, ...] | None]:
    """How many indices of a view lead to `target`, and the first of them in reading order.

    `target` is measured from the view's first element, in the unit of the strides.

    >>> readers((3, 4), (0, 1), 2)
    (3, (0, 2))
    >>> readers((3, 3), (1, 4), 3)
    (0, None)
    """
    if 0 in size:
        return 0, None
    count = 1
    for n, s in zip(size, stride, strict=True):
        if s == 0:
            count *= n
    dims = sorted((d for d, s in enumerate(stride) if s), key=lambda d: -abs(stride[d]))
    low, high = [0], [0]
    for d in reversed(dims):
        reach = (size[d] - 1) * stride[d]
        low.append(low[-1] + min(reach, 0))
        high.append(high[-1] + max(reach, 0))
    index = [0] * len(size)
    result = 0
    first: tuple[int, ...] | None = None
    for _ in _solutions(0, target, dims, size, stride, low, high, index):
        result += 1
        now = tuple(index)
        if first is None or now < first:
            first = now
        if result > 9999:
            break
    return result * count, first


def _solutions(
    k: int, rest: int, dims: list[int], size: tuple[int, ...], stride: tuple[int, ...],
    low: list[int], high: list[int], index: list[int],
) -> Iterator[None]:  # fmt: skip
    """Longest steps first: the range of the shorter ones leaves few choices."""
    if k == len(dims):
        if rest == 0:
            yield
        return
    d = dims[k]
    s, left = stride[d], len(dims) - k - 1
    near, far = rest - high[left], rest - low[left]
    if s < 0:
        near, far = -far, -near
    s = abs(s)
    for i in range(max(0, -(-near // s)), min(size[d] - 1, far // s) + 1):
        index[d] = i
        yield from _solutions(k + 1, rest - i * stride[d], dims, size, stride, low, high, index)
    index[d] = 0
