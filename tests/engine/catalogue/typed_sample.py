"""What a user of PyTorch would write, with the types that a checker should see. It runs, too."""

from __future__ import annotations

from typing import assert_type

import numpy as np

import tensorwidgets as torch


def sizes(x: torch.Tensor) -> list[int]:
    """A function with tensors in its signature."""
    return [x.size(dim) for dim in range(x.dim())]


x = torch.arange(12.0).reshape(3, 4)
y = torch.zeros(3, 4, dtype=torch.float64, device="cpu")
assert_type(x, torch.Tensor)
assert_type(x.shape, torch.Size)
assert_type(x.size(), torch.Size)
assert_type(x.size(0), int)
assert_type(x.stride(), tuple[int, ...])
assert_type(x.dtype, torch.dtype)
assert_type(torch.float, torch.dtype)
assert_type(x.is_contiguous(), bool)
assert_type(sizes(x), list[int])
rows, columns = x.shape
assert_type(rows, int)

# Views.
assert_type(x.t().reshape(-1), torch.Tensor)
assert_type(x.view(2, -1), torch.Tensor)
assert_type(x.view((2, 6)).view(torch.int32), torch.Tensor)
assert_type(torch.narrow(x, 0, 1, 2), torch.Tensor)
assert_type(x.permute(1, 0).permute((1, 0)), torch.Tensor)
assert_type(x.T.mT.swapaxes(0, 1), torch.Tensor)
assert_type(x.unbind(0), tuple[torch.Tensor, ...])
assert_type(torch.split(x, [1, 2]), tuple[torch.Tensor, ...])
first, *others = x.chunk(2)
assert_type(first.squeeze(), torch.Tensor)
assert_type(x.data.detach(), torch.Tensor)

# Indices.
assert_type(x[0], torch.Tensor)
assert_type(x[1:, ::2], torch.Tensor)
assert_type(x[..., None, -1], torch.Tensor)
assert_type(x[x > 3], torch.Tensor)
assert_type(x[[0, 2], torch.tensor([1, 1])], torch.Tensor)
x[0, 1:3] = 5
x[1] = torch.ones(4)

# Operators.
assert_type(1 - x / 2 + x**2 // 3 % 5, torch.Tensor)
assert_type(-x @ y.float().t(), torch.Tensor)
assert_type(x == 5, torch.Tensor)
assert_type((x > 1) & ~(x >= 2) | (x != x), torch.Tensor)
x += 1
x *= y.float().add(1)
assert_type(x, torch.Tensor)
assert_type([float(e) for e in x.flatten()], list[float])
assert_type(int(x[0, 0]), int)
assert_type(len(x), int)
if (x > 100).any():
    raise AssertionError("these numbers are small")

# Functions, methods, in place, named results.
assert_type(torch.add(x, y, alpha=2).sub_(1).clone(), torch.Tensor)
assert_type(torch.div(x, 2, rounding_mode="floor"), torch.Tensor)
assert_type(torch.exp(x, out=torch.empty(3, 4)).mean(dim=(0, 1), keepdim=True), torch.Tensor)
assert_type(torch.max(x), torch.Tensor)
assert_type(torch.max(x, 0).values, torch.Tensor)
values, indices = x.max(dim=1)
assert_type(indices, torch.Tensor)
assert_type(torch.cat([x, x], dim=1).sum(0), torch.Tensor)
assert_type(x.to(torch.int64).to("cpu").to(y), torch.Tensor)
assert_type(torch.equal(x, x), bool)
assert_type(torch.result_type(x, 1), torch.dtype)
assert_type(torch.as_tensor(np.zeros(3)).long(), torch.Tensor)
assert_type(x.untyped_storage().nbytes(), int)
assert_type(torch.finfo(torch.float32).eps, float)

with torch.no_grad(), torch.recording() as calls:
    x.zero_()
assert len(calls) == 1
page = torch.show(x)
print(torch.route("add", x, 1), torch.catalogue("narrow"), page)
