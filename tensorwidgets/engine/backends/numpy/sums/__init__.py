"""How are floats added up and multiplied: to the bit as in PyTorch, nearly exactly, or times a factor?"""
