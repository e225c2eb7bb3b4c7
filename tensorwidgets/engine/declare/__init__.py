"""How is an op declared, and what follows from its row? Pointwise, reduction, view, creation, linear algebra."""
