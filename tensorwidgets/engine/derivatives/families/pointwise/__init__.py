"""The derivatives of ops that compute each element from one element of each operand."""

from . import arithmetic, choices, powers, signs, special, trigonometry

__all__ = ["arithmetic", "choices", "powers", "signs", "special", "trigonometry"]
