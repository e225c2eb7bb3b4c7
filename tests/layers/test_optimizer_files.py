"""The state of an optimizer crosses to PyTorch and back in files, and training goes on as if nothing had happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw


@pytest.mark.torch
@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "NAdam", "ASGD", "Adafactor"])
def test_training_goes_on_across_the_border(name: str, tmp_path: Path) -> None:
    import torch

    def trained(engines: list[Any]) -> np.ndarray:
        values, path = np.linspace(-1, 1, 6).reshape(2, 3), None
        for engine in engines:
            w = engine.tensor(values).requires_grad_()
            optimizer = getattr(engine.optim, name)([w], lr=0.05)
            if path is not None:
                optimizer.load_state_dict(engine.load(path))
            for _ in range(3):
                optimizer.zero_grad()
                ((w - 0.5) ** 4).sum().backward()
                optimizer.step()
            values, path = w.detach().numpy().copy(), tmp_path / "state.pt"
            engine.save(optimizer.state_dict(), path)
        return values

    np.testing.assert_allclose(trained([tw, torch, tw]), trained([torch, torch, torch]), rtol=1e-12)
