"""Numbers that are not finite, or too large, are no reason for one of NumPy's warnings: PyTorch has none."""

from __future__ import annotations

import ast
import warnings

import pytest

import tensorwidgets as torch

NUMBERS = [float("inf"), float("-inf"), float("nan"), 3e38, -3e38, 1e-45]

CALLS = """
x.sum(), x.sum(0), x.mean(), x.nansum(), x.prod(), x.prod(0), x.half().prod(0), x.cumsum(0), x.cumprod(0)
x.norm(), x.norm(1), x.norm(dim=0), x.var(), x.std(0), x.logsumexp(0), x.trace(), x.softmax(0), x.log_softmax(1)
F.nll_loss(x, classes), F.nll_loss(x, classes, x[0]), F.nll_loss(x, classes, reduction="sum")
F.cross_entropy(x, classes), F.cross_entropy(x, classes, label_smoothing=0.1), F.cross_entropy(x, classes, x[0])
F.mse_loss(x, x * 0.5), F.smooth_l1_loss(x, x * 0.5), F.binary_cross_entropy_with_logits(x, x * 0)
F.multi_margin_loss(x, classes), F.multi_margin_loss(x, classes, p=2, weight=x[0]), F.soft_margin_loss(x, x)
F.multilabel_margin_loss(x, classes.repeat(4, 1).T), F.normalize(x), F.cosine_similarity(x, -x)
torch.histc(x, 4, min=-1e38, max=1e38), torch.histogram(x, 4, range=(-1e38, 1e38))
torch.stft(x.flatten(), 4, return_complex=True), torch.stft(x.flatten(), 4, window=x[0], return_complex=True)
torch.istft(torch.complex(x, x)[:3], 4, window=torch.ones(4))
torch.linalg.householder_product(x, x[0]), torch.ormqr(x, x[0], x), torch.linalg.vander(x[0], N=9)
torch.linalg.ldl_solve(x, torch.ones(4, dtype=torch.int32), x), torch.linalg.lstsq(x, x), torch.matrix_exp(x)
torch.linalg.matrix_power(x[:1, :1], 3), x[:1] @ x[:1].T, x @ x, torch.outer(x[0], x[1]), torch.cdist(x, -x)
"""


@pytest.mark.parametrize("line", CALLS.strip().splitlines())
@pytest.mark.parametrize("number", NUMBERS)
def test_no_call_warns_of_numbers(line: str, number: float) -> None:
    classes = torch.arange(4)
    for recorded in (False, True):
        x = torch.arange(16.0).reshape(4, 4) / 8
        x[0, 0], x[3, 1] = number, -number
        x.requires_grad_(recorded)
        for call in _calls(line):
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                try:
                    result = eval(call, {"torch": torch, "F": torch.nn.functional, "x": x, "classes": classes})
                    if (
                        recorded
                        and isinstance(result, torch.Tensor)
                        and result.requires_grad
                        and result.is_floating_point()
                    ):
                        result.sum().backward()
                except (RuntimeError, torch.linalg.LinAlgError) as error:  # a refusal, not a warning
                    assert "encountered in" not in str(error), call


def _calls(line: str) -> list[str]:
    """The calls of a line, which commas separate."""
    return [ast.unparse(call) for call in ast.parse(f"[{line}]", mode="eval").body.elts]  # type: ignore[attr-defined]
