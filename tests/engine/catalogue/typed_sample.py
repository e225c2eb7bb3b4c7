"""What a user of PyTorch would write, with the types that a checker should see. It runs, too."""

from __future__ import annotations

from typing import assert_type

import numpy as np

import tensorwidgets as torch
from tensorwidgets import nn
from tensorwidgets.utils.data import DataLoader, Dataset, Subset, TensorDataset, random_split


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
assert_type(torch.meshgrid(x[0], x[0], indexing="ij"), tuple[torch.Tensor, ...])
assert_type(torch.broadcast_tensors(x, x[0]), tuple[torch.Tensor, ...])
assert_type(torch.block_diag(x, x), torch.Tensor)
assert_type(torch.einsum("ij,ij", x, x), torch.Tensor)
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


# Training.
class Squares(Dataset[tuple[torch.Tensor, torch.Tensor]]):
    """Numbers and their squares."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        number = torch.tensor([index / 8])
        return number, number**2


class Net(nn.Module):
    """Two layers."""

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(1, width), nn.Linear(width, 1)
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.last(nn.functional.relu(self.first(x)))
        return result


net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
loader = DataLoader(Squares(), batch_size=4, shuffle=True)
assert_type(loader, DataLoader[tuple[torch.Tensor, torch.Tensor]])
for inputs, targets in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(inputs), targets)
    loss.backward()
    optimizer.step()
schedule.step()
assert_type(random_split(Squares(), [6, 2])[0], Subset[tuple[torch.Tensor, torch.Tensor]])
assert_type(Subset(Squares(), [1, 2])[0], tuple[torch.Tensor, torch.Tensor])
for numbers, halves in DataLoader(TensorDataset(torch.ones(4), torch.ones(4))):
    assert len(numbers) == len(halves)
assert_type(list(net.named_parameters()), list[tuple[str, nn.Parameter]])
assert_type(net.first.weight.grad, torch.Tensor | None)
assert_type(net.train().eval().to("cpu"), Net)
assert_type(nn.utils.clip_grad_norm_(net.parameters(), 1.0), torch.Tensor)
net.load_state_dict(net.state_dict())

empty = torch.Tensor(3, 4)
codes: torch.Tensor = torch.LongTensor([1, 2]).view(-1) + torch.ByteTensor([1, 2]).sum()
kept = torch.Storage([1.0, 2.0])
assert len(kept) == torch.FloatStorage(2).size() and nn.Parameter(empty).shape == empty.shape
