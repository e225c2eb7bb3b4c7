"""What may divert a call? The bits of `Tensor._keys`."""

from __future__ import annotations

KEY_NAMES, KEY_META, KEY_CONJ, KEY_NEG, KEY_MOVED, KEY_CLASS, KEY_AUTOGRAD, KEY_INFERENCE = (1 << n for n in range(8))
"""What may divert a call, as bits of `Tensor._keys`. Zero is a plain strided tensor on the CPU."""

LAST_KEY = KEY_INFERENCE
"""The bits above this one are given out by `kinds`."""

KEY_PROMISE = KEY_CONJ | KEY_NEG
"""The elements are not what the memory holds, but its conjugates, its negatives, or both."""

NOT_AUTOGRAD = ~KEY_AUTOGRAD
"""What a new tensor keeps of the keys of another: its origin in the graph is its own."""
