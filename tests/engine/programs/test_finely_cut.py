"""PyTorch's frozen answers, with every result cut into pieces of a few elements, on one, two and four threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import pytest

from tensorwidgets.engine.backends.numpy import chunks
from tests.engine.calls import test_forms
from tests.engine.numbers import test_arithmetic
from tests.engine.programs import test_programs
from tests.engine.programs.finely_cut import finely_cut
from tests.engine.views import test_gathering
from tests.operators import test_samples
from tests.parts import Part, thorough_but

FROZEN = {
    "arithmetic": test_arithmetic.test_the_frozen_answers,
    "forms": test_forms.test_the_frozen_answers,
    "gathering": test_gathering.test_frozen_answers_of_pytorch,
    "programs": test_programs.test_the_frozen_programs,
    "samples": partial(test_samples.test_the_frozen_samples, Part(6)),
    "other samples": partial(test_samples.test_the_frozen_samples, Part(6, rest=True)),
}
PLAIN = [(answers, 2) for answers in ("arithmetic", "samples", "programs")]
"""What the plain run asks: on two threads."""


@pytest.mark.parametrize(("answers", "threads"), thorough_but(PLAIN, product(FROZEN, [1, 2, 4])))
def test_the_frozen_answers_do_not_depend_on_pieces_or_threads(
    answers: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[int] = []
    run_parallel = chunks.run_parallel

    def counted(function: Callable, pieces: list) -> None:
        cut.append(len(pieces))
        run_parallel(function, pieces)

    monkeypatch.setattr(chunks, "run_parallel", counted)
    with finely_cut(threads):
        FROZEN[answers]()
    assert max(cut, default=0) > 1, "nothing was cut"
