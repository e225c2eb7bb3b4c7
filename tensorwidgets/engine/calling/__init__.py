"""How may an op be called, and how does PyTorch refuse a call that fits none of the ways?"""
