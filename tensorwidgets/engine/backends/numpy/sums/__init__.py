"""How are floats added up and multiplied: to the bit as in PyTorch, nearly exactly, times a factor, or row by row?"""
