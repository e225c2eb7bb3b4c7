"""Arithmetic with a number, for formulas and parts: the rows that composites of the engine use as well."""

from __future__ import annotations

from ..ops.pointwise.number_rows import add_number, div_number, mul_number, mul_number_, rsub_number, sub_number

__all__ = ["add_number", "div_number", "mul_number", "mul_number_", "rsub_number", "sub_number"]
