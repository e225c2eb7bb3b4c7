"""torch.nn.utils.prune: how are numbers of a parameter set to zero, and kept there while it is trained?"""

from __future__ import annotations

from typing import Any

from .functions import (
    custom_from_mask,
    global_unstructured,
    identity,
    is_pruned,
    l1_unstructured,
    ln_structured,
    random_structured,
    random_unstructured,
    remove,
)
from .masks import CustomFromMask, Identity, L1Unstructured, LnStructured, RandomStructured, RandomUnstructured
from .masks import check_amount as _validate_pruning_amount_init  # noqa: F401  (methods of other people call these)
from .masks import check_count as _validate_pruning_amount  # noqa: F401
from .masks import check_dim as _validate_pruning_dim  # noqa: F401
from .masks import check_structured as _validate_structured_pruning  # noqa: F401
from .masks import norms_of as _compute_norm  # noqa: F401
from .masks import number_of as _compute_nparams_toprune  # noqa: F401
from .methods import BasePruningMethod, PruningContainer

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


def __getattr__(name: str) -> Any:
    from ....engine.errors.missing_names import missing

    missing(__name__, name, __all__)
