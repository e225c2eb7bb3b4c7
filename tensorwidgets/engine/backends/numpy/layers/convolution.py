"""How are convolutions computed as matrix products?

Image by image, the windows of the image are copied into the columns of one scratch matrix, and the weight is multiplied
by it. In two dimensions with a stride of 1 down the rows, only the shifts along a row are copied: the windows that
start some rows further down are a later stretch of the same scratch, and the products are added up. The gradients use
the same scratch: the weight's is a product with it, and the input's is a product added back from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....memory.places import contiguous
from ..chunks import run_parallel, spans
from ..threads import get_num_threads, one_thread_of_blas

Sizes = tuple[int, ...]


class Windows(NamedTuple):
    """How the windows of a convolution lie."""

    stride: Sizes
    padding: Sizes
    dilation: Sizes
    groups: int


class Columns:
    """The scratch matrix of one image: each column holds the elements that one window reads."""

    def __init__(self, like: np.ndarray, size: Sizes, kernel: Sizes, out: Sizes, windows: Windows, dtype: np.dtype):
        channels, groups = size[0], windows.groups
        self.windows, self.kernel, self.out, self.length = windows, kernel, out, prod(out)
        self.padded = tuple(n + 2 * p for n, p in zip(size[1:], windows.padding, strict=True))
        self.by_rows = len(kernel) == 2 and windows.stride[0] == 1 and kernel[0] > 1
        self.copied, self.shape = (kernel[1:], (self.padded[0], out[1])) if self.by_rows else (kernel, out)
        depth = prod(self.copied) * (channels // groups)
        self.scratch = np.zeros_like(
            like, shape=(groups, prod(self.copied), channels // groups, *self.shape), dtype=dtype
        )
        self.matrix = self.scratch.reshape(groups, depth, prod(self.shape))
        self.image = np.zeros_like(like, shape=(channels, *self.padded), dtype=dtype)
        self.inside = (slice(None), *(slice(p, p + n) for p, n in zip(windows.padding, size[1:], strict=True)))

    def parts(self) -> list[Any]:
        """The matrices whose products are added: one, or one for each row of the kernel."""
        if not self.by_rows:
            return [self.matrix]
        steps = [row * self.windows.dilation[0] * self.out[1] for row in range(self.kernel[0])]
        return [self.matrix[:, :, start : start + self.length] for start in steps]

    def pieces(self) -> list[tuple[Any, Any]]:
        """Each piece of the scratch, with the elements of the padded image that belong there."""
        image = self.image.reshape(self.windows.groups, -1, *self.padded)
        dims = len(self.copied)
        stride, dilation = self.windows.stride[-dims:], self.windows.dilation[-dims:]
        pieces = []
        for i, offsets in enumerate(product(*map(range, self.copied))):
            spans: list[Any] = [
                slice(o * d, o * d + (n - 1) * s + 1, s)
                for o, d, n, s in zip(offsets, dilation, self.out[-dims:], stride, strict=True)
            ]
            pieces.append((self.scratch[:, i], image[(Ellipsis, *spans)]))
        return pieces

    def weights(self, weight: np.ndarray) -> list[Any]:
        """The weight as matrices that fit the parts."""
        groups, rows = self.windows.groups, self.kernel[0] if self.by_rows else 1
        many, depth = weight.shape[0] // groups, prod(self.copied) * weight.shape[1]
        split = weight.reshape(groups, many, weight.shape[1], rows, prod(self.copied))
        return list(contiguous(split.transpose(3, 0, 1, 4, 2)).reshape(rows, groups, many, depth))


def weight_of(parts: np.ndarray, shape: Sizes) -> Any:
    """A weight of its matrices: one for each row of the kernel that is added up, in each group."""
    rows, groups = parts.shape[:2]
    split = parts.reshape(rows, groups, -1, prod(shape[2:]) // rows, shape[1])
    return split.transpose(1, 2, 4, 0, 3).reshape(shape)


def columns(like: np.ndarray, size: Sizes, weight: Sizes, out: Sizes, windows: Windows, dtype: np.dtype) -> Columns:
    """The scratch for images of this size."""
    return Columns(like, size, weight[2:], out, windows, dtype)


PARALLEL = 1 << 18
"""From this many elements in the scratch of all images, several threads take an image each."""

PARTIAL = 8
"""In how many sums the products of all images are added up, whatever the number of threads."""


def _each(room: Callable[[], tuple], work: Callable[[tuple, Any], None], pieces: Sequence[Any], elements: int) -> None:
    """Call `work` with a room and each piece of the images. A room serves one piece after the other."""
    rooms = deque([room()])

    def in_a_room(piece: Any) -> None:
        try:
            free = rooms.pop()
        except IndexError:  # all are in use
            free = room()
        work(free, piece)
        rooms.append(free)

    if elements < PARALLEL or len(pieces) < 2 or get_num_threads() < 2:
        for piece in pieces:
            in_a_room(piece)
        return
    with one_thread_of_blas():
        run_parallel(in_a_room, pieces)


def _elements(images: np.ndarray, weight: Sizes, out: Sizes) -> int:
    """How many numbers the windows of all images read; 0 where the images lie on a device, which has threads itself."""
    return len(images) * prod(weight[1:]) * prod(out) if type(images) is np.ndarray else 0


def convolve(target: np.ndarray, input: np.ndarray, weight: np.ndarray, windows: Windows, wide: np.dtype) -> None:
    """Write the convolution of each image into `target`."""
    out, wider = target.shape[2:], weight.astype(wide, copy=False)

    def room() -> tuple:
        own = columns(input, input.shape[1:], weight.shape, out, windows, wide)
        parts, weights = own.parts(), own.weights(wider)
        result = np.empty_like(target, shape=(windows.groups, weights[0].shape[1], own.length), dtype=wide)
        return own, parts, own.pieces(), weights, result, np.empty_like(result) if len(parts) > 1 else result

    def one(room: tuple, n: int) -> None:
        own, parts, pieces, weights, result, other = room
        own.image[own.inside] = input[n]
        for piece, source in pieces:
            piece[...] = source
        np.matmul(weights[0], parts[0], out=result)
        for matrix, part in zip(weights[1:], parts[1:], strict=True):
            result += np.matmul(matrix, part, out=other)
        target[n] = result.reshape(target.shape[1:])

    _each(room, one, range(len(input)), _elements(input, weight.shape, out))


def convolve_back(target: np.ndarray, grad: np.ndarray, weight: np.ndarray, windows: Windows, wide: np.dtype) -> None:
    """Write the gradient of the input, which is also the transposed convolution, into `target`."""
    out, wider = grad.shape[2:], weight.astype(wide, copy=False)

    def room() -> tuple:
        own = columns(grad, target.shape[1:], weight.shape, out, windows, wide)
        return own, own.parts(), own.pieces(), [matrix.swapaxes(1, 2) for matrix in own.weights(wider)]

    def one(room: tuple, n: int) -> None:
        own, parts, pieces, turned = room
        slope = grad[n].reshape(windows.groups, -1, own.length).astype(wide, copy=False)
        if own.by_rows:
            own.scratch[...] = 0
            for matrix, part in zip(turned, parts, strict=True):
                part += np.matmul(matrix, slope)
        else:
            np.matmul(turned[0], slope, out=parts[0])
        own.image[...] = 0
        for piece, place in pieces:
            place += piece
        target[n] = own.image[own.inside]

    _each(room, one, range(len(grad)), _elements(grad, weight.shape, out))


def weigh(target: np.ndarray, grad: np.ndarray, input: np.ndarray, windows: Windows, wide: np.dtype) -> None:
    """Write the gradient of the weight into `target`."""
    out, count = grad.shape[2:], len(input)
    elements = _elements(input, target.shape, out)
    pieces = spans(count, count if elements < PARALLEL else -(-count // PARTIAL)) if count else [slice(0, 0)]
    totals: dict[int, Any] = {}

    def room() -> tuple:
        own = columns(input, input.shape[1:], target.shape, out, windows, wide)
        return own, own.parts(), own.pieces()

    def some(room: tuple, images: slice) -> None:
        own, parts, pieces = room
        size = len(parts), windows.groups, parts[0].shape[1], grad.shape[1] // windows.groups
        total = totals[images.start] = np.zeros_like(input, shape=size, dtype=wide)
        for n in range(images.start, images.stop):
            own.image[own.inside] = input[n]
            for piece, source in pieces:
                piece[...] = source
            slope = grad[n].reshape(windows.groups, -1, own.length).astype(wide, copy=False)
            for i, part in enumerate(parts):
                total[i] += np.matmul(part, slope.swapaxes(1, 2))  # BLAS is quicker if the smaller one is transposed

    _each(room, some, pieces, elements)
    whole = totals.pop(0)
    for _, total in sorted(totals.items()):
        whole += total
    target[...] = weight_of(whole.swapaxes(2, 3), target.shape)
