"""Gradients of every sample of PyTorch's operator database: asked live, and some of them frozen."""
