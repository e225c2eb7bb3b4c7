"""`show`: one object that is called for storages and views, with a method for every other picture.

Each picture lives in a file of its own, which is loaded when it is first asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from .labels import labels_of
from .picture import Picture


class Show:
    """Draws what arrays are in memory: ours, NumPy's, PyTorch's, CuPy's, anything strided.

    Every picture prints as text, shows itself in a notebook, and can be saved: `show(x).save("x.html")`.
    """

    def __call__(self, *arrays: Any, labels: Sequence[str] | None = None) -> Picture:
        """Storage and views, linked both ways: where each element of each array lives.

        >>> import numpy as np
        >>> show(np.arange(3.0), labels=["x"])
        One storage, one view (float64, 3 elements, 24 bytes, NumPy)
        element    0  1   2
        storage A  0  1   2
        byte       0  8  16
        x          0  1   2  3 of 3
        <BLANKLINE>
        x: size (3,), stride (1,), offset 0
          0  1  2
          0  1  2
        <BLANKLINE>
        x[2]: offset = 0 + 2*1 = 2 -> bytes 16..23
        Linked: A[2].
        Colour is the place in storage.
        """
        from .views import storage_and_views

        return storage_and_views(arrays, labels_of(sys._getframe(1), len(arrays), labels))

    def steps(self, expression: str, **names: Any) -> Picture:
        """View or copy: each step of an expression, and why the one that copies has to.

        Names that are not given are those of the place where it is called.

        >>> import numpy as np
        >>> print(repr(show.steps("x.T.reshape(-1)", x=np.arange(6.0).reshape(2, 3))).splitlines()[0])
        x.T.reshape(-1): where does it copy? (two views, one copy of 48 bytes)
        """
        from .steps import steps

        frame = sys._getframe(1)
        return steps(expression, {**frame.f_globals, **frame.f_locals, **names})

    def __repr__(self) -> str:
        return "show(*arrays, labels=None)"


show = Show()
