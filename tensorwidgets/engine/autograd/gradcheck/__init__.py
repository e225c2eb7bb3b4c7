"""Are the derivatives of a function right? Gradients compared with differences of function values."""
