"""copy, deepcopy and pickle of tensors, which keep what is shared."""

from __future__ import annotations

from typing import Any

METHODS: dict[str, Any] = {}
PROPERTIES: dict[str, Any] = {}
