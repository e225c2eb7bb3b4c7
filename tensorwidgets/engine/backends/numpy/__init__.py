"""How does NumPy do large work fast and exactly? One trick a file, each with its guard; no tensors."""
