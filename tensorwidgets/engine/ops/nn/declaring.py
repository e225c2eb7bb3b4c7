"""How are the rows of `torch.nn.functional` declared? By two of the forms, with the family filled in."""

from __future__ import annotations

from functools import partial

from ...declare.by_signature import calls
from ...declare.rules import composite_row, computed_row

nn_composite = partial(composite_row, family="nn", category="nn", forms="function")
"""A function that calls other rows."""
nn_row = partial(computed_row, family="nn", category="nn", forms="function")
"""A rule and a kernel."""
nn_row_without_out = partial(nn_row, out=None)
"""A rule and a kernel of a row that takes no `out=`."""
nn_calls = partial(calls, family="nn", category="nn", forms="function")
"""A rule and a kernel; the arguments are read by PyTorch's notation first."""
