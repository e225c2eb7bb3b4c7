"""Every setting of PyTorch's optimizer database, 20 steps here and on PyTorch. Needs PyTorch.

python -m tests.layers.live_optimizers                    all optimizers
python -m tests.layers.live_optimizers Adam AdamW         some
python -m tests.layers.live_optimizers --seed 7           from other parameters, with other gradients
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

import tensorwidgets as tw
from tests.operators.database import optimizers

STEPS = 20
SIZES = ((3, 5), (4, 2))


class Row(NamedTuple):
    """What came of one setting in one dtype."""

    optimizer: str
    setting: str
    dtype: str
    equal: bool
    wrong: str
    """Why it disagrees; empty if every parameter and state is close."""


def rows(names: list[str] | None = None, seed: int = 0) -> Iterator[Row]:
    """Each setting in each dtype, compared."""
    for info in optimizers():
        name = info.optim_cls.__name__
        if names and name not in names:
            continue
        dtypes = ("float32", "float64", *(("complex64",) if info.supports_complex else ()))
        for given in info.optim_inputs_func(device="cpu"):
            for dtype in dtypes:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    yield compared(name, given, dtype, info.only_supports_sparse_grads, seed)


def compared(name: str, given: Any, dtype: str, sparse: bool, seed: int) -> Row:
    """One setting, here and on PyTorch."""
    theirs = trained(torch, name, given.kwargs, dtype, sparse, seed)
    try:
        ours = trained(tw, name, {key: moved(value) for key, value in given.kwargs.items()}, dtype, sparse, seed)
    except Exception as error:
        return Row(name, given.desc, dtype, False, f"{type(error).__name__}: {error}")
    equal, wrong = True, ""
    if list(ours) != list(theirs):
        return Row(name, given.desc, dtype, False, "names of states, or their order")
    tolerance = 1e-5 if dtype != "float64" else 1e-12
    if name == "Muon":  # its steps are bfloat16, and depend on the order in which products are added up
        tolerance = 0.05 * STEPS * float(given.kwargs.get("lr", 1e-3))
    for key, value in theirs.items():
        near = tolerance
        if name == "LBFGS" and " " in key:  # near the minimum its states are quotients of very small numbers,
            if dtype != "float64":
                continue  # here of rounding errors alone,
            near = 1e-9  # and here the last digits depend on the order in which a product is added up
        mine = ours[key]
        if mine.dtype != value.dtype or mine.shape != value.shape:
            wrong = f"{key}: {mine.dtype} {mine.shape}, PyTorch's {value.dtype} {value.shape}"
        elif not np.array_equal(mine, value, equal_nan=value.dtype.kind in "fc"):
            equal = False
            if not np.allclose(mine, value, rtol=near, atol=near, equal_nan=True):
                wrong = f"{key}: differs by up to {np.abs(mine - value).max()}"
    return Row(name, given.desc, dtype, equal and not wrong, wrong)


def moved(value: Any) -> Any:
    """A setting for our engine."""
    if isinstance(value, torch.Tensor):
        return tw.tensor(value.numpy())
    return tuple(moved(each) for each in value) if isinstance(value, tuple) else value


def trained(
    engine: Any, name: str, settings: dict[str, Any], dtype: str, sparse: bool, seed: int
) -> dict[str, np.ndarray]:
    """Parameters and states after some steps, by name."""
    stream = np.random.default_rng(seed)

    def drawn(size: tuple[int, ...]) -> Any:
        values = stream.standard_normal(size)
        if dtype.startswith("complex"):
            values = values + 1j * stream.standard_normal(size)
        return engine.tensor(values.astype(dtype))

    parameters = [drawn(size).requires_grad_() for size in SIZES]
    targets = [drawn(size) for size in SIZES]
    settings = {key: copied(value, engine) for key, value in settings.items()}
    optimizer = getattr(engine.optim, name)(parameters, **settings)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = sum(
            ((p - t).abs() ** 2).sum() * (k + 1) for k, (p, t) in enumerate(zip(parameters, targets, strict=True))
        )
        loss.backward()
        return loss

    for _ in range(STEPS):
        if name == "LBFGS":
            optimizer.step(closure)
            continue
        for parameter, size in zip(parameters, SIZES, strict=True):
            grad = drawn(size)
            parameter.grad = engine.sparse_coo_tensor([[0, 2]], grad[[0, 2]], size) if sparse else grad
        optimizer.step()
    found = {str(k): parameter.detach().numpy() for k, parameter in enumerate(parameters)}
    for k, parameter in enumerate(parameters):
        for key, value in optimizer.state[parameter].items():
            for place, each in enumerate(value if isinstance(value, list) else [value]):
                if each is not None:
                    found[f"{k} {key} {place}"] = np.asarray(each.numpy() if isinstance(each, engine.Tensor) else each)
    return found


def copied(value: Any, engine: Any) -> Any:
    """A setting that a run may change."""
    return value.clone() if isinstance(value, engine.Tensor) else value


def main() -> None:
    reader = argparse.ArgumentParser(description="PyTorch's optimizers, ours beside PyTorch's.")
    reader.add_argument("names", nargs="*")
    reader.add_argument("--seed", type=int, default=0)
    chosen = reader.parse_args()
    found = list(rows(chosen.names, chosen.seed))
    for row in found:
        if row.wrong or not row.equal:
            print(row.optimizer, row.dtype, f"[{row.setting}]", row.wrong or "close, not equal")
    settings = {(row.optimizer, row.setting) for row in found}
    wrong = {(row.optimizer, row.setting) for row in found if row.wrong}
    unequal = {(row.optimizer, row.setting) for row in found if not row.equal}
    print(f"{len(settings)} settings: {len(settings) - len(wrong)} agree, {len(settings) - len(unequal)} to the bit")


if __name__ == "__main__":
    main()
