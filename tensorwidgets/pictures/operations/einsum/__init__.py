"""Which cells meet in an einsum, and in which order are operands multiplied?"""
