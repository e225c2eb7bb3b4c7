"""Which random numbers does a GPU draw? Those of a stream of its own, computed there from a seed and a counter.

The numbers are Philox's: four 32-bit words from a counter and a key, by ten rounds of multiplication. Any part of the
stream can be computed by itself, which suits a GPU. They are not PyTorch's numbers on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors.reasons import refuse
from ..memory import MAIN_MEMORY, place_at
from ..tensor.generator import DEFAULT_SEED, OF_DEVICES, Generator, checked_seed
from ..tensor.tensor import Tensor
from ..tensor.wrapping import wrap
from ..types import dtypes
from ..types.device import usable

_LOW = (1 << 32) - 1


def philox(counters: np.ndarray, seed: int) -> list[Any]:
    """Four 32-bit words, as uint64, for each counter.

    >>> [hex(word[0]) for word in philox(np.array([0], np.uint64), 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    low, high, bits = np.uint64(_LOW), np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b = counters & low, counters >> bits
    c = d = counters ^ counters
    key0, key1 = seed & _LOW, seed >> 32
    for _ in range(10):
        first, second = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b, c, d = (
            (second >> bits) ^ b ^ np.uint64(key0), second & high, (first >> bits) ^ d ^ np.uint64(key1), first & high,
        )  # fmt: skip
        key0, key1 = key0 + 0x9E3779B9 & _LOW, key1 + 0xBB67AE85 & _LOW
    return [a, b, c, d]


class DeviceGenerator(Generator):
    """A stream of random numbers on a GPU."""

    __slots__ = ("_offset",)

    def __init__(self, device: Any = "cuda"):
        self._device = usable(device)
        self._seed, self._offset = DEFAULT_SEED, 0
        self.next_normal = None
        self.visiting = False

    def manual_seed(self, seed: int) -> Generator:
        self._seed, self._offset, self.next_normal = checked_seed(seed), 0, None
        return self

    def draws32(self, count: int) -> Any:
        place = MAIN_MEMORY if self.visiting else place_at(self._device)
        if not count:
            return place.zeros((0,), np.dtype(np.uint64))
        groups = -(-count // 4)
        counters = np.arange(
            self._offset, self._offset + groups, dtype=np.uint64, like=place.zeros((1,), np.dtype("u8"))
        )
        self._offset += groups
        return np.stack(philox(counters, self._seed), axis=1).reshape(-1)[:count]

    def get_state(self) -> Tensor:
        """The seed and the offset, eight bytes each, as PyTorch keeps them."""
        return wrap(np.array([self._seed, 4 * self._offset], np.uint64).view(np.uint8), dtypes.uint8)

    def set_state(self, state: Tensor) -> Generator:
        if state.numel() != 16:
            refuse(
                RuntimeError,
                "RNG state is wrong size",
                f"the state of a stream on a GPU has 16 bytes, and this one has {state.numel()}",
                rule="random.state",
            )
        seed, offset = np.frombuffer(bytes(state.tolist()), np.uint64).tolist()
        self._seed, self._offset, self.next_normal = seed, offset // 4, None
        return self


OF_DEVICES["cuda"] = DeviceGenerator
