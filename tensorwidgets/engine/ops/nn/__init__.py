"""Which ops do layers of neural networks compute?

A function of `torch.nn.functional` is a row by its full name. Most are made of other ops (`composite_row`). What
PyTorch computes by a kernel of its own is a row, too, with a rule and a kernel; where it has another call than the
function, its name begins with `_nn.`, PyTorch's hidden module of such ops.
"""

from . import (
    activations,
    attention,
    bilinear,
    dropout,
    embeddings,
    linear,
    losses,
    norms,
    padding,
    recurrent,
    resampling,
    shuffles,
    ways_back,
    windows,
)

__all__ = [
    "activations",
    "attention",
    "bilinear",
    "dropout",
    "embeddings",
    "linear",
    "losses",
    "norms",
    "padding",
    "recurrent",
    "resampling",
    "shuffles",
    "ways_back",
    "windows",
]
