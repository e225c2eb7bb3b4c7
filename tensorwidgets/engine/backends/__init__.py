"""Which libraries compute, and by which tricks? These rooms know arrays and no tensors."""
