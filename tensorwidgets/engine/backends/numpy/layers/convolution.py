"""How are convolutions computed as matrix products?

Image by image, the windows of the image are copied into the columns of one scratch matrix, and the weight is multiplied
by it. In two dimensions with a stride of 1 down the rows, only the shifts along a row are copied: the windows that
start some rows further down are a later stretch of the same scratch, and the products are added up. The gradients use
the same scratch: the weight's is a product with it, and the input's is a product added back from it.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....memory.places import contiguous

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

    def weight_of(self, parts: np.ndarray, shape: Sizes) -> Any:
        """A weight of its matrices."""
        groups, rows = self.windows.groups, self.kernel[0] if self.by_rows else 1
        split = parts.reshape(rows, groups, -1, prod(self.copied), shape[1])
        return split.transpose(1, 2, 4, 0, 3).reshape(shape)


def columns(like: np.ndarray, size: Sizes, weight: Sizes, out: Sizes, windows: Windows, dtype: np.dtype) -> Columns:
    """The scratch for images of this size."""
    return Columns(like, size, weight[2:], out, windows, dtype)


def convolve(target: np.ndarray, input: np.ndarray, weight: np.ndarray, windows: Windows, wide: np.dtype) -> None:
    """Write the convolution of each image into `target`."""
    room = columns(input, input.shape[1:], weight.shape, target.shape[2:], windows, wide)
    parts, pieces, weights = room.parts(), room.pieces(), room.weights(weight.astype(wide, copy=False))
    result = np.empty_like(target, shape=(windows.groups, weights[0].shape[1], room.length), dtype=wide)
    other = np.empty_like(result) if len(parts) > 1 else result
    for n in range(len(input)):
        room.image[room.inside] = input[n]
        for piece, source in pieces:
            piece[...] = source
        np.matmul(weights[0], parts[0], out=result)
        for matrix, part in zip(weights[1:], parts[1:], strict=True):
            result += np.matmul(matrix, part, out=other)
        target[n] = result.reshape(target.shape[1:])


def convolve_back(target: np.ndarray, grad: np.ndarray, weight: np.ndarray, windows: Windows, wide: np.dtype) -> None:
    """Write the gradient of the input, which is also the transposed convolution, into `target`."""
    room = columns(grad, target.shape[1:], weight.shape, grad.shape[2:], windows, wide)
    parts, pieces = room.parts(), room.pieces()
    turned = [matrix.swapaxes(1, 2) for matrix in room.weights(weight.astype(wide, copy=False))]
    for n in range(len(grad)):
        own = grad[n].reshape(windows.groups, -1, room.length).astype(wide, copy=False)
        if room.by_rows:
            room.scratch[...] = 0
            for matrix, part in zip(turned, parts, strict=True):
                part += np.matmul(matrix, own)
        else:
            np.matmul(turned[0], own, out=parts[0])
        room.image[...] = 0
        for piece, place in pieces:
            place += piece
        target[n] = room.image[room.inside]


def weigh(target: np.ndarray, grad: np.ndarray, input: np.ndarray, windows: Windows, wide: np.dtype) -> None:
    """Write the gradient of the weight into `target`."""
    room = columns(input, input.shape[1:], target.shape, grad.shape[2:], windows, wide)
    parts, pieces = room.parts(), room.pieces()
    depth = parts[0].shape[1]
    total = np.zeros_like(input, shape=(len(parts), windows.groups, grad.shape[1] // windows.groups, depth), dtype=wide)
    for n in range(len(input)):
        room.image[room.inside] = input[n]
        for piece, source in pieces:
            piece[...] = source
        own = grad[n].reshape(windows.groups, -1, room.length).astype(wide, copy=False)
        for i, part in enumerate(parts):
            total[i] += np.matmul(own, part.swapaxes(1, 2))
    target[...] = room.weight_of(total, target.shape)
