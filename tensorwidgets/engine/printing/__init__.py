"""How does PyTorch print a tensor, to the character?"""
